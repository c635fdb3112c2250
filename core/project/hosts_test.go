package project

import (
	"fmt"
	"testing"

	"github.com/grimoire-kit/grimoire/pluginsdk"
)

func TestEnabled(t *testing.T) {
	const declared = "project-context.yaml"
	for name, tt := range map[string]struct {
		files   map[string]string
		enabled string
		unknown string
		docs    string
	}{
		"bare":               {map[string]string{}, "[alpha]", "[]", "[]"},
		"one mark":           {map[string]string{"beta.json": ""}, "[beta]", "[]", "[]"},
		"the other mark":     {map[string]string{".beta/agents/": ""}, "[beta]", "[]", "[]"},
		"file for a folder":  {map[string]string{".alpha": "", "beta.json": ""}, "[beta]", "[]", "[]"},
		"half a mark":        {map[string]string{"AGENTS.md": ""}, "[alpha]", "[]", "[AGENTS.md]"},
		"whole mark, any":    {map[string]string{"AGENTS.md": "", ".gamma/": ""}, "[gamma]", "[]", "[AGENTS.md]"},
		"order of detection": {map[string]string{"AGENTS.md": "", ".gamma": "", ".alpha/": "", "beta.json": ""}, "[alpha beta gamma]", "[]", "[AGENTS.md]"},
		"declared wins":      {map[string]string{declared: "hosts: {enabled: [gamma]}", ".alpha/": ""}, "[gamma]", "[]", "[]"},
		"empty is none":      {map[string]string{declared: "hosts: {enabled: []}", ".alpha/": ""}, "[]", "[]", "[]"},
		"aliases, ids, case": {map[string]string{declared: "hosts: {enabled: [HOST-BETA, Alpha-CLI, alpha, beta]}"}, "[alpha beta]", "[]", "[]"},
		"unknown":            {map[string]string{declared: "hosts:\n  enabled:\n    - beta\n    - delta\n    - 12\n"}, "[beta]", "[{delta 4} {12 5}]", "[]"},
		"only unknown":       {map[string]string{declared: "hosts: {enabled: [delta]}"}, "[]", "[{delta 1}]", "[]"},
		"a plugin":           {map[string]string{declared: "hosts: {enabled: [zed, beta], plugins: [{id: zed, path: x}]}"}, "[beta zed]", "[]", "[]"},
		"a known plugin":     {map[string]string{declared: "hosts: {enabled: [BETA], plugins: [{id: Beta, path: x}]}"}, "[beta]", "[]", "[]"},
		"a plugin, not on":   {map[string]string{declared: "hosts: {enabled: [beta], plugins: [{id: zed, path: x}]}"}, "[beta]", "[]", "[]"},
	} {
		t.Run(name, func(t *testing.T) {
			p := load(t, tt.files)
			got := [3]string{fmt.Sprint(p.Enabled), fmt.Sprint(p.UnknownHosts), fmt.Sprint(p.Surface.EntryDocs)}
			if want := [3]string{tt.enabled, tt.unknown, tt.docs}; got != want {
				t.Errorf("got  %v\nwant %v", got, want)
			}
			if err := p.NoKnownHost; (err != nil) != (name == "only unknown") {
				t.Errorf("no known host: %v", err)
			} else if err != nil && err.Error() != `project-context.yaml:1: hosts.enabled: no host is called "delta"; known: alpha, beta, gamma ([] for none) (GR501)` {
				t.Error(err)
			}
			if _, ok := tt.files[declared]; ok != p.EnabledDeclared {
				t.Errorf("declared: %v", p.EnabledDeclared)
			}
		})
	}
}

func TestDetectNothingKnown(t *testing.T) {
	if got := Detect(t.TempDir(), nil); len(got) != 0 || got == nil {
		t.Errorf("got %#v", got)
	}
}

// Only what a person wrote is an instruction file to point at: what we emit
// would only repeat itself.
func TestEntryDocs(t *testing.T) {
	ours := string(pluginsdk.Managed("ALPHA.md", []byte("# ours\n")))
	p := load(t, map[string]string{"ALPHA.md": ours, "AGENTS.md": "# written by hand\n"})
	if got := fmt.Sprint(p.Surface.EntryDocs); got != "[AGENTS.md]" {
		t.Errorf("entry docs %s", got)
	}
}
