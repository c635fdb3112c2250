package host

import (
	"context"
	"fmt"
	"path"
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
	set, err := sync.Remove(w.Project.Root, all.plans[0], planned(all.plans[1:], others), w.options(o.Force))
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
	result := &SyncResult{DryRun: o.DryRun, Warnings: append(set.Warnings, w.kitTexts(h)...)}
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

// kitTexts is the remark that texts which init wrote for a host stay: they are the
// project's.
func (w *Workspace) kitTexts(h plugin.Host) []surface.Text {
	stay := 0
	var folders []string
	for _, file := range scaffold.Wrote(w.Project.Root) {
		if slices.ContainsFunc(h.Profile.Owns, func(prefix string) bool { return strings.HasPrefix(file, prefix) }) {
			stay++
			if dir := path.Dir(file) + "/"; !slices.Contains(folders, dir) {
				folders = append(folders, dir)
			}
		}
	}
	if stay == 0 {
		return nil
	}
	return []surface.Text{{
		FR: fmt.Sprintf("les textes que `grimoire init` a écrits pour %s restent, à toi (%d dans %s) ; supprime-les s'ils ne servent plus, `grimoire up` ne les remet pas", h.Name(), stay, strings.Join(folders, ", ")),
		EN: fmt.Sprintf("texts that `grimoire init` wrote for %s stay, as yours (%d in %s); delete them if they are of no use, `grimoire up` does not bring them back", h.Name(), stay, strings.Join(folders, ", ")),
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
