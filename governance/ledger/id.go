package ledger

import (
	"fmt"
	"strings"

	"github.com/grimoire-kit/grimoire/surface"
)

// slug is a title as part of an id: at most n characters.
func slug(title string, n int) string {
	var b strings.Builder
	dash := false
	for _, r := range strings.ToLower(title) {
		kept := r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' || r == '.'
		if !kept {
			if !dash {
				b.WriteByte('-')
			}
			dash = true
			continue
		}
		b.WriteRune(r)
		dash = false
	}
	s := b.String()
	s = strings.Trim(s[:min(n, len(s))], "-._")
	if s == "" {
		return "task"
	}
	return s
}

// NewTaskID is the id of a new task with that title: GAO-<slug>-<NNN>, counted
// as the existing kit counts and free in any case.
func (s *State) NewTaskID(title string) string {
	prefix := "GAO-" + slug(title, 12)
	n := 1
	for _, id := range s.order {
		if strings.HasPrefix(id, prefix) {
			n++
		}
	}
	for ; ; n++ {
		if id := fmt.Sprintf("%s-%03d", prefix, n); s.tasks[id] == nil {
			return id
		}
	}
}

// NewMissionID is the id of a new mission: MIS-<slug>-<NNN>.
func (s *State) NewMissionID(title string) string {
	for n := len(s.missions) + 1; ; n++ {
		id := fmt.Sprintf("MIS-%s-%03d", slug(title, 20), n)
		if _, taken := s.Mission(id); !taken {
			return id
		}
	}
}

// CheckID refuses an id that no path may be built of: 1 to 128 characters, the
// first an ASCII letter or digit, the rest also `_`, `.` and `-`.
func CheckID(id string) error {
	ok := len(id) >= 1 && len(id) <= 128
	for i := 0; i < len(id) && ok; i++ {
		c := id[i]
		ok = c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || i > 0 && (c == '_' || c == '.' || c == '-')
	}
	if ok {
		return nil
	}
	shown := surface.Shown(id)
	return refuse(ErrID, "Identifiant invalide : « %s » (attendu : 1 à 128 lettres, chiffres, « _ . - », le premier étant une lettre ou un chiffre)",
		"Invalid task_id: %q (expected 1 to 128 letters, digits, `_ . -`, the first a letter or a digit)", shown)
}
