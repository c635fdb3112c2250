package host

import (
	"context"
	"slices"

	"github.com/grimoire-kit/grimoire/core/plugin"
	"github.com/grimoire-kit/grimoire/core/project"
	"github.com/grimoire-kit/grimoire/core/sync"
	"github.com/grimoire-kit/grimoire/governance/policy"
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

// Status says how far what hosts run is from what the project declares.
type Status struct {
	Hosts   []HostStatus
	Orphans []HostOrphans // our files of hosts that are not enabled

	// Stale are our files that no enabled host asks for any more: those of a
	// persona, skill or command that is gone.
	Stale         []sync.Leftover
	EntryAgent    string // "" where the project has none
	EntryDeclared string
	Inferred      []string // personas whose tool boundary is not declared
	Skipped       []project.Skipped
	Warnings      []project.Warning
	Notes         []surface.Text
}

// HostStatus is one host's part.
type HostStatus struct {
	Profile   pluginsdk.Profile
	Name      string          // what people call it
	Failure   *plugin.Failure // why there is no plan; nil when there is
	Pending   []string        // what a sync would write
	Current   []string        // what is as it should be
	Conflicts []sync.Problem  // what it would leave alone, and why
	Edited    []string        // ours, changed by hand: a sync regenerates them
	// Entries are the JSON paths of our entries that were changed by hand, by the
	// file of the user's they are in, which is among Edited.
	Entries           map[string][]string
	Notes             []sync.Problem // remarks on paths that are as they should be
	BlockingHooks     []surface.HookEvent
	UnsupportedEvents []surface.HookEvent
	Degradations      []surface.Degradation
	Gaps              []Gap
	// CannotFire are the declared policy rules that this host cannot serve.
	CannotFire []policy.RuleNote
}

// InSync reports whether a sync would change nothing and leave nothing undone.
func (h HostStatus) InSync() bool {
	return h.Failure == nil && len(h.Pending)+len(h.Conflicts) == 0
}

// HostOrphans are a disabled host's files.
type HostOrphans struct {
	Profile pluginsdk.Profile
	Name    string // what people call it
	// Forgotten is a host that nobody can run any more: only the record knows it.
	Forgotten bool
	Files     []sync.Leftover
	// Entries are ours in the user's own files: they go with
	// `grimoire host remove` alone.
	Entries []sync.OrphanEntries
}

// InSync reports whether every host is. Orphans are not drift.
func (s *Status) InSync() bool {
	for _, h := range s.Hosts {
		if !h.InSync() {
			return false
		}
	}
	return len(s.Stale) == 0
}

// Status looks at the hosts called name, writing nothing. A known host that
// the project does not enable may be looked at too.
func (w *Workspace) Status(ctx context.Context, name string) (*Status, error) {
	hosts, err := w.Select(name, true)
	if err != nil {
		return nil, err
	}
	whole := isAll(name)
	enabled, disabled := w.split()
	beside, err := w.alongside(hosts)
	if err != nil {
		return nil, err
	}
	asked := slices.Concat(hosts, beside)
	if whole {
		asked = append(append([]plugin.Host{}, enabled...), runnable(disabled)...)
	}
	all := w.emit(ctx, asked)
	plans := pick(all.plans, hosts)
	opt := w.options(false)
	opt.Alongside = pick(all.plans, beside)
	set, err := w.prepare(plans, opt)
	if err != nil {
		return nil, err
	}
	s := w.newStatus(set)
	for i, report := range set.Preview().Hosts {
		s.Hosts = append(s.Hosts, w.hostStatus(plans[i], report, all.failures))
	}
	if !whole {
		return s, nil
	}
	if s.Orphans, err = w.orphans(planned(all.plans, disabled), plans); err != nil {
		return nil, err
	}
	if !anyFailed(plans) {
		s.Stale, err = sync.Stale(w.Project.Root, plans)
	}
	return s, err
}

func (w *Workspace) newStatus(set *sync.ChangeSet) *Status {
	p := w.Project
	s := &Status{
		EntryDeclared: p.EntryDeclared,
		Inferred:      append([]string{}, p.Inferred...),
		Skipped:       p.Skipped,
		Warnings:      p.Warnings,
		Notes:         append(append([]surface.Text{}, p.Surface.Notes...), w.Warnings...),
	}
	if entry, ok := p.Surface.Entry(); ok {
		s.EntryAgent = entry.Name
	}
	for _, u := range p.UnknownHosts {
		s.Warnings = append(s.Warnings, unknownHost(u))
	}
	if note, ok := BelowGitRoot(p.Root); ok {
		s.Notes = append(s.Notes, note)
	}
	s.Notes = append(s.Notes, set.Warnings...)
	return s
}

// unknownHost is the remark on a name in hosts.enabled that no host has.
func unknownHost(u project.HostName) project.Warning {
	return project.Warning{Path: project.ConfigFile, Line: u.Line, Text: surface.Text{
		FR: "hosts.enabled : hôte « " + u.Name + " » inconnu, ignoré",
		EN: "hosts.enabled: unknown host \"" + u.Name + "\", ignored",
	}}
}

func (w *Workspace) hostStatus(plan sync.HostPlan, report sync.HostReport, failures map[string]*plugin.Failure) HostStatus {
	p := plan.Profile
	h := HostStatus{
		Profile:           p,
		Name:              nameOf(p),
		Failure:           failures[plan.ID()],
		Pending:           append(append([]string{}, report.Written...), report.Deleted...),
		Current:           report.Unchanged,
		Conflicts:         report.Skipped,
		Edited:            report.Edited,
		Entries:           report.Entries,
		Notes:             report.Notes,
		BlockingHooks:     []surface.HookEvent{},
		UnsupportedEvents: []surface.HookEvent{},
		Gaps:              Gaps(p),
	}
	for _, hook := range w.Project.Surface.Hooks {
		switch {
		case !p.Supports(hook.Event):
			h.UnsupportedEvents = append(h.UnsupportedEvents, hook.Event)
		case hook.Enforcement == surface.Blocking && p.Can(surface.BlockingHooks):
			h.BlockingHooks = append(h.BlockingHooks, hook.Event)
		}
	}
	if plan.Plan != nil {
		h.Degradations = plan.Plan.Degradations
	}
	if rules, err := policy.Load(w.Project.Root); err == nil { // a broken file is among the warnings
		h.CannotFire = rules.CannotFire(p.HookEvents, p.Can(surface.BlockingHooks))
	}
	return h
}

// orphans groups what is left of disabled hosts by the host it was written for.
func (w *Workspace) orphans(disabled, enabled []sync.HostPlan) ([]HostOrphans, error) {
	files, err := sync.Orphans(w.Project.Root, disabled, enabled)
	if err != nil {
		return nil, err
	}
	disabled, forgotten, err := w.withForgotten(disabled, enabled)
	if err != nil {
		return nil, err
	}
	entries, err := sync.EntriesOf(w.Project.Root, disabled, enabled)
	if err != nil {
		return nil, err
	}
	out := []HostOrphans{}
	for _, h := range disabled {
		o := HostOrphans{Profile: h.Profile, Name: nameOf(h.Profile), Forgotten: slices.Contains(forgotten, h.ID())}
		for _, f := range files {
			if f.Host == h.ID() {
				o.Files = append(o.Files, f)
			}
		}
		for _, e := range entries {
			if e.Host == h.ID() {
				o.Entries = append(o.Entries, e)
			}
		}
		if len(o.Files)+len(o.Entries) > 0 {
			out = append(out, o)
		}
	}
	return out, nil
}

// runnable leaves out plugins that may not run: nobody asked for them.
func runnable(hosts []plugin.Host) []plugin.Host {
	return slices.DeleteFunc(slices.Clone(hosts), func(h plugin.Host) bool { return h.Barred() != nil })
}
