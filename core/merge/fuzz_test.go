package merge

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// jsonc draws documents in the shapes that settings files have, in every layout:
// one style throughout, or another choice at every gap.
type jsonc struct {
	t       *rapid.T
	b       strings.Builder
	newline string
	unit    string
	depth   int
	mode    string // "minified", "spaced", "lines", "wild"
	stale   bool   // put entries of ours in
}

func draw(t *rapid.T, stale bool) []byte {
	g := &jsonc{t: t, stale: stale}
	g.newline = g.pick("newline", "\n", "\r\n", "\r")
	g.unit = g.pick("unit", "  ", "\t", "    ", "")
	g.mode = g.pick("mode", "minified", "spaced", "lines", "wild", "wild")
	g.b.WriteString(g.pick("bom", "", "", "\xEF\xBB\xBF"))
	g.gap("head")
	g.root()
	g.b.WriteString(g.pick("end", "", g.newline, " ", "// end", "/* end */"+g.newline))
	return []byte(g.b.String())
}

func (g *jsonc) pick(label string, from ...string) string {
	return rapid.SampledFrom(from).Draw(g.t, label)
}

func (g *jsonc) chance(n int) bool { return rapid.IntRange(1, n).Draw(g.t, "chance") == 1 }

func (g *jsonc) comment() string {
	text := g.pick("comment", "c", `"hooks": {}`, "*/", "été", "a  ", "// x", "{[,")
	if g.chance(2) {
		return "//" + text + g.newline
	}
	return "/*" + strings.ReplaceAll(text, "*/", "*") + g.pick("in", "", g.newline) + "*/"
}

// gap writes what may stand between two tokens.
func (g *jsonc) gap(where string) {
	indent := g.newline + strings.Repeat(g.unit, g.depth)
	switch g.mode {
	case "spaced":
		if where != "colon" && g.chance(2) || where == "value" {
			g.b.WriteByte(' ')
		}
	case "lines":
		switch where {
		case "item", "close":
			if g.chance(8) {
				g.b.WriteString(" " + g.comment())
			}
			g.b.WriteString(indent)
		case "value":
			g.b.WriteByte(' ')
		}
	case "wild":
		for range rapid.IntRange(0, 2).Draw(g.t, "gaps") {
			if g.chance(3) {
				g.b.WriteString(g.comment())
			} else {
				g.b.WriteString(g.pick("space", " ", "\t", g.newline, indent))
			}
		}
	}
}

func (g *jsonc) list(open, end string, items ...func()) {
	g.b.WriteString(open)
	g.depth++
	for i, item := range items {
		g.gap("item")
		item()
		if g.mode == "wild" {
			g.gap("comma")
		}
		if i < len(items)-1 || g.chance(4) {
			g.b.WriteByte(',')
		}
	}
	g.depth--
	if len(items) > 0 || g.chance(2) {
		g.gap("close")
	}
	g.b.WriteString(end)
}

func (g *jsonc) text(raw string) func() { return func() { g.b.WriteString(raw) } }

func (g *jsonc) member(key string, value func()) func() {
	return func() {
		g.b.WriteString(`"` + key + `"`)
		g.gap("colon")
		g.b.WriteByte(':')
		g.gap("value")
		value()
	}
}

func (g *jsonc) scalar() func() {
	return g.text(g.pick("scalar", "1", "-0.50E+3", "true", "null", `""`, `"a\u00e9\/\""`, `"// no"`, `"/*"`, `"Read(./**/.env)"`, `"é, }"`))
}

func (g *jsonc) value(level int) func() {
	n := rapid.IntRange(0, 3).Draw(g.t, "items")
	switch kind := g.pick("kind", "scalar", "scalar", "array", "object"); {
	case level <= 0 || kind == "scalar":
		return g.scalar()
	case kind == "array":
		return func() { g.list("[", "]", repeat(n, func() func() { return g.value(level - 1) })...) }
	}
	return func() {
		g.list("{", "}", repeat(n, func() func() {
			return g.member(g.pick("key", "a", "b", `\u0061`, "hooks", "x y", "", "matcher"), g.value(level-1))
		})...)
	}
}

func repeat(n int, item func() func()) []func() {
	items := make([]func(), n)
	for i := range items {
		items[i] = item()
	}
	return items
}

// some keeps each of the members or not.
func (g *jsonc) some(members ...func()) []func() {
	var kept []func()
	for _, m := range members {
		if g.chance(2) {
			kept = append(kept, m)
		}
	}
	return kept
}

func (g *jsonc) root() {
	object := func(members ...func()) func() { return func() { g.list("{", "}", g.some(members...)...) } }
	strs := func() func() {
		n := rapid.IntRange(0, 3).Draw(g.t, "rules")
		return func() { g.list("[", "]", repeat(n, g.scalar)...) }
	}
	g.list("{", "}", g.some(
		g.member("model", g.scalar()),
		g.member("a", g.value(3)),
		g.member("permissions", object(g.member("deny", strs()), g.member("allow", strs()), g.member("a", g.value(2)))),
		g.member("a", g.value(1)),
		g.member("hooks", object(g.member("PreToolUse", g.event()), g.member("Stop", g.event()), g.member("Mine", g.event()), g.member("odd", g.scalar()))),
		g.member("mcp", object(g.member("other", g.value(2)))),
		g.member("z", g.value(2)),
	)...)
}

func (g *jsonc) event() func() {
	n := rapid.IntRange(0, 3).Draw(g.t, "groups")
	return func() {
		g.list("[", "]", repeat(n, func() func() {
			if g.chance(6) {
				return g.handler()
			}
			return func() {
				g.list("{", "}", append(g.some(g.member("matcher", g.text(g.pick("matcher", `""`, `"Bash|Edit|Write"`, `"B\u0061sh"`))), g.member("note", g.scalar())),
					g.member("hooks", func() {
						g.list("[", "]", repeat(rapid.IntRange(0, 3).Draw(g.t, "handlers"), g.handler)...)
					}))...)
			}
		})...)
	}
}

func (g *jsonc) handler() func() {
	command := g.pick("command", `"./mine.sh"`, `"my-grimoire-hook x"`, `"echo grimoire-hook"`)
	if g.stale && g.chance(2) {
		command = g.pick("ours", `"grimoire-hook --host claude --event Stop"`, `"grimoire-hook old"`, `"grimoire standard activation-context"`, `"grimoire\u002dhook x"`)
	}
	return func() {
		g.list("{", "}", append(g.some(g.member("type", g.text(`"command"`)), g.member("timeout", g.text(g.pick("timeout", "60", "6e1", "5"))), g.member("x", g.value(1))),
			g.member("command", g.text(command)))...)
	}
}

// The laws, over documents in which nothing is ours: foreign bytes stay, twice is
// once, and the unmerge gives the document back.
func drawnLaws(t *rapid.T) {
	src := draw(t, false)
	if clean, err := Remove(src, Record{}, ours); err != nil || string(clean) != string(src) {
		t.Fatalf("something of ours seen in %q: %q, %v", src, clean, err)
	}
	if _, _, ok := checkLaws(t, src, claudeOps()); !ok {
		_, _, err := Apply(src, claudeOps(), Record{}, ours)
		t.Fatalf("%q was refused: %v", src, err)
	}
}

// With entries of ours in it the user's handlers survive, ours are one per event.
func drawnStale(t *rapid.T) {
	src := draw(t, true)
	out, _, ok := checkLaws(t, src, claudeOps())
	if !ok {
		_, _, err := Apply(src, claudeOps(), Record{}, ours)
		t.Fatalf("%q was refused: %v", src, err)
	}
	for _, theirs := range []string{"./mine.sh", "my-grimoire-hook x", "echo grimoire-hook"} {
		if strings.Count(string(out), theirs) != strings.Count(string(src), theirs) {
			t.Fatalf("a hook %q of\n%q\nwas lost:\n%q", theirs, src, out)
		}
	}
	if n := strings.Count(string(out), "--event Stop"); n != 1 {
		t.Fatalf("%d Stop hooks of ours in\n%q\nmade of\n%q", n, out, src)
	}
}

// Whatever chain of versions of the tool a file went through, and whether a host
// has re-rendered it in between or not, the unmerge ends at what the user wrote.
func drawnUpgrades(t *rapid.T) {
	src := draw(t, false)
	out, rec := src, Record{}
	rendered := false
	for range rapid.IntRange(1, 3).Draw(t, "versions") {
		var ops []Op
		for _, op := range append(claudeOps(), hookOp("PostToolUse", &bash, "10"), EnsureString{denies, rules[3]}, EnsureString{Path{"instructions"}, "AGENTS.md"}) {
			if rapid.Bool().Draw(t, "wanted") {
				ops = append(ops, op)
			}
		}
		var err error
		if out, rec, err = Apply(out, ops, rec, ours); err != nil {
			t.Fatalf("%q was refused: %v", out, err)
		}
		if rapid.IntRange(1, 4).Draw(t, "render") == 1 {
			rendered = true
			out = indented(t, out)
		}
	}
	undone, err := Remove(out, rec, ours)
	switch {
	case err != nil:
		t.Fatal(err)
	case rendered && !bytes.Equal(indented(t, undone), indented(t, src)):
		t.Fatalf("unmerge of\n%q\nthrough the rendered\n%q\nwith %+v gave\n%q", src, out, rec, undone)
	case !rendered && !bytes.Equal(undone, src):
		t.Fatalf("unmerge of\n%q\nthrough\n%q\nwith %+v gave\n%q", src, out, rec, undone)
	}
}

// A record that tells of a file as it once was, before the user wrote it anew,
// does not spoil the unmerge of what is there now.
func drawnOldRecord(t *rapid.T) {
	_, rec, err := Apply(draw(t, false), claudeOps(), Record{}, ours)
	if err != nil {
		t.Fatal(err)
	}
	// A rule that the record calls ours would be ours here too.
	src := bytes.ReplaceAll(draw(t, false), []byte(rules[0]), []byte("Read(x)"))
	out, next, err := Apply(src, claudeOps(), rec, ours)
	if err != nil {
		t.Fatalf("%q was refused: %v", src, err)
	}
	if undone, err := Remove(out, next, ours); err != nil || !bytes.Equal(undone, src) {
		t.Fatalf("unmerge of\n%q\nthrough\n%q\nwith %+v, once %+v, gave\n%q (%v)", src, out, next, rec, undone, err)
	}
}

// indented is the document as a host writes it back: no comments, two spaces.
func indented(t *rapid.T, src []byte) []byte {
	_, strict, err := scan(src)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := json.Indent(&b, strict, "", "  "); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSpace(b.Bytes())
}

func TestDrawnOldRecord(t *testing.T) { rapid.Check(t, drawnOldRecord) }

func TestDrawnUpgrades(t *testing.T) { rapid.Check(t, drawnUpgrades) }
func FuzzDrawnUpgrades(f *testing.F) { fuzzDrawn(f, drawnUpgrades) }

func TestDrawnLaws(t *testing.T)  { rapid.Check(t, drawnLaws) }
func TestDrawnStale(t *testing.T) { rapid.Check(t, drawnStale) }

func FuzzDrawnLaws(f *testing.F)  { fuzzDrawn(f, drawnLaws) }
func FuzzDrawnStale(f *testing.F) { fuzzDrawn(f, drawnStale) }

// fuzzDrawn lets the fuzzer drive the choices of a draw, from some long strings
// of choices on.
func fuzzDrawn(f *testing.F, prop func(*rapid.T)) {
	for seed := range byte(8) {
		choices := make([]byte, 4096)
		_, _ = rand.NewChaCha8([32]byte{seed}).Read(choices)
		f.Add(choices)
	}
	f.Fuzz(rapid.MakeFuzz(prop))
}

// Any bytes are refused by a named error or lawful, and a record that says
// anything at all takes out nothing that is not ours.
func FuzzBytes(f *testing.F) {
	for _, src := range []string{
		"", "{}", `{"a":1,}`, "{ // c\n}", `{"hooks":{"Stop":[{"hooks":[{"command":"grimoire-hook x"}]}]}}`, "[1]", `{"a":`, "\xFF\xFE{",
		`{"permissions":{"deny":["x",/**/],},}`, `{"hooks":{"Stop":[{"command":"grimoire-hook x"}],"Stop":[]}}`, "{\"a\":1 //\r}",
	} {
		f.Add([]byte(src), "/permissions/deny", "x")
	}
	f.Fuzz(func(t *testing.T, src []byte, pointer, value string) {
		checkLaws(t, src, claudeOps())
		rec := Record{
			File: true, Strings: map[string][]string{pointer: {value}}, Keys: []string{pointer, "/a"},
			Space: map[string]string{pointer: value, "": value},
		}
		if _, err := Owned(src, rec, ours); err == nil { // it must not panic, whatever it is told
			if _, err := parse(src); err != nil && len(src) > 0 {
				t.Fatalf("entries told of what cannot be read: %v", err)
			}
		}
		plain, err1 := Remove(src, Record{}, ours)
		hostile, err2 := Remove(src, rec, ours)
		if err1 != nil || err2 != nil || string(plain) != string(src) {
			return
		}
		if len(hostile) > 0 && string(hostile) != string(src) && !strings.HasPrefix(pointer, "/permissions") && !strings.HasPrefix(pointer, "/instructions") && !strings.HasPrefix(pointer, "/mcp") {
			t.Fatalf("the record %+v took from %q: %q", rec, src, hostile)
		}
		if hostile == nil && len(src) > 0 && string(significant(src)) != "{}" {
			t.Fatalf("the record %+v would delete %q", rec, src)
		}
	})
}
