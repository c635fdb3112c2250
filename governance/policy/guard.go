package policy

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/grimoire-kit/grimoire/governance/session"
	"github.com/grimoire-kit/grimoire/surface"
)

// The guard of the guard: changing what enforces the rules is put to the
// person, and approving in a person's place is refused.

// guardedFile is a file that the guard stands on. Paths are relative to the
// project; `*` is the only wildcard.
type guardedFile struct {
	path string
	what surface.Text
	// anywhere says that the file also counts outside the project: hosts
	// read their settings from the person's home too.
	anywhere bool
}

var (
	textHooks    = surface.Text{FR: "modification des hooks qui appliquent les règles", EN: "a change of the hooks that apply the rules"}
	textPlugin   = surface.Text{FR: "modification du plugin qui applique les règles", EN: "a change of the plugin that applies the rules"}
	textRules    = surface.Text{FR: "modification des règles elles-mêmes", EN: "a change of the rules themselves"}
	textRecord   = surface.Text{FR: "modification du registre des fichiers générés", EN: "a change of the record of generated files"}
	textSession  = surface.Text{FR: "modification des compteurs et accords de la session", EN: "a change of the session's counters and approvals"}
	textTrace    = surface.Text{FR: "modification du journal des décisions", EN: "a change of the ledger of decisions"}
	textProgram  = surface.Text{FR: "modification du programme qui applique les règles", EN: "a change of the program that applies the rules"}
	textObserved = surface.Text{FR: "modification de ce que le hook a vu", EN: "a change of what the hook saw"}
	textGates    = surface.Text{FR: "modification de ce que les gates exigent", EN: "a change of what the gates ask for"}
	textLimits   = surface.Text{FR: "modification des limites du travail en cours", EN: "a change of the limits of work under way"}
	textProfile  = surface.Text{FR: "abaissement du profil du projet", EN: "a downgrade of the project's profile"}
)

const profileFile = "_grimoire/standard/standard-profile.yaml"

// guardedFiles: which settings switch hooks off was observed on Claude Code
// 2.1.332, Copilot CLI 1.0.102, opencode 1.18.33, Codex CLI 0.171.0 and Gemini
// CLI 0.61.0. Copilot also obeys .claude/settings*.json.
var guardedFiles = []guardedFile{
	{".claude/settings.json", textHooks, true},
	{".claude/settings.local.json", textHooks, true},
	{".github/hooks/grimoire-*.json", textHooks, false},
	{".github/copilot/settings.json", textHooks, false},
	{".github/copilot/settings.local.json", textHooks, false},
	{".opencode/plugin/*.js", textPlugin, false}, // any of them may undo the guard's
	{".opencode/plugin/*.ts", textPlugin, false},
	{".opencode/plugins/*.js", textPlugin, false},
	{".opencode/plugins/*.ts", textPlugin, false},
	{".codex/hooks.json", textHooks, true},
	{".codex/config.toml", textHooks, true},
	{".gemini/settings.json", textHooks, true},
	{File, textRules, false},
	{"_grimoire/standard/evidence-gates.yaml", textGates, false},
	{"_grimoire/standard/capacity.yaml", textLimits, false},
	{"_grimoire/standard/orchestration-policy.yaml", textLimits, false},
	{"_grimoire/hosts/ownership.json", textRecord, false},
	{session.Dir, textSession, false},
	{session.Dir + "/*", textSession, false}, // the locks among them
	{"_grimoire-output/traces/traces.jsonl", textTrace, false},
	{"grimoire-hook", textProgram, true},
	{"grimoire-hook.exe", textProgram, true},
}

// guard says at most one thing about approvals, one about calls of the hook and
// one about files.
func guard(c *Call, profile surface.Profile) []opinion {
	var out []opinion
	if slices.ContainsFunc(c.Programs, approves) {
		out = append(out, opinion{ruleApprove, Block, Say(c.Tool,
			surface.Text{FR: "accord donné par l'agent", EN: "an approval given by the agent"},
			surface.Text{FR: "un accord vient de la personne, dans son propre terminal", EN: "an approval comes from the person, in their own terminal"},
			surface.Text{FR: "demander à la personne, puis rejouer l'action telle quelle", EN: "ask the person, then repeat the action as it was"})})
	}
	if len(out) == 0 && slices.ContainsFunc(c.Programs, playsPerson) {
		out = append(out, personal(c))
	}
	if slices.ContainsFunc(c.Programs, callsHook) {
		out = append(out, hookCall(c))
	}
	if what, name, ok := c.disarms(); ok {
		return append(out, opinion{ruleGuardFile, Warn, Say(c.Tool, what,
			surface.Text{
				FR: name + " fait partie de ce qui contrôle l'agent : y toucher revient à la personne",
				EN: name + " is part of what controls the agent: touching it is up to the person"},
			surface.Text{
				FR: "la personne confirme, ou le fait elle-même dans son terminal",
				EN: "the person confirms, or does it themselves in their terminal"})})
	}
	var asked []opinion // what is refused comes before what is asked about
	for _, ch := range c.reached() {
		if said, ok := c.keeping(ch); ok {
			if said.verdict == Block {
				return append(out, said)
			}
			asked = append(asked, said)
			continue
		}
		if len(asked) > 0 {
			continue
		}
		what, file, ok := c.guarded(ch, profile)
		if !ok {
			continue
		}
		asked = append(asked, opinion{ruleGuardFile, Warn, Say(c.Tool, what,
			surface.Text{
				FR: file + " fait partie de ce qui contrôle l'agent : le changer revient à la personne",
				EN: file + " is part of what controls the agent: changing it is up to the person"},
			surface.Text{
				FR: "la personne confirme, ou fait la modification elle-même dans son éditeur",
				EN: "the person confirms, or makes the change themselves in their editor"})})
	}
	if len(asked) > 0 {
		out = append(out, asked[0])
	}
	return out
}

// disarms reports whether a program takes the guard away without writing one of
// its files itself: it ends the hook, or switches hooks off in a host's
// settings.
func (c *Call) disarms() (what surface.Text, name string, ok bool) {
	for _, p := range c.Programs {
		switch p.Name {
		case "pkill", "killall", "kill", "taskkill":
			if slices.ContainsFunc(p.Args, func(a string) bool { return strings.Contains(a, "grimoire-hook") }) {
				return textProgram, "grimoire-hook", true
			}
		case "claude", "copilot", "codex", "gemini", "opencode":
			if slices.Contains(p.Args, "config") && slices.ContainsFunc(p.Args, func(a string) bool { return strings.Contains(strings.ToLower(a), "hooks") }) {
				return textHooks, p.Name + " config", true
			}
		}
	}
	return surface.Text{}, "", false
}

// guarded reports whether a change touches the guard, and where.
func (c *Call) guarded(ch Change, profile surface.Profile) (what surface.Text, file string, ok bool) {
	rel, inside := c.relative(ch.Path)
	rel = strings.ToLower(rel) // macOS and Windows ignore case; asking once too often is the lesser harm
	if inside && c.covers(ch, rel, profileFile) {
		if profile.Rank() > 0 && (ch.Removed || rel != profileFile) || downgrades(ch, profile) {
			return textProfile, profileFile, true
		}
		if rel == profileFile {
			return surface.Text{}, "", false
		}
	}
	for _, g := range guardedFiles {
		if inside && c.covers(ch, rel, g.path) {
			return g.what, g.path, true
		}
		if !inside && g.anywhere && (strings.HasSuffix(rel, "/"+g.path) || ch.Removed && strings.HasSuffix(rel, "/"+firstElement(g.path))) {
			return g.what, g.path, true
		}
	}
	return surface.Text{}, "", false
}

func firstElement(path string) string {
	first, _, _ := strings.Cut(path, "/")
	return first
}

// profileKey is compiled when it is first needed: hardly any call of the hook
// gets that far.
var profileKey = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^[+ \t]*["']?profile["']?[ \t]*:[ \t]*["']?([A-Za-z_-]*)`)
})

// downgrades reports whether a change of standard-profile.yaml would lower
// the project's profile. What it would leave is read from the new text; where
// that cannot be told, the answer is yes.
func downgrades(ch Change, current surface.Profile) bool {
	rank := max(0, current.Rank())
	if rank == 0 {
		return false // there is none below
	}
	if ch.Old == "" && ch.New == "" && !ch.Whole {
		return true
	}
	if found := profileKey().FindAllStringSubmatch(ch.New, -1); len(found) > 0 {
		return slices.ContainsFunc(found, func(m []string) bool { return profileRank(m[1]) < rank })
	}
	if ch.Whole || profileKey().MatchString(ch.Old) {
		return rank > 0 // no profile is the weakest one
	}
	// Less than the whole line: it matters only if the line is touched.
	line, old := "profile: "+string(current), strings.TrimSpace(ch.Old)
	if old == "" || !strings.Contains(ch.Old, string(current)) && !strings.Contains(line, old) {
		return false
	}
	return !slices.ContainsFunc(surface.Profiles, func(p surface.Profile) bool {
		return p.Rank() >= rank && strings.Contains(ch.New, string(p))
	})
}

func profileRank(word string) int { return max(0, surface.Profile(word).Rank()) }
