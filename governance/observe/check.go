package observe

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/grimoire-kit/grimoire/governance/command"
)

// checkers are the programs that check, with the words that must follow them;
// "" is none. The first word that is no option counts.
var checkers = map[string]string{
	"pytest": "", "tox": "", "nox": "", "ruff": "", "mypy": "", "pyright": "", "flake8": "", "pylint": "",
	"go": "test vet", "gotestsum": "", "golangci-lint": "", "staticcheck": "",
	"cargo": "test check clippy nextest", "npm": "test t", "pnpm": "test", "yarn": "test", "bun": "test", "deno": "test check lint",
	"jest": "", "vitest": "", "mocha": "", "eslint": "", "tsc": "", "playwright": "test", "cypress": "run",
	"make": "test check lint", "just": "test check lint", "task": "test check lint", "rake": "test spec", "rspec": "", "phpunit": "",
	"mvn": "test verify", "gradle": "test check", "gradlew": "test check", "dotnet": "test", "bazel": "test", "ctest": "", "shellcheck": "",
}

// runners start the program that their first word names.
var runners = map[string]string{"uv": "run", "poetry": "run", "pipenv": "run", "npx": "", "bunx": ""}

// IsCheck reports whether a command line is a check and nothing beside it, so
// that its outcome is the check's: `go test ./... || true` is none, nor is one
// whose output goes through a pipe. `cd x && go test` is one.
func IsCheck(line string, programs []command.Program) bool {
	if strings.ContainsAny(strings.ReplaceAll(line, "&&", ""), "|;&`\n!") || strings.Contains(line, "$(") {
		return false
	}
	found := false
	for _, p := range programs {
		switch {
		case p.Name == "cd":
		case checks(p.Name, p.Args):
			found = true
		default:
			return false
		}
	}
	return found
}

func checks(name string, args []command.Word) bool {
	var words []string
	for _, a := range args {
		if !strings.HasPrefix(a.Text, "-") {
			words = append(words, a.Text)
		}
	}
	if must, ok := runners[name]; ok && len(words) > 0 {
		if must != "" {
			if words[0] != must || len(words) == 1 {
				return false
			}
			words = words[1:]
		}
		name, words = words[0], words[1:]
	}
	if (name == "python" || name == "python3") && len(args) > 1 && args[0].Text == "-m" {
		return args[1].Text == "pytest" || args[1].Text == "unittest"
	}
	verbs, ok := checkers[name]
	if !ok || verbs == "" {
		return ok
	}
	return len(words) > 0 && strings.Contains(" "+verbs+" ", " "+words[0]+" ")
}

// Outcome is how a check ended.
type Outcome string

const (
	Passed  Outcome = "passed"
	Failed  Outcome = "failed"
	Unknown Outcome = "unknown" // the host does not tell
)

// exitText is how a host spells the exit code in a tool's text (Copilot CLI,
// observed 1.0.102). What stands last is the host's own.
var exitText = regexp.MustCompile(`completed with exit code (-?\d+)>?\s*$`)

// errorText is how a host that has an event for failures spells the exit code
// in its error (Claude Code, observed 2.1.332).
var errorText = regexp.MustCompile(`^Exit code (\d+)\b`)

// OutcomeOf reads a tool's response. failed is a host's event for a tool that
// failed; failures says that the host has such an event, so that the other one
// means success. Copilot CLI has one too, but a command that fails is a
// success there (observed 1.0.102): only its text tells.
func OutcomeOf(response []byte, failed, failures bool) (o Outcome, exit *int) {
	r := gjson.ParseBytes(response)
	if failed {
		if m := errorText.FindStringSubmatch(r.Str); m != nil {
			if n, err := strconv.Atoi(m[1]); err == nil {
				return Failed, &n
			}
		}
		return Failed, nil
	}
	code, known, speaks := 0, false, false
	for _, key := range []string{"exit_code", "exitCode", "returncode", "return_code", "code", "exit", "metadata.exit"} {
		if v := r.Get(key); v.Type == gjson.Number && !known {
			code, known = int(v.Num), true
		}
	}
	for _, key := range []string{"text_result_for_llm", "textResultForLlm"} {
		speaks = speaks || r.Get(key).Exists()
		if m := exitText.FindStringSubmatch(r.Get(key).Str); m != nil && !known {
			if n, err := strconv.Atoi(m[1]); err == nil {
				code, known = n, true
			}
		}
	}
	switch {
	case known && code == 0:
		return Passed, &code
	case known:
		return Failed, &code
	case r.Get("interrupted").Bool() || r.Get("backgroundTaskId").Exists():
		return Unknown, nil // it has not ended
	case failures && r.IsObject() && !speaks:
		return Passed, nil
	}
	return Unknown, nil
}
