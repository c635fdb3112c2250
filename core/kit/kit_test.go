package kit

import (
	"bytes"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/grimoire-kit/grimoire/surface"
)

// Both languages hold the same texts, each with frontmatter that says what
// hosts show, and the slugs are those of existing projects.
func TestTexts(t *testing.T) {
	for kind, c := range map[string]struct {
		read func(surface.Language) []Doc
		want string
	}{
		"agents":    {Agents, "builder concierge reviewer scribe"},
		"skills":    {Skills, "grimoire-agent-dispatch grimoire-evidence grimoire-memory"},
		"commands":  {Commands, "grimoire-doctor grimoire-gate grimoire-proof grimoire-recall grimoire-verify"},
		"workflows": {Workflows, "grimoire-changelog grimoire-dream grimoire-health-check grimoire-pre-push grimoire-self-heal grimoire-session-bootstrap grimoire-status"},
	} {
		for _, lang := range []surface.Language{surface.French, surface.English} {
			var slugs []string
			for _, d := range c.read(lang) {
				slugs = append(slugs, d.Slug)
				var meta struct{ Description string }
				parts := bytes.SplitN(d.Content, []byte("---\n"), 3)
				if len(parts) != 3 {
					t.Fatalf("%s/%s/%s has no frontmatter", lang, kind, d.Slug)
				}
				if err := yaml.Unmarshal(parts[1], &meta); err != nil || meta.Description == "" {
					t.Errorf("%s/%s/%s: description %q, %v", lang, kind, d.Slug, meta.Description, err)
				}
			}
			if got := strings.Join(slugs, " "); got != c.want {
				t.Errorf("%s/%s = %s, want %s", lang, kind, got, c.want)
			}
		}
	}
}

// The concierge records what it could not route: that is how a team learns
// which specialist is missing.
func TestConciergeCallsAgentMiss(t *testing.T) {
	for _, lang := range []surface.Language{surface.French, surface.English} {
		for _, d := range Agents(lang) {
			if d.Slug == "concierge" && !bytes.Contains(d.Content, []byte("\n   grimoire agent-miss --category ")) {
				t.Errorf("the %s concierge has no copyable agent-miss line", lang)
			}
		}
	}
}
