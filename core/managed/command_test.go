package managed

import (
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

func TestRunsHook(t *testing.T) {
	ours := []string{
		`grimoire-hook --host claude --event PreToolUse`,
		`grimoire-hook`,
		`  grimoire-hook --host claude # written by grimoire`,
		`/usr/local/bin/grimoire-hook --host claude`,
		`./bin/grimoire-hook`,
		`~/go/bin/grimoire-hook --event Stop`,
		`"$HOME/go/bin/grimoire-hook" --event Stop`,
		`"$CLAUDE_PROJECT_DIR"/bin/grimoire-hook --event Stop`,
		`"${CLAUDE_PROJECT_DIR:-.}/my tools/grimoire-hook" --event Stop`,
		`'/opt/my tools/grimoire-hook' --event Stop`,
		`/opt/my\ tools/grimoire-hook --event Stop`,
		`"grimoire"-hook --event Stop`,
		`grimoire-hook.exe --host claude`,
		`grimoire-hook.EXE --host claude`,
		`C:\tools\grimoire-hook.exe --host claude`,
		`"C:\Program Files\grimoire\grimoire-hook.exe" --host claude`,
		`exec grimoire-hook --host claude`,
		`exec -a hook grimoire-hook --host claude`,
		`command grimoire-hook --host claude`,
		`env grimoire-hook --host claude`,
		`/usr/bin/env -u NODE_OPTIONS A=b grimoire-hook --host claude`,
		`env -i PATH="$PATH" exec_me=1 grimoire-hook`,
		`PATH="$HOME/go/bin:$PATH" grimoire-hook --host claude`,
		`PATH=$PATH:/opt/bin; export PATH; grimoire-hook --host claude`,
		`export PATH="$HOME/go/bin:$PATH" && grimoire-hook --host claude`,
		`sh -c 'exec grimoire-hook --host claude'`,
		`/bin/bash -lc "grimoire-hook --host claude"`,
		`bash -e -c "\"$HOME/go/bin/grimoire-hook\" --host claude"`,
		`sh -c 'sh -c "grimoire-hook"'`,
		`cd "$CLAUDE_PROJECT_DIR" && grimoire-hook --host claude`,
		`command -v grimoire-hook >/dev/null 2>&1 || { echo "grimoire-hook is missing" >&2; exit 2; }; exec grimoire-hook --host claude`,
		`if command -v grimoire-hook >/dev/null; then grimoire-hook --host claude; else printf '%s\n' 'missing' >&2; exit 2; fi`,
		`[ -x ./bin/grimoire-hook ] && ./bin/grimoire-hook || true`,
		`grimoire-hook --host claude; s=$?; case $s in 0|2) exit $s;; *) echo crashed >&2; exit 2;; esac`,
		`set -u; test -n "$HOME" || exit 0; : ; grimoire-hook || exit $?`,
		`h=$(command -v grimoire-hook) || exit 0; "$h" --host claude`,
		`h="$HOME/go/bin/grimoire-hook"; [ -x "$h" ] || h=grimoire-hook; exec "$h" --host claude`,
		`for h in grimoire-hook "$HOME/go/bin/grimoire-hook"; do command -v "$h" >/dev/null && exec "$h" --event Stop; done`,
		`"$(command -v grimoire-hook)" --host claude`,
		`grimoire-hook --host claude 2>>/tmp/debug.log`,
		`(grimoire-hook --host claude) &`,
		"grimoire-hook --host claude \\\n  --event Stop",
		`grimoire host hook --host claude --event Stop`,
		`grimoire -o json host hook --host claude`,
		`/usr/bin/grimoire host hook --host claude`,
		`grimoire standard activation-context`,
		`grimoire-hook || mkdir "${TMPDIR:-/tmp}/grimoire-hook-$PPID" 2>/dev/null`,
		`python -m grimoire host hook --host claude`,
		`.venv/bin/python3.11 -u -m grimoire standard activation-context --json`,
		`py -3 -m grimoire host hook`,
		`cd "$CLAUDE_PROJECT_DIR" && grimoire standard activation-context || true`,
	}
	theirs := []string{
		``,
		` `,
		`echo "grimoire-hook is cool"`,
		`echo grimoire-hook`,
		`printf '%s' 'grimoire host hook'`,
		`./log.sh; grimoire-hook --host claude`,
		`grimoire-hook --host claude && ./log.sh`,
		`grimoire-hook --host claude | tee log`,
		`my-grimoire-hook --host claude`,
		`/opt/my-grimoire-hook`,
		`/opt/grimoire-hook/run.sh`,
		`grimoire-hook.sh`,
		`grimoire-hooks`,
		`grimoire-hook-log --host claude`,
		`cat grimoire-hook.log`,
		`cat grimoire-hook`,
		`rm -f ./grimoire-hook`,
		`go run ./cmd/grimoire-hook`,
		`command -v grimoire-hook`,
		`command -v grimoire-hook >/dev/null && ./mine.sh`,
		`grimoire-hook "$(./spy.sh)"`,
		`cd "$(git rev-parse --show-toplevel)" && ./x && grimoire-hook`,
		`echo ran >> hooks.log; grimoire-hook --host claude`,
		`mkdir logs; grimoire-hook`,
		`mkdir -p "${TMPDIR:-/tmp}/grimoire-hook-$PPID"; grimoire-hook`,
		`mkdir "${TMPDIR:-/tmp}/grimoire-hook-$PPID" logs; grimoire-hook`,
		`mkdir "${TMPDIR:-$(./mine.sh)}/grimoire-hook-$PPID"; grimoire-hook`,
		`mkdir "${TMPDIR:-/tmp}/grimoire-hook-$PPID/.."; grimoire-hook`,
		`mkdir "${TMPDIR:-/tmp}/grimoire-hook-$PPID" >logs; grimoire-hook`,
		`./mkdir "${TMPDIR:-/tmp}/grimoire-hook-$PPID"; grimoire-hook`,
		`mkdir "${TMPDIR:-/tmp}/grimoire-hook-$PPID"`,
		`> hooks.log; grimoire-hook`,
		`f() { grimoire-hook; }; f`,
		`sh -c './log.sh; grimoire-hook'`,
		`sh -c 'echo "$1"' grimoire-hook`,
		`sh grimoire-hook`,
		`sh -c "$X"`,
		`eval grimoire-hook`,
		`. ./grimoire-hook`,
		`X=./mine.sh; "$X" grimoire-hook`,
		`h=grimoire-hook; [ -x ./mine ] && h=./mine; "$h"`,
		`"$h" --host claude`,
		`nohup ./x & grimoire-hook`,
		`env ./run.sh grimoire-hook`,
		`xargs grimoire-hook`,
		`trap ./mine.sh EXIT; grimoire-hook`,
		`cat <(./mine.sh) | grimoire-hook`,
		`grimoire host sync`,
		`grimoire hook`,
		`grimoire standard done-gate`,
		`echo 'grimoire standard activation-context'`,
		`my-grimoire host hook`,
		`python -m grimoire host sync`,
		`python -c 'grimoire host hook'`,
		`python grimoire host hook`,
		`python -m mygrimoire host hook`,
		`# grimoire-hook --host claude`,
		`grimoire-hook "unterminated`,
		"grimoire-hook\x00",
		`git commit -m "grimoire-hook"`,
		`GRIMOIRE=grimoire-hook`,
	}
	for _, c := range ours {
		if !RunsHook(c) {
			t.Errorf("RunsHook(%q) = false, the hook is all it runs", c)
		}
	}
	for _, c := range theirs {
		if RunsHook(c) {
			t.Errorf("RunsHook(%q) = true, it is not ours", c)
		}
	}
}

func TestRunsHookArgs(t *testing.T) {
	for _, tt := range []struct {
		command string
		args    []string
		want    bool
	}{
		{"grimoire-hook", []string{"--host", "claude"}, true},
		{"/opt/my tools/grimoire-hook", []string{}, true},
		{`C:\Program Files\grimoire-hook.exe`, []string{"--host", "claude"}, true},
		{"env", []string{"A=b", "grimoire-hook"}, true},
		{"sh", []string{"-c", "exec grimoire-hook --host claude"}, true},
		{"grimoire", []string{"host", "hook", "--host", "claude"}, true},
		{"python3", []string{"-m", "grimoire", "host", "hook"}, true},
		{"grimoire-hook --host claude", nil, true},
		{"grimoire-hook --host claude", []string{}, false}, // one program with that odd name
		{"cat", []string{"grimoire-hook"}, false},
		{"sh", []string{"grimoire-hook"}, false},
		{"sh", []string{"-c", "./x; grimoire-hook"}, false},
		{"sh", []string{"-c"}, false},
		{"env", nil, false},
		{"", []string{}, false},
		{"grimoire-hook", []string{strings.Repeat("x", maxCommandBytes)}, false},
	} {
		if got := RunsHookArgs(tt.command, tt.args); got != tt.want {
			t.Errorf("RunsHookArgs(%q, %q) = %v", tt.command, tt.args, got)
		}
	}
}

// Nesting is what can hurt a recursive parser, so every way to nest is tried past
// the bound. The answer is always "not ours", and it comes back.
func TestRunsHookHostile(t *testing.T) {
	const n = maxCommandBytes
	for _, unit := range []string{
		"(", "((", "$(", "${", "$((", "{ ", "`", "<(", "! ", "if ", "while ", "case x in x) ", "[[ (", "$((-", "a[", "time ",
		"sh -c '", `"$(`, "x=(", "for x in ", "coproc ", "f() ", "$((x?", "$((x=", "$((2**", "[[ ! ", "[[ a && ",
		"\\", "'", `"`, "<<E\n", "a|", "a&&", "$[", "@(", "x() ", "select ",
	} {
		for _, size := range []int{n - 20, 4 * n} {
			if RunsHook(strings.Repeat(unit, size/len(unit)) + "\ngrimoire-hook") {
				t.Errorf("nested %q × %d taken for ours", unit, size/len(unit))
			}
		}
	}
	if RunsHook("grimoire-hook " + strings.Repeat("x", maxCommandBytes)) {
		t.Error("a command over the size bound was judged")
	}
}

func FuzzRunsHook(f *testing.F) {
	for _, c := range []string{
		`grimoire-hook --host claude`, `sh -c 'exec grimoire-hook'`, `h=$(command -v grimoire-hook); "$h"`,
		`if [ -x a ]; then grimoire-hook; fi`, `env A=b python -m grimoire host hook`, `C:\x\grimoire-hook.exe`,
		`for h in grimoire-hook; do "$h"; done <<E`, "${", `"$(`, `case x in a) grimoire-hook;; esac`,
	} {
		f.Add(c)
	}
	f.Fuzz(func(t *testing.T, command string) {
		if !RunsHook(command) {
			return
		}
		if !strings.Contains(strings.NewReplacer(`\`, "", `"`, "", `'`, "", "\n", "", "\r", "").Replace(command), "grimoire") {
			t.Errorf("%q taken for ours without naming grimoire", command)
		}
		// Whatever else runs beside it makes the line the user's.
		if with := "./log.sh\n" + command; RunsHook(with) {
			t.Errorf("%q taken for ours", with)
		}
	})
}

// The lines that the emitters really write are ours, wherever they go and
// whatever they say when the hook is missing.
func TestRunsHookOfTheEmitters(t *testing.T) {
	for _, event := range surface.HookEvents {
		for _, mode := range []surface.FailureMode{surface.FailRefuse, surface.FailAllow} {
			for _, lang := range []surface.Language{surface.French, surface.English} {
				line := pluginsdk.HookCommand("claude", "X", surface.Hook{Event: event, OnFailure: mode}, lang)
				if !RunsHook(line) {
					t.Errorf("not taken for ours: %s", line)
				}
				if RunsHook("./mine.sh; "+line) || RunsHook(line+" && ./mine.sh") {
					t.Errorf("taken for ours with the user's script: %s", line)
				}
			}
		}
	}
}
