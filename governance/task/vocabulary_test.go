package task

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// patterns say what recognise recognises, in a form that is plain to read and
// slow to run.
var patterns = func() (list []*regexp.Regexp) {
	const other = `[^\pL\pM\pN_]`
	for _, alternatives := range []string{
		`revues?|reviews?|relectures?|(?:peer|code)[ -]reviews?`,
		`juges?|jugements?|judges?|judge?ments?`,
		`manuel(?:le)?s?|manual(?:ly)?|à la main|by hand|démos?|démonstrations?|demos?|demonstrations?|product owner|po`,
		`validée?s? par|validation par|approuvée?s? par|approval|approved by|reviewed by|sign-?off|signée?s? par`,
		`pytest|tests?|suites?|test suites?|couverture de tests|test coverage`,
		`ruff|mypy|lint(?:er|ers|ing)?|flake8|pylint|type[ -]check(?:s|ing|er)?|typage`,
		`schémas?|schemas?|json schema|pydantic`,
		`gates?|gate check|standard gate`,
		`codes? de sortie|exit codes?|exit status|retourne 0|returns exit code|commande réussit`,
		`build (?:passe|vert|green|réussi|passes)|ci (?:verte?|green|passes|passe)|pipeline (?:vert|green)`,
		`fichiers? .*exist(?:e|ent)|existence du fichier|files? .*exists?|contenu (?:exact|précis)`,
	} {
		list = append(list, regexp.MustCompile(`(?i)(?:^|`+other+`)(?:`+alternatives+`)(?:$|`+other+`)`))
	}
	return list
}()

func slowly(text string) (label string, judged bool) {
	text = composed.Replace(text)
	i := slices.IndexFunc(patterns, func(p *regexp.Regexp) bool { return p.MatchString(text) })
	if i < 0 {
		return "", false
	}
	return vocabularies[i].label, i < judging
}

func TestRecognise(t *testing.T) {
	var pieces []string
	for _, v := range vocabularies {
		for _, s := range v.says {
			pieces = append(pieces, s)
			pieces = append(pieces, strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '-' })...)
		}
	}
	pieces = append(pieces, "file", "files", "fichier", "fichiers", "exist", "exists", "existe", "existent", "préexiste", "existe\u0301", "peer", "code", "x", "é", "E\u0301", "a\u0300",
		"\u0301", "_", "7", "²", "ſ", "\u212a", "İ", "ı", "\xff", "\u2028", "語", " ", " ", " ", " ", "-", "-", "\n", "\r", "\t", "  ", ".", "’", "\u00a0")
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for _, s := range rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 12).Draw(t, "pieces") {
			switch rapid.IntRange(0, 5).Draw(t, "case") {
			case 0:
				s = strings.ToUpper(s)
			case 1:
				s = strings.ReplaceAll(s, "s", "ſ")
			}
			b.WriteString(s)
			b.WriteString(rapid.SampledFrom([]string{"", " ", " ", " ", "-", "\n", ", "}).Draw(t, "then"))
		}
		got, gotJudged := recognise(b.String())
		if want, judged := slowly(b.String()); got != want || gotJudged != judged {
			t.Fatalf("%q: %q %v, want %q %v", b.String(), got, gotJudged, want, judged)
		}
	})
}

func FuzzRecognise(f *testing.F) {
	f.Add("le fichier out.txt existe")
	f.Add("à la main\nfile - exists")
	f.Fuzz(func(t *testing.T, text string) {
		got, gotJudged := recognise(text)
		if want, judged := slowly(text); got != want || gotJudged != judged {
			t.Fatalf("%q: %q %v, want %q %v", text, got, gotJudged, want, judged)
		}
	})
}
