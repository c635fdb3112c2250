package enrol

import "os/exec"

// Detection is what this machine shows of a provider.
type Detection struct {
	ID string
	// Signals name what was found and never its value: "env:OPENAI_API_KEY=set",
	// "exe:codex".
	Signals []string
}

// traces are where a provider shows itself: variables that its tools read, and
// programs of its own. A token of GitHub alone is none: CI has one everywhere.
var traces = map[string]struct{ env, programs []string }{
	"github-copilot": {[]string{"COPILOT_GITHUB_TOKEN"}, []string{"copilot"}},
	"openai":         {[]string{"OPENAI_API_KEY", "CODEX_API_KEY"}, []string{"codex"}},
	"anthropic":      {[]string{"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"}, []string{"claude"}},
	"google-gemini":  {[]string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}, []string{"gemini"}},
	local:            {[]string{"OLLAMA_HOST"}, []string{"ollama"}},
}

// Detect looks for every provider. Nothing is run, and no value leaves it.
func Detect(getenv func(string) string) []Detection {
	found := make([]Detection, 0, len(known))
	for _, p := range known {
		d := Detection{ID: p.ID, Signals: []string{}}
		for _, name := range traces[p.ID].env {
			if getenv(name) != "" {
				d.Signals = append(d.Signals, "env:"+name+"=set")
			}
		}
		for _, name := range traces[p.ID].programs {
			if Installed(name) {
				d.Signals = append(d.Signals, "exe:"+name)
			}
		}
		found = append(found, d)
	}
	return found
}

// Installed reports whether a program is on PATH. One in the current folder,
// which may be a cloned repository's, does not count.
func Installed(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}
