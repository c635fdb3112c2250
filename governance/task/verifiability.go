package task

import (
	"strings"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/surface"
)

// Verifiability is how a task's end can be judged: V0 by a program alone, V1
// with someone's judgement, V2 not from its text.
type Verifiability struct {
	Class       string      `json:"class"`
	Explanation string      `json:"explanation"`
	Criteria    []Criterion `json:"criteria"`
}

// Criterion is one line of what a task asks for, with the vocabulary that was
// recognised in it; nil where none was.
type Criterion struct {
	Text    string  `json:"criterion"`
	Pattern *string `json:"pattern"`
}

// composed puts the accents of French, where they stand as marks of their own
// after the letter, into the letter.
var composed = strings.NewReplacer(
	"a\u0300", "à", "a\u0302", "â", "c\u0327", "ç", "e\u0300", "è", "e\u0301", "é", "e\u0302", "ê", "e\u0308", "ë",
	"i\u0302", "î", "i\u0308", "ï", "o\u0302", "ô", "u\u0300", "ù", "u\u0302", "û", "u\u0308", "ü")

// Verify reads off a task's text how its end can be judged. It is never
// declared: a class that one could write down would be written down.
func Verify(t *ledger.Task, l surface.Language) Verifiability {
	v := Verifiability{Class: class(t), Criteria: []Criterion{}}
	for _, list := range [][]string{t.Acceptance, t.Evidence} {
		for _, text := range list {
			c := Criterion{Text: text}
			if p, _ := recognise(text); p != "" {
				c.Pattern = &p
			}
			v.Criteria = append(v.Criteria, c)
		}
	}
	switch v.Class {
	case "V2":
		v.Explanation = l.Text("au moins un critère ne dit pas comment il se vérifie", "at least one criterion does not say how it is checked")
	case "V1":
		v.Explanation = l.Text("un critère au moins demande un jugement", "at least one criterion asks for a judgement")
	default:
		v.Explanation = l.Text("chaque critère se vérifie par un programme", "a program can check every criterion")
	}
	return v
}

// class is the class alone: the first criterion that does not say how it is
// checked settles it.
func class(t *ledger.Task) string {
	if len(t.Acceptance)+len(t.Evidence) == 0 {
		return "V2"
	}
	class := "V0"
	for _, list := range [][]string{t.Acceptance, t.Evidence} {
		for _, text := range list {
			switch label, judged := recognise(text); {
			case label == "":
				return "V2"
			case judged:
				class = "V1"
			}
		}
	}
	return class
}

// Tier is the tier of models that a class calls for, and a model of it; model
// is "" where the session itself should do the work.
func (v Verifiability) Tier() (tier, model string) {
	switch v.Class {
	case "V0":
		return "cheap", "haiku"
	case "V1":
		return "mid", "sonnet"
	}
	return "session", ""
}
