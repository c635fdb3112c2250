package project

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxSlug bounds a name in bytes: it becomes a file name with a suffix.
const maxSlug = 100

// slug turns what people write as a name into one that is a file name on every
// system: an ASCII letter or digit, then letters, digits, `.`, `_`, `-`. A name
// that is one already comes back as it is; another is lower-cased, loses its
// accents and gets `-` for what is left. The result is "" where nothing remains.
func slug(s string) string {
	if isSlug(s) {
		return s
	}
	var b strings.Builder
	for _, r := range norm.NFKD.String(strings.ToLower(s)) {
		switch {
		case isSlugByte(r):
			b.WriteRune(r)
		case unicode.Is(unicode.Mn, r): // the accent NFKD split off
		case letters[r] != "":
			b.WriteString(letters[r])
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	out := trimSlug(b.String())
	if len(out) > maxSlug {
		out = trimSlug(out[:maxSlug])
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

func trimSlug(s string) string {
	return strings.TrimRight(strings.TrimLeft(s, "._-"), ".-")
}

func isSlug(s string) bool {
	if s == "" || len(s) > maxSlug || strings.ContainsRune("._-", rune(s[0])) || s[len(s)-1] == '.' {
		return false
	}
	for _, r := range s {
		if r >= utf8.RuneSelf || !isSlugByte(r) {
			return false
		}
	}
	return !reserved(s)
}

func isSlugByte(r rune) bool {
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

// fold is the form in which two names are the same file on a system that does
// not tell cases apart.
func fold(name string) string { return strings.ToLower(name) }
