package task

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/grimoire-kit/grimoire/governance/locate"
)

// What is asked of a project's memory: at most maxHits entries of these types,
// in this order, for a query of at most maxQuery characters.
const (
	maxHits  = 5
	maxQuery = 300
	// maxHitLine is how much of an entry a recall's text shows, in characters.
	maxHitLine = 240
)

var memoryTypes = []string{"decisions", "failures"}

// Hit is an entry of the project's memory that has to do with a task.
type Hit struct {
	ID   string   `json:"id"`
	Type string   `json:"type"`
	Text string   `json:"text"`
	Tags []string `json:"tags"`
}

// hits looks for entries in the local memory of the existing kit, a JSON list
// in _grimoire/_memory. As there, an entry counts by the share of the query's
// words that stand in it; one that shares none that says something is left out.
// A memory that is missing or that cannot be read knows nothing: it adds to a
// recall and never stops one. It is only read.
func (d *Desk) hits(title string, siblings []Sibling) []Hit {
	hits := []Hit{}
	query := title
	for _, s := range siblings {
		query += " " + s.Title
	}
	if runes := []rune(query); len(runes) > maxQuery {
		query = string(runes[:maxQuery])
	}
	keywords, telling := wordsOf(query), titleWords(query)
	entries := d.memoryEntries()
	for _, kind := range memoryTypes {
		type scored struct {
			Hit
			shared int
		}
		var found []scored
		for _, e := range entries {
			if e.Metadata.Type != kind && e.Metadata.MemoryType != kind || e.ID == "" || slices.ContainsFunc(hits, func(h Hit) bool { return h.ID == e.ID }) {
				continue
			}
			said := wordsOf(e.Text)
			in := func(w string) bool { return said[w] }
			if !slices.ContainsFunc(telling, in) {
				continue
			}
			h := scored{Hit: Hit{e.ID, kind, e.Text, append([]string{}, e.Tags...)}}
			for w := range keywords {
				if said[w] {
					h.shared++
				}
			}
			found = append(found, h)
		}
		slices.SortStableFunc(found, func(a, b scored) int { return b.shared - a.shared })
		for _, h := range found[:min(len(found), maxHits-len(hits))] {
			hits = append(hits, h.Hit)
		}
	}
	return hits
}

// memoryEntry is a record of that memory.
type memoryEntry struct {
	ID       string   `json:"id"`
	Text     string   `json:"text"`
	Tags     []string `json:"tags"`
	Metadata struct {
		Type       string `json:"type"`
		MemoryType string `json:"memory_type"`
	} `json:"metadata"`
}

func (d *Desk) memoryEntries() []memoryEntry {
	var doc struct {
		Memory struct {
			Prefix string `yaml:"collection_prefix"`
		} `yaml:"memory"`
	}
	prefix := "grimoire"
	if d.readYAML(locate.ConfigFile, &doc) == nil && doc.Memory.Prefix != "" {
		prefix = doc.Memory.Prefix
	}
	if !filepath.IsLocal(prefix) || strings.ContainsAny(prefix, `/\`) {
		return nil // a name, and no way to other files
	}
	data, err := d.read(locate.Folder + "/_memory/" + prefix + ".json")
	if err != nil {
		return nil
	}
	var list []json.RawMessage
	if json.Unmarshal(data, &list) != nil {
		return nil
	}
	var out []memoryEntry
	for _, raw := range list {
		var e memoryEntry
		if json.Unmarshal(raw, &e) == nil {
			out = append(out, e)
		}
	}
	return out
}

// wordsOf are the words of a text, in small letters.
func wordsOf(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }) {
		out[w] = true
	}
	return out
}

// short is the beginning of a text.
func short(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
