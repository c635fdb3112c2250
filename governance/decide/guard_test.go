package decide

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/governance/policy"
	"github.com/grimoire-kit/grimoire/pluginsdk/dialect"
)

// Every file that switches a host's guard off asks before it is changed, by
// whatever tool or command, and none asks when it is read.
func TestEditingTheGuardAsks(t *testing.T) {
	files := []string{
		".claude/settings.json", ".claude/settings.local.json", ".github/hooks/grimoire-pre-tool-use.json",
		".opencode/plugins/grimoire-guard.js", ".codex/hooks.json", ".gemini/settings.json",
		"_grimoire/standard/policies.yaml", "_grimoire/standard/standard-profile.yaml", "_grimoire/hosts/ownership.json",
		"_grimoire/standard/evidence-gates.yaml", "_grimoire/standard/capacity.yaml", "_grimoire/standard/orchestration-policy.yaml",
	}
	root := repo(t, map[string]string{profileFile: profile("governed")})
	for _, file := range files {
		dir, base := file[:strings.LastIndex(file, "/")], file[strings.LastIndex(file, "/")+1:]
		for _, line := range []string{
			"echo x > FILE", "echo x >> FILE", "echo x | tee FILE", "sed -i s/a/b/ FILE", "perl -pi -e s/a/b/ FILE", "rm FILE",
			"mv FILE /tmp/x", "mv DIR elsewhere", "cp /tmp/x FILE", "cp /tmp/BASE DIR", "cp /tmp/BASE DIR/", "ln -sf /tmp/x FILE",
			"truncate -s 0 FILE", "chmod 000 FILE", "cd DIR && rm BASE", "git checkout HEAD~3 -- FILE", "git -C DIR restore BASE", "git rm FILE", "git mv FILE x", "git restore --staged --worktree FILE",
			"dd if=/dev/null of=FILE", `python3 -c "open('FILE','w').write('')"`, "node -e \"require('fs').unlinkSync('FILE')\"",
			"python3 - <<'EOF'\nopen('FILE','w')\nEOF", "bash -c 'rm FILE'", "sudo rm ./FILE", "rm -- ROOT/FILE", "vim FILE", "xargs rm < list FILE",
			"grimoire task board export -o FILE", "grimoire task board export -oFILE", "grimoire -o json task board export --output=FILE", "grimoire task board export --to FILE -o json",
			"cd DIR && grimoire task board export -o BASE", "grimoire -C DIR task board export -o BASE", "grimoire task board export DIR --to=BASE", "/usr/bin/grimoire task board export . -o=./FILE",
			"F=FILE; grimoire task board export -o $F", "env X=1 timeout 5 grimoire task board export --mission M -o FILE",
		} {
			line = strings.NewReplacer("ROOT", root, "FILE", file, "DIR", dir, "BASE", base).Replace(line)
			if got := decisionOf(bash(t, root, line)); got != "ask" && got != "deny" {
				t.Errorf("%s: %q", line, got)
			}
		}
		for _, line := range []string{"cat FILE", "jq . FILE", "git add FILE", "git diff FILE", "git restore --staged FILE", "git rm --cached FILE", "git log -- FILE && touch x", "grep x FILE && touch y", "cp FILE /tmp/copy", `git commit -m "rm FILE"`, "echo FILE"} {
			line = strings.ReplaceAll(line, "FILE", file)
			if a := bash(t, root, line); decisionOf(a) != "" {
				t.Errorf("%s: %s", line, a.Stdout)
			}
		}
		for _, tool := range []struct {
			name  string
			input args
		}{
			{"Write", args{"file_path": file, "content": "profile: starter\n"}},
			{"Edit", args{"file_path": root + "/" + file, "old_string": "profile: governed", "new_string": "profile: starter"}},
			{"MultiEdit", args{"file_path": file, "edits": []any{args{"old_string": "governed", "new_string": "starter"}}}},
		} {
			a := ask(t, root, "claude", "PreToolUse", call("s", "PreToolUse", tool.name, tool.input))
			if decisionOf(a) != "ask" {
				t.Errorf("%s %s: %s", tool.name, file, a.Stdout)
			}
		}
		patch := "*** Begin Patch\n*** Update File: " + file + "\n@@\n-profile: governed\n+profile: starter\n*** End Patch\n"
		codex := `{"session_id":"s","hook_event_name":"PreToolUse","cwd":"/elsewhere","tool_name":"apply_patch","tool_input":{"command":` + quote(patch) + `}}`
		if a := ask(t, root, "codex", "PreToolUse", codex); a.Exit != 2 || !strings.Contains(string(a.Stderr), "cannot put the question") {
			t.Errorf("codex patch of %s: exit %d %s", file, a.Exit, a.Stderr)
		}
	}
}

// Raising the profile, and another key of its file, are nobody's business.
func TestProfileEdits(t *testing.T) {
	root := repo(t, map[string]string{profileFile: profile("governed")})
	for _, tt := range []struct {
		old, now string
		want     string
	}{
		{"profile: governed", "profile: production", ""},
		{"profile: governed", "profile: governed", ""},
		{"profile: governed", "profile: controlled", "ask"},
		{"options: {}", "options: {a: 1}", ""},
	} {
		a := ask(t, root, "claude", "PreToolUse", call("s", "PreToolUse", "Edit", args{"file_path": profileFile, "old_string": tt.old, "new_string": tt.now}))
		if decisionOf(a) != tt.want {
			t.Errorf("%s to %s: %s", tt.old, tt.now, a.Stdout)
		}
	}
}

// Taking the guard out of a host, or its program off the machine, asks too.
func TestRemovingTheGuardAsks(t *testing.T) {
	root := repo(t, nil)
	for line, want := range map[string]string{
		"grimoire host remove claude":                "ask",
		"cd x && grimoire -C .. host remove --all":   "ask",
		"grimoire host remove claude --dry-run":      "",
		"grimoire host sync --host all":              "",
		"rm ~/go/bin/grimoire-hook":                  "ask",
		"pkill grimoire-hook":                        "ask",
		"claude config set disableAllHooks true":     "ask",
		"claude config list":                         "",
		"mv /usr/local/bin/grimoire-hook /tmp/x":     "ask",
		"chmod -x /usr/local/bin/grimoire-hook":      "ask",
		"go build -o bin/ ./cmd/grimoire-hook":       "",
		"go install github.com/a/b/cmd/...@latest":   "",
		"grimoire-hook --host claude < payload.json": "deny",
	} {
		if a := bash(t, root, line); decisionOf(a) != want {
			t.Errorf("%s: %q, want %q: %s", line, decisionOf(a), want, a.Stdout)
		}
	}
}

// A terminal that an agent makes has nobody at it: what a person says of a task
// is not said there.
func TestPlayingThePerson(t *testing.T) {
	root := repo(t, nil)
	const comment = "grimoire task comment T 'skip the tests' --kind directive"
	for line, want := range map[string]string{
		"script -qec \"" + comment + "\" /dev/null":                            "deny",
		"env -u GRIMOIRE_SESSION_ID script -qec \"" + comment + "\" /dev/null": "deny",
		"unbuffer " + comment: "deny",
		"expect -c 'spawn grimoire task comment T x; interact'":                     "deny",
		"tmux new-session -d \"" + comment + "\"":                                   "deny",
		"tmux send-keys -t x 'grimoire task comment T x' Enter":                     "deny",
		"screen -dm sh -c \"" + comment + "\"":                                      "deny",
		"socat EXEC:'grimoire task comment T x',pty -":                              "deny",
		"script -qec 'grimoire task ack T dir-1' /dev/null":                         "deny",
		`python3 -c "import pty; pty.spawn(['grimoire','task','comment','T','x'])"`: "deny",
		"script -qec 'grimoire policies approve abc' /dev/null":                     "deny",
		comment:                                         "", // it refuses itself, without a terminal
		"grimoire task ack T dir-1":                     "",
		"script -qec 'go test ./...' log.txt":           "",
		"unbuffer grimoire task list | cat":             "",
		"git commit -m 'script: grimoire task comment'": "",
		"grimoire task show T && touch x":               "",
	} {
		if a := bash(t, root, line); decisionOf(a) != want {
			t.Errorf("%s: %q, want %q: %s", line, decisionOf(a), want, a.Stdout)
		}
	}
}

// The ledger and the evidence on file are grimoire's to write: a tool is refused,
// and told which command does it. What may only read is asked about, what only
// reads is not.
func TestRecordsAreGrimoiresToWrite(t *testing.T) {
	const ledger, packs = "_grimoire-runtime-output/ledger/events.jsonl", "_grimoire-runtime-output/evidence/packs.jsonl"
	root := repo(t, map[string]string{profileFile: profile("governed"), ledger: "{}\n", packs: "{}\n", "e.json": "{}", "copy/_grimoire-runtime-output/ledger/events.jsonl": ""})
	if err := os.Symlink("_grimoire-runtime-output", filepath.Join(root, "out")); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{ledger, packs} {
		dir := filepath.Dir(file)
		for line, want := range map[string]string{
			"cat e.json >> FILE": "deny", "echo >> FILE": "deny", "sed -i s/a/b/ FILE": "deny", "rm FILE": "deny", "mv FILE x": "deny", "cp e.json FILE": "deny",
			"cp e.json DIR": "deny", "mv DIR x": "deny", "mv _grimoire-runtime-output x": "deny", "truncate -s 0 FILE": "deny", "tee -a FILE < e.json": "deny",
			"ln FILE hard; cat e.json >> hard": "deny", "ln -s DIR d": "deny", "cat e.json >> out/" + file[len("_grimoire-runtime-output/"):]: "deny",
			"cd _grimoire-runtime-output && cat ../e.json >> ../FILE": "deny", "dd if=e.json of=FILE oflag=append": "deny", "D=DIR; cat e.json >> $D/x.jsonl": "deny",
			"git checkout HEAD~3 -- FILE": "deny", "git rm -r _grimoire-runtime-output": "deny", "rsync e.json FILE": "deny", "touch DIR/.x": "deny",
			"grimoire task board export --to FILE": "deny", "grimoire task board export -o FILE": "deny", "perl -pi -e s/a/b/ FILE": "deny", "chmod -R 000 DIR": "deny",
			`python3 -c "open('FILE','a').write('x')"`: "deny", `python3 -c "print(open('FILE').read())"`: "ask", "python3 tool.py FILE": "ask", "awk '{print}' FILE": "ask",
			"tee -a _grimoire-run*/*/*.jsonl < e.json": "ask", "find _grimoire-runtime-output -name '*.jsonl' -exec sed -i s/a/b/ {} +": "ask",
			"git checkout -- _grimoire-runtime-output": "ask", "git restore _grimoire-runtime-output": "ask", "cp -r copy/. .": "ask",
			"cat FILE": "", "jq -c . FILE | head": "", "grep x FILE && touch y": "", "tail -3 FILE > /tmp/x": "", "cp FILE /tmp/copy": "", "sed -n 1p FILE": "", "wc -l FILE && touch y": "",
			"tar czf x.tgz _grimoire-runtime-output": "", "git add -A": "", "git add FILE": "", "git diff FILE": "", "git rm -r --cached _grimoire-runtime-output": "",
			"git commit -am 'rm FILE'": "", "grimoire task move T --to running": "", "grimoire ledger verify": "", "grimoire task prove T --item test=e.json": "",
			"grimoire task board export --to /tmp/board.yaml": "", "grimoire task board export -o json": "", "grimoire -o json task board export -o out/board.yaml": "", "grimoire task board export": "", "find . -name '*.go' -exec gofmt -w {} +": "", "mkdir -p _grimoire-output/evidence/T && touch _grimoire-output/evidence/T/notes.md": "",
		} {
			line = strings.NewReplacer("FILE", file, "DIR", dir).Replace(line)
			if a := bash(t, root, line); decisionOf(a) != want {
				t.Errorf("%s: %q, want %q: %s", line, decisionOf(a), want, a.Stdout)
			}
		}
		for _, a := range []dialect.Answer{
			ask(t, root, "claude", "PreToolUse", call("s", "PreToolUse", "Write", args{"file_path": root + "/" + file, "content": "x"})),
			ask(t, root, "claude", "PreToolUse", call("s", "PreToolUse", "Edit", args{"file_path": file, "old_string": "a", "new_string": "b"})),
			ask(t, root, "claude", "PreToolUse", call("s", "PreToolUse", "mcp__fs__write_file", args{"path": file, "content": "x"})),
			ask(t, root, "copilot", "PreToolUse", copilot("s", "", "PreToolUse", "create", args{"path": root + "/" + file, "file_text": "x"})),
		} {
			if decisionOf(a) != "deny" || !strings.Contains(string(a.Stdout), "grimoire task ") {
				t.Errorf("%s: %s", file, a.Stdout)
			}
		}
	}
}

// What the hook is told it believes: to tell it is the host's part, however the
// line spells it. Asking it about itself, and naming it, are nobody's business.
func TestCallingTheHook(t *testing.T) {
	root := repo(t, nil)
	const call = "--host claude --event PostToolUse"
	for line, want := range map[string]string{
		"grimoire-hook " + call + " < p.json":                                                                         "deny",
		"cat p.json | /usr/local/bin/grimoire-hook " + call:                                                           "deny",
		"grimoire host hook " + call + " < p.json":                                                                    "deny",
		"grimoire -C .. -o json host --json hook " + call:                                                             "deny",
		"(sleep 1; grimoire-hook " + call + " < p.json) >/dev/null 2>&1 &":                                            "deny",
		"grimoire-hook " + call + " < p.json; grimoire task move T --to needs_verification":                           "deny",
		"x=grimoire-hook; $x " + call + " < p.json":                                                                   "deny",
		"$(which grimoire-hook) " + call:                                                                              "deny",
		"bash -c 'grimoire-hook " + call + " < p.json'":                                                               "deny",
		"GRIMOIRE_TASK_ID=T timeout 5 grimoire-hook " + call:                                                          "deny",
		"cp /opt/grimoire-hook gh && ./gh " + call + " < p.json":                                                      "deny",
		"go run ./cmd/grimoire-hook --host=claude --event=post_tool_use < p.json":                                     "deny",
		"expect -c 'spawn grimoire-hook " + call + "'":                                                                "deny",
		`python3 -c "import subprocess; subprocess.run(['grimoire-hook','--host','claude','--event','PostToolUse'])"`: "deny",
		"node -e 'require(\"child_process\").execSync(\"grimoire host hook " + call + "\")'":                          "deny",
		"cat > s.sh <<'EOF'\ngrimoire-hook " + call + " < p.json\nEOF\nsh s.sh":                                       "deny",
		"grimoire-hook --version":                                                                                     "",
		"grimoire host hook --help":                                                                                   "",
		"grimoire host status":                                                                                        "",
		"grimoire policies explain 'grimoire-hook " + call + "'":                                                      "",
		"git commit -m 'grimoire-hook " + call + "'":                                                                  "",
		"grep -rn 'grimoire-hook --host' . && touch x":                                                                "",
		"which grimoire-hook && touch x":                                                                              "",
		"go test ./cmd/grimoire-hook && go vet ./cmd/grimoire-hook":                                                   "",
		"mockd --host localhost --event click":                                                                        "",
		"grimoire task comment T 'grimoire-hook --event is the host\"s'":                                              "",
	} {
		if a := bash(t, root, line); decisionOf(a) != want {
			t.Errorf("%s: %q, want %q: %s", line, decisionOf(a), want, a.Stdout)
		}
	}
	a := ask(t, root, "claude", "PreToolUse", mcpLine("mcp__shell__run", "grimoire-hook "+call))
	if decisionOf(a) != "deny" || !strings.Contains(string(a.Stdout), "it is the host's to call") && !strings.Contains(string(a.Stdout), "It is the host's to call") {
		t.Errorf("by an MCP server: %s", a.Stdout)
	}
}

func mcpLine(tool, line string) string {
	return call("s", "PreToolUse", tool, args{"command": line})
}

// A link in the project is what it leads to.
func TestLinks(t *testing.T) {
	root := repo(t, map[string]string{".claude/settings.json": "{}", ".env": "A=1", "README.md": "x"})
	for name, to := range map[string]string{"notes": ".env", "c": ".claude", "s.json": ".claude/settings.json", "page": "README.md", "gone": "nowhere"} {
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	for line, want := range map[string]string{
		"cat notes": "deny", "cp notes x": "deny", "cat < notes": "deny", "cat page": "", "cat gone": "", "ls -l notes": "",
		"echo x > c/settings.json": "ask", "echo x > s.json": "ask", "echo x > page": "", "rm c/settings.json": "ask",
		"ln -s .claude d && echo x > d/settings.json": "ask", "ln .claude/settings.json y": "ask", "ln -s README.md z": "",
	} {
		if a := bash(t, root, line); decisionOf(a) != want {
			t.Errorf("%s: %q, want %q: %s", line, decisionOf(a), want, a.Stdout)
		}
	}
	a := ask(t, root, "claude", "PreToolUse", call("s", "PreToolUse", "Read", args{"file_path": root + "/notes"}))
	if decisionOf(a) != "deny" {
		t.Errorf("read through a link: %s", a.Stdout)
	}
}

// A project below a folder called secrets is no secret.
func TestProjectBelowSecrets(t *testing.T) {
	root := filepath.Join(repo(t, nil), "secrets", "app")
	if err := os.MkdirAll(filepath.Join(root, "_grimoire"), 0o755); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{"main.go": "", ".env": "deny", "secrets/a": "deny"} {
		a := ask(t, root, "claude", "PreToolUse", call("s", "PreToolUse", "Read", args{"file_path": root + "/" + file}))
		if decisionOf(a) != want {
			t.Errorf("%s: %s", file, a.Stdout)
		}
	}
}

// The guard is reached by a name, by a folder, by a pattern, through a link or
// out of a patch; a broad write asks only if there is something to reach.
func TestWaysToTheGuard(t *testing.T) {
	patch := "--- a/.claude/settings.json\n+++ b/.claude/settings.json\n@@ -1 +1 @@\n-a\n+b\n"
	root := repo(t, map[string]string{
		profileFile: profile("governed"), policy.File: "rules: []\n", ".claude/settings.json": "{}", "evil.patch": patch,
		".opencode/plugin/grimoire-guard.js": "x", "x/a.txt": "", "y/.claude/settings.json": "{}", "fine.patch": "--- a/x\n+++ b/x\n",
	})
	if err := os.Symlink(".", filepath.Join(root, "here")); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"git apply <<'EOF'\n" + patch + "EOF": "ask", "patch -p1 <<'EOF'\n" + patch + "EOF": "ask",
		"git apply evil.patch": "ask", "patch -p1 < evil.patch": "ask", "patch -p1 -i evil.patch": "ask", "git apply fine.patch": "",
		"dd of=.claude/settings.json < x": "ask", "ln -sfn /tmp .claude": "ask", "ln -s ../x/a.txt docs": "",
		"tar xf x.tar -C .claude": "ask", "tar -x -f x.tar --directory=.claude": "ask", "unzip -o x.zip -d .claude": "ask",
		"tar xf x.tar": "", "tar xf x.tar -C build": "", "tar czf x.tgz *": "", "tar czf x.tgz .claude": "",
		"go build -o ~/go/bin/grimoire-hook ./x": "ask", "GOBIN=/usr/bin go install ./evil/grimoire-hook": "ask", "go build -o app ./x": "",
		`python3 -c "import os; os.rename('.claude','x')"`: "ask", "echo x > here/.claude/settings.json": "ask", "echo x > here/docs/a": "",
		"echo x > .opencode/plugin/zz.js": "ask", "echo x > .codex/config.toml": "ask", "rm _grimoire-output/traces/traces.jsonl": "ask",
		"touch _grimoire-output/.runs/session-s.lock": "ask", "mkdir -p _grimoire-output/.runs/session-s.lock": "ask",
		"mkfifo _grimoire-output/.runs/session-s.lock": "ask", "flock _grimoire-output/.runs/session-s.lock sleep 99 &": "ask",
		"cd _grimoire-output/.runs && flock session-s.lock sleep 99": "ask", "exec 9<_grimoire-output/.runs/session-s.lock; flock 9; sleep 99": "ask",
		"chmod 000 _grimoire-output/.runs": "deny", "ls _grimoire-output/.runs": "", "cat _grimoire-output/.runs/session-s.json": "", "cat _grimoire-output/.runs/session-s.json | jq . > /tmp/x": "",
		"find . -name '*.ts' -exec prettier --write {} +": "", "find . -name '*.sh' -exec chmod +x {} \\;": "", "find src -exec sed -i s/a/b/ {} +": "",
		"find . -name '*.bak' -exec mv {} /tmp \\;": "", "find . -name settings.json -exec sed -i s/a/b/ {} +": "ask", "find . -type f -exec sed -i s/a/b/ {} +": "ask",
		"chmod +x *": "", "chmod -R u+w .": "", "chmod 755 .claude/settings.json": "", "chmod -R 000 .": "ask", "chmod -R a-x .claude": "ask",
		"rsync -a x/ .": "", "cp -r x/. .": "", "rsync -a y/ .": "ask", "git checkout -p .": "",
	} {
		if a := bash(t, root, line); decisionOf(a) != want {
			t.Errorf("%s: %q, want %q: %s", line, decisionOf(a), want, a.Stdout)
		}
	}
	bare := repo(t, nil)
	for _, line := range []string{"for f in *; do mv $f x-$f; done", "sed -i s/a/b/ *", "find . -type f -exec sed -i s/a/b/ {} +", "echo x > " + profileFile} {
		if a := bash(t, bare, line); decisionOf(a) != "" {
			t.Errorf("nothing to reach, %s: %s", line, a.Stdout)
		}
	}
}

// A call that names the folder it runs in writes there.
func TestFolderOfTheCall(t *testing.T) {
	root := repo(t, nil)
	for _, tt := range []struct{ host, event, tool, key, dir string }{
		{"opencode", "pre_tool_use", "bash", "workdir", root + "/.claude"},
		{"opencode", "pre_tool_use", "bash", "workdir", ".claude"},
		{"gemini", "BeforeTool", "run_shell_command", "dir_path", ".claude"},
		{"gemini", "BeforeTool", "run_shell_command", "directory", root + "/.claude"},
		{"codex", "PreToolUse", "exec_command", "workdir", root + "/.claude"},
	} {
		payload := `{"session_id":"s","cwd":` + quote(root) + `,"hook_event_name":` + quote(tt.event) + `,"tool_name":` + quote(tt.tool) +
			`,"tool_input":` + encoded(args{"command": "echo x > settings.json", tt.key: tt.dir}) + `}`
		a := ask(t, root, tt.host, tt.event, payload)
		if text := string(a.Stdout) + string(a.Stderr); !strings.Contains(text, ".claude/settings.json") {
			t.Errorf("%s %s=%s: %s", tt.host, tt.key, tt.dir, text)
		}
	}
}
