package project

import (
	"cmp"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/frontmatter"
)

// sectionKeys are the keys of the sections that grimoire reads, those that only
// the existing kit takes included. Whole sections of others are left alone.
var sectionKeys = map[string][]string{
	"project": {"name", "description", "type", "stack", "repos", "metaphor"},
	"user":    {"name", "language", "document_language", "skill_level"},
	"agents":  {"entry", "archetype", "custom_agents", "freshness_threshold_days"},
	"hosts":   {"enabled", "entry_sections", "plugins"},
}

// shared are the sections in which other tools may have keys of their own: there
// only a key that is nearly one of ours is taken for a misspelt one.
var shared = []string{"project", "user", "agents"}

// maxUnread bounds the keys that are named: nobody reads more.
const maxUnread = 20

// UnreadKey is a key in a section of ours that nothing reads.
type UnreadKey struct {
	Key     string // dotted
	Nearest string // the known key it is likely meant for, "" without one
	Line    int    // in project-context.yaml
}

// unread lists a section's keys that nothing reads, in file order.
func unread(section string, keys frontmatter.Mapping) []UnreadKey {
	known := sectionKeys[section]
	var out []UnreadKey
	for key, f := range keys {
		if slices.Contains(known, key) {
			continue
		}
		nearest := nearestKey(key, known)
		if nearest == "" && slices.Contains(shared, section) {
			continue
		}
		out = append(out, UnreadKey{Key: section + "." + surface.Shown(key), Nearest: nearest, Line: f.Line})
	}
	slices.SortFunc(out, func(a, b UnreadKey) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Key, b.Key)) })
	return out[:min(len(out), maxUnread)]
}

func (k UnreadKey) warning() Warning {
	section, _, _ := strings.Cut(k.Key, ".")
	known := strings.Join(sectionKeys[section], ", ")
	t := surface.Text{
		FR: k.Key + " : clé inconnue, ignorée (clés : " + known + ")",
		EN: k.Key + ": unknown key, ignored (keys: " + known + ")"}
	if k.Nearest != "" {
		t = surface.Text{
			FR: k.Key + " : clé inconnue, ignorée ; est-ce " + k.Nearest + " ?",
			EN: k.Key + ": unknown key, ignored; is it " + k.Nearest + "?"}
	}
	return Warning{Path: ConfigFile, Line: k.Line, Text: t}
}

// nearestKey is the known key that a misspelt one is meant for: written in
// another case or with hyphens, cut short, or a slip or two away.
func nearestKey(key string, known []string) string {
	const longest = 40 // of a key that is compared; ours are shorter
	key = strings.ReplaceAll(strings.ToLower(key), "-", "_")
	if len(key) > longest {
		return ""
	}
	best, slips := "", 1
	if len(key) > 5 {
		slips = 2
	}
	for _, k := range known {
		if len(key) >= 3 && strings.HasPrefix(k, key) {
			return k
		}
		if d := distance(key, k); d <= slips {
			best, slips = k, d-1
		}
	}
	return best
}

// distance counts the letters to add, drop, change or swap with the next one to
// make b of a.
func distance(a, b string) int {
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, above, row = above, row, before
		row[0] = i + 1
		for j := range len(b) {
			change := above[j]
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(change, above[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}
