package standard

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/frontmatter"
)

// GatesFile declares the evidence that each move between columns asks for.
const GatesFile = Dir + "/evidence-gates.yaml"

// GateFile is what it declares.
type GateFile struct {
	Transitions []Transition
	// Strictness is what each profile makes of a gate that is not met, in the
	// file's words, which may be none of ours.
	Strictness map[string]string
	// Checks are command lines that this project is checked with, beside those
	// that every project knows.
	Checks []string
}

// Transition is one move with what it asks for. The columns are words of
// States, or of the file's own states.
type Transition struct {
	ID, From, To string
	Evidence     []string
}

// gateReading is the reading of a gates file.
type gateReading struct {
	file   GateFile
	broken []Check // each leaves open a gate that someone meant to close
	doubts []Check // the rest
}

// ParseGates reads the file. broken is what makes it say less than was meant:
// a word that is misspelt would leave a gate open, so that no move passes
// before it is mended. Keys that nobody here knows are harmless.
func ParseGates(data []byte) (g *GateFile, broken []Check) {
	r := readGates(data)
	return &r.file, r.broken
}

func readGates(data []byte) *gateReading {
	r := &gateReading{file: GateFile{Strictness: map[string]string{}}}
	top, ok := r.document(data)
	if !ok {
		return r
	}
	for _, k := range frontmatter.Repeated(top.n) {
		r.fail("gates.key_twice", node{k.Key}, k.Text().FR, k.Text().EN)
	}
	list := merged(top, "transitions")
	switch {
	case len(list.list()) > 0:
	case list.n == nil || list.isEmpty():
		fr, en := misspelt(top, "transitions")
		r.fail("gates.transitions_missing", at(top, "transitions"), "la clé transitions manque, une liste de passages était attendue"+fr, "the key transitions is missing, a list of moves was expected"+en)
	case list.isList():
		r.fail("gates.transitions_missing", list, "transitions est vide : aucune transition n'est déclarée", "transitions is empty: no transition is declared")
	default:
		r.fail("gates.transitions_missing", list, "transitions : une liste de passages était attendue", "transitions: a list of moves was expected")
	}
	states := slices.Concat(States, merged(top, "states").texts())
	for _, t := range list.list() {
		r.transition(t, states)
	}
	switch strictness := merged(top, "profile_strictness"); {
	case strictness.n != nil && !strictness.isMap():
		r.doubt(Error, "gates.strictness_invalid", strictness, "profile_strictness : une table de clés était attendue (governed: hard_fail) ; sans elle tout profil refuse",
			"profile_strictness: a mapping was expected (governed: hard_fail); without it every profile refuses")
	case strictness.isMap():
		for profile, s := range strictness.pairs() {
			r.strictness(profile, s)
		}
	}
	r.checks(merged(top, "checks"))
	return r
}

// document is the one document of a file.
func (r *gateReading) document(data []byte) (top node, ok bool) {
	var doc yaml.Node
	in := yaml.NewDecoder(bytes.NewReader(data))
	err := in.Decode(&doc)
	for err == nil {
		var next yaml.Node
		if err = in.Decode(&next); err == nil && len(next.Content) > 0 && next.Content[0].Tag != "!!null" {
			r.fail("gates.second_document", node{next.Content[0]}, "un second document YAML commence ici, un seul était attendu : il n'est pas lu", "a second YAML document begins here, one was expected: it is not read")
			return node{}, false
		}
	}
	if !errors.Is(err, io.EOF) {
		wrong := frontmatter.YAMLFault(string(data), err)
		r.fail("yaml.invalid", node{&yaml.Node{Line: wrong.Line}}, "YAML invalide : "+wrong.Text.FR, "invalid YAML: "+wrong.Text.EN)
		return node{}, false
	}
	if len(doc.Content) == 0 || !(node{doc.Content[0]}).isMap() {
		r.fail("yaml.invalid", node{&yaml.Node{Line: 1}}, "une table de clés était attendue, avec transitions", "a mapping was expected, with transitions")
		return node{}, false
	}
	return node{doc.Content[0]}, true
}

func (r *gateReading) transition(t node, states []string) {
	if !t.isMap() {
		r.fail("gates.transition_invalid", t, "chaque passage doit être une table de clés (id, from, to, required_evidence)", "every move must be a mapping (id, from, to, required_evidence)")
		return
	}
	one := Transition{ID: merged(t, "id").text(), From: merged(t, "from").text(), To: merged(t, "to").text()}
	if one.ID == "" {
		r.doubt(Error, "gates.transition.id_missing", t, "la clé id manque", "the key id is missing")
		one.ID = one.From + "_to_" + one.To
	}
	shown := surface.Quoted(one.ID)
	for _, key := range []string{"from", "to"} {
		word := merged(t, key).text()
		if slices.Contains(states, word) {
			if !slices.Contains(States, word) {
				r.doubt(Error, "gates.unknown_state", at(t, key), shown+" : "+key+" n'est pas une colonne", shown+": "+key+" is no column")
			}
			continue
		}
		list := strings.Join(States, ", ")
		fr, en := " vaut "+surface.Quoted(word), " is "+surface.Quoted(word)
		if merged(t, key).n == nil {
			fr, en = misspelt(t, key)
			fr, en = " manque"+fr, " is missing"+en
		}
		r.fail("gates.unknown_state", at(t, key), shown+" : "+key+fr+", une colonne était attendue ("+list+")", shown+": "+key+en+", a column was expected ("+list+")")
	}
	evidence := merged(t, "required_evidence")
	switch {
	case evidence.n == nil:
		fr, en := misspelt(t, "required_evidence")
		r.fail("gates.required_evidence_missing", at(t, "required_evidence"), shown+" : required_evidence manque, une liste de preuves était attendue"+fr, shown+": required_evidence is missing, a list of evidence was expected"+en)
	case evidence.isEmpty(), evidence.isList() && len(evidence.list()) == 0:
		r.fail("gates.required_evidence_missing", evidence, shown+" : required_evidence est vide, une liste de preuves était attendue ; un passage libre est un passage absent du fichier", shown+": required_evidence is empty, a list of evidence was expected; a move that is free is one that the file does not have")
	case !evidence.isList():
		r.fail("gates.required_evidence_missing", evidence, shown+" : required_evidence n'est pas une liste, une liste de preuves était attendue : [evidence_pack]", shown+": required_evidence is no list, a list of evidence was expected: [evidence_pack]")
	}
	for _, e := range evidence.list() {
		name := e.text()
		one.Evidence = append(one.Evidence, name)
		switch {
		case name == "":
			r.fail("gates.required_evidence_missing", e, shown+" : required_evidence a une entrée qui n'est pas un nom de preuve", shown+": required_evidence has an entry that is no name of evidence")
		case !slices.Contains(Evidence, name):
			r.doubt(Warning, "gates.unknown_evidence", e,
				shown+" : "+surface.Quoted(name)+" n'est connu d'aucun gate, qui le refusera toujours (connus : "+strings.Join(Evidence, ", ")+")",
				shown+": no gate knows "+surface.Quoted(name)+", so it will always refuse (known: "+strings.Join(Evidence, ", ")+")")
		}
	}
	r.file.Transitions = append(r.file.Transitions, one)
}

func (r *gateReading) strictness(profile string, s node) {
	if s.n.Tag == "!!str" {
		r.file.Strictness[profile] = s.text()
	}
	if !slices.Contains(strictnesses, s.text()) {
		list := strings.Join(strictnesses, ", ")
		r.doubt(Warning, "gates.unknown_strictness", s, "profile_strictness."+surface.Shown(profile)+" parmi "+list, "profile_strictness."+surface.Shown(profile)+" is one of "+list)
	}
}

// checks reads the project's own checks. Another kit may mean something else by
// the key, which then costs nothing but the warning.
func (r *gateReading) checks(list node) {
	if list.n == nil {
		return
	}
	wrong := !list.isList()
	for _, c := range list.list() {
		if line := c.text(); line != "" && !strings.ContainsAny(line, "\n\r") {
			r.file.Checks = append(r.file.Checks, line)
		} else {
			wrong = true
		}
	}
	if wrong {
		r.doubt(Warning, "gates.checks_invalid", list, "checks : une liste de commandes était attendue, chacune sur une ligne ; ce qui n'en est pas une n'est pas lu",
			"checks: a list of commands was expected, each on one line; what is none is not read")
	}
}

// between reports the moves along the columns that the file leaves free.
func (r *gateReading) between() {
	way := slices.Concat([]string{"proposed"}, moving)
	for i, from := range way[:len(way)-1] {
		if to := way[i+1]; len(r.broken) == 0 && !slices.ContainsFunc(r.file.Transitions, func(t Transition) bool { return t.From == from && t.To == to }) {
			r.doubt(Warning, "gates.transition_absent", node{}, "le passage de "+from+" à "+to+" n'y est pas : il ne demande aucune preuve", "the move from "+from+" to "+to+" is not there: it asks for no evidence")
		}
	}
}

func (r *gateReading) fail(id string, at node, fr, en string) {
	r.broken = append(r.broken, Check{ID: id, Severity: Error, Text: surface.Text{FR: fr, EN: en}, Path: GatesFile, Line: at.line()})
}

func (r *gateReading) doubt(s Severity, id string, at node, fr, en string) {
	r.doubts = append(r.doubts, Check{ID: id, Severity: s, Text: surface.Text{FR: fr, EN: en}, Path: GatesFile, Line: at.line()})
}

// at is the place of a key's value, else of the key that was meant to be it,
// else of the mapping.
func at(m node, key string) node {
	if v := merged(m, key); v.n != nil {
		return v
	}
	if k := near(m, key); k.n != nil {
		return k
	}
	return m
}

// misspelt names the key that was meant to be another.
func misspelt(m node, key string) (fr, en string) {
	k := near(m, key)
	if k.n == nil {
		return "", ""
	}
	return " (la clé " + surface.Quoted(k.n.Value) + " est-elle mal orthographiée ?)", " (is the key " + surface.Quoted(k.n.Value) + " misspelt?)"
}

// near is a key that is almost another: one is the other's beginning, however
// the words are joined.
func near(m node, key string) node {
	plain := func(s string) string {
		return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(s))
	}
	want := plain(key)
	for i := 0; i+1 < len(m.n.Content); i += 2 {
		got := plain(m.n.Content[i].Value)
		if len(got) > 1 && (strings.HasPrefix(want, got) || strings.HasPrefix(got, want)) {
			return node{m.n.Content[i]}
		}
	}
	return node{}
}

// merged is the value of a key, which may come from a mapping that is merged in
// (<<).
func merged(m node, key string) node {
	seen := map[*yaml.Node]bool{}
	var look func(m node) node
	look = func(m node) node {
		if m.n == nil || seen[m.n] {
			return node{}
		}
		seen[m.n] = true
		if v := m.get(key); v.n != nil {
			return v
		}
		from := m.get("<<")
		for _, x := range append(from.list(), from) {
			if v := look(x); v.n != nil {
				return v
			}
		}
		return node{}
	}
	return look(m)
}
