package policy

import (
	"slices"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/surface"
)

func TestEditingTheGuardAsks(t *testing.T) {
	tests := []struct {
		path string
		asks bool
	}{
		{".claude/settings.json", true},
		{".claude/settings.local.json", true},
		{testRoot + "/.claude/settings.json", true},
		{"src/../.claude/settings.json", true},
		{`.claude\settings.json`, true},
		{".Claude/Settings.JSON", true},
		{"file://" + testRoot + "/.claude/settings.json", true},
		{"~/.claude/settings.json", true},
		{"/home/user/.claude/settings.json", true},
		{`C:\Users\u\.claude\settings.json`, true},
		{".claude/agents/scribe.md", false},
		{"docs/settings.json", false},
		{"testdata/.claude/settings.json", false},

		{".github/hooks/grimoire-governance.json", true},
		{".github/hooks/other.json", false},
		{".github/workflows/ci.yml", false},
		{".github/copilot/settings.json", true},

		{".opencode/plugin/grimoire-guard.js", true},
		{".opencode/plugins/grimoire-guard.js", true},
		{".opencode/plugin/mine.js", true},
		{".opencode/command/mine.md", false},
		{".codex/config.toml", true},

		{".codex/hooks.json", true},
		{".gemini/settings.json", true},
		{"~/.gemini/settings.json", true},

		{"_grimoire/standard/policies.yaml", true},
		{"golden/a/_grimoire/standard/policies.yaml", false},
		{"_grimoire/standard/task-board.yaml", false},
		{"_grimoire/hosts/ownership.json", true},
		{"_grimoire-output/.runs/session-abc.json", true},
		{"_grimoire-output/.runs/parent-abc.json", true},
		{"_grimoire-output/.runs/session-abc.lock", true},
		{"_grimoire-output/.runs", true},
		{"_grimoire-output/traces/traces.jsonl", true},
		{"_grimoire-output/evidence/TASK-1/notes.txt", false},
		{"_grimoire/agents/scribe.md", false},
	}
	for _, tt := range tests {
		for _, tool := range []string{"Write", "create_file", "apply_patch"} {
			d := Judge(write(tool, tt.path), surface.ProfileGoverned, &Rules{})
			if (d.Verdict == Warn) != tt.asks || tt.asks && !slices.Contains(d.Rules, ruleGuardFile) {
				t.Errorf("%s %s: got %s by %v", tool, tt.path, d.Verdict, d.Rules)
			}
			checkReason(t, d)
		}
		if d := Judge(read("Read", tt.path), surface.ProfileGoverned, &Rules{}); d.Verdict != Allow {
			t.Errorf("reading %s: got %s", tt.path, d.Verdict)
		}
	}
}

func TestEditingTheGuardFromASubfolder(t *testing.T) {
	c := write("Write", "../.claude/settings.json")
	c.Cwd = testRoot + "/sub"
	if d := Judge(c, surface.ProfileStarter, &Rules{}); d.Verdict != Warn {
		t.Errorf("got %s", d.Verdict)
	}
	c = write("Write", ".claude/settings.json")
	c.Cwd = testRoot + "/sub"
	if d := Judge(c, surface.ProfileStarter, &Rules{}); d.Verdict != Allow {
		t.Errorf("a sub-folder's own settings: got %s", d.Verdict)
	}
}

func TestRemovingTheGuardAsks(t *testing.T) {
	for path, asks := range map[string]bool{
		".claude": true, ".": true, ".github/hooks": true, ".github": true, ".opencode/plugin": true,
		"_grimoire": true, "_grimoire/standard": true, "_grimoire/standard/": true, "~/.claude": true,
		".claude/*": true, ".github/hooks/*.json": true, ".cl*": true, ".c[l]aude": true, ".c[!a]aude": true,
		".{claude,x}": true, "_grimoire/*": true, "*": true, "*.json": false, "*claude": false, ".github/*.json": false,
		"src": false, ".claude/agents": false, "_grimoire/agents": false, "docs/*": false,
	} {
		c := bash("mv")
		c.Changes = []Change{{Path: path, Removed: true}}
		if d := Judge(c, surface.ProfileGoverned, &Rules{}); (d.Verdict == Warn) != asks {
			t.Errorf("%s: got %s", path, d.Verdict)
		}
	}
}

// The commands of the table are as package command unfolds them.
func TestCommandsThatReachTheGuard(t *testing.T) {
	for line, asks := range map[string]bool{
		"rm .claude/settings.json":                                  true,
		"rm a .github/hooks/grimoire-governance.json":               true,
		"rm .github/hooks/*.json":                                   true,
		"unlink .opencode/plugin/grimoire-guard.js":                 true,
		"chmod 000 .opencode/plugin/grimoire-guard.js":              true,
		"mv .github/hooks /tmp/x":                                   true,
		"mv .claude .claude.off":                                    true,
		"mv _grimoire/standard/policies.yaml p":                     true,
		"mv _grimoire/standard/standard-profile.yaml p":             true,
		"rm _grimoire/standard/standard-profile.yaml":               true,
		"git rm -q _grimoire/standard/policies.yaml":                true,
		"git -C . mv .claude x":                                     true,
		"cd .claude && rm settings.json":                            true,
		"cd .github && mv hooks /tmp/x":                             true,
		"cd _grimoire/standard; echo x > policies.yaml":             true,
		"rm _grimoire-output/.runs/session-a.json":                  true,
		"git stash push .claude":                                    true,
		"git stash push -m x -- .claude/settings.json":              true,
		"git -C . stash -- .github":                                 true,
		"git update-index --assume-unchanged .claude/settings.json": true,
		"git update-index --skip-worktree .claude/settings.json":    true,
		"git sparse-checkout set src":                               true,
		"git stash":                                                 false,
		"git stash -u":                                              false,
		"git stash push src":                                        false,
		"git stash pop":                                             false,
		"git stash show .claude":                                    false,
		"git update-index --refresh":                                false,
		"git update-index --chmod=+x run.sh":                        false,
		"git sparse-checkout list":                                  false,
		"git pull":                                                  false,
		"git merge feature":                                         false,
		"rm *.json":                                                 false,
		"rm build/a.o":                                              false,
		"mv notes.md .github":                                       false,
		"mv a .claude/agents":                                       false,
		"cd .claude/agents && rm a.md":                              false,
		"git add .claude/settings.json":                             false,
		"git commit -m .claude/settings.json":                       false,
		"cp .claude/settings.json /tmp":                             false,
		"make .claude/settings.json":                                false,
	} {
		d := Judge(bash(line), surface.ProfileGoverned, &Rules{})
		if (d.Verdict == Warn) != asks {
			t.Errorf("%s: got %s", line, d.Verdict)
		}
		checkReason(t, d)
	}
}

func TestProfileDowngradeAsks(t *testing.T) {
	tests := []struct {
		name    string
		current surface.Profile
		change  Change
		asks    bool
	}{
		{"write lower", surface.ProfileGoverned, Change{Whole: true, New: "profile: starter\n"}, true},
		{"write lower, quoted", surface.ProfileGoverned, Change{Whole: true, New: "a: 1\n\"profile\": 'controlled'\n"}, true},
		{"write equal", surface.ProfileGoverned, Change{Whole: true, New: "profile: governed # same\n"}, false},
		{"write higher", surface.ProfileGoverned, Change{Whole: true, New: "profile: production\n"}, false},
		{"write unknown", surface.ProfileGoverned, Change{Whole: true, New: "profile: maximal\n"}, true},
		{"write without it", surface.ProfileGoverned, Change{Whole: true, New: "options: {}\n"}, true},
		{"write flow form", surface.ProfileGoverned, Change{Whole: true, New: "{profile: starter}"}, true},
		{"write empty", surface.ProfileGoverned, Change{Whole: true}, true},
		{"write twice", surface.ProfileGoverned, Change{Whole: true, New: "profile: governed\nprofile: starter\n"}, true},
		{"starter has nothing to lose", surface.ProfileStarter, Change{Whole: true, New: "options: {}\n"}, false},
		{"edit line lower", surface.ProfileProduction, Change{Old: "profile: production", New: "profile: governed"}, true},
		{"edit line higher", surface.ProfileGoverned, Change{Old: "profile: governed", New: "profile: production"}, false},
		{"edit word lower", surface.ProfileGoverned, Change{Old: "governed", New: "starter"}, true},
		{"edit word higher", surface.ProfileGoverned, Change{Old: "governed", New: "production"}, false},
		{"edit part of the word", surface.ProfileGoverned, Change{Old: "overned", New: "x"}, true},
		{"edit the key away", surface.ProfileGoverned, Change{Old: "profile", New: "profil"}, true},
		{"edit removes it", surface.ProfileGoverned, Change{Old: "profile: governed\n", New: ""}, true},
		{"edit elsewhere", surface.ProfileGoverned, Change{Old: "language: fr", New: "language: en"}, false},
		{"edit inserts", surface.ProfileGoverned, Change{New: "options: {}\n"}, false},
		{"patch lower", surface.ProfileGoverned, Change{New: "-profile: governed\n+profile: starter\n"}, true},
		{"patch higher", surface.ProfileGoverned, Change{New: "-profile: governed\n+profile: production\n"}, false},
		{"text not known", surface.ProfileGoverned, Change{}, true},
		{"removed", surface.ProfileGoverned, Change{Removed: true}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := write("Edit", profileFile)
			tt.change.Path = profileFile
			c.Changes = []Change{tt.change}
			d := Judge(c, tt.current, &Rules{})
			if (d.Verdict == Warn) != tt.asks {
				t.Errorf("got %s", d.Verdict)
			}
			if tt.asks && !strings.Contains(d.Reason.EN, "profile") {
				t.Errorf("reason %q", d.Reason.EN)
			}
		})
	}
}

func TestApprovingIsAPersons(t *testing.T) {
	for line, refused := range map[string]bool{
		"grimoire policies approve abc123":                  true,
		".venv/bin/grimoire policies approve abc123":        true,
		"python3 -m grimoire policies approve abc123":       true,
		"grimoire --color never policies --json approve ab": true,
		"cd x && grimoire policies approve abc123":          true,
		"sudo grimoire policies approve abc":                true,
		"grimoire policies status":                          false,
		"grimoire policies reset-session":                   false,
		"grimoire task add approve":                         false,
		"echo approve":                                      false,
	} {
		d := Judge(bash(line), surface.ProfileStarter, &Rules{})
		if (d.Verdict == Block) != refused {
			t.Errorf("%s: got %s", line, d.Verdict)
		}
		checkReason(t, d)
	}
}

func FuzzGuard(f *testing.F) {
	f.Add(".claude/settings.json", "rm")
	f.Add("{[!a]*,/../?", "mv")
	f.Add("~", "git")
	f.Add("file://C:\\[", "cd")
	f.Fuzz(func(t *testing.T, path, program string) {
		c := write("Write", path)
		c.Programs = []Program{{Name: program, Args: []string{"rm", path}}, {Name: "cd", Args: []string{path}}, {Name: "mv", Args: []string{path, path}}}
		checkReason(t, Judge(c, surface.ProfileGoverned, &Rules{}))
		c.matches(Pattern{name: "*", body: path})
		c.repairs()
	})
}
