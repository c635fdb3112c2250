package project

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface/frontmatter"
)

// What would blow a reader up costs what its bytes cost.
func TestHostileYAML(t *testing.T) {
	const block = 64 << 10 // what is read of a frontmatter
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'z'; c++ {
		ref := strings.Repeat("*"+string(c-1)+",", 9)
		bomb += string(c) + ": &" + string(c) + " [" + ref[:len(ref)-1] + "]\n"
	}
	for name, head := range map[string]string{
		"alias bomb":     bomb + "tools: *y\nskills: *y\nmodel_affinity: {reasoning: *y}\n",
		"deep flow":      "tools: " + strings.Repeat("[", block-100) + "\n",
		"deep mapping":   "tools: " + strings.Repeat("{a: ", block/5) + "\n",
		"deep block":     "tools:\n" + strings.Repeat("- ", block/3) + "a\n",
		"many keys":      strings.Repeat("? a\n", block/5),
		"broken, many":   strings.Repeat("a: [x] [y]\n", block/12),
		"self reference": "tools: &t [*t]\nmodel_affinity: &m {reasoning: *m}\nskills: &s [*s]\n",
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			p := load(t, map[string]string{"_grimoire/agents/x.md": "---\n" + head + "---\nb\n"})
			if len(p.Surface.Agents) != 1 || len(p.Warnings) == 0 {
				t.Errorf("agents %v, warnings %v; want one agent and a warning", p.Surface.Agents, p.Warnings)
			}
			// Expanded, the first takes hours; the margin is for slow machines.
			if d := time.Since(start); d > 20*time.Second {
				t.Errorf("took %s", d)
			}
		})
	}
}

// Any description and hint that an emitter writes is read back as it was.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := strings.TrimSpace(rapid.StringMatching(`[ -~éœ‘’—\n\t:#'"{}\[\]&*!|>%@-]{0,80}`).Draw(t, "description"))
		text := pluginsdk.Frontmatter(pluginsdk.Field{Key: "description", Value: want}, pluginsdk.Field{Key: "argument-hint", Value: want})
		d := document{fm: frontmatter.Split(text + "body"), warn: func(_ int, _, en string) { t.Fatal(en) }}
		if got := d.text("description", ""); got != want {
			t.Fatalf("%q came back as %q", want, got)
		}
		if got := d.hint(); got != want {
			t.Fatalf("hint %q came back as %q", want, got)
		}
	})
}

// A hint is written as hosts show it, whatever YAML takes that for.
func TestArgumentHint(t *testing.T) {
	for text, want := range map[string]string{
		"[task-id]": "[task-id]", "[a, b]": "[a, b]", "<id>": "<id>", "{id: name}": "{id: name}", "{id} # why": "{id}",
		"'{id: name}'": "{id: name}", "7": "7", "": "", "\n  a: b": "", "{a: b,\n  c: d}": "",
	} {
		d := document{fm: frontmatter.Split("---\nargument-hint: " + text + "\n---\nbody"), warn: func(int, string, string) {}}
		if d.fm.Fault != nil {
			t.Fatal(d.fm.Fault)
		}
		if got := d.hint(); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
