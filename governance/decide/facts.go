package decide

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/governance/command"
	"github.com/grimoire-kit/grimoire/governance/locate"
	"github.com/grimoire-kit/grimoire/governance/policy"
	"github.com/grimoire-kit/grimoire/governance/secrets"
	"github.com/grimoire-kit/grimoire/pluginsdk/dialect"
	"github.com/grimoire-kit/grimoire/surface"
)

// facts are what is known of a tool call before it runs.
type facts struct {
	call *policy.Call
	// commands are the command lines of the call, analysed.
	commands []command.Facts
}

// quiet reports whether nothing about the call is worth a rule of our own: it
// reads, names no secret, and all it would run is known.
func (f facts) quiet() bool {
	return f.call.Mutation == policy.ReadOnly && f.call.SecretFragment == "" &&
		!slices.ContainsFunc(f.commands, func(c command.Facts) bool {
			return len(c.Opaque) > 0 || c.Unjudged != "" || c.Interactive != ""
		})
}

// bareCall is the call with what needs no looking at its arguments.
func (x *decision) bareCall() *policy.Call {
	c := &x.call
	return &policy.Call{
		Tool: c.Tool, Family: c.Family, Kind: policy.KindToolUse, Mutation: policy.Controlled,
		Root: x.project.root, Cwd: x.base(), Exists: x.project.has, Unclean: x.project.unclean, Input: c.ToolInput, ToolUseID: c.ToolUseID,
	}
}

// gather reads a call's facts off its arguments. It opens no file but a patch
// that the call applies, and looks
// only at whether those that are named are links.
func (x *decision) gather() facts {
	c := &x.call
	f := facts{call: x.bareCall()}
	p := f.call
	p.Mutation = policy.ReadOnly
	p.Targets = c.Values(dialect.Path)
	for _, ch := range c.Changes {
		p.Changes = append(p.Changes, policy.Change{Path: ch.Path, Old: ch.Old, New: ch.New, Whole: ch.Whole, Removed: ch.Removed})
	}
	f.secretTargets(c, x.project.root)
	lines := c.Values(dialect.Command)
	for _, line := range programsIn(c) {
		f.code(line)
	}
	for _, line := range lines {
		x.command(&f, c.Canonical, line)
	}
	switch c.Family {
	case surface.FamilyWrite:
		p.Kind = policy.KindFileWrite
		if p.Mutation == policy.ReadOnly {
			p.Mutation = policy.Controlled
		}
		if len(p.Changes) == 0 { // the tool writes in a way the dialect does not spell out
			for _, t := range p.Targets {
				p.Changes = append(p.Changes, policy.Change{Path: t})
			}
		}
	case surface.FamilyExecute:
		if len(lines) == 0 { // it runs something that cannot be seen
			p.Mutation, p.Unresolved = policy.Controlled, true
		}
	case surface.FamilyNetwork:
		p.Kind = policy.KindNetwork
	case surface.FamilyMCP, surface.FamilyOther:
		f.foreign(c)
	}
	x.followLinks(&f)
	if p.SecretFragment != "" {
		p.Kind = policy.KindSecretAccess
	}
	if p.Cwd != "" && p.Cwd != p.Root {
		// Hosts differ in what the folder of a payload is: the session's, or
		// the tool's own. A relative path is taken both ways.
		for _, ch := range p.Changes {
			if !filepath.IsAbs(ch.Path) {
				ch.Path = filepath.Join(p.Root, ch.Path)
				p.Changes = append(p.Changes, ch)
			}
		}
	}
	x.mirror(p)
	return f
}

// mirror adds what a call in a linked worktree changes of the project in the
// main one, as if it were here: the records of its tasks stand there.
func (x *decision) mirror(c *policy.Call) {
	for _, ch := range c.Changes[:min(len(c.Changes), maxLinks)] {
		at := ch.Path
		if !filepath.IsAbs(at) {
			at = filepath.Join(x.base(), at)
		}
		if at = filepath.Clean(at); below(at, x.project.root) {
			continue
		}
		if home := x.project.home(); home != x.project.root && below(at, home) {
			ch.Path = x.project.root + at[len(home):]
			c.Changes = append(c.Changes, ch)
		}
	}
}

// below reports whether a clean path is a folder or lies in it.
func below(at, folder string) bool {
	return at == folder || strings.HasPrefix(at, folder+string(filepath.Separator))
}

// secretTargets looks at every target of the call. Writing a whole new file
// shows nothing of an old one and is no access; an edit shows what it edits.
func (f *facts) secretTargets(c *dialect.Call, root string) {
	whole := map[string]bool{}
	for _, ch := range c.Changes {
		if ch.Whole || ch.Removed {
			whole[ch.Path] = true
		}
	}
	dir := f.folder()
	for _, target := range c.Values(dialect.Path) {
		// Where the project lies is not what the call is about.
		inside := strings.TrimPrefix(target, root+string(filepath.Separator))
		if _, ok := secrets.MatchPath(inside); ok && !whole[target] {
			m, _ := secrets.MatchPath(target)
			f.secret(m)
		}
		if dir != "" && !filepath.IsAbs(target) && !whole[target] {
			if m, ok := secrets.MatchPath(path.Join(dir, filepath.ToSlash(target))); ok {
				f.secret(m)
			}
		}
		if c.Canonical == searchTool {
			f.searched(inside, c.Values(dialect.Pattern))
		}
	}
	for _, pattern := range c.Values(dialect.Pattern) {
		if m, ok := secrets.MatchGlob(pattern); ok {
			f.secret(m)
		}
	}
}

// searchTool shows what it finds in the files of a folder.
const searchTool = "Grep"

// searched is about a search through a folder: all of it, or the files that a
// filter lets through.
func (f *facts) searched(folder string, filters []string) {
	if len(filters) == 0 {
		if m, ok := secrets.MatchFolder(folder); ok {
			f.secret(m)
		}
		return
	}
	for _, filter := range filters {
		if m, ok := secrets.MatchPath(path.Join(filepath.ToSlash(folder), strings.NewReplacer("*", "x", "?", "x").Replace(filter))); ok {
			f.secret(m)
		}
	}
}

// folder is where the relative names of the call start, below the project's
// root; "" for the root itself, and outside of the project.
func (f *facts) folder() string {
	if f.call.Cwd == "" {
		return ""
	}
	rel, err := filepath.Rel(f.call.Root, f.call.Cwd)
	if err != nil || rel == "." || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}

func (f *facts) secret(m secrets.Match) {
	if f.call.SecretFragment == "" {
		f.call.SecretFragment = m.Fragment
	}
}

// command adds the facts of one command line.
func (x *decision) command(f *facts, tool, line string) {
	facts := command.Analyze(line, command.Options{Shell: shellOf(tool), Dir: f.folder()})
	f.commands = append(f.commands, facts)
	p := f.call
	if p.Command == "" {
		p.Command = line
	}
	if len(facts.Destructive) > 0 {
		p.Mutation = policy.Destructive
		p.DestructiveLabel = facts.Destructive[0].Label.Text()
	} else if !facts.ReadOnly && p.Mutation != policy.Destructive {
		p.Mutation = policy.Controlled
	}
	if m, ok := secrets.InCommand(facts); ok {
		f.secret(m)
	} else if m, ok := secrets.Present(facts, f.folder(), x.project.has); ok {
		f.secret(m)
	}
	for _, program := range facts.Programs {
		if removesHost(program) {
			p.Changes = append(p.Changes, policy.Change{Path: ownershipFile})
		}
		q := policy.Program{Name: program.Name, Via: program.Via}
		for _, word := range program.Args {
			q.Args = append(q.Args, word.Text)
			p.Unresolved = p.Unresolved || !word.Resolved()
		}
		p.Programs = append(p.Programs, q)
	}
	p.Unresolved = p.Unresolved || len(facts.Opaque) > 0 || facts.Unjudged != ""
	if !facts.ReadOnly {
		p.Changes = append(p.Changes, changes(line, facts)...)
		if slices.ContainsFunc(facts.Programs, patches) {
			p.Changes = append(p.Changes, x.patchFiles(facts)...)
		}
	}
}

// ownershipFile is the record of what a sync wrote, which `grimoire host
// remove` takes back: the guard of a host among it.
const ownershipFile = locate.Folder + "/hosts/ownership.json"

func removesHost(p command.Program) bool {
	var verbs []string
	for _, w := range p.Args {
		if w.Text == "--dry-run" {
			return false
		}
		if !strings.HasPrefix(w.Text, "-") {
			verbs = append(verbs, w.Text)
		}
	}
	i := slices.Index(verbs, "host")
	return p.Name == "grimoire" && i >= 0 && slices.Contains(verbs[i:], "remove")
}

// shellOf tells the language of a tool's command lines from its name.
func shellOf(tool string) command.Shell {
	switch t := strings.ToLower(tool); {
	case strings.Contains(t, "powershell"), strings.Contains(t, "pwsh"):
		return command.PowerShell
	case t == "cmd":
		return command.Cmd
	}
	return command.POSIX
}
