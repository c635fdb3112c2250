package decide

import (
	"strconv"

	"github.com/grimoire-kit/grimoire/governance/session"
	"github.com/grimoire-kit/grimoire/governance/trace"
	"github.com/grimoire-kit/grimoire/pluginsdk/dialect"
	"github.com/grimoire-kit/grimoire/surface"
)

// stop is where red gates, and work outside any task, hold a session open. It
// never loops, and holds nothing open for a project that asked for no gate.
func (x *decision) stop() verdict {
	switch {
	case x.call.StopActive:
		return x.passed("stop_hook_already_active")
	case !x.project.enrolled():
		return x.passed("project_not_enrolled")
	case x.call.Agent != "":
		return x.passed("sub_agent") // some hosts report its end as the session's
	case x.Ledger == nil:
		return x.passed("no_ledger")
	}
	t, err := x.Ledger.Task(x.project.home(), x.sessionID())
	switch {
	case err != nil:
		return x.closing(taskUnknown(err), false) // a ledger that breaks must not hold a session
	case t.ID != "":
		if gates, state := x.gates(); state != green {
			return x.closing(gates, state == red)
		}
		if t.State == "proposed" || t.State == "" {
			return x.closing(surface.Text{
				FR: "[Grimoire] tâche " + t.ID + " à l'état proposed : rien n'est encore exigé, ce gate vert ne protège rien.",
				EN: "[Grimoire] task " + t.ID + " is proposed: nothing is owed yet, so this green gate protects nothing."}, false)
		}
	case x.call.Session != "":
		s := session.Read(x.project.root, x.sessionID())
		if n := s.Mutations; n > 0 && !x.settled(s) {
			none := x.noTask(t)
			return x.closing(surface.Text{
				FR: "[Grimoire] clôture hors tâche après " + strconv.Itoa(n) + " modification(s).\n" + none.FR,
				EN: "[Grimoire] closing outside any task after " + strconv.Itoa(n) + " change(s).\n" + none.EN}, true)
		}
	}
	return x.passed("")
}

// passed lets a session end without a word. why is in the trace where the
// gates were not looked at.
func (x *decision) passed(why string) verdict {
	r := x.decided(trace.VerdictAllow, nil)
	if why != "" {
		r.Tags = append(r.Tags, "skipped:"+why)
	}
	return verdict{outcome: dialect.NoOpinion, record: r}
}

// closing says something at the end of a session. What is owed holds it open
// under a profile that blocks.
func (x *decision) closing(text surface.Text, owed bool) verdict {
	v := verdict{outcome: dialect.Context, context: []surface.Text{text}}
	word := trace.VerdictAllow
	if owed && x.project.profile().Blocks() {
		v = verdict{outcome: dialect.BlockStop, reason: text}
		word = trace.VerdictBlock
	}
	v.record = x.decided(word, nil)
	return v
}

// gateState is what the evidence gates of a task come to.
type gateState int

const (
	green   gateState = iota // or nobody asked for any
	red                      // something is owed
	unknown                  // they could not be evaluated
)

// gates evaluates the gates of the current task, with the words for it where
// they are not green.
func (x *decision) gates() (surface.Text, gateState) {
	if x.Ledger == nil || !x.project.enrolled() {
		return surface.Text{}, green
	}
	t, err := x.Ledger.Task(x.project.home(), x.sessionID())
	if err != nil {
		return taskUnknown(err), unknown
	}
	if t.ID == "" {
		return surface.Text{}, green
	}
	g, err := x.Ledger.Gates(x.project.home(), t)
	if err != nil {
		return unreadable(err), unknown
	}
	if g.OK {
		return surface.Text{}, green
	}
	text := surface.Text{
		FR: "[Grimoire] tâche " + t.ID + " : gates rouges.",
		EN: "[Grimoire] task " + t.ID + ": red gates.",
	}
	for _, m := range g.Missing {
		text.FR += "\n- " + m.FR
		text.EN += "\n- " + m.EN
	}
	text.FR += "\nSortie : `grimoire standard gate check --task-id " + t.ID + " --strict`, preuves dans " + x.evidence(t.ID)
	text.EN += "\nWay out: `grimoire standard gate check --task-id " + t.ID + " --strict`, evidence in " + x.evidence(t.ID)
	return text, red
}

// taskUnknown is a ledger, or a board where there is no ledger, that does not
// tell what the session works on. The session goes on.
func taskUnknown(err error) surface.Text {
	what := inWords(err)
	return surface.Text{
		FR: "[Grimoire] la tâche de cette session ne se lit pas, et ses gates n'ont pas pu être évalués : " + what.FR + ". Sortie : `grimoire ledger verify`, `grimoire standard verify`.",
		EN: "[Grimoire] the task of this session cannot be read, and its gates could not be evaluated: " + what.EN + ". Way out: `grimoire ledger verify`, `grimoire standard verify`.",
	}
}

func unreadable(err error) surface.Text {
	what := inWords(err)
	return surface.Text{
		FR: "[Grimoire] les gates n'ont pas pu être évalués : " + what.FR,
		EN: "[Grimoire] the gates could not be evaluated: " + what.EN,
	}
}
