package decide

import (
	"strings"
	"testing"
)

// Every file that switches a host's guard off asks before it is changed, by
// whatever tool or command, and none asks when it is read.
func TestEditingTheGuardAsks(t *testing.T) {
	files := []string{
		".claude/settings.json", ".claude/settings.local.json", ".github/hooks/grimoire-pre-tool-use.json",
		".opencode/plugins/grimoire-guard.js", ".codex/hooks.json", ".gemini/settings.json",
		"_grimoire/standard/policies.yaml", "_grimoire/standard/standard-profile.yaml", "_grimoire/hosts/ownership.json",
	}
	root := repo(t, map[string]string{profileFile: profile("governed")})
	for _, file := range files {
		dir, base := file[:strings.LastIndex(file, "/")], file[strings.LastIndex(file, "/")+1:]
		for _, line := range []string{
			"echo x > FILE", "echo x >> FILE", "echo x | tee FILE", "sed -i s/a/b/ FILE", "perl -pi -e s/a/b/ FILE", "rm FILE",
			"mv FILE /tmp/x", "mv DIR elsewhere", "cp /tmp/x FILE", "cp /tmp/BASE DIR", "cp /tmp/BASE DIR/", "ln -sf /tmp/x FILE",
			"truncate -s 0 FILE", "chmod 000 FILE", "cd DIR && rm BASE", "git checkout HEAD~3 -- FILE", "git -C DIR restore BASE",
			"dd if=/dev/null of=FILE", `python3 -c "open('FILE','w').write('')"`, "node -e \"require('fs').unlinkSync('FILE')\"",
			"python3 - <<'EOF'\nopen('FILE','w')\nEOF", "bash -c 'rm FILE'", "sudo rm ./FILE", "rm -- ROOT/FILE", "vim FILE", "xargs rm < list FILE",
		} {
			line = strings.NewReplacer("ROOT", root, "FILE", file, "DIR", dir, "BASE", base).Replace(line)
			if got := decisionOf(bash(t, root, line)); got != "ask" && got != "deny" {
				t.Errorf("%s: %q", line, got)
			}
		}
		for _, line := range []string{"cat FILE", "jq . FILE", "git add FILE", "git diff FILE", "grep x FILE && touch y", "cp FILE /tmp/copy", `git commit -m "rm FILE"`, "echo FILE"} {
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
