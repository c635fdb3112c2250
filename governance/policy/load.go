package policy

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"go.yaml.in/yaml/v3"

	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/frontmatter"
)

// File is where a project declares its rules, relative to its root.
const File = "_grimoire/standard/policies.yaml"

const (
	// maxFile bounds what is read of a rules file, in bytes.
	maxFile = 1 << 20
	// maxRules bounds the rules of a file: each is looked at on every call.
	maxRules = 1000
	// maxErrors bounds the errors that are spelled out.
	maxErrors = 50
	// maxHits bounds the `count` of a cooldown, and so the hits a session keeps.
	maxHits = 1000
)

// Load reads the rules of the project at root. A missing file is no rules.
//
// The rules are never nil. What is wrong in the file comes back as Errors,
// all of it at once, and the rules that are right are returned with it: one
// bad rule does not switch off the others.
func Load(root string) (*Rules, error) {
	path := filepath.Join(root, filepath.FromSlash(File))
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &Rules{}, nil
	}
	if err != nil {
		return &Rules{}, fmt.Errorf("read %s: %w", File, err)
	}
	// A pipe or a device would hang every call of the hook.
	if !info.Mode().IsRegular() {
		return &Rules{}, Errors{{Code: CodeInvalid, File: File, Expected: surface.Text{
			FR: "un fichier ordinaire", EN: "a regular file"}}}
	}
	f, err := os.Open(path)
	if err != nil {
		return &Rules{}, fmt.Errorf("read %s: %w", File, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return &Rules{}, fmt.Errorf("read %s: %w", File, err)
	}
	return Parse(data)
}

// Parse reads the text of a rules file; see Load for what it returns.
func Parse(data []byte) (*Rules, error) {
	l := loader{ids: map[string]int{}}
	rules := l.file(data)
	if len(l.errs) == 0 {
		return rules, nil
	}
	if l.more > 0 {
		l.errs = append(l.errs, &Error{Code: CodeInvalid, File: File, Expected: surface.Text{
			FR: fmt.Sprintf("corriger aussi %d autres erreurs", l.more),
			EN: fmt.Sprintf("%d more errors to be fixed too", l.more)}})
	}
	return rules, l.errs
}

// loader walks the YAML nodes by the schema, to a fixed depth: anchors that
// hold themselves or multiply cannot make it run on.
type loader struct {
	errs Errors
	more int            // errors beyond maxErrors
	rule string         // id of the rule being read
	ids  map[string]int // rule id → line
}

func (l *loader) fail(n *yaml.Node, key string, expected surface.Text) {
	e := &Error{Code: CodeInvalid, Rule: l.rule, Key: key, Expected: expected}
	if n != nil {
		e.Line = n.Line
		if n.Kind == yaml.ScalarNode {
			e.Got = clip(n.Value, 60)
		}
	}
	l.report(e)
}

func (l *loader) report(e *Error) {
	e.File = File
	if len(l.errs) >= maxErrors {
		l.more++
		return
	}
	l.errs = append(l.errs, e)
}

func (l *loader) file(data []byte) *Rules {
	rules := &Rules{}
	if len(data) > maxFile {
		l.fail(nil, "", surface.Text{FR: "un fichier d'au plus 1 Mio", EN: "a file of at most 1 MiB"})
		return rules
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return rules
	case err != nil:
		l.syntax(data, err)
		return rules
	}
	var second yaml.Node
	if err := dec.Decode(&second); err == nil {
		l.fail(&second, "", surface.Text{FR: "un seul document YAML", EN: "a single YAML document"})
	} else if !errors.Is(err, io.EOF) {
		l.syntax(data, err)
		return rules
	}
	if len(doc.Content) != 1 || isNull(doc.Content[0]) {
		return rules
	}
	top := l.mapping(doc.Content[0], "", "rules")
	list, ok := top["rules"]
	if !ok || isNull(list) {
		return rules
	}
	if list.Kind != yaml.SequenceNode {
		l.fail(list, "rules", surface.Text{FR: "une liste de règles", EN: "a list of rules"})
		return rules
	}
	for i, n := range list.Content {
		l.rule = ""
		if i == maxRules {
			l.fail(n, "rules", surface.Text{
				FR: fmt.Sprintf("au plus %d règles", maxRules), EN: fmt.Sprintf("at most %d rules", maxRules)})
			break
		}
		before := len(l.errs) + l.more
		r := l.one(deref(n))
		if len(l.errs)+l.more == before {
			rules.list = append(rules.list, r)
		}
	}
	return rules
}

func (l *loader) syntax(data []byte, err error) {
	f := frontmatter.YAMLFault(string(data), err)
	l.report(&Error{Code: CodeInvalid, Line: f.Line, Expected: surface.Text{
		FR: "du YAML valide (" + f.Text.FR + ")", EN: "valid YAML (" + f.Text.EN + ")"}})
}

func (l *loader) one(n *yaml.Node) Rule {
	r := Rule{Line: n.Line}
	// The id comes first so that every other error can name the rule.
	if id := lookup(n, "id"); id != nil && id.Kind == yaml.ScalarNode {
		l.rule = clip(id.Value, 60)
	}
	keys := l.mapping(n, "", "id", "description", "action_kinds", "mutation_classes", "risk_profiles",
		"verdict_on_match", "reason_template", "tool_pattern", "require_approval", "per_session",
		"cooldown_after", "estimated_cost_usd")
	if keys == nil {
		return r
	}
	r.ID = l.id(n, keys["id"])
	r.Description = l.text(keys["description"], "description")
	r.Reason = l.text(keys["reason_template"], "reason_template")
	r.Kinds = words(l, keys["action_kinds"], "action_kinds", kinds)
	r.Mutations = words(l, keys["mutation_classes"], "mutation_classes", mutations)
	r.Risks = words(l, keys["risk_profiles"], "risk_profiles", risks)
	if v := keys["verdict_on_match"]; v == nil {
		l.missing(n, "verdict_on_match")
	} else {
		r.Verdict = word(l, v, "verdict_on_match", []Verdict{Allow, Warn, Block})
	}
	r.Pattern = everyCall
	if p := keys["tool_pattern"]; p != nil && !isNull(p) {
		r.Pattern = l.pattern(p, "tool_pattern")
	}
	r.RequireApproval = l.flag(keys["require_approval"], "require_approval")
	r.Budget = l.budget(keys["per_session"])
	r.Cooldown = l.cooldown(keys["cooldown_after"])
	if c := l.number(keys["estimated_cost_usd"], "estimated_cost_usd"); c != nil {
		r.CostUSD = *c
	}
	return r
}

func (l *loader) id(rule, n *yaml.Node) string {
	if n == nil || isNull(n) {
		l.missing(rule, "id")
		return ""
	}
	id := l.text(n, "id")
	if id == "" || len(id) > 100 || OneLine(id, 100) != id {
		l.fail(n, "id", surface.Text{
			FR: "un identifiant non vide, sur une ligne, d'au plus 100 octets",
			EN: "an id that is not empty, on one line, of at most 100 bytes"})
		return ""
	}
	if builtIn(id) {
		l.fail(n, "id", surface.Text{FR: "un identifiant autre que celui d'une règle intégrée", EN: "an id that no built-in rule has"})
	} else if line, taken := l.ids[id]; taken {
		l.fail(n, "id", surface.Text{
			FR: fmt.Sprintf("un identifiant unique (déjà pris ligne %d)", line),
			EN: fmt.Sprintf("a unique id (already taken at line %d)", line)})
	} else {
		l.ids[id] = n.Line
	}
	return id
}

func (l *loader) budget(n *yaml.Node) *Budget {
	if n == nil || isNull(n) {
		return nil
	}
	keys := l.mapping(n, "per_session", "max_tool_calls", "max_writes", "max_cost_usd", "max_duration_min", "subagents")
	if len(keys) == 0 {
		return nil
	}
	if s := keys["subagents"]; s != nil && !isNull(s) {
		expected := surface.Text{
			FR: "shared : un sous-agent porte la session de son parent, aucun hôte ne les distingue",
			EN: "shared: a sub-agent carries its parent's session, no host tells them apart"}
		switch {
		case s.Kind == yaml.ScalarNode && s.Value == "shared":
		case s.Kind == yaml.ScalarNode && s.Value == "separate":
			l.report(&Error{Code: CodeSeparate, Line: s.Line, Rule: l.rule, Key: "per_session.subagents", Got: s.Value, Expected: expected})
		default:
			l.fail(s, "per_session.subagents", expected)
		}
	}
	return &Budget{
		MaxToolCalls:   l.integer(keys["max_tool_calls"], "per_session.max_tool_calls", 0, math.MaxInt32),
		MaxWrites:      l.integer(keys["max_writes"], "per_session.max_writes", 0, math.MaxInt32),
		MaxCostUSD:     l.number(keys["max_cost_usd"], "per_session.max_cost_usd"),
		MaxDurationMin: l.number(keys["max_duration_min"], "per_session.max_duration_min"),
	}
}

func (l *loader) cooldown(n *yaml.Node) *Cooldown {
	if n == nil || isNull(n) {
		return nil
	}
	keys := l.mapping(n, "cooldown_after", "pattern", "count", "minutes")
	if len(keys) == 0 {
		return nil
	}
	c := &Cooldown{}
	for _, key := range []string{"pattern", "count", "minutes"} {
		if v := keys[key]; v == nil || isNull(v) {
			l.missing(n, "cooldown_after."+key)
		}
	}
	if p := keys["pattern"]; p != nil && !isNull(p) {
		c.Pattern = l.pattern(p, "cooldown_after.pattern")
	}
	if v := l.integer(keys["count"], "cooldown_after.count", 1, maxHits); v != nil {
		c.Count = *v
	}
	if v := l.number(keys["minutes"], "cooldown_after.minutes"); v != nil {
		c.Minutes = *v
		if *v == 0 {
			l.fail(keys["minutes"], "cooldown_after.minutes", surface.Text{FR: "plus de 0 minute", EN: "more than 0 minutes"})
		}
	}
	return c
}
