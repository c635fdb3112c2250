package host

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/grimoire-kit/grimoire/core/plugin"
	"github.com/grimoire-kit/grimoire/core/sync"
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

// SyncOptions are the choices of `grimoire host sync`.
type SyncOptions struct {
	Host          string // an alias, AllHosts or AutoHost
	Without       string // the alias of a host that is left alone this time
	DryRun        bool   // decide and report, write nothing
	Force         bool   // replace hand-written files
	ForceHost     bool   // sync a host the project does not enable
	PruneDisabled bool   // remove our files of disabled hosts
	PruneStale    bool   // remove our files that nothing asks for any more
	// Diff, when not nil, receives unified diffs of what would change.
	Diff io.Writer
	// Progress, when not nil, is told what is being done.
	Progress func(surface.Text)
}

// SyncResult is what a sync did, or would do.
type SyncResult struct {
	DryRun bool
	Hosts  []HostResult
	// Pruned are the paths removed, or to be; nil unless pruning was asked for.
	Pruned []string
	// Freed are files that stay because they also hold what is somebody else's, and
	// that our entries leave.
	Freed []sync.Problem
	// Kept are leftovers that could not be pruned.
	Kept []sync.Problem
	// Stale are our files that no enabled host asks for any more; nil when
	// not every enabled host was asked.
	Stale    []sync.Leftover
	Warnings []surface.Text
}

// HostResult is one host's part.
type HostResult struct {
	sync.HostReport
	Name         string // what people call it
	Degradations []surface.Degradation
	Failure      *plugin.Failure // why there is no plan; nil when there is
}

// OK reports whether every path of every host is as its plan wants it.
func (r *SyncResult) OK() bool {
	for _, h := range r.Hosts {
		if h.Failure != nil || len(h.Skipped)+len(h.Failed) > 0 {
			return false
		}
	}
	return len(r.Kept) == 0
}

// Drift reports whether a sync would change anything, or leave something
// undone. It is about a dry run.
func (r *SyncResult) Drift() bool {
	for _, h := range r.Hosts {
		if len(h.Written)+len(h.Deleted) > 0 {
			return true
		}
	}
	return !r.OK() || len(r.Pruned)+len(r.Freed)+len(r.Stale) > 0
}

// Drifted lists every path that is out of step, each once and in order, with the
// reason of those that a sync would not put right, or not unasked. A host without
// a plan stands there by its name.
func (r *SyncResult) Drifted() []sync.Problem {
	reasons := map[string]surface.Text{}
	add := func(path string, reason surface.Text) {
		if reasons[path] == (surface.Text{}) {
			reasons[path] = reason
		}
	}
	for _, h := range r.Hosts {
		if h.Failure != nil {
			add(h.Name, h.Failure.Text)
		}
		for _, path := range h.Edited {
			add(path, sync.ChangedByHand(h.Entries[path]))
		}
		for _, path := range slices.Concat(h.Written, h.Deleted) {
			add(path, surface.Text{})
		}
		for _, p := range slices.Concat(h.Skipped, h.Failed) {
			add(p.Path, p.Reason)
		}
	}
	for _, path := range r.Pruned {
		add(path, surface.Text{})
	}
	for _, p := range slices.Concat(r.Freed, r.Kept) {
		add(p.Path, p.Reason)
	}
	for _, l := range r.Stale {
		add(l.Path, surface.Text{
			FR: "plus rien ne le demande ; `grimoire host sync --prune-stale` le retire",
			EN: "nothing asks for it any more; `grimoire host sync --prune-stale` removes it",
		})
	}
	out := make([]sync.Problem, 0, len(reasons))
	for _, path := range slices.Sorted(maps.Keys(reasons)) {
		out = append(out, sync.Problem{Path: path, Reason: reasons[path]})
	}
	return out
}

// Sync brings the chosen hosts' files in line with the project.
func (w *Workspace) Sync(ctx context.Context, o SyncOptions) (*SyncResult, error) {
	hosts, err := w.Select(o.Host, o.ForceHost)
	if err != nil {
		return nil, err
	}
	hosts = slices.DeleteFunc(slices.Clone(hosts), func(h plugin.Host) bool { return o.Without != "" && h.Profile.Alias() == o.Without })
	if o.Progress == nil {
		o.Progress = func(surface.Text) {}
	}
	o.Progress(surface.Text{FR: "Les émetteurs préparent leurs plans", EN: "Emitters are preparing their plans"})
	beside, err := w.alongside(hosts)
	if err != nil {
		return nil, err
	}
	asked := slices.Concat(hosts, beside)
	if o.PruneDisabled || o.PruneStale {
		asked = w.Catalog.Hosts() // what an enabled host holds is never pruned
	}
	all := w.emit(ctx, asked)
	plans := pick(all.plans, hosts)

	opt := w.options(o.Force)
	opt.Alongside = pick(all.plans, beside)
	set, err := w.prepare(plans, opt)
	if err != nil {
		return nil, err
	}
	result := &SyncResult{DryRun: o.DryRun, Warnings: slices.Concat(w.leftOut(), emptyPlans(plans), set.Warnings)}
	if o.Diff != nil {
		if err := set.Diff(o.Diff); err != nil {
			return nil, err
		}
	}
	report, err := w.apply(ctx, set, o)
	result.add(report, plans, all.failures)
	if err != nil {
		return result, err
	}
	return result, w.leftovers(ctx, o, all, result)
}

func (w *Workspace) prepare(plans []sync.HostPlan, opt sync.Options) (*sync.ChangeSet, error) {
	start := time.Now()
	set, err := sync.Prepare(w.Project.Root, plans, opt)
	w.timings.Prepare += time.Since(start)
	return set, err
}

// apply makes the changes, or only says what they would be.
func (w *Workspace) apply(ctx context.Context, set *sync.ChangeSet, o SyncOptions) (*sync.Report, error) {
	if o.DryRun {
		return set.Preview(), nil
	}
	start := time.Now()
	defer func() { w.timings.Apply += time.Since(start) }()
	return set.Apply(ctx, w.lock, func(done, total int) {
		o.Progress(surface.Text{
			FR: progressText("Écriture", done, total),
			EN: progressText("Writing", done, total),
		})
	})
}

func (r *SyncResult) add(report *sync.Report, plans []sync.HostPlan, failures map[string]*plugin.Failure) {
	if report == nil {
		return
	}
	for i, h := range report.Hosts {
		res := HostResult{HostReport: h, Name: nameOf(plans[i].Profile), Failure: failures[h.Host]}
		if p := plans[i].Plan; p != nil {
			res.Degradations = p.Degradations
		}
		r.Hosts = append(r.Hosts, res)
	}
}

// leftovers looks for what nothing asks for any more, and prunes what may go.
func (w *Workspace) leftovers(ctx context.Context, o SyncOptions, all emitted, result *SyncResult) error {
	enabled, disabled := w.split()
	enabledPlans := pick(all.plans, enabled)
	whole := len(enabledPlans) == len(enabled) && !anyFailed(enabledPlans)
	if whole {
		stale, err := sync.Stale(w.Project.Root, enabledPlans)
		if err != nil {
			return err
		}
		result.Stale = stale
	}
	if !o.PruneDisabled && !o.PruneStale {
		return nil
	}
	result.Pruned = []string{}
	if !whole {
		return refuse(
			"Rien n'est retiré : un hôte activé n'a pas de plan, donc ce qu'il garde est inconnu.",
			"Nothing is pruned: an enabled host has no plan, so what it holds is unknown.")
	}
	var gone []sync.Leftover
	if o.PruneStale {
		gone = append(gone, result.Stale...)
		result.Stale = nil
	}
	if o.PruneDisabled {
		orphans, err := sync.Orphans(w.Project.Root, pick(all.plans, disabled), enabledPlans)
		if err != nil {
			return err
		}
		gone = append(gone, orphans...)
		without, _, err := w.withForgotten(planned(all.plans, disabled), enabledPlans)
		if err != nil {
			return err
		}
		entries, err := sync.EntriesOf(w.Project.Root, without, enabledPlans)
		if err != nil {
			return err
		}
		for _, e := range entries {
			result.Warnings = append(result.Warnings, w.entriesStay(e))
		}
	}
	set, err := sync.Prune(w.Project.Root, gone, enabledPlans, w.options(o.Force))
	if err != nil {
		return err
	}
	if o.Diff != nil {
		if err := set.Diff(o.Diff); err != nil {
			return err
		}
	}
	report, err := w.apply(ctx, set, o)
	if report != nil {
		result.pruned(report)
	}
	return err
}

func (r *SyncResult) pruned(report *sync.Report) {
	seen := map[string]bool{}
	for _, h := range report.Hosts {
		for _, p := range h.Deleted {
			if !seen[p] {
				seen[p] = true
				r.Pruned = append(r.Pruned, p)
			}
		}
		for _, p := range h.Notes {
			if slices.Contains(h.Written, p.Path) && !seen[p.Path] {
				seen[p.Path] = true
				r.Freed = append(r.Freed, p)
			}
		}
		for _, p := range append(h.Skipped, h.Failed...) {
			if !seen[p.Path] {
				seen[p.Path] = true
				r.Kept = append(r.Kept, p)
			}
		}
	}
}

// leftOut says what the project declares that no host gets: nothing is left out
// in silence. Status has the details.
func (w *Workspace) leftOut() []surface.Text {
	var out []surface.Text
	for _, u := range w.Project.UnknownHosts {
		r := unknownHost(u)
		out = append(out, surface.Text{
			FR: fmt.Sprintf("%s:%d : %s", r.Path, r.Line, r.Text.FR),
			EN: fmt.Sprintf("%s:%d: %s", r.Path, r.Line, r.Text.EN),
		})
	}
	for _, r := range w.Project.Warnings {
		if path.Ext(r.Path) != ".md" { // what is said of a persona's text, status says
			out = append(out, surface.Text{FR: r.In(surface.French), EN: r.In(surface.English)})
		}
	}
	if _, ok := w.Project.Surface.Entry(); !ok && w.Project.EntryDeclared != "" {
		out = append(out, NoSuchEntry(w.Project.EntryDeclared))
	}
	if note, ok := BelowGitRoot(w.Project.Root); ok {
		out = append(out, note)
	}
	if n := len(w.Project.Skipped); n > 0 {
		out = append(out, surface.Text{
			FR: fmt.Sprintf("fichiers du projet laissés de côté : %d ; `grimoire host status` dit lesquels et pourquoi", n),
			EN: fmt.Sprintf("files of the project left out: %d; `grimoire host status` says which and why", n),
		})
	}
	return out
}

// NoSuchEntry is the remark on an entry persona that the project declares and does
// not have.
func NoSuchEntry(declared string) surface.Text {
	return surface.Text{
		FR: fmt.Sprintf("agents.entry nomme « %s », que le projet n'a pas : aucune persona d'entrée", declared),
		EN: fmt.Sprintf("agents.entry names %q, which the project does not have: no entry persona", declared),
	}
}

// emptyPlans are remarks on emitters that ask for nothing: their host is enabled,
// and runs as if it were not.
func emptyPlans(plans []sync.HostPlan) []surface.Text {
	var out []surface.Text
	for _, p := range plans {
		if p.Plan != nil && len(p.Plan.Files)+len(p.Plan.Merges) == 0 {
			out = append(out, surface.Text{
				FR: nameOf(p.Profile) + " : son émetteur ne demande aucun fichier ; l'hôte ne reçoit rien du projet",
				EN: nameOf(p.Profile) + ": its emitter asks for no file; the host gets nothing of the project",
			})
		}
	}
	return out
}

// entriesStay is the remark that pruning left our entries in a file of the user's.
func (w *Workspace) entriesStay(e sync.OrphanEntries) surface.Text {
	name, alias := e.Host, e.Host
	if h, err := w.Catalog.Resolve(e.Host); err == nil {
		name, alias = h.Name(), h.Profile.Alias()
	}
	counts := CountEntries(e.Entries)
	return surface.Text{
		FR: fmt.Sprintf("%s garde des entrées de %s, qui n'est pas activé (%s) ; `grimoire host remove %s` les retire", e.Path, name, counts, alias),
		EN: fmt.Sprintf("%s still holds entries of %s, which is not enabled (%s); `grimoire host remove %s` takes them out", e.Path, name, counts, alias),
	}
}

// CountEntries says how many entries of ours each list of a file holds, from their
// JSON paths: dozens of rules are one line. An entry in no list stands for itself.
func CountEntries(jsonPaths []string) string {
	var lists []string
	count := map[string]int{}
	for _, p := range jsonPaths {
		list, _, in := strings.Cut(p, "[")
		if !in || list == "$" { // a key, perhaps one in brackets
			list, in = p, false
		}
		if !slices.Contains(lists, list) {
			lists = append(lists, list)
		}
		if in {
			count[list]++
		}
	}
	for i, list := range lists {
		if n := count[list]; n > 0 {
			lists[i] = fmt.Sprintf("%s ×%d", list, n)
		}
	}
	return strings.Join(lists, ", ")
}

// nameOf is what people call a host.
func nameOf(p pluginsdk.Profile) string { return cmp.Or(p.DisplayName, p.Alias()) }

// planned is pick with the hosts that have no plan too: what the record says of
// those is known all the same.
func planned(plans []sync.HostPlan, hosts []plugin.Host) []sync.HostPlan {
	out := pick(plans, hosts)
	for _, h := range hosts {
		if !slices.ContainsFunc(out, func(p sync.HostPlan) bool { return p.ID() == h.Profile.ID }) {
			out = append(out, sync.HostPlan{Profile: h.Profile})
		}
	}
	return out
}

// pick returns the plans of hosts, in their order.
func pick(plans []sync.HostPlan, hosts []plugin.Host) []sync.HostPlan {
	var out []sync.HostPlan
	for _, h := range hosts {
		for _, p := range plans {
			if p.ID() == h.Profile.ID {
				out = append(out, p)
			}
		}
	}
	return out
}

func anyFailed(plans []sync.HostPlan) bool {
	for _, p := range plans {
		if p.Plan == nil {
			return true
		}
	}
	return false
}

func progressText(what string, done, total int) string {
	return fmt.Sprintf("%s %d/%d", what, done, total)
}
