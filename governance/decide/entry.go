package decide

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/persona"
	"github.com/grimoire-kit/grimoire/surface/slug"
)

// defaultEntry is the entry persona of a project that names none.
const defaultEntry = "concierge"

// maxScanned bounds how many persona files are read in search of a name that
// no file carries as its own.
const maxScanned = 200

// entry is the project's entry persona; none where the key is empty or names
// no persona. Most often the file bears the persona's name, and then nothing
// else is read.
func (x *decision) entry() (surface.Agent, bool) {
	x.project.readContext()
	declared := defaultEntry
	if e := x.project.context.Agents.Entry; e.Kind == yaml.ScalarNode && e.Tag != "!!null" {
		declared = e.Value
	}
	name := slug.Fold(slug.Of(strings.TrimSpace(declared)))
	if name == "" {
		return surface.Agent{}, false
	}
	for _, folder := range persona.Folders {
		for _, stem := range []string{slug.Of(declared), name} {
			if p, base, ok := x.persona(folder, stem); ok && base.Exact && slug.Fold(base.Name) == name {
				return persona.Agent(p, base), true
			}
		}
	}
	return x.scan(name)
}

// scan looks for a persona by the name inside its file, with names settled as
// the sync settles them.
func (x *decision) scan(name string) (surface.Agent, bool) {
	type role struct{ p, base *persona.Persona }
	var roles []role
	var claims []slug.Claim
	hidden := map[string]bool{}
	for _, folder := range persona.Folders {
		for _, stem := range x.stems(folder) {
			if hidden[stem] || len(hidden) == maxScanned {
				continue
			}
			hidden[stem] = true
			if p, base, ok := x.persona(folder, stem); ok {
				roles = append(roles, role{p, base})
				claims = append(claims, slug.Claim{Name: base.Name, Exact: base.Exact, Other: slug.Of(stem)})
			}
		}
	}
	for i, settled := range slug.Settle(claims) {
		if slug.Fold(settled) == name {
			roles[i].base.Name = settled
			return persona.Agent(roles[i].p, roles[i].base), true
		}
	}
	return surface.Agent{}, false
}

// stems lists the names, without .md, of the persona files of a folder.
func (x *decision) stems(folder string) []string {
	root, err := os.OpenRoot(x.project.root)
	if err != nil {
		return nil
	}
	defer func() { _ = root.Close() }()
	dir, err := root.Open(filepath.FromSlash(folder))
	if err != nil {
		return nil
	}
	defer func() { _ = dir.Close() }()
	names, _ := dir.Readdirnames(-1)
	sort.Strings(names)
	var out []string
	for _, n := range names {
		stem, ok := strings.CutSuffix(n, ".md")
		if ok && stem != "" && stem[0] != '.' && !strings.HasSuffix(stem, ".tpl") && surface.Printable(stem) {
			out = append(out, stem)
		}
	}
	return slices.Clip(out)
}

// persona reads one persona file, with the kit's below a partial override.
func (x *decision) persona(folder, stem string) (p, base *persona.Persona, ok bool) {
	if p, ok = x.readPersona(folder, stem); !ok {
		return nil, nil, false
	}
	base = p
	if folder == persona.Overrides && p.ExtendsKit() {
		base, ok = x.readPersona(persona.Kit, stem)
	}
	return p, base, ok
}

func (x *decision) readPersona(folder, stem string) (*persona.Persona, bool) {
	path := folder + "/" + stem + ".md"
	text, err := x.project.readFile(path)
	if err != nil || bytes.IndexByte(text, 0) >= 0 { // no text, as for the sync
		return nil, false
	}
	p, not := persona.Read(persona.File{Path: path, Stem: stem}, strings.TrimPrefix(string(text), "\ufeff"))
	return p, not == nil
}

// handOver is the entry persona's block.
func handOver(a surface.Agent) surface.Text {
	verbs := make([]string, len(a.Tools))
	for i, t := range a.Tools {
		verbs[i] = string(t)
	}
	tools := strings.Join(verbs, ", ")
	return surface.Text{
		FR: "[Grimoire — persona d'entrée]\n" +
			"Cette session adopte la persona d'entrée du projet dans sa boucle principale,\n" +
			"sans sous-agent : **" + a.Name + "** — " + a.Description + "\n\n" +
			"1. Lis `" + a.DefinitionRef + "` en entier avant de répondre.\n" +
			"2. Tiens sa frontière d'outils pour ce que tu fais toi-même : " + tools + ".\n" +
			"3. Tu restes la boucle principale : dispatcher un sous-agent reste un choix.\n",
		EN: "[Grimoire — entry persona]\n" +
			"This session adopts the project's entry persona in its main loop,\n" +
			"without a sub-agent: **" + a.Name + "** — " + a.Description + "\n\n" +
			"1. Read `" + a.DefinitionRef + "` in full before you answer.\n" +
			"2. Keep to its tool boundary in what you do yourself: " + tools + ".\n" +
			"3. You remain the main loop: dispatching a sub-agent stays a choice.\n",
	}
}
