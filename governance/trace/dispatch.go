package trace

import (
	"cmp"
	"slices"
)

// Chosen is how often a persona was the entry of a session.
type Chosen struct {
	Agent string `json:"agent"`
	Count int    `json:"count"`
	// LastSeen is the greatest started_at text.
	LastSeen string `json:"last_seen"`
}

// Missed is how often a specialty was looked for in vain.
type Missed struct {
	Specialty string `json:"specialty"` // Unspecified where none was named
	Count     int    `json:"count"`
	LastSeen  string `json:"last_seen"`
	// Category and Fallback are those of the last miss.
	Category string `json:"category"`
	Fallback string `json:"fallback_agent"`
}

// Unspecified is the specialty of a miss that named none. It is the existing
// kit's key and does not depend on the language.
const Unspecified = "(non nommée)"

// Dispatches reads which personas were chosen and which were missing, each
// sorted by count, then by name.
func Dispatches(root string) ([]Chosen, []Missed, error) {
	chosen, missed := map[string]*Chosen{}, map[string]*Missed{}
	_, err := Read(root, func(e *Entry) {
		switch {
		case e.Has(tagDispatch) && e.Agent != "":
			c := row(chosen, e.Agent, func(name string) *Chosen { return &Chosen{Agent: name} })
			c.Count++
			c.LastSeen = max(c.LastSeen, e.Started)
		case e.Has(tagMiss):
			name, _ := e.Tag(tagSpecialty)
			if name == "" {
				name = Unspecified
			}
			m := row(missed, name, func(name string) *Missed { return &Missed{Specialty: name} })
			m.Count++
			if e.Started >= m.LastSeen {
				m.LastSeen = e.Started
				m.Category, _ = e.Tag(tagCategory)
				m.Fallback = e.Agent
			}
		}
	})
	c, m := []Chosen{}, []Missed{}
	for _, v := range chosen {
		c = append(c, *v)
	}
	for _, v := range missed {
		m = append(m, *v)
	}
	slices.SortFunc(c, func(a, b Chosen) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Agent, b.Agent))
	})
	slices.SortFunc(m, func(a, b Missed) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Specialty, b.Specialty))
	})
	return c, m, err
}

// row returns the row of that name, or of Others once a table is full.
func row[T any](rows map[string]*T, name string, make func(string) *T) *T {
	name = bounded(name)
	if rows[name] == nil && len(rows) >= maxRows {
		name = Others
	}
	if rows[name] == nil {
		rows[name] = make(name)
	}
	return rows[name]
}
