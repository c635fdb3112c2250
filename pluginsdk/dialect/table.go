package dialect

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/grimoire-kit/grimoire/surface"
)

// toolTable is an object of tools by name.
type toolTable struct{ doc gjson.Result }

// find returns the entry for name: the exact one, else the pattern with the
// most literal characters.
func (t toolTable) find(name string) (tool, bool) {
	var best gjson.Result
	pattern, literal := "", -1
	t.doc.ForEach(func(key, value gjson.Result) bool {
		switch k := key.Str; {
		case k == name:
			pattern, best, literal = k, value, len(k)
			return false
		case strings.Contains(k, "*"):
			if n := len(k) - strings.Count(k, "*"); n > literal && matches(k, name) {
				pattern, best, literal = k, value, n
			}
		}
		return true
	})
	if literal < 0 {
		return tool{}, false
	}
	e, err := parseTool(pattern, best)
	return e, err == nil
}

// answerTable is an object of answers by event and outcome; "*" stands for
// every event.
type answerTable struct{ doc gjson.Result }

const everyEvent = "*"

func (t answerTable) find(e surface.HookEvent, o Outcome) (answer, bool) {
	for _, event := range []string{string(e), everyEvent} {
		if doc := memberOf(memberOf(t.doc, event), string(o)); doc.Exists() {
			a, err := parseAnswer(doc, o)
			return a, err == nil
		}
	}
	return answer{}, false
}

// memberOf returns the member of v that is called key.
func memberOf(v gjson.Result, key string) (found gjson.Result) {
	v.ForEach(func(k, v gjson.Result) bool {
		if k.Str == key {
			found = v
			return false
		}
		return true
	})
	return found
}

// matches reports whether name fits pattern, where `*` stands for any run of
// characters.
func matches(pattern, name string) bool {
	first, rest, wild := strings.Cut(pattern, "*")
	if !strings.HasPrefix(name, first) {
		return false
	}
	name = name[len(first):]
	for wild {
		first, rest, wild = strings.Cut(rest, "*")
		if !wild {
			return strings.HasSuffix(name, first)
		}
		at := strings.Index(name, first)
		if at < 0 {
			return false
		}
		name = name[at+len(first):]
	}
	return name == ""
}
