package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/grimoire-kit/grimoire/surface"
)

// Decision is the outcome of the rules for one call.
type Decision struct {
	Verdict Verdict
	// Rules are the ids of the rules that had something to say.
	Rules []string
	// Reason is what the person and the model read with Warn and Block: what
	// is stopped, why, and the way out.
	Reason surface.Text
	// Alerts are for the context of a call that is not stopped.
	Alerts []surface.Text
}

// add takes the verdict of one more rule: the most severe counts, and among
// equals the first.
func (d *Decision) add(rule string, v Verdict, reason surface.Text) {
	d.Rules = append(d.Rules, rule)
	if v.severity() > d.Verdict.severity() {
		d.Verdict, d.Reason = v, reason
	}
}

// Then combines the decisions of two layers: the later one counts only if it
// is strictly more severe.
func (d Decision) Then(later Decision) Decision {
	out := Decision{
		Verdict: d.Verdict, Reason: d.Reason,
		Rules:  append(append([]string(nil), d.Rules...), later.Rules...),
		Alerts: append(append([]surface.Text(nil), d.Alerts...), later.Alerts...),
	}
	if later.Verdict.severity() > d.Verdict.severity() {
		out.Verdict, out.Reason = later.Verdict, later.Reason
	}
	return out
}

// Say builds the text of a refusal or a question: what, why, the way out.
// tool is data of the payload: see OneLine.
func Say(tool string, what, why, wayOut surface.Text) surface.Text {
	tool = OneLine(tool, 80)
	if tool == "" {
		tool = "?"
	}
	return surface.Text{
		FR: "[Grimoire policy] " + tool + " : " + what.FR + ". " + capital(why.FR) + ". Issue : " + wayOut.FR + ".",
		EN: "[Grimoire policy] " + tool + ": " + what.EN + ". " + capital(why.EN) + ". Way out: " + wayOut.EN + ".",
	}
}

// capital makes a text the start of a sentence, unless that is the name of a
// file.
func capital(s string) string {
	first, _, _ := strings.Cut(s, " ")
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 || strings.ContainsAny(first, "/.-_") {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// OneLine makes a text of a payload or a project safe to stand inside a
// sentence: short, on one line, without control characters. Nothing in it can
// then pass for a sentence of ours.
func OneLine(s string, n int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(clip(s, 4*n), "\ufffd"))
	return clip(strings.Join(strings.Fields(s), " "), n)
}
