package host

import (
	"context"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/core/plugin"
	"github.com/grimoire-kit/grimoire/core/scaffold"
	"github.com/grimoire-kit/grimoire/core/sync"
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

// Remove takes one host out of the project: our files go, our entries leave
// the user's files. The project's declaration is not touched.
//
// It works in a project whose personas are at fault: what is removed is then what
// is marked as ours, and what the record says.
func (w *Workspace) Remove(ctx context.Context, name string, o SyncOptions) (*SyncResult, error) {
	h, err := w.removable(ctx, name)
	if id := w.forgotten(name, h); id != "" && (err != nil || h.Barred() != nil) {
		return w.forget(ctx, id, o)
	}
	if err != nil {
		return nil, err
	}
	others, asked := w.others(h), []plugin.Host{h}
	if w.Broken == nil {
		asked = append(asked, others...)
	}
	all := w.emit(ctx, asked)
	for _, e := range others {
		if failure := all.failures[e.Profile.ID]; failure != nil {
			return nil, refuse(
				"Rien n'est retiré : %s n'a pas de plan, donc ce qu'il partage avec %s est inconnu. %s",
				"Nothing is removed: %s has no plan, so what it shares with %s is unknown. %s",
				e.Name(), h.Name(), failure.Text.In(w.Project.Surface.Language))
		}
	}
	// In a broken project nobody has the plan that is declared: whatever may be
	// another enabled host's stays.
	texts, opt := scaffold.Retire(w.Project.Root, h.Profile.Owns), w.options(o.Force)
	opt.Beside = beside(texts)
	set, err := sync.Remove(w.Project.Root, all.plans[0], planned(all.plans[1:], others), opt)
	if err != nil {
		return nil, err
	}
	if o.Diff != nil {
		if err := set.Diff(o.Diff); err != nil {
			return nil, err
		}
	}
	if o.Progress == nil {
		o.Progress = func(surface.Text) {}
	}
	result := &SyncResult{DryRun: o.DryRun, Warnings: append(set.Warnings, editedTexts(h, texts)...)}
	report, err := w.apply(ctx, set, o)
	result.add(report, all.plans[:1], all.failures)
	for i := range result.Hosts {
		result.Hosts[i].Degradations = nil
	}
	return result, err
}

// forgotten is the id of a host that the record names and that nobody can run, by
// what a person called it or by the host that was found so; "" for any other.
func (w *Workspace) forgotten(name string, found plugin.Host) string {
	ids, err := sync.Forgotten(w.Project.Root, w.runs)
	if err != nil {
		return ""
	}
	for _, id := range ids {
		if strings.EqualFold(id, strings.TrimSpace(name)) || id == found.Profile.ID {
			return id
		}
	}
	return ""
}

// withForgotten adds the hosts that the record alone knows to those that are not
// enabled, and gives the ids of those that nobody can run.
func (w *Workspace) withForgotten(disabled, enabled []sync.HostPlan) (all []sync.HostPlan, ids []string, err error) {
	ids, err = sync.Forgotten(w.Project.Root, w.runs)
	for _, id := range ids {
		if !slices.ContainsFunc(slices.Concat(disabled, enabled), func(h sync.HostPlan) bool { return h.ID() == id }) {
			disabled = append(disabled, sync.HostPlan{Profile: pluginsdk.Profile{ID: id}})
		}
	}
	return disabled, ids, err
}

// runs reports whether the host with that id is here and may run.
func (w *Workspace) runs(id string) bool {
	h, err := w.Catalog.Resolve(id)
	return err == nil && h.Barred() == nil
}

// forget takes the entries of a host that nobody can run out of the user's files.
// Every other host says what could be its own.
func (w *Workspace) forget(ctx context.Context, id string, o SyncOptions) (*SyncResult, error) {
	enabled, disabled := w.split()
	var all emitted
	if w.Broken == nil {
		all = w.emit(ctx, slices.Concat(runnable(enabled), runnable(disabled)))
	}
	enabled = slices.DeleteFunc(enabled, func(h plugin.Host) bool { return h.Profile.ID == id })
	set, err := sync.Forget(w.Project.Root, id, planned(all.plans, enabled), all.plans, w.options(o.Force))
	if err != nil {
		return nil, err
	}
	if o.Diff != nil {
		if err := set.Diff(o.Diff); err != nil {
			return nil, err
		}
	}
	if o.Progress == nil {
		o.Progress = func(surface.Text) {}
	}
	result := &SyncResult{DryRun: o.DryRun, Warnings: append(set.Warnings, w.files(id)...)}
	report, err := w.apply(ctx, set, o)
	result.add(report, []sync.HostPlan{{Profile: pluginsdk.Profile{ID: id}}}, nil)
	return result, err
}

// files is the remark that a host's own files cannot be found without its emitter.
func (w *Workspace) files(id string) []surface.Text {
	return []surface.Text{{
		FR: id + " n'a plus d'émetteur : seules les entrées que le registre connaît partent ; ses propres fichiers, s'il en reste, sont à supprimer à la main",
		EN: id + " has no emitter any more: only the entries that the record knows go; files of its own, where some are left, are for you to delete",
	}}
}

// beside are the texts that init wrote for a host and nobody changed: they go with
// it, and out of the manifest.
func beside(r scaffold.Retirement) []sync.Beside {
	if len(r.Gone) == 0 {
		return nil
	}
	var out []sync.Beside
	for _, file := range append(slices.Clone(r.Gone), scaffold.ManifestPath) {
		out = append(out, sync.Beside{Path: file, Without: func(content []byte) ([]byte, bool) { return r.Without(file, content) }})
	}
	return out
}

// editedTexts is the remark that such texts stay once a person changed them.
func editedTexts(h plugin.Host, r scaffold.Retirement) []surface.Text {
	if len(r.Edited) == 0 {
		return nil
	}
	list := strings.Join(r.Edited, ", ")
	return []surface.Text{{
		FR: "modifiés à la main depuis que `grimoire init` les a écrits pour " + h.Name() + ", donc gardés, à toi : " + list,
		EN: "changed by hand since `grimoire init` wrote them for " + h.Name() + ", so they are kept, as yours: " + list,
	}}
}

// removable finds the host called name. One whose program changed, or that the
// project does not declare any more, is run by the copy that its user trusts: it
// wrote the files that are to go.
func (w *Workspace) removable(ctx context.Context, name string) (plugin.Host, error) {
	h, err := w.Catalog.Resolve(name)
	if err == nil && h.Barred() == nil {
		return h, nil
	}
	store, storeErr := plugin.OpenStore()
	if storeErr != nil {
		return h, err // what is said of the name is the better answer
	}
	identity, identityErr := plugin.IdentifyProject(ctx, w.Project.Root)
	if identityErr != nil {
		return h, err
	}
	if trusted, ok, _ := store.Trusted(name, identity); ok {
		return trusted, nil
	}
	return h, err
}

// others are the enabled hosts but one.
func (w *Workspace) others(gone plugin.Host) []plugin.Host {
	enabled, _ := w.split()
	return slices.DeleteFunc(enabled, func(e plugin.Host) bool {
		return e.Profile.ID == gone.Profile.ID || slices.ContainsFunc(gone.Profile.Aliases, func(alias string) bool {
			return strings.EqualFold(alias, e.Profile.ID)
		})
	})
}
