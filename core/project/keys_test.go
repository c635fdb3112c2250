package project

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/core/schema"
	"github.com/grimoire-kit/grimoire/surface"
)

// A misspelt key is a setting that silently does nothing.
func TestUnreadKeys(t *testing.T) {
	for text, want := range map[string]string{
		"hosts: {enable: [alpha]}\n":                          "1: hosts.enable: unknown key, ignored; is it enabled?",
		"hosts:\n  enabled: []\n  entry_section: true\n":      "3: hosts.entry_section: unknown key, ignored; is it entry_sections?",
		"hosts: {anything: 1}\n":                              "1: hosts.anything: unknown key, ignored (keys: enabled, entry_sections, plugins)",
		"user:\n  lang: English\n":                            "2: user.lang: unknown key, ignored; is it language?",
		"user: {langauge: English}\n":                         "1: user.langauge: unknown key, ignored; is it language?",
		"user: {Skill-Level: expert}\n":                       "1: user.Skill-Level: unknown key, ignored; is it skill_level?",
		"agents: {entri: scribe}\n":                           "1: agents.entri: unknown key, ignored; is it entry?",
		"project: {nme: x, descripton: y}\n":                  "1: project.descripton: unknown key, ignored; is it description?|1: project.nme: unknown key, ignored; is it name?",
		"hosts: {\"enabled\\n\": []}\n":                       `1: hosts."enabled\n": unknown key, ignored; is it enabled?`,
		"hosts: {" + strings.Repeat("x", 100) + ": 1}\n":      "1: hosts." + strings.Repeat("x", 100) + ": unknown key",
		"project: {name: x, licence: MIT, home: here}\n":      "", // of another tool
		"projects: {nme: x}\nuser: {name: a}\nmemory: {a: 1}": "",
	} {
		p := load(t, map[string]string{"project-context.yaml": text})
		var got []string
		for _, w := range p.Warnings {
			if w.Path == ConfigFile {
				got = append(got, fmt.Sprintf("%d: %s", w.Line, w.Text.EN))
			}
			if w.Text.FR == w.Text.EN {
				t.Errorf("%q: %+v is not in both languages", text, w)
			}
		}
		if all := strings.Join(got, "|"); !strings.HasPrefix(all, want) || want == "" && all != "" {
			t.Errorf("%.60q: %s\nwant %s", text, all, want)
		}
	}
	many := "hosts:\n"
	for i := range 1000 {
		many += fmt.Sprintf("  k%d: 1\n", i)
	}
	if p := load(t, map[string]string{"project-context.yaml": many}); len(p.Warnings) != maxUnread || p.Warnings[0].Line != 2 || p.Warnings[0].In(surface.English) == "" {
		t.Errorf("%d warnings", len(p.Warnings))
	}
}

// The keys are those that the published schema names.
func TestSectionKeysAreTheSchemas(t *testing.T) {
	s, ok := schema.Find("project-context")
	if !ok {
		t.Fatal("no schema")
	}
	type object struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	var top struct {
		Properties map[string]object `json:"properties"`
	}
	if err := json.Unmarshal(s.JSON(), &top); err != nil {
		t.Fatal(err)
	}
	for section, keys := range sectionKeys {
		want := slices.Sorted(maps.Keys(top.Properties[section].Properties))
		if got := slices.Sorted(slices.Values(keys)); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", section, got, want)
		}
	}
}
