package task

import (
	"bytes"
	"math/bits"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// vocabulary is a set of words and phrases that say how a criterion is judged.
// The words of a phrase are separated as they are here, by one space or hyphen.
type vocabulary struct {
	label string
	says  []string
}

// vocabularies in their order: of those that a criterion holds, the first
// counts. The first ones ask for someone's judgement, the others for a program.
var vocabularies = []vocabulary{
	{"revue", []string{"revue", "revues", "review", "reviews", "relecture", "relectures"}},
	{"juge", []string{"juge", "juges", "jugement", "jugements", "judge", "judges", "judgement", "judgements", "judgment", "judgments"}},
	{"verification_manuelle", []string{"manuel", "manuels", "manuelle", "manuelles", "manual", "manually", "à la main", "by hand", "démo", "démos",
		"démonstration", "démonstrations", "demo", "demos", "demonstration", "demonstrations", "product owner", "po"}},
	{"validation_humaine", []string{"validé par", "validés par", "validée par", "validées par", "validation par", "approuvé par", "approuvés par", "approuvée par",
		"approuvées par", "approval", "approved by", "reviewed by", "signoff", "sign-off", "signé par", "signés par", "signée par", "signées par"}},

	{"test", []string{"pytest", "test", "tests", "suite", "suites"}},
	{"lint_typage", []string{"ruff", "mypy", "lint", "linter", "linters", "linting", "flake8", "pylint", "type check", "type checks", "type checking", "type checker",
		"type-check", "type-checks", "type-checking", "type-checker", "typage"}},
	{"schema_validation", []string{"schéma", "schémas", "schema", "schemas", "pydantic"}},
	{"gate", []string{"gate", "gates"}},
	{"commande_code_sortie", []string{"code de sortie", "codes de sortie", "exit code", "exit codes", "exit status", "retourne 0", "commande réussit"}},
	{"build_ci", []string{"build passe", "build vert", "build green", "build réussi", "build passes", "ci vert", "ci verte", "ci green", "ci passes", "ci passe",
		"pipeline vert", "pipeline green"}},
	{"fichier_attendu", []string{"existence du fichier", "contenu exact", "contenu précis"}},
}

const (
	judging   = 4  // how many are of judgement
	fileThere = 10 // the one of files, which may also be said to exist, later on the line
)

const french, english = 1, 2

var files = map[string]byte{"fichier": french, "fichiers": french, "file": english, "files": english}

// lexicon is the vocabularies by word: what is said by the word alone (a bit
// for each vocabulary), and whether a phrase may end with it.
type lexicon struct {
	words   map[string]entry
	phrases map[string]uint
}

type entry struct {
	says uint
	ends bool
}

// Made when a task is first looked at: most commands look at none.
var words = sync.OnceValue(func() lexicon {
	l := lexicon{words: map[string]entry{}, phrases: map[string]uint{}}
	for i, v := range vocabularies {
		for _, s := range v.says {
			last := strings.LastIndexAny(s, " -")
			e := l.words[s[last+1:]]
			if last < 0 {
				e.says |= 1 << i
			} else {
				e.ends = true
				l.phrases[s] |= 1 << i
			}
			l.words[s[last+1:]] = e
		}
	}
	return l
})

// recognise is the first vocabulary that a text holds a word of, and whether it
// is one of judgement; "" for none. A word ends where no letter, mark, number or
// underscore follows, in any script; case does not count. The text is read once.
func recognise(text string) (label string, judged bool) {
	if strings.IndexByte(text, 0xcc) >= 0 { // the first byte of every mark that composed knows
		text = composed.Replace(text)
	}
	l := words()
	var said uint
	var buf [64]byte
	read := buf[:0]      // folded: the word, before it those that a phrase may begin with
	before := [2]int{}   // where in it the word before starts, and the one before that
	chain := 0           // how many they are
	var named, here byte // files that the word before names, and that the line has named
	for i := 0; i < len(text); {
		// What separates it from the word before.
		gap := i
		for i < len(text) {
			r, size := runeAt(text, i)
			if inWord(r) {
				break
			}
			if r == '\n' {
				here = 0
			} else if r == ' ' && i == gap {
				here |= named
			}
			i += size
		}
		if i == len(text) {
			break
		}
		if i == gap+1 && (text[gap] == ' ' || text[gap] == '-') {
			read = append(read, text[gap])
		} else {
			read, chain = read[:0], 0
		}
		start := len(read)
		for i < len(text) {
			r, size := runeAt(text, i)
			if !inWord(r) {
				break
			}
			read = utf8.AppendRune(read, letter(r))
			i += size
		}
		word := read[start:]
		e := l.words[string(word)]
		said |= e.says
		for n := 0; e.ends && n < chain; n++ {
			said |= l.phrases[string(read[before[n]:])]
		}
		if here != 0 && exists(word, here) {
			said |= 1 << fileThere
		}
		if said&1 != 0 {
			break // nothing comes before it
		}
		named = files[string(word)]
		if chain > 0 { // of the words before, one is enough from here on
			start -= before[0]
			read = append(read[:0], read[before[0]:]...)
		}
		before, chain = [2]int{start, 0}, min(chain+1, 2)
	}
	if said == 0 {
		return "", false
	}
	first := bits.TrailingZeros(said)
	return vocabularies[first].label, first < judging
}

// exists reports whether a word says that a file is there. What stands before
// in the word does not count: préexiste.
func exists(word []byte, named byte) bool {
	return named&french != 0 && (bytes.HasSuffix(word, []byte("existe")) || bytes.HasSuffix(word, []byte("existent"))) ||
		named&english != 0 && (bytes.HasSuffix(word, []byte("exist")) || bytes.HasSuffix(word, []byte("exists")))
}

func runeAt(s string, i int) (rune, int) {
	if c := s[i]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	return utf8.DecodeRuneInString(s[i:])
}

func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_'
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.N)
}

// letter is the one that stands for those which differ in case.
func letter(r rune) rune {
	switch {
	case r >= 'A' && r <= 'Z':
		return r + 'a' - 'A'
	case r < utf8.RuneSelf || r == 'İ': // which is no i
		return r
	case r == 'ſ':
		return 's'
	}
	return unicode.ToLower(r)
}
