package decide

import (
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/governance/command"
	"github.com/grimoire-kit/grimoire/governance/observe"
	"github.com/grimoire-kit/grimoire/governance/policy"
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
	switch {
	case f.call.Kind == policy.KindFileWrite:
		if !ran || len(f.call.Targets) == 0 || !slices.ContainsFunc(f.call.Targets, x.isWork) {
			return
		}
		e.Type, e.Path = observe.Write, policy.OneLine(f.call.Targets[slices.IndexFunc(f.call.Targets, x.isWork)], 240)
	case len(f.commands) == 1 && observe.IsCheck(f.call.Command, f.commands[0].Programs):
		failures := x.dialect.Event("PostToolUseFailure") == surface.PostToolUseFailure
		e.Type, e.Command = observe.Check, observe.Line(f.call.Command)
		e.Outcome, e.Exit = observe.OutcomeOf(x.call.ToolResponse, !ran, failures)
		e.Files = observe.Look(x.project.root)
	case f.call.Command != "" && !keeps(f.commands):
		e.Type, e.Command = observe.Bash, observe.Line(f.call.Command)
	default:
		return
	}
	_ = observe.Append(x.project.root, x.task(), e)
}

// isWork reports whether a file is part of the work rather than of its records.
func (x *decision) isWork(target string) bool {
	rel, ok := strings.CutPrefix(target, x.project.root+"/")
	if !ok {
		rel = target
	}
	return !strings.HasPrefix(rel, "_grimoire-output/") && !strings.HasPrefix(rel, "_grimoire-runtime-output/")
}

// keeps reports whether commands leave the files of the work as they are though
// they change something: grimoire's own, and what git does to its history.
func keeps(list []command.Facts) bool {
	for _, facts := range list {
		if len(facts.Opaque) > 0 || facts.Unjudged != "" || len(facts.Programs) == 0 {
			return false
		}
		for _, p := range facts.Programs {
			switch {
			case p.Name == "grimoire", p.Name == "cd":
			case p.Name == "git" && len(p.Args) > 0 && slices.Contains([]string{"add", "commit", "push", "fetch", "tag", "status", "diff", "log", "show"}, p.Args[0].Text):
			default:
				return false
			}
		}
		if slices.ContainsFunc(facts.Targets, func(t command.Target) bool { return t.Access == command.Write }) {
			return false // of a redirection
		}
	}
	return true
}
