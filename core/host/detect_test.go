package host

import (
	"testing"

	"github.com/grimoire-kit/grimoire/emitters/bundled"
	"github.com/grimoire-kit/grimoire/pluginsdk"
)

func bundledProfiles() []pluginsdk.Profile {
	var profiles []pluginsdk.Profile
	for _, e := range bundled.Emitters() {
		profiles = append(profiles, e.Profile())
	}
	return profiles
}

func TestRunning(t *testing.T) {
	for name, c := range map[string]struct {
		env  map[string]string
		want string
	}{
		"nothing":             {nil, UnknownHost},
		"claude":              {map[string]string{"CLAUDECODE": "1"}, "host-claude-code-cli"},
		"copilot":             {map[string]string{"COPILOT_CLI": "1"}, "host-github-copilot"},
		"claude from copilot": {map[string]string{"COPILOT_CLI": "1", "CLAUDECODE": "1"}, "host-claude-code-cli"},
		"named":               {map[string]string{"GRIMOIRE_HOST_ID": "Host-Codex", "CLAUDECODE": "1"}, "host-codex"},
		"named wrongly":       {map[string]string{"GRIMOIRE_HOST_ID": "codex", "GEMINI_CLI": "1"}, "host-gemini-cli"},
		"set to nothing":      {map[string]string{"OPENCODE": ""}, UnknownHost},
		// A key says what could be called, not who called us.
		"keys": {map[string]string{"ANTHROPIC_API_KEY": "k", "OPENAI_API_KEY": "k", "GITHUB_TOKEN": "k"}, UnknownHost},
	} {
		if got := Running(bundledProfiles(), func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestEveryHostShowsItself(t *testing.T) {
	for _, p := range bundledProfiles() {
		if len(p.Env) == 0 {
			t.Errorf("%s has no variable to be detected by", p.ID)
		}
		for _, name := range p.Env {
			only := func(asked string) string { return map[bool]string{true: "1"}[asked == name] }
			if got := Running(bundledProfiles(), only); got != p.ID {
				t.Errorf("%s of %s shows %s", name, p.ID, got)
			}
		}
	}
}
