package standard

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/surface"
)

// HookAct is what one declared hook would do.
type HookAct struct {
	ID     string
	Phase  string
	Action string
	Rule   string // rule_ref
	// Known is false for a hook whose rule no rule pack declares.
	Known     bool
	Severity  string // of the rule
	Condition string // of the rule, in its words
	Reason    string
}

// strength orders actions from the one that changes nothing.
var strength = []string{"allow", "warn", "redact", "reroute", "create_remediation", "require_evidence", "escalate", "block", "rollback"}

// Simulate says what the declared hooks would do in a phase, "" for all of
// them: the acts in the order of the registry, and the strongest of their
// actions, "allow" where there is none. Nothing is run. A phase that is none
// is a *PhaseError, a file that is missing or wrong a *FileError.
func (f *Folder) Simulate(phase string) (acts []HookAct, strongest string, err error) {
	if phase != "" && !slices.Contains(Phases, phase) {
		return nil, "", &PhaseError{phase}
	}
	registry, path := PartPath("hooks"), PartPath("rules")
	hooks, _, err := f.yaml(registry)
	if err != nil {
		return nil, "", missingOr(registry, err,
			"manque : le profil orchestrated l'écrit (`grimoire standard init --profile orchestrated`), et `grimoire standard fix --apply` le remet",
			"is missing: the profile orchestrated writes it (`grimoire standard init --profile orchestrated`), and `grimoire standard fix --apply` puts it back")
	}
	rules, present, err := f.yaml(path)
	if err != nil && present {
		return nil, "", &FileError{path, words(err)}
	}
	known := map[string]node{}
	for _, r := range rules.get("rules").list() {
		if id := r.get("id").text(); id != "" {
			known[id] = r
		}
	}
	strongest = "allow"
	for _, h := range hooks.get("hooks").list() {
		at, action := h.get("phase"), h.get("action")
		switch {
		case !slices.Contains(Phases, at.text()):
			return nil, "", wrongWord(registry, h, "phase", at, Phases)
		case !slices.Contains(Actions, action.text()):
			return nil, "", wrongWord(registry, h, "action", action, Actions)
		case phase != "" && at.text() != phase:
			continue
		}
		rule, ok := known[h.get("rule_ref").text()]
		acts = append(acts, HookAct{ID: h.get("id").text(), Phase: at.text(), Action: action.text(), Rule: h.get("rule_ref").text(), Known: ok,
			Severity: rule.get("severity").text(), Condition: rule.get("condition").text(), Reason: h.get("reason").text()})
		if slices.Index(strength, action.text()) > slices.Index(strength, strongest) {
			strongest = action.text()
		}
	}
	return acts, strongest, nil
}

// PhaseError is a word that names no phase.
type PhaseError struct{ Word string }

func (e *PhaseError) Error() string { return e.Text().EN }

// Text is the message in both languages.
func (e *PhaseError) Text() surface.Text {
	list, shown := strings.Join(Phases, ", "), surface.Quoted(e.Word)
	return surface.Text{FR: "Phase inconnue : " + shown + " (attendu : " + list + ")", EN: "Unknown phase: " + shown + " (expected one of: " + list + ")"}
}

// missingOr names a file that is not there, in those words, or why it cannot be
// read.
func missingOr(path string, err error, fr, en string) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &FileError{path, surface.Text{FR: fr, EN: en}}
	}
	return &FileError{path, words(err)}
}

func wrongWord(path string, at node, key string, got node, words []string) error {
	line, list := got, strings.Join(words, ", ")
	if line.n == nil {
		line = at
	}
	return &FileError{path, surface.Text{
		FR: lineFR(line) + key + " " + surface.Quoted(got.text()) + " est inconnu (connus : " + list + ")",
		EN: lineEN(line) + key + " " + surface.Quoted(got.text()) + " is unknown (known: " + list + ")"}}
}

func lineFR(at node) string { return fmt.Sprintf("ligne %d : ", at.line()) }
func lineEN(at node) string { return fmt.Sprintf("line %d: ", at.line()) }
