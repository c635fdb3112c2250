package decide

import (
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/governance/policy"
	"github.com/grimoire-kit/grimoire/surface"
)

// ruleParked is the rule of a task that was parked for longer than its lease.
const ruleParked = "lease-parked"

// judgeParked is the brake on a session whose parked task kept a lease that has
// run out: somebody else may have been given the work. All it may still do is
// read, and take the task up again, which gives it a new lease if there is a
// place for it.
//
// It holds on every host that can refuse a tool, of any version: no host tells
// its version to a hook in a way that a project could not forge, and a refusal
// that a version would not heed costs nothing. Nothing else may count on it: a
// write to the ledger is still compared with the lease's number.
func (x *decision) judgeParked(f facts) policy.Decision {
	none := policy.Decision{Verdict: policy.Allow}
	if f.call.Mutation == policy.ReadOnly && !x.takesTask() || x.Ledger == nil || x.call.Session == "" || !x.project.enrolled() {
		return none
	}
	t, err := x.Ledger.Task(x.project.home(), x.sessionID())
	if err != nil { // a ledger that breaks stops no session; the next prompt says so
		return none
	}
	fenced := slices.DeleteFunc(slices.Clone(t.Parked), func(p Parked) bool { return !p.Fenced })
	if len(fenced) == 0 || len(f.commands) == 1 && slices.ContainsFunc(fenced, func(p Parked) bool { return resumes(f.call.Command, p.ID) }) {
		return none
	}
	p := fenced[0]
	return x.refuse(ruleParked,
		surface.Text{FR: "la tâche " + p.ID + " est garée et son bail est passé", EN: "task " + p.ID + " is parked and its lease has run out"},
		surface.Text{FR: "une autre session peut avoir repris ce travail", EN: "another session may have taken this work over"},
		surface.Text{
			FR: "`grimoire task resume " + p.ID + " " + p.As + "`, seule sur sa ligne ; lire reste permis",
			EN: "`grimoire task resume " + p.ID + " " + p.As + "`, alone on its line; reading is still allowed"})
}

// takesTask reports whether the call is one of the kit's own MCP tools that
// write to the ledger, which otherwise count as no change to the work.
func (x *decision) takesTask() bool {
	return x.call.Family == surface.FamilyMCP && (strings.HasSuffix(x.call.Tool, "task_claim") || strings.HasSuffix(x.call.Tool, "task_add"))
}

// resumes reports whether a line is one of the commands by which a session
// takes its parked task up again, letter by letter: what is spelled in another
// way is not recognised, and stays refused.
func resumes(line, task string) bool {
	for _, r := range line {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(" -_.=@:", r)) {
			return false
		}
	}
	w := strings.Fields(line)
	if len(w) < 4 || w[0] != "grimoire" || w[1] != "task" || !slices.Contains([]string{"resume", "show", "attach", "renew"}, w[2]) || w[3] != task {
		return false
	}
	for i := 4; i < len(w); i++ {
		name, value, glued := strings.Cut(w[i], "=")
		if !slices.Contains([]string{"--epoch", "--actor", "--session-id"}, name) {
			return false
		}
		if !glued {
			if i++; i == len(w) {
				return false
			}
			value = w[i]
		}
		if value == "" || value[0] == '-' {
			return false
		}
	}
	return true
}

// parkedTasks tells a session that has no other task which ones it parked.
func parkedTasks(parked []Parked) surface.Text {
	var t surface.Text
	for i, p := range parked {
		if i > 0 {
			t.FR += "\n"
			t.EN += "\n"
		}
		resume := "`grimoire task resume " + p.ID + " " + p.As + "`"
		t.FR += "[Grimoire] La tâche " + p.ID + " est garée. `grimoire task show " + p.ID + "` dit ce qu'elle attend, " + resume + " la reprend."
		t.EN += "[Grimoire] Task " + p.ID + " is parked. `grimoire task show " + p.ID + "` says what it waits for, " + resume + " takes it up again."
		if p.Fenced {
			t.FR += " Son bail est passé : jusque-là, cette session ne fait que lire."
			t.EN += " Its lease has run out: until then this session may only read."
		}
	}
	return t
}
