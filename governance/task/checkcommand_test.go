package task_test

import (
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/governance/task"
)

// The text names a command that the hook will take for a check; where the
// project's files name none, it says how a person does.
func TestHowToCheck(t *testing.T) {
	const own = "transitions: [{id: g, from: ready, to: review, required_evidence: [x]}]\nchecks: ['bash run-checks.sh']\n"
	for name, tt := range map[string]struct {
		files map[string]string
		want  string
	}{
		"nothing":              {nil, "a person adds `checks: [\"<command>\"]` to _grimoire/standard/evidence-gates.yaml, then run `<command>` alone on its line"},
		"a language's mark":    {map[string]string{"package.json": "{}"}, "run `npm test` alone on its line, in the session that works on T-1"},
		"a makefile":           {map[string]string{"Makefile": "all:\ntest: all\n\tsh t.sh\n"}, "run `make test` alone"},
		"a makefile without":   {map[string]string{"Makefile": "all:\n"}, "checks: [\"<command>\"]"},
		"declared":             {map[string]string{"go.mod": "", task.GatesFile: own}, "run `bash run-checks.sh` alone"},
		"the project's runner": {map[string]string{"go.mod": "", "project-context.yaml": "needs: {commands: {test-runner: pytest -x}}\n"}, "run `pytest -x` alone"},
		"a runner that is no check": {map[string]string{"go.mod": "", "project-context.yaml": "needs: {commands: {test-runner: './t.sh \"a\" `b`'}}\n"},
			`a person adds ` + "`checks: [\"./t.sh \\\"a\\\" 'b'\"]`"},
		"a runner of ill will":  {map[string]string{"project-context.yaml": "needs: {commands: {test-runner: \"x\\n\\e[2J`rm -rf ~`\"}}\n"}, `a person adds`},
		"a runner of any type":  {map[string]string{"go.mod": "", "project-context.yaml": "needs: {commands: {test-runner: [x], other: 3}}\n"}, "run `go test ./...` alone"},
		"a declared runner too": {map[string]string{task.GatesFile: strings.Replace(own, "bash run-checks.sh", "./t.sh", 1), "project-context.yaml": "needs: {commands: {test-runner: ./t.sh}}\n"}, "run `./t.sh` alone"},
	} {
		d, _ := project(t)
		for path, text := range tt.files {
			put(t, d, path, text)
		}
		got := d.HowToCheck("T-1")
		if !strings.Contains(got.EN, tt.want) || strings.ContainsAny(got.EN+got.FR, "\n\x1b") || strings.Contains(got.EN, "`rm") {
			t.Errorf("%s: %s", name, got.EN)
		}
	}
}
