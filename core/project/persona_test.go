package project

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/persona"
	"github.com/grimoire-kit/grimoire/surface/slug"
)

func TestDeclaredTools(t *testing.T) {
	for value, want := range map[string]string{
		"[read, Edit, read]":         "[read edit] declared",
		"\"read, search\texecute\"":  "[read search execute] declared",
		"\n  - web\n  - EXECUTE":     "[web execute] declared",
		"Read, Bash":                 "[read] declared",
		"Bash":                       "[read search edit] inferred",
		"[]":                         "[read search edit] inferred",
		"{read: true}":               "[read search edit] inferred",
		"":                           "[read search edit] inferred",
		"[[read], 1, ~]":             "[read search edit] inferred",
		"&x [search]\nskills: []\n":  "[search] declared",
		"\"\\u0072ead\"  # escaped ": "[read] declared",
	} {
		p := load(t, map[string]string{"_grimoire/agents/a.md": "---\ntools: " + value + "\n---\nCan write.\n"})
		a := p.Surface.Agents[0]
		if got := fmt.Sprint(a.Tools, " ", a.ToolsOrigin); got != want {
			t.Errorf("tools: %s gives %s, want %s", value, got, want)
		}
		if inferred := slices.Contains(p.Inferred, "a"); inferred != (a.ToolsOrigin == surface.ToolsInferred) {
			t.Errorf("tools: %s: listed as inferred: %v", value, inferred)
		}
	}
}

func TestMaxTurns(t *testing.T) {
	for value, want := range map[string]int{
		"40": 40, `"40"`: 40, "'7'": 7, "0": 0, "-3": 0, "true": 0, "3.5": 0, "1e3": 0, "many": 0,
		"[40]": 0, "99999999999999999999": 0, "+4": 0, "٤": 0,
	} {
		p := load(t, map[string]string{"_grimoire/agents/a.md": "---\nmax_turns: " + value + "\n---\n"})
		got := 0
		if n := p.Surface.Agents[0].MaxTurns; n != nil {
			got = *n
		}
		if got != want || (want == 0) != (len(p.Warnings) == 1) {
			t.Errorf("max_turns: %s gives %d, want %d; warnings %v", value, got, want, p.Warnings)
		}
	}
}

func TestEntryPersona(t *testing.T) {
	for config, want := range map[string]string{
		"":                            "concierge",
		"agents:\n":                   "concierge",
		"agents: {entry: }":           "concierge",
		"agents: {entry: scribe}":     "scribe",
		"agents: {entry: Scribe}":     "scribe",
		"agents: {entry: \"\"}":       "",
		"agents: {entry: nobody}":     "",
		"agents: {entry: Le Café}":    "le-cafe",
		"agents: {entry: \"../../\"}": "",
	} {
		files := map[string]string{
			"_grimoire/kit/agents/concierge.md": "",
			"_grimoire/kit/agents/scribe.md":    "",
			"_grimoire/kit/agents/cafe.md":      "---\nname: Le Café\n---\n",
		}
		if config != "" {
			files["project-context.yaml"] = config
		}
		p := load(t, files)
		entry, _ := p.Surface.Entry()
		if entry.Name != want {
			t.Errorf("%q: entry %q, want %q", config, entry.Name, want)
		}
		if strings.Contains(config, "nobody") && p.EntryDeclared != "nobody" {
			t.Errorf("%q: declared %q", config, p.EntryDeclared)
		}
	}
}

// Nobody who asked for no concierge is told that there is none.
func TestNoEntryAskedFor(t *testing.T) {
	for config, want := range map[string]string{
		"":                           "",
		"agents: {entry: }":          "",
		"agents: {entry: concierge}": "concierge",
		"agents: {entry: \"\"}":      "",
		"agents: {entry: nobody}":    "nobody",
	} {
		p := load(t, map[string]string{"project-context.yaml": config, "_grimoire/agents/scribe.md": ""})
		if _, has := p.Surface.Entry(); has || p.EntryDeclared != want {
			t.Errorf("%q: entry %v, declared %q, want %q", config, has, p.EntryDeclared, want)
		}
	}
}

// A link is followed inside the project only, and nothing but a text file of a
// sane size is read.
func TestUnreadablePersonas(t *testing.T) {
	root := write(t, map[string]string{
		"shared/inside.md":                  "---\ndescription: from a link\n---\n",
		"_grimoire/agents/huge.md":          "---\nname: huge\n---\n" + strings.Repeat("x", maxFile),
		"_grimoire/agents/edge.md":          "---\nname: edge\n---\n" + strings.Repeat("x", maxFile-len("---\nname: edge\n---\n")),
		"_grimoire/agents/latin.md":         "---\nname: latin\ndescription: \xe9\ntools: [edit]\n---\n",
		"_grimoire/agents/stray.md":         "---\nname: stray\ntools: [edit]\n---\n\nCaf\xe9\n",
		"_grimoire/agents/binary.md":        "---\nname: binary\n---\n\x00\x01",
		"_grimoire/agents/utf16.md":         "\xff\xfe-\x00-\x00-\x00",
		"_grimoire/agents/bom.md":           "\ufeff---\nname: bom-name\n---\n",
		"_grimoire/agents/empty.md":         "",
		"_grimoire/agents/UPPER.MD":         "---\nname: upper\n---\n",
		"_grimoire/overrides/agents/a/b/.x": "",
	})
	outside := filepath.Join(t.TempDir(), "secret.md")
	if err := os.WriteFile(outside, []byte("---\nname: stolen\n---\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	agents := filepath.Join(root, "_grimoire", "agents")
	for name, target := range map[string]string{
		"link-relative.md": "../../shared/inside.md",
		"link-absolute.md": filepath.Join(root, "shared", "inside.md"),
		"link-outside.md":  outside,
		"link-climbs.md":   "../../../../../../../../etc/hostname",
		"link-dangling.md": "nowhere.md",
		"link-folder.md":   "../../shared",
		"link-loop.md":     "link-loop.md",
	} {
		if err := os.Symlink(target, filepath.Join(agents, name)); err != nil {
			t.Fatal(err)
		}
	}
	p, err := Load(root, hosts)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, a := range p.Surface.Agents {
		names = append(names, a.Name)
	}
	if got, want := strings.Join(names, " "), "bom-name edge empty latin link-absolute link-relative stray upper"; got != want {
		t.Errorf("agents %s\nwant   %s", got, want)
	}
	reasons := map[string]string{}
	for _, s := range p.Skipped {
		reasons[strings.TrimPrefix(s.Path, "_grimoire/agents/")] = s.Reason.EN
	}
	for name, want := range map[string]string{
		"huge.md":          "larger than 1 MiB",
		"binary.md":        "not a text file (NUL byte on line 4)",
		"utf16.md":         "the file is UTF-16; save it as UTF-8",
		"link-outside.md":  "out of the project",
		"link-climbs.md":   "out of the project",
		"link-dangling.md": "not found",
		"link-folder.md":   "a folder",
		"link-loop.md":     "",
	} {
		got, listed := reasons[name]
		if !listed || !strings.Contains(got, want) || strings.Contains(got, root) {
			t.Errorf("%s: listed %v as %q, want %q", name, listed, got, want)
		}
	}
}

// Stray bytes of another encoding cost a persona nothing but these bytes, unless
// they are where its boundary is declared.
func TestStrayBytes(t *testing.T) {
	p := load(t, map[string]string{
		"_grimoire/agents/latin.md":        "---\nname: latin\ndescription: caf\xe9\ntools: [edit]\n---\n",
		"_grimoire/agents/stray.md":        "---\nname: stray\ntools: [edit]\n---\n\nCaf\xe9\n",
		"_grimoire/agents/prose.md":        "name: Caf\xe9\n",
		"_grimoire/kit/skills/stray.md":    "Caf\xe9\n",
		"_grimoire/kit/commands/latin.md":  "---\ndescription: caf\xe9\ntools: [execute]\n---\nRun it.\n",
		"_grimoire/agents/legitimate.md":   "---\ntools: [edit]\n---\nA \ufffd is a character.\n",
		"_grimoire/kit/skills/proper-é.md": "Café\n",
	})
	got := map[string]string{}
	for _, a := range p.Surface.Agents {
		got[a.Name] = fmt.Sprint(a.Description, a.Tools)
	}
	if want := "map[caf:Grimoire agent caf[read search] latin:caf\ufffd[read search] legitimate:Grimoire agent legitimate[edit] stray:Grimoire agent stray[edit]]"; fmt.Sprint(got) != want {
		t.Errorf("agents %v\nwant   %s", got, want)
	}
	for _, c := range p.Surface.Commands {
		if c.Slug == "latin" && fmt.Sprint(c.Description, c.Tools) != "caf\ufffd[read search]" {
			t.Errorf("command %+v", c)
		}
	}
	for _, s := range p.Surface.Skills {
		if s.Slug == "stray" && s.Body != "Caf\ufffd\n" {
			t.Errorf("skill %+v", s)
		}
	}
	var warnings []string
	for _, w := range p.Warnings {
		warnings = append(warnings, w.In(surface.English))
	}
	want := []string{
		"_grimoire/agents/latin.md:3: unreadable frontmatter (bytes that are not UTF-8): the persona gets read and search only",
		"_grimoire/agents/prose.md:1: bytes are not UTF-8: U+FFFD stands in for them",
		"_grimoire/agents/prose.md:1: the name \"Caf\ufffd\" becomes caf",
		"_grimoire/agents/stray.md:6: bytes are not UTF-8: U+FFFD stands in for them",
		"_grimoire/kit/commands/latin.md:2: unreadable frontmatter (bytes that are not UTF-8): only read and search are granted",
		"_grimoire/kit/skills/proper-é.md: the file name \"proper-é\" becomes proper-e",
		"_grimoire/kit/skills/stray.md:1: bytes are not UTF-8: U+FFFD stands in for them",
	}
	if !slices.Equal(warnings, want) {
		t.Errorf("warnings\n%s\nwant\n%s", strings.Join(warnings, "\n"), strings.Join(want, "\n"))
	}
}

// Two personas of one name are two agents: the one whose name is written so has
// it, the other takes its file's, and both are told.
func TestNamesTaken(t *testing.T) {
	p := load(t, map[string]string{
		"_grimoire/agents/accent.md":        "---\nname: é\n---\n",
		"_grimoire/agents/plain.md":         "---\nname: e\n---\n",
		"_grimoire/agents/É.md":             "",
		"_grimoire/kit/agents/dev.md":       "",
		"_grimoire/agents/first.md":         "---\nname: DEV\n---\n",
		"_grimoire/overrides/agents/dev.md": "---\nextends: kit\n---\n",
	})
	got := map[string]string{}
	for _, a := range p.Surface.Agents {
		got[a.Name] = a.DefinitionRef
	}
	if want := "map[accent:_grimoire/agents/accent.md dev:_grimoire/kit/agents/dev.md e:_grimoire/agents/plain.md e-2:_grimoire/agents/É.md first:_grimoire/agents/first.md]"; fmt.Sprint(got) != want {
		t.Errorf("agents %v\nwant   %s", got, want)
	}
	told := 0
	for _, w := range p.Warnings {
		if strings.Contains(w.Text.EN, "is already that of") {
			told++
		}
	}
	if told != 3 || len(p.Skipped) != 0 {
		t.Errorf("told %d times; warnings %v, skipped %v", told, p.Warnings, p.Skipped)
	}
}

// What a partial override says and nobody reads is told; its kit's own name is
// no news.
func TestPartialOverrideUnused(t *testing.T) {
	p := load(t, map[string]string{
		"_grimoire/kit/agents/dev.md":        "---\nname: dev\n---\nBuilds.\n",
		"_grimoire/kit/agents/doc.md":        "---\nname: doc\n---\n",
		"_grimoire/overrides/agents/dev.md":  "---\nextends: kit\nname: builder\n---\n\nNever read.\n",
		"_grimoire/overrides/agents/doc.md":  "---\nextends: kit\nname: doc\n---\n\n",
		"_grimoire/overrides/agents/mine.md": "---\nname: own\n---\nRead.\n",
	})
	var got []string
	for _, w := range p.Warnings {
		got = append(got, w.In(surface.English))
	}
	want := []string{
		"_grimoire/overrides/agents/dev.md: the text of a partial override is not read: that of _grimoire/kit/agents/dev.md holds; without extends the persona would be a whole one",
		"_grimoire/overrides/agents/dev.md:3: name: a partial override keeps the kit's name, dev",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// A whole folder that leads elsewhere is not read either.
func TestLinkedFolder(t *testing.T) {
	root := write(t, map[string]string{"_grimoire/kit/agents/dev.md": "", "_grimoire/overrides/": "", "more/house.md": ""})
	elsewhere := write(t, map[string]string{"stolen.md": ""})
	if err := os.Symlink(elsewhere, filepath.Join(root, "_grimoire", "agents")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(root, "more"), filepath.Join(root, "_grimoire", "overrides", "agents")); err != nil {
		t.Fatal(err)
	}
	p, err := Load(root, hosts)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Surface.Agents) != 2 || p.Surface.Agents[1].DefinitionRef != "_grimoire/overrides/agents/house.md" {
		t.Errorf("agents %+v", p.Surface.Agents)
	}
	if len(p.Skipped) != 1 || p.Skipped[0].Path != "_grimoire/agents/" {
		t.Errorf("skipped %+v", p.Skipped)
	}
}

// The same files checked out with other line ends give the same surface.
func TestLineEnds(t *testing.T) {
	text := "<!-- c -->\n---\nname: a\ndescription: |\n  two\n  lines\ntools: [read]\n---\nBody\n\nmore\n"
	var surfaces []string
	for _, end := range []string{"\n", "\r\n"} {
		content := strings.ReplaceAll(text, "\n", end)
		s := load(t, map[string]string{
			"_grimoire/agents/a.md": content, "_grimoire/kit/skills/b.md": content, "_grimoire/kit/commands/c.md": content,
		}).Surface
		surfaces = append(surfaces, fmt.Sprintf("%+v", *s))
	}
	if surfaces[0] != surfaces[1] {
		t.Errorf("LF:   %s\nCRLF: %s", surfaces[0], surfaces[1])
	}
}

// Whatever stands in the folders, every Markdown file is an agent, is listed,
// or is the kit's file behind an override.
func TestNothingVanishes(t *testing.T) {
	stems := []string{"scribe", "Scribe", "dev", "con", "Été", "写作", "a b", "README", "x.tpl", ".h"}
	heads := []string{
		"", "---\n---\n", "---\nname: scribe\n---\n", "---\nname: \"{{x}}\"\n---\n", "---\nname: {{x}}\n---\n", "---\nname: É\n---\n",
		"---\nname: [\n---\n", "---\nname: x: y\n---\n", "---\nname: 写\n---\n", "<!--", "---\n", "\xff", "name: dev\n", "name:\n",
	}
	rapid.Check(t, func(t *rapid.T) {
		root, err := os.MkdirTemp("", "vanish")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = os.RemoveAll(root) }()
		kit, overridden := map[string]bool{}, map[string]bool{}
		var files []string
		for _, folder := range persona.Folders {
			for _, stem := range rapid.SliceOfNDistinct(rapid.SampledFrom(stems), 0, 4, rapid.ID[string]).Draw(t, folder) {
				path := folder + "/" + stem + ".md"
				full := filepath.Join(root, path)
				if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(full, []byte(rapid.SampledFrom(heads).Draw(t, path)+"body"), 0o644); err != nil {
					t.Fatal(err)
				}
				files = append(files, path)
				switch folder {
				case persona.Overrides:
					overridden[stem] = true
				case persona.Kit:
					kit[path] = overridden[stem]
				}
			}
		}
		p, err := Load(root, hosts)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]int{}
		names := map[string]bool{}
		for _, a := range p.Surface.Agents {
			seen[a.DefinitionRef]++
			if !slug.Is(a.Name) || names[slug.Fold(a.Name)] {
				t.Fatalf("agent %q of %s: no slug, or there twice", a.Name, a.DefinitionRef)
			}
			names[slug.Fold(a.Name)] = true
		}
		for _, s := range p.Skipped {
			seen[s.Path]++
		}
		for _, f := range files {
			if seen[f] > 1 || seen[f] == 0 && !kit[f] {
				t.Fatalf("%s: seen %d times", f, seen[f])
			}
		}
	})
}
