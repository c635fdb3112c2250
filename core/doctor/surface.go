package doctor

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/core/host"
	"github.com/grimoire-kit/grimoire/core/merge"
	"github.com/grimoire-kit/grimoire/core/tree"
	"github.com/grimoire-kit/grimoire/surface"
)

// readers read a project's files the way each host does, by its alias. A host
// that is not among them was never observed dropping a file.
var readers = map[string]func(*reading){
	"claude":   readAsClaude,
	"copilot":  readAsCopilot,
	"opencode": readAsOpencode,
	"codex":    readAsCodex,
	"gemini":   readAsGemini,
}

// surfaces validates each enabled host's files as a whole, whoever wrote them.
func (e *examination) surfaces() []Check {
	var checks []Check
	for _, h := range e.hosts {
		r := &reading{tree: e.tree}
		if read, known := readers[h.Profile.Alias()]; known {
			read(r)
		} else {
			r.found = []finding{{note, surface.Text{
				FR: "grimoire ne sait pas quels fichiers " + h.Name() + " écarterait : rien n'est examiné",
				EN: "grimoire does not know which files " + h.Name() + " would drop: nothing is examined"}}}
		}
		checks = append(checks, conclude("host_surface_"+h.Profile.Alias(), r.found, surface.Text{
			FR: h.Name() + " charge ses fichiers", EN: h.Name() + " loads its files"}))
	}
	return checks
}

// maxValues bounds the values of a file of settings: each costs many times its
// own size to place. A file is as large as a sync takes it to be.
const maxValues = 1 << 18

// reading is one host's look at a project.
type reading struct {
	tree  *tree.Tree
	found []finding
}

// say adds a finding about a place of a file. path is a JSON path, or "".
func (r *reading) say(s severity, file string, line int, path string, t surface.Text) {
	if path != "" {
		t = surface.Text{FR: path + ": " + t.FR, EN: path + ": " + t.EN}
	}
	r.found = append(r.found, finding{s, at(printable(file), line, surface.Text{FR: printable(t.FR), EN: printable(t.EN)})})
}

// printable keeps a hostile name from forging a line of the report.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7f {
			return '\ufffd'
		}
		return r
	}, s)
}

// text reads a file. A missing one is nil without a word; one that cannot be
// read is a finding.
func (r *reading) text(file string) []byte {
	f, err := r.tree.Read(file)
	if err != nil {
		reason := host.TextOf(err)
		if fault := (*tree.Fault)(nil); errors.As(err, &fault) {
			reason = fault.Text() // say names the file
		}
		r.say(failure, file, 0, "", reason)
		return nil
	}
	if !f.Exists() {
		return nil
	}
	return append([]byte{}, f.Data...)
}

// document is a JSON file of a host, with what the host does about a mistake.
type document struct {
	*reading
	file string
	root *node
	// dropped says what the host does with a file it turns down.
	dropped surface.Text
}

// open reads a JSON file by the host's own grammar. It reports false where
// there is nothing to look into.
func (r *reading) open(file string, g grammar, dropped surface.Text) (document, bool) {
	d := document{reading: r, file: file, dropped: dropped}
	src := r.text(file)
	if len(src) > merge.MaxBytes || mostValues(src) > maxValues {
		r.say(warning, file, 0, "", surface.Text{
			FR: "trop gros pour être examiné", EN: "too large to be examined"})
		return d, false
	}
	if src == nil || g.blank && len(strings.TrimSpace(string(src))) == 0 {
		return d, false
	}
	if rest, marked := strings.CutPrefix(string(src), byteOrderMark); marked {
		if !g.byteOrder {
			r.say(failure, file, 1, "", sentence(surface.Text{
				FR: "le fichier commence par une marque d'ordre des octets (BOM)", EN: "the file begins with a byte order mark"}, dropped))
			return d, false
		}
		src = []byte(rest)
	}
	parse := parseJSON
	if g.comments {
		parse = parseJSONC
	}
	root, wrong := parse(src)
	if wrong != nil {
		what := surface.Text{
			FR: fmt.Sprintf("ce n'est pas du JSON valide (colonne %d : %s)", wrong.column, wrong.why.FR),
			EN: fmt.Sprintf("this is not valid JSON (column %d: %s)", wrong.column, wrong.why.EN)}
		if _, relaxed := parseJSONC(src); relaxed == nil {
			what = surface.Text{
				FR: fmt.Sprintf("un commentaire ou une virgule finale (colonne %d), que cet hôte n'admet pas", wrong.column),
				EN: fmt.Sprintf("a comment or a trailing comma (column %d), which this host does not take", wrong.column)}
		}
		r.say(failure, file, wrong.line, "", sentence(what, dropped))
		return d, false
	}
	d.root = root
	return d, true
}

// mostValues is how many values a JSON text can hold.
func mostValues(src []byte) int {
	return 1 + bytes.Count(src, []byte(",")) + bytes.Count(src, []byte("{")) + bytes.Count(src, []byte("["))
}

// grammar is how a host reads JSON.
type grammar struct {
	comments  bool // comments and trailing commas are fine
	byteOrder bool // so is a byte order mark
	blank     bool // so is a file with nothing in it
}

// at adds a finding about a value.
func (d document) at(s severity, n *node, t surface.Text) { d.say(s, d.file, n.line, n.path(), t) }

// drops is a mistake that costs the whole file, or the whole block.
func (d document) drops(n *node, what surface.Text) { d.at(failure, n, sentence(what, d.dropped)) }

// sentence joins what is wrong with what the host does about it.
func sentence(what, then surface.Text) surface.Text {
	return surface.Text{FR: what.FR + " ; " + then.FR, EN: what.EN + "; " + then.EN}
}

// shape is a value whose type a host insists on. A key that is absent is fine.
type shape struct {
	keys  []string // from the root
	kinds []merge.Type
}

// check reports the shapes that the document does not have.
func (d document) check(shapes []shape) {
	for _, s := range shapes {
		n := d.root
		for _, key := range s.keys {
			n = n.get(key)
		}
		if n != nil && !slices.Contains(s.kinds, n.kind) {
			d.drops(n, wanted(s.kinds))
		}
	}
}

// markdown lists the Markdown files of a folder, at any depth if deep.
func (r *reading) markdown(folder string, deep bool, suffixes ...string) []string {
	const most = 5000
	return slices.DeleteFunc(r.tree.Files(folder, most), func(file string) bool {
		inner := strings.TrimPrefix(file, strings.TrimSuffix(folder, "/")+"/")
		return !deep && strings.Contains(inner, "/") || !slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(file, s) })
	})
}
