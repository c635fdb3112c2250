package task

import (
	"strings"

	"github.com/grimoire-kit/grimoire/surface"
)

// Missing is one thing that a move lacks, with the way to it.
type Missing struct {
	Evidence       string // a stable word: "context_bundle"
	Reason, Remedy surface.Text
}

// Strictnesses: what a profile makes of a gate that is not met.
const (
	HardFail = "hard_fail" // the move is refused
	Warning  = "warning"   // it is made, and what is missing is said
	Advisory = "advisory"  // likewise
)

// Refusal is a move that is not made; nothing is written. Commands, MCP tools
// and hooks show the same one.
type Refusal struct {
	Task       string
	Transition string // id of a gate; exclusive_files, wip, cancel; the name of a file that cannot be read
	Strictness string
	Missing    []Missing
}

func (r *Refusal) Error() string { return r.Text().EN }

// Text is the refusal in both languages, a line for each thing that is missing.
func (r *Refusal) Text() surface.Text {
	var fr, en strings.Builder
	fr.WriteString("Tâche " + r.Task + " : refusé (" + r.Transition + ").")
	en.WriteString("Task " + r.Task + ": refused (" + r.Transition + ").")
	for _, m := range r.Missing {
		fr.WriteString("\n- " + m.Evidence + " : " + m.Reason.FR + "\n  Remède : " + m.Remedy.FR)
		en.WriteString("\n- " + m.Evidence + ": " + m.Reason.EN + "\n  Remedy: " + m.Remedy.EN)
	}
	return surface.Text{FR: fr.String(), EN: en.String()}
}

// RefusalJSON is the refusal as commands and MCP tools answer it.
type RefusalJSON struct {
	Blocked    bool          `json:"blocked"`
	Task       string        `json:"task_id"`
	Transition string        `json:"transition"`
	Strictness string        `json:"strictness"`
	Refusals   []MissingJSON `json:"refusals"`
}

// MissingJSON is one of the things that are missing.
type MissingJSON struct {
	Evidence string `json:"evidence"`
	Reason   string `json:"reason"`
	Remedy   string `json:"remedy"`
}

// JSON is the refusal in one language.
func (r *Refusal) JSON(l surface.Language) RefusalJSON {
	out := RefusalJSON{true, r.Task, r.Transition, r.Strictness, []MissingJSON{}}
	for _, m := range r.Missing {
		out.Refusals = append(out.Refusals, MissingJSON{m.Evidence, m.Reason.In(l), m.Remedy.In(l)})
	}
	return out
}

// refuse is a refusal for one reason.
func refuse(task, transition, evidence string, reason, remedy surface.Text) *Refusal {
	return &Refusal{Task: task, Transition: transition, Strictness: HardFail, Missing: []Missing{{evidence, reason, remedy}}}
}

// both is a text that is the same in both languages.
func both(s string) surface.Text { return surface.Text{FR: s, EN: s} }
