package decide

import (
	"strconv"
	"strings"

	"github.com/grimoire-kit/grimoire/governance/policy"
	"github.com/grimoire-kit/grimoire/governance/session"
	"github.com/grimoire-kit/grimoire/governance/trace"
	"github.com/grimoire-kit/grimoire/pluginsdk/dialect"
	"github.com/grimoire-kit/grimoire/surface"
)

// directiveFile lets a project word the directive of its sessions itself.
const directiveFile = ".claude/activation-context.md"

// sessionStart resets the session's counters and hands over, in this order, the
// entry persona, what earlier work says of the session's task or that there is
// none, what a person said, and the directive.
func (x *decision) sessionStart() verdict {
	v := verdict{outcome: dialect.Context, context: x.project.misread()}
	// A sub-agent that starts must not drop the counters it shares.
	if x.call.Session != "" && x.call.ParentSession == "" && x.call.Agent == "" && x.project.found {
		if _, err := session.Start(x.project.root, x.call.Session, x.call.Source); err != nil {
			why := inWords(err)
			v.context = append(v.context, surface.Text{
				FR: "[Grimoire] les compteurs de session n'ont pas pu être remis à zéro : " + why.FR,
				EN: "[Grimoire] the session's counters could not be reset: " + why.EN,
			})
		}
	}
	if p, ok := x.entry(); ok {
		v.context = append(v.context, handOver(p))
		if t := x.dialect.Dispatch(); t.EN != "" {
			v.context = append(v.context, t)
		}
		r := trace.Dispatch(p.Name, x.task())
		r.At = x.started
		_ = trace.Append(x.project.root, r) // a lost fact, not a lost session
	}
	if x.Ledger != nil && x.project.enrolled() {
		v.context = append(v.context, x.news()...)
		t, said := x.attach()
		v.context = append(v.context, said...)
		switch {
		case len(said) > 0 && t.ID == "":
		case t.ID != "":
			v.context = append(append(v.context, x.recall(t)...), x.directives(t)...)
		case len(t.Parked) > 0:
			v.context = append(v.context, parkedTasks(t.Parked))
		case x.project.profile().Blocks():
			v.context = append(v.context, x.without(t))
		}
	}
	directive, own := x.directive()
	v.context = append(v.context, directive)
	if own {
		v.rest = surface.Text{FR: "`" + directiveFile + "`", EN: "`" + directiveFile + "`"}
	}
	return v
}

// attach finds the session's task and records that the session works on it. What
// it says is what went wrong.
func (x *decision) attach() (t Task, said []surface.Text) {
	t, err := x.Ledger.Task(x.project.home(), x.sessionID())
	if err != nil {
		return Task{}, []surface.Text{taskUnknown(err)}
	}
	if t.ID == "" || x.call.Session == "" {
		return t, nil
	}
	_ = x.update(func(s *session.State) error {
		s.Task = t.ID
		return nil
	})
	if err := x.Ledger.Attach(x.project.home(), t, x.sessionID(), x.dialect.HostID); err != nil {
		what := inWords(err)
		return t, []surface.Text{{
			FR: "[Grimoire] la session n'a pas pu être rattachée à la tâche " + t.ID + " : " + what.FR,
			EN: "[Grimoire] the session could not be attached to task " + t.ID + ": " + what.EN,
		}}
	}
	return t, nil
}

// directive is the project's own, where it words one, else the built-in one.
func (x *decision) directive() (text surface.Text, own bool) {
	if text, err := x.project.readFile(directiveFile); err == nil {
		words := strings.ReplaceAll(strings.ToValidUTF8(string(text), "\ufffd"), "{task_id}", x.task())
		return surface.Text{FR: words, EN: words}, true
	}
	state := surface.Text{FR: "Projet non enrôlé.", EN: "Project not enrolled."}
	if x.project.enrolled() {
		profile := string(x.project.profile())
		state = surface.Text{FR: "Projet enrôlé, profil " + profile + ".", EN: "Enrolled project, profile " + profile + "."}
	}
	return surface.Text{
		FR: "[Grimoire Standard] " + state.FR + " Chaque appel d'outil est jugé par grimoire-hook : un refus dit quoi, pourquoi et la sortie ; prends-la, ne le contourne pas. Une tâche se clôt sur une preuve observée, jamais sur une affirmation.",
		EN: "[Grimoire Standard] " + state.EN + " Every tool call is judged by grimoire-hook: a refusal says what, why and the way out; take it, do not go around it. A task closes on observed evidence, never on a statement.",
	}, false
}

// userPromptSubmit names the current task, or says that there is none. Without
// a ledger it only learns whose session this is.
func (x *decision) userPromptSubmit() verdict {
	if x.call.ParentSession != "" {
		x.sessionID()
	}
	if x.Ledger == nil || !x.project.enrolled() {
		return silence
	}
	said := x.news()
	t, wrong := x.attach()
	said = append(said, wrong...)
	if len(wrong) > 0 && t.ID == "" {
		return verdict{outcome: dialect.Context, context: said}
	}
	if t.ID == "" {
		return verdict{outcome: dialect.Context, context: append(said, x.without(t))}
	}
	said = append(said, surface.Text{
		FR: "[Grimoire] tâche courante : " + t.ID + " (" + t.State + "), profil " + string(x.project.profile()) + ", preuves dans " + x.evidence(t.ID),
		EN: "[Grimoire] current task: " + t.ID + " (" + t.State + "), profile " + string(x.project.profile()) + ", evidence in " + x.evidence(t.ID),
	})
	if len(t.Parked) > 0 && t.Parked[0].Fenced {
		said = append(said, parkedTasks(t.Parked))
	}
	return verdict{outcome: dialect.Context, context: append(said, x.directives(t)...)}
}

// preCompact keeps the governance of the session through a compaction: in the
// context, and in a capsule on disk.
func (x *decision) preCompact() verdict {
	if !x.project.found || !x.project.enrolled() {
		return silence
	}
	task, changes := x.task(), "0"
	if x.call.Session != "" {
		changes = strconv.Itoa(session.Read(x.project.root, x.sessionID()).Mutations)
	}
	profile := string(x.project.profile())
	capsule := surface.Text{
		FR: "[Grimoire] À garder après la compaction : tâche " + task + ", profil " + profile + ", " + changes + " modification(s) observée(s) dans cette session, preuves dans " + x.evidence(task) + ".",
		EN: "[Grimoire] To keep after the compaction: task " + task + ", profile " + profile + ", " + changes + " change(s) observed in this session, evidence in " + x.evidence(task) + ".",
	}
	switch gates, state := x.gates(); {
	case state != green:
		capsule.FR += "\n" + gates.FR
		capsule.EN += "\n" + gates.EN
	case x.Ledger != nil && task != bootstrap:
		capsule.FR += " Ses gates sont verts."
		capsule.EN += " Its gates are green."
	}
	said := surface.Text{FR: capsule.FR + "\nCapsule écrite : ", EN: capsule.EN + "\nCapsule written: "}
	file := "_grimoire-output/context/" + task + "/compaction-capsule.md"
	if err := x.project.writeFile(file, []byte(capsule.In(x.project.language())+"\n")); err != nil {
		said = surface.Text{FR: capsule.FR + "\nLa capsule n'a pas été écrite : ", EN: capsule.EN + "\nThe capsule was not written: "}
		file = policy.OneLine(err.Error(), 200)
	}
	return verdict{outcome: dialect.Context, context: []surface.Text{{FR: said.FR + file, EN: said.EN + file}}}
}

// subagentStop tells the state of the gates when a sub-agent ends. It never
// blocks, and says nothing while they are green.
func (x *decision) subagentStop() verdict {
	if gates, state := x.gates(); state != green {
		return verdict{outcome: dialect.Context, context: []surface.Text{gates}, record: x.decided(trace.VerdictAllow, nil)}
	}
	return silence
}
