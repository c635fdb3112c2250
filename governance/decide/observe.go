package decide

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/governance/command"
	"github.com/grimoire-kit/grimoire/governance/observe"
	"github.com/grimoire-kit/grimoire/governance/policy"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
)

// observe writes down what the call was, in the journal of the session's task:
// a check with its outcome, or a write. A journal that fails costs an entry,
// and a gate that asks for it then refuses.
func (x *decision) observe(f facts, ran bool) {
	if x.dry || f.call.Mutation == policy.ReadOnly {
		return
	}
	e := observe.Entry{At: observe.Stamp(x.started), Session: x.call.Session, Host: x.dialect.HostID}
	checks, counts := x.checks(f)
	switch {
	case f.call.Kind == policy.KindFileWrite:
		if !ran || len(f.call.Targets) == 0 || !slices.ContainsFunc(f.call.Targets, x.isWork) {
			return
		}
		e.Type, e.Path = observe.Write, policy.OneLine(f.call.Targets[slices.IndexFunc(f.call.Targets, x.isWork)], 240)
	case len(checks.Kinds) > 0 && !counts:
		return
	case len(checks.Kinds) > 0:
		failures := x.dialect.Event("PostToolUseFailure") == surface.PostToolUseFailure
		e.Type, e.Command, e.Kinds = observe.Check, observe.Line(f.call.Command), checks.Kinds
		e.Outcome, e.Exit = observe.OutcomeOf(x.call.ToolResponse, !ran, failures)
		if e.Outcome != observe.Passed && (checks.Lost || observe.NoRun(e.Exit)) {
			return // it was no run of a check
		}
		if !checks.Alone && e.Outcome != observe.Passed {
			e.Outcome = observe.Unknown // the check failed, or what came after it
		}
		e.Files = observe.Look(x.project.root)
	case f.call.Command != "" && !keeps(f.commands):
		e.Type, e.Command = observe.Bash, observe.Line(f.call.Command)
	default:
		return
	}
	x.note(e, x.journals())
}

// note adds an entry to the journals of tasks, and says in which worktree it
// was where that is not the main one.
func (x *decision) note(e observe.Entry, tasks []string) {
	home := x.project.home()
	if home != x.project.root {
		e.Tree = x.project.root
	}
	for _, task := range tasks {
		_ = observe.Append(home, task, e)
	}
}

// journals are the tasks in whose journal the session's work is noted: the one
// that it works on, and those that it handed over to be verified, whose gates
// are still to be asked about it.
func (x *decision) journals() []string {
	if x.Ledger == nil {
		return []string{bootstrap}
	}
	t, err := x.Ledger.Task(x.project.home(), x.sessionID())
	if err != nil {
		return []string{bootstrap}
	}
	list := t.Review
	if t.ID != "" && !slices.Contains(list, t.ID) {
		list = append(list[:len(list):len(list)], t.ID)
	}
	if len(list) == 0 {
		return []string{bootstrap}
	}
	return list
}

// checks is what the only line of a call checks. counts is false where the
// project declares other lines to be its checks: it then proves nothing, and
// nothing against it either. Such a line counts in the project's folder.
func (x *decision) checks(f facts) (c observe.Checks, counts bool) {
	if len(f.commands) != 1 {
		return c, false
	}
	c = observe.ChecksOf(f.call.Command, f.commands[0], observe.Place{Root: x.project.root, Dir: x.base()})
	if len(c.Kinds) == 0 && keeps(f.commands) {
		return c, false
	}
	own := x.ownChecks()
	if len(own) == 0 {
		return c, true
	}
	rel, err := filepath.Rel(x.project.root, x.base())
	if err != nil || rel != "." || !observe.Declared(own, f.call.Command) {
		return c, false
	}
	if len(c.Kinds) == 0 {
		c = observe.Checks{Kinds: []string{observe.Line(f.call.Command)}, Alone: true}
	}
	return c, true
}

// ownChecks are the lines that the project declares to be its checks. The guard
// asks before a tool changes that file.
func (x *decision) ownChecks() []string {
	if !x.project.found {
		return nil
	}
	folder, err := standard.Open(x.project.home())
	if err != nil {
		return nil
	}
	defer func() { _ = folder.Close() }()
	return folder.OwnChecks()
}

// isWork reports whether a file is part of the work rather than of its records.
func (x *decision) isWork(target string) bool {
	rel, ok := strings.CutPrefix(target, x.project.root+"/")
	if !ok {
		rel = strings.TrimPrefix(target, x.project.home()+"/")
	}
	return !standard.IsRecord(rel)
}

// announce notes a line that asks for a gate, before it runs, where it also
// changes something or runs what cannot be known: the gate is judged while the
// line is under way, and would not see the entry that comes after it.
func (x *decision) announce(f facts) {
	if x.dry || f.call.Mutation == policy.ReadOnly || !slices.ContainsFunc(f.call.Programs, gated) || keeps(f.commands) || !x.project.enrolled() {
		return
	}
	if c, _ := x.checks(f); len(c.Kinds) > 0 {
		return
	}
	e := observe.Entry{At: observe.Stamp(x.started), Type: observe.Bash, Command: observe.Line(f.call.Command), Session: x.call.Session, Host: x.dialect.HostID}
	tasks := x.journals()
	for _, p := range f.call.Programs {
		if task := x.named(p); gated(p) && task != "" && !slices.Contains(tasks, task) {
			tasks = append(tasks, task)
		}
	}
	x.note(e, tasks)
}

// gated reports whether a program is one that asks for an evidence gate, or
// makes the evidence for it.
func gated(p policy.Program) bool {
	verb, _ := taskVerb(p)
	return slices.Contains([]string{"move", "close", "prove"}, verb)
}

// taskVerb is the verb of a `grimoire task VERB`, "" for any other program,
// with what follows it.
func taskVerb(p policy.Program) (verb string, rest []string) {
	if i := slices.Index(p.Args, "task"); p.Name == "grimoire" && i >= 0 && i+1 < len(p.Args) {
		return p.Args[i+1], p.Args[i+2:]
	}
	return "", nil
}

// named is the task that such a program names, "" where nobody has heard of it:
// a journal is opened for no word of a line.
func (x *decision) named(p policy.Program) string {
	_, rest := taskVerb(p)
	if x.Ledger == nil {
		return ""
	}
	for _, word := range rest {
		if strings.HasPrefix(word, "-") {
			continue
		}
		if state, err := x.Ledger.State(x.project.home(), word); err == nil && state != "" {
			return word
		}
	}
	return ""
}

// historyVerbs are what git does to its history and not to the files.
var historyVerbs = []string{"add", "commit", "push", "fetch", "tag", "status", "diff", "log", "show"}

// keeps reports whether commands leave the files of the work as they are though
// they change something: grimoire's own, what git does to its history, and what
// only reads.
func keeps(list []command.Facts) bool {
	for _, facts := range list {
		if len(facts.Opaque)+len(facts.Destructive) > 0 || facts.Unjudged != "" || len(facts.Programs) == 0 {
			return false
		}
		if slices.ContainsFunc(facts.Programs, func(p command.Program) bool { return !keepsFiles(p) }) ||
			slices.ContainsFunc(facts.Targets, func(t command.Target) bool { return t.Access == command.Write }) {
			return false // a program's, or a redirection's
		}
	}
	return true
}

func keepsFiles(p command.Program) bool {
	switch {
	case p.Name == "grimoire", p.Name == "cd", p.Name == "set":
		return true
	case p.Name == "git" && len(p.Args) > 0 && slices.Contains(historyVerbs, p.Args[0].Text):
		return true
	}
	return p.ReadsOnly()
}
