// Package slug turns what people write as a name into one that is a file name
// on every system, and tells when two of them would be the same file.
//
// It is pure. Core and the hook use it for personas, skills and commands; the
// hosts' own rules for names are their emitters' matter.
package slug

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxLength bounds a name in bytes: it becomes a file name with a suffix.
const maxLength = 100

// Of turns what people write as a name into one that is a file name on every
// system: an ASCII letter or digit, then letters, digits, `.`, `_`, `-`. A name
// that is one already comes back as it is; another is lower-cased, loses its
// accents and gets `-` for what is left. The result is "" where nothing remains.
func Of(s string) string {
	if Is(s) {
		return s
	}
	var b strings.Builder
	for _, r := range norm.NFKD.String(strings.ToLower(s)) {
		switch {
		case isByte(r):
			b.WriteRune(r)
		case unicode.Is(unicode.Mn, r): // the accent NFKD split off
		case letters[r] != "":
			b.WriteString(letters[r])
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	out := trim(b.String())
	if len(out) > maxLength {
		out = trim(out[:maxLength])
	}
	if reserved(out) {
		base, ext, dotted := strings.Cut(out, ".")
		out = base + "_"
		if dotted {
			out += "." + ext
		}
	}
	return out
}

// letters are Latin letters that NFKD leaves whole.
var letters = map[rune]string{'œ': "oe", 'æ': "ae", 'ø': "o", 'ß': "ss", 'đ': "d", 'ð': "d", 'ł': "l", 'þ': "th", 'ı': "i"}

func trim(s string) string {
	return strings.TrimRight(strings.TrimLeft(s, "._-"), ".-")
}

// Is reports whether s is a name that Of leaves alone.
func Is(s string) bool {
	if s == "" || len(s) > maxLength || strings.ContainsRune("._-", rune(s[0])) || s[len(s)-1] == '.' {
		return false
	}
	for _, r := range s {
		if r >= utf8.RuneSelf || !isByte(r) {
			return false
		}
	}
	return !reserved(s)
}

func isByte(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '.' || r == '_' || r == '-'
}

// reserved reports a name Windows keeps for a device, with any extension.
func reserved(s string) bool {
	base, _, _ := strings.Cut(strings.ToLower(s), ".")
	switch base {
	case "con", "prn", "aux", "nul":
		return true
	}
	return len(base) == 4 && (base[:3] == "com" || base[:3] == "lpt") && '0' <= base[3] && base[3] <= '9'
}

// Fold is the form in which two names are the same file on a system that does
// not tell cases apart.
func Fold(name string) string { return strings.ToLower(name) }
