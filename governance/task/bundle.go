package task

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/locate"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/frontmatter"
)

// Bundle is the context of a task: what there is to read, what it may use, and
// what it will have to show (context-bundle.yaml). The same project gives the
// same bundle, but for its date.
type Bundle struct {
	Schema          string    `yaml:"$schema" json:"$schema"`
	Task            string    `yaml:"task_id" json:"task_id"`
	Profile         string    `yaml:"profile" json:"profile"`
	Generated       string    `yaml:"generated_at" json:"generated_at"`
	SourcePriority  []string  `yaml:"source_priority" json:"source_priority"`
	Summary         Summary   `yaml:"task_summary" json:"task_summary"`
	Sources         []Source  `yaml:"selected_sources" json:"selected_sources"`
	Knowledge       []string  `yaml:"knowledge_nodes" json:"knowledge_nodes"`
	KnowledgeGraph  string    `yaml:"knowledge_graph_ref" json:"knowledge_graph_ref"`
	Memory          []Memory  `yaml:"memory_inclusions" json:"memory_inclusions"`
	MemoryExclusion []string  `yaml:"memory_exclusions" json:"memory_exclusions"`
	MemoryOS        MemoryOS  `yaml:"memory_os" json:"memory_os"`
	Providers       Providers `yaml:"provider_constraints" json:"provider_constraints"`
	Roles           []string  `yaml:"agent_role_constraints" json:"agent_role_constraints"`
	Redactions      struct {
		Required  bool     `yaml:"required" json:"required"`
		Forbidden []string `yaml:"forbidden_data_classes" json:"forbidden_data_classes"`
	} `yaml:"redactions" json:"redactions"`
	Inputs struct {
		Task     string `yaml:"task_ref" json:"task_ref"`
		Memory   string `yaml:"memory_policy_ref" json:"memory_policy_ref"`
		Registry string `yaml:"provider_registry_ref" json:"provider_registry_ref"`
	} `yaml:"decision_inputs" json:"decision_inputs"`
	Evidence     []string `yaml:"evidence_requirements" json:"evidence_requirements"`
	Fingerprints struct {
		Contract string `yaml:"contract" json:"contract"`
		Board    string `yaml:"board" json:"board"`
	} `yaml:"fingerprints" json:"fingerprints"`
}

// Summary is the task itself.
type Summary struct {
	Title    string   `yaml:"title" json:"title"`
	Status   string   `yaml:"status" json:"status"`
	Criteria []string `yaml:"acceptance_criteria" json:"acceptance_criteria"`
}

// Source is a file to read.
type Source struct {
	Source string `yaml:"source" json:"source"`
	Path   string `yaml:"path" json:"path"`
}

// Memory is a kind of memory that the task may use.
type Memory struct {
	Type      string `yaml:"type" json:"type"`
	Scope     string `yaml:"scope" json:"scope"`
	Freshness string `yaml:"freshness" json:"freshness"`
	Trust     string `yaml:"trust_level" json:"trust_level"`
}

// MemoryOS is what the memory policy says of its stores.
type MemoryOS struct {
	Declared  bool              `yaml:"contract_declared" json:"contract_declared"`
	Target    map[string]string `yaml:"target" json:"target"`
	Gates     []string          `yaml:"promotion_gates" json:"promotion_gates"`
	Commands  []string          `yaml:"runtime_commands" json:"runtime_commands"`
	PolicyRef string            `yaml:"policy_ref" json:"policy_ref"`
}

// Providers are the providers of models that the task may use.
type Providers struct {
	Enabled   []string       `yaml:"enabled_providers" json:"enabled_providers"`
	Routing   map[string]any `yaml:"routing" json:"routing"`
	Required  []string       `yaml:"required_capabilities" json:"required_capabilities"`
	Routes    []Route        `yaml:"routes" json:"routes"`
	Matched   string         `yaml:"matched_provider" json:"matched_provider"`
	Unmatched []string       `yaml:"unmatched_capabilities" json:"unmatched_capabilities"`
}

// Route is one enabled provider against what the task needs.
type Route struct {
	Provider  string   `yaml:"provider" json:"provider"`
	Type      string   `yaml:"provider_type" json:"provider_type"`
	Can       []string `yaml:"capabilities" json:"capabilities"`
	Required  []string `yaml:"required_capabilities" json:"required_capabilities"`
	Match     bool     `yaml:"capability_match" json:"capability_match"`
	Missing   []string `yaml:"missing_capabilities" json:"missing_capabilities"`
	Allowed   []string `yaml:"allowed_data_classes" json:"allowed_data_classes"`
	Forbidden []string `yaml:"forbidden_data_classes" json:"forbidden_data_classes"`
	Fallback  []string `yaml:"fallback_order" json:"fallback_order"`
}

const (
	contractFile  = standard.Dir + "/context-contract.yaml"
	memoryFile    = standard.Dir + "/memory-policy.yaml"
	knowledgeFile = standard.Dir + "/knowledge-source-registry.yaml"
	decisionFile  = standard.Dir + "/decision-graph.yaml"
	briefFile     = standard.Dir + "/mission-brief.md"
	knowledgeIdx  = "_grimoire-output/knowledge/knowledge-graph.yaml"
)

// EnvelopePath is where a task says what it may touch.
func EnvelopePath(task string) string { return standard.EvidenceDir + "/" + task + "/task-envelope.md" }

// ReviewPaths are the files that a task may owe from its review on.
func ReviewPaths(task string) []string {
	dir := standard.EvidenceDir + "/" + task
	return []string{dir + "/evidence-pack.md", dir + "/claim-ledger.md", dir + "/acceptance-record.md"}
}

// memoryItems is how many kinds of memory a bundle holds where the contract
// does not say.
const memoryItems = 8

// WriteContext puts the context of a task together and writes it, with the
// trace of the decisions that led to it and what earlier work says. Files that
// are not there leave their part empty; one that cannot be read is an error
// and nothing is written.
func (d *Desk) WriteContext(id string, l surface.Language) (*Bundle, error) {
	_, b, err := d.writeContext(id, l, ContextPath, DecisionPath)
	return b, err
}

// MissingContext are the files of WriteContext that a task does not have.
func (d *Desk) MissingContext(id string) []string {
	var out []string
	for _, path := range []string{ContextPath(id), DecisionPath(id)} {
		if !d.isFile(path) {
			out = append(out, path)
		}
	}
	return out
}

// CompleteContext is WriteContext for the files that are not there, which it
// returns.
func (d *Desk) CompleteContext(id string, l surface.Language) ([]string, error) {
	var only []func(string) string
	for _, pathOf := range []func(string) string{ContextPath, DecisionPath} {
		if !d.isFile(pathOf(id)) {
			only = append(only, pathOf)
		}
	}
	if len(only) == 0 {
		return nil, nil
	}
	written, _, err := d.writeContext(id, l, only...)
	return written, err
}

// WriteTrace writes the trace of a task's decisions alone.
func (d *Desk) WriteTrace(id string) (*DecisionTrace, error) {
	s, err := d.subject(id)
	if err != nil {
		return nil, err
	}
	profile, err := d.profile()
	if err != nil {
		return nil, err
	}
	now := ledger.FormatTime(d.clock().Truncate(time.Microsecond))
	trace, err := d.decisions(&s.task, profile, now)
	if err != nil {
		return nil, err
	}
	if err := d.writeYAML(DecisionPath(s.task.ID), trace); err != nil {
		return nil, err
	}
	d.noteEvents(s.task.ID, profile, now, map[string]any{"records": len(trace.Records)}, "decision.trace_built")
	return trace, nil
}

// writeContext writes some of the files of a task's context: a bundle comes
// with what earlier work says.
func (d *Desk) writeContext(id string, l surface.Language, only ...func(string) string) ([]string, *Bundle, error) {
	s, err := d.subject(id)
	if err != nil {
		return nil, nil, err
	}
	t := &s.task
	now := ledger.FormatTime(d.clock().Truncate(time.Microsecond))
	b, err := d.bundle(s, now)
	if err != nil {
		return nil, nil, err
	}
	trace, err := d.decisions(t, b.Profile, now)
	if err != nil {
		return nil, nil, err
	}
	docs := map[string]any{ContextPath(t.ID): b, DecisionPath(t.ID): trace}
	built := map[string][]string{
		ContextPath(t.ID): {"context.built", "provider.routing_evaluated"}, DecisionPath(t.ID): {"decision.trace_built"}}
	if !s.unlogged {
		if err := d.keepRecall(t, l); err != nil {
			return nil, nil, err
		}
	}
	var written, events []string
	for _, pathOf := range only {
		path := pathOf(t.ID)
		if err := d.writeYAML(path, docs[path]); err != nil {
			return written, nil, err
		}
		written, events = append(written, path), append(events, built[path]...)
	}
	d.noteEvents(t.ID, b.Profile, now, map[string]any{"matched_provider": b.Providers.Matched}, events...)
	return written, b, nil
}

func (d *Desk) writeYAML(path string, doc any) error {
	text, err := yaml.Marshal(doc)
	if err != nil {
		return fmt.Errorf("encode %s: %w", path, err)
	}
	err = d.write(path, text)
	if _, out := locate.Escape(err); out {
		return &fileError{path, err}
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// noteEvents adds events to the standard's journal. A journal that fails costs
// a line.
func (d *Desk) noteEvents(id, profile, now string, details map[string]any, types ...string) {
	for _, event := range types {
		_ = d.appendLine(standard.JournalFile, map[string]any{
			"schema": "grimoire-agentic-standard-runtime-event/v1", "event_type": event, "task_id": id,
			"profile": profile, "timestamp": now, "details": details})
	}
}

// subject is a task that a context is put together for.
type subject struct {
	task   ledger.Task
	column string
	// unlogged is a task that no ledger knows: a card of a board that was there
	// before, or the set-up task of a project that has neither.
	unlogged bool
}

// Known is the id and the column of a task that the ledger knows, or the board,
// or that stands for setting the standard up; another one is an *UnknownError.
func (d *Desk) Known(id string) (task, column string, err error) {
	s, err := d.subject(id)
	return s.task.ID, s.column, err
}

func (d *Desk) subject(id string) (subject, error) {
	t, err := d.Find(id)
	if err == nil {
		return subject{task: t, column: standard.Column(t.Status)}, nil
	}
	if !errors.Is(err, ledger.ErrUnknownTask) {
		return subject{}, err
	}
	id = strings.TrimSpace(id)
	cards, failed := d.cards()
	if failed != nil && !errors.Is(failed, fs.ErrNotExist) {
		return subject{}, failed
	}
	for _, c := range cards {
		if c.task.ID == id {
			return subject{c.task, c.column, true}, standard.CheckTask(id)
		}
	}
	if id == standard.Bootstrap {
		return subject{ledger.Task{ID: id, Title: "Undeclared task"}, "proposed", true}, nil
	}
	return subject{}, err
}

func (d *Desk) bundle(s subject, now string) (*Bundle, error) {
	t := &s.task
	profile, err := d.profile()
	if err != nil {
		return nil, err
	}
	b := &Bundle{Schema: "grimoire-agentic-standard-context-bundle/v1", Task: t.ID, Profile: profile, Generated: now,
		Summary: Summary{Title: t.Title, Status: s.column, Criteria: list(t.Acceptance)}}
	var contract struct {
		Priority []string `yaml:"source_priority"`
		Budget   struct {
			Memory int `yaml:"max_memory_items"`
		} `yaml:"budget"`
		Redaction struct {
			Forbidden []string `yaml:"forbidden_data_classes"`
		} `yaml:"redaction"`
	}
	if err := d.optional(contractFile, &contract); err != nil {
		return nil, err
	}
	b.SourcePriority = list(contract.Priority)
	b.Redactions.Required, b.Redactions.Forbidden = true, list(contract.Redaction.Forbidden)
	b.Sources = []Source{}
	for _, s := range []Source{{"mission_brief", briefFile}, {"task_board", standard.BoardFile}, {"task_envelope", EnvelopePath(t.ID)}} {
		if d.isFile(s.Path) {
			b.Sources = append(b.Sources, s)
		}
	}
	if err := d.knowledge(b); err != nil {
		return nil, err
	}
	if contract.Budget.Memory <= 0 {
		contract.Budget.Memory = memoryItems
	}
	if err := d.memory(b, contract.Budget.Memory); err != nil {
		return nil, err
	}
	if err := d.providers(b, t); err != nil {
		return nil, err
	}
	b.Roles = roles(t)
	b.Inputs.Task, b.Inputs.Memory, b.Inputs.Registry = standard.BoardFile+"#"+t.ID, memoryFile, registryFile
	b.Evidence = list(t.Evidence)
	for _, kind := range Owed(t) {
		if !slices.Contains(b.Evidence, kind) {
			b.Evidence = append(b.Evidence, kind)
		}
	}
	b.Fingerprints.Contract, b.Fingerprints.Board = contractFile, standard.BoardFile
	return b, nil
}

// optional reads a file that need not be there.
func (d *Desk) optional(name string, to any) error {
	if err := d.readYAML(name, to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (d *Desk) knowledge(b *Bundle) error {
	var doc struct {
		Sources []struct {
			ID      string `yaml:"id"`
			Enabled bool   `yaml:"enabled"`
		} `yaml:"sources"`
	}
	if err := d.optional(knowledgeFile, &doc); err != nil {
		return err
	}
	b.Knowledge = []string{}
	for _, s := range doc.Sources {
		if s.Enabled && s.ID != "" {
			b.Knowledge = append(b.Knowledge, s.ID)
		}
	}
	if d.isFile(knowledgeIdx) {
		b.KnowledgeGraph = knowledgeIdx
	}
	return nil
}

func (d *Desk) memory(b *Bundle, most int) error {
	var doc struct {
		Types []struct {
			Type      string `yaml:"type"`
			Scope     string `yaml:"scope"`
			Freshness string `yaml:"freshness"`
			Trust     string `yaml:"trust_level"`
		} `yaml:"memory_types"`
		OS *struct {
			Target   map[string]yaml.Node `yaml:"target"`
			Gates    []string             `yaml:"promotion_gates"`
			Commands []string             `yaml:"runtime_commands"`
		} `yaml:"memory_os"`
	}
	if err := d.optional(memoryFile, &doc); err != nil {
		return err
	}
	b.Memory, b.MemoryExclusion = []Memory{}, []string{}
	for _, m := range doc.Types {
		if len(b.Memory) < most {
			b.Memory = append(b.Memory, Memory{m.Type, m.Scope, m.Freshness, m.Trust})
		} else {
			b.MemoryExclusion = append(b.MemoryExclusion, m.Type)
		}
	}
	b.MemoryOS = MemoryOS{Target: map[string]string{}, Gates: []string{}, Commands: []string{}, PolicyRef: memoryFile}
	if doc.OS != nil {
		b.MemoryOS.Declared = true
		b.MemoryOS.Gates, b.MemoryOS.Commands = list(doc.OS.Gates), list(doc.OS.Commands)
		for key, v := range doc.OS.Target {
			if v.Kind == yaml.ScalarNode {
				b.MemoryOS.Target[key] = v.Value
			}
		}
	}
	return nil
}

// needs are the capabilities that a role asks of a model.
var needs = map[string]string{"planner": "reasoning", "context_orchestrator": "chat", "reviewer": "review", "implementer": "code"}

func roles(t *ledger.Task) []string {
	if len(t.Roles) > 0 {
		return t.Roles
	}
	if t.Type == "" {
		return []string{}
	}
	return []string{t.Type}
}

func (d *Desk) providers(b *Bundle, t *ledger.Task) error {
	var doc struct {
		Providers []struct {
			ID      string    `yaml:"id"`
			Enabled yaml.Node `yaml:"enabled"`
			Type    string    `yaml:"provider_type"`
			Can     []string  `yaml:"allowed_capabilities"`
			Data    struct {
				Allowed   []string `yaml:"allowed_data_classes"`
				Forbidden []string `yaml:"forbidden_data_classes"`
			} `yaml:"data_policy"`
			Fallback []string `yaml:"fallback_order"`
		} `yaml:"providers"`
		Routing map[string]any `yaml:"routing"`
	}
	if err := d.optional(registryFile, &doc); err != nil {
		return err
	}
	p := Providers{Enabled: []string{}, Routing: doc.Routing, Required: []string{}, Routes: []Route{}, Unmatched: []string{}}
	if p.Routing == nil {
		p.Routing = map[string]any{}
	}
	for _, role := range roles(t) {
		if need := needs[role]; need != "" && !slices.Contains(p.Required, need) {
			p.Required = append(p.Required, need)
		}
	}
	if len(p.Required) == 0 {
		p.Required = []string{"chat"}
	}
	met := map[string]bool{}
	for _, x := range doc.Providers {
		if on, _ := frontmatter.Bool(&x.Enabled); !on {
			continue
		}
		r := Route{Provider: x.ID, Type: x.Type, Can: list(x.Can), Required: p.Required, Missing: []string{},
			Allowed: list(x.Data.Allowed), Forbidden: list(x.Data.Forbidden), Fallback: list(x.Fallback)}
		for _, need := range p.Required {
			if slices.Contains(x.Can, need) {
				met[need] = true
			} else {
				r.Missing = append(r.Missing, need)
			}
		}
		r.Match = len(r.Missing) == 0
		if r.Match && p.Matched == "" {
			p.Matched = x.ID
		}
		p.Enabled, p.Routes = append(p.Enabled, x.ID), append(p.Routes, r)
	}
	for _, need := range p.Required {
		if !met[need] {
			p.Unmatched = append(p.Unmatched, need)
		}
	}
	b.Providers = p
	return nil
}

// list is never null.
func list(s []string) []string { return append([]string{}, s...) }

// DecisionTrace is decision-trace.yaml: one record per kind of decision that the
// project traces.
type DecisionTrace struct {
	Schema    string           `yaml:"$schema" json:"$schema"`
	Task      string           `yaml:"task_id" json:"task_id"`
	Profile   string           `yaml:"profile" json:"profile"`
	Generated string           `yaml:"generated_at" json:"generated_at"`
	Records   []DecisionRecord `yaml:"records" json:"records"`
}

// DecisionRecord is one decision.
type DecisionRecord struct {
	ID          string   `yaml:"decision_id" json:"decision_id"`
	Task        string   `yaml:"task_id" json:"task_id"`
	Type        string   `yaml:"decision_type" json:"decision_type"`
	Profile     string   `yaml:"profile" json:"profile"`
	Inputs      []string `yaml:"inputs" json:"inputs"`
	Policies    []string `yaml:"policy_refs" json:"policy_refs"`
	Rules       []string `yaml:"rule_refs" json:"rule_refs"`
	Result      string   `yaml:"result" json:"result"`
	Confidence  string   `yaml:"confidence" json:"confidence"`
	Event       string   `yaml:"event" json:"event"`
	Evidence    []string `yaml:"evidence_refs" json:"evidence_refs"`
	Remediation string   `yaml:"remediation_ref" json:"remediation_ref"`
	Timestamp   string   `yaml:"timestamp" json:"timestamp"`
}

func (d *Desk) decisions(t *ledger.Task, profile, now string) (*DecisionTrace, error) {
	var doc struct {
		Types []struct {
			ID     string   `yaml:"id"`
			Inputs []string `yaml:"inputs"`
		} `yaml:"decision_types"`
	}
	if err := d.optional(decisionFile, &doc); err != nil {
		return nil, err
	}
	out := &DecisionTrace{"grimoire-agentic-standard-decision-trace/v1", t.ID, profile, now, []DecisionRecord{}}
	for _, x := range doc.Types {
		if x.ID == "" {
			continue
		}
		out.Records = append(out.Records, DecisionRecord{ID: t.ID + "." + x.ID, Task: t.ID, Type: x.ID, Profile: profile, Inputs: list(x.Inputs),
			Policies: []string{decisionFile}, Rules: []string{standard.Dir + "/rule-packs.yaml"}, Result: "recorded", Confidence: "not-scored",
			Event: "decision.recorded", Evidence: []string{evidencePath(t.ID)}, Remediation: t.Remediation, Timestamp: now})
	}
	return out, nil
}

// ReadTrace is the trace of a task's decisions as it was written; errors match
// fs.ErrNotExist where there is none. The id must have passed
// standard.CheckTask.
func (d *Desk) ReadTrace(id string) (*DecisionTrace, error) {
	var out DecisionTrace
	if err := d.readYAML(DecisionPath(id), &out); err != nil {
		return nil, err
	}
	return &out, nil
}
