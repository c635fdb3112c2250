package surface

import "strings"

// Language is the language of texts shown to people. Field names, ids, JSON
// keys and exit codes never depend on it.
type Language string

const (
	French  Language = "fr"
	English Language = "en"
)

// Text is one message in both languages. Both are always present.
type Text struct {
	FR string `json:"fr"`
	EN string `json:"en"`
}

// In returns the text in language l; anything that is not French is English.
func (t Text) In(l Language) string {
	if l == French {
		return t.FR
	}
	return t.EN
}

// Text picks between two spellings of one message.
func (l Language) Text(fr, en string) string {
	return Text{FR: fr, EN: en}.In(l)
}

// ParseLanguage reads what people write in `user.language` ("Français",
// "french", "en", "English") and what locales say ("fr_FR.UTF-8", "C").
// The boolean is false when the string names neither language.
func ParseLanguage(s string) (Language, bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	switch {
	case s == "fr", strings.HasPrefix(s, "fr_"), strings.HasPrefix(s, "fr-"), strings.HasPrefix(s, "fran"), strings.HasPrefix(s, "french"):
		return French, true
	case s == "en", strings.HasPrefix(s, "en_"), strings.HasPrefix(s, "en-"), strings.HasPrefix(s, "engl"), strings.HasPrefix(s, "angl"):
		return English, true
	}
	return English, false
}
