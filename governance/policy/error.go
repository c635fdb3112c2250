package policy

import (
	"fmt"
	"strings"

	"github.com/grimoire-kit/grimoire/surface"
)

// Codes of the errors in policies.yaml.
const (
	// CodeInvalid names anything in the file that is not what it should be.
	CodeInvalid = "GR-POL-002"
	// CodeSeparate names `subagents: separate`, an isolation no host can give:
	// the calls of a sub-agent carry its parent's session.
	CodeSeparate = "GR-POL-003"
)

// Error is one thing wrong in policies.yaml.
type Error struct {
	Code     string
	File     string // relative to the project root, slash-separated
	Line     int    // from 1; 0 where the file as a whole is meant
	Rule     string // id of the rule, or "" outside one
	Key      string // dotted path below the rule, or ""
	Got      string // what stands there, shortened, or ""
	Expected surface.Text
}

// Error returns the English text.
func (e *Error) Error() string { return e.Text().EN }

// Text returns the message in both languages.
func (e *Error) Text() surface.Text {
	return surface.Text{
		FR: e.render("règle", "clé", "lu", "attendu", e.Expected.FR),
		EN: e.render("rule", "key", "found", "expected", e.Expected.EN),
	}
}

func (e *Error) render(rule, key, got, want, expected string) string {
	var b strings.Builder
	b.WriteString(e.Code + " " + e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
	}
	if e.Rule != "" {
		fmt.Fprintf(&b, ": %s %q", rule, e.Rule)
	}
	if e.Key != "" {
		fmt.Fprintf(&b, ": %s %q", key, e.Key)
	}
	if e.Got != "" {
		fmt.Fprintf(&b, ": %s %q", got, e.Got)
	}
	return b.String() + ": " + want + ": " + expected
}

// Errors are everything wrong in one policies.yaml, in file order.
type Errors []*Error

// Error returns the English texts, one per line.
func (e Errors) Error() string { return e.Text().EN }

// Text returns the messages in both languages, one per line.
func (e Errors) Text() surface.Text {
	var fr, en []string
	for _, one := range e {
		t := one.Text()
		fr, en = append(fr, t.FR), append(en, t.EN)
	}
	return surface.Text{FR: strings.Join(fr, "\n"), EN: strings.Join(en, "\n")}
}

// Unwrap lets errors.As reach the single errors.
func (e Errors) Unwrap() []error {
	out := make([]error, len(e))
	for i, one := range e {
		out[i] = one
	}
	return out
}
