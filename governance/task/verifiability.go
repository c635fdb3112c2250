package task

import (
	"regexp"
	"strings"
	"sync"

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

// vocabulary is a set of words that say how a criterion is judged.
type vocabulary struct {
	label string
	words *regexp.Regexp
}

// word matches any of the alternatives as whole words. Go's \b knows ASCII
// letters only, so that `é` would end a word; this one knows them all.
func word(label, alternatives string) vocabulary {
	const other = `[^\pL\pM\pN_]`
	return vocabulary{label, regexp.MustCompile(`(?i)(?:^|` + other + `)(?:` + alternatives + `)(?:$|` + other + `)`)}
}

// Compiled when a task is first looked at: most commands look at none.
var judges = sync.OnceValue(func() []vocabulary {
	return []vocabulary{
		word("revue", `revues?|reviews?|relectures?|(?:peer|code)[ -]reviews?`),
		word("juge", `juges?|jugements?|judges?|judge?ments?`),
		word("verification_manuelle", `manuel(?:le)?s?|manual(?:ly)?|à la main|by hand|démos?|démonstrations?|demos?|demonstrations?|product owner|po`),
		word("validation_humaine", `validée?s? par|validation par|approuvée?s? par|approval|approved by|reviewed by|sign-?off|signée?s? par`),
	}
})

var mechanics = sync.OnceValue(func() []vocabulary {
	return []vocabulary{
		word("test", `pytest|tests?|suites?|test suites?|couverture de tests|test coverage`),
		word("lint_typage", `ruff|mypy|lint(?:er|ers|ing)?|flake8|pylint|type[ -]check(?:s|ing|er)?|typage`),
		word("schema_validation", `schémas?|schemas?|json schema|pydantic`),
		word("gate", `gates?|gate check|standard gate`),
		word("commande_code_sortie", `codes? de sortie|exit codes?|exit status|retourne 0|returns exit code|commande réussit`),
		word("build_ci", `build (?:passe|vert|green|réussi|passes)|ci (?:verte?|green|passes|passe)|pipeline (?:vert|green)`),
		word("fichier_attendu", `fichiers? .*exist(?:e|ent)|existence du fichier|files? .*exists?|contenu (?:exact|précis)`),
	}
})

// composed puts the accents of French, where they stand as marks of their own
// after the letter, into the letter.
var composed = strings.NewReplacer(
	"a\u0300", "à", "a\u0302", "â", "c\u0327", "ç", "e\u0300", "è", "e\u0301", "é", "e\u0302", "ê", "e\u0308", "ë",
	"i\u0302", "î", "i\u0308", "ï", "o\u0302", "ô", "u\u0300", "ù", "u\u0302", "û", "u\u0308", "ü")

// Verify reads off a task's text how its end can be judged. It is never
// declared: a class that one could write down would be written down.
func Verify(t *ledger.Task, l surface.Language) Verifiability {
	v := Verifiability{Criteria: []Criterion{}}
	judged, unclear := 0, 0
	for _, list := range [][]string{t.Acceptance, t.Evidence} {
		for _, text := range list {
			c := Criterion{Text: text}
			plain := composed.Replace(text)
			if p := recognise(judges(), plain); p != "" {
				c.Pattern = &p
				judged++
			} else if p := recognise(mechanics(), plain); p != "" {
				c.Pattern = &p
			} else {
				unclear++
			}
			v.Criteria = append(v.Criteria, c)
		}
	}
	switch {
	case len(v.Criteria) == 0 || unclear > 0:
		v.Class = "V2"
		v.Explanation = l.Text("au moins un critère ne dit pas comment il se vérifie", "at least one criterion does not say how it is checked")
	case judged > 0:
		v.Class = "V1"
		v.Explanation = l.Text("un critère au moins demande un jugement", "at least one criterion asks for a judgement")
	default:
		v.Class = "V0"
		v.Explanation = l.Text("chaque critère se vérifie par un programme", "a program can check every criterion")
	}
	return v
}

func recognise(list []vocabulary, text string) string {
	for _, v := range list {
		if v.words.MatchString(text) {
			return v.label
		}
	}
	return ""
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
