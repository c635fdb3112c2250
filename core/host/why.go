package host

import (
	"context"
	"strings"

	"github.com/grimoire-kit/grimoire/core/plugin"
	"github.com/grimoire-kit/grimoire/core/sync"
	"github.com/grimoire-kit/grimoire/surface"
)

// Why explains one path: which sources and which emitter made it, and what
// became of it since. path is absolute, or relative to the project.
func (w *Workspace) Why(ctx context.Context, path string) (*sync.Explanation, error) {
	enabled, _ := w.split()
	return sync.Why(w.Project.Root, path, w.emit(ctx, enabled).plans, w.options(false))
}

// Remove takes one host out of the project: our files go, our entries leave
// the user's files. The project's declaration is not touched.
func (w *Workspace) Remove(ctx context.Context, name string, o SyncOptions) (*SyncResult, error) {
	h, err := w.Catalog.Resolve(name)
	if err != nil {
		return nil, err
	}
	asked := []plugin.Host{h}
	enabled, _ := w.split()
	for _, e := range enabled {
		if e.Profile.ID != h.Profile.ID {
			asked = append(asked, e)
		}
	}
	all := w.emit(ctx, asked)
	for _, e := range asked[1:] {
		if failure := all.failures[e.Profile.ID]; failure != nil {
			return nil, refuse(
				"Rien n'est retiré : %s n'a pas de plan, donc ce qu'il partage avec %s est inconnu. %s",
				"Nothing is removed: %s has no plan, so what it shares with %s is unknown. %s",
				e.Name(), h.Name(), failure.Text.In(w.Project.Surface.Language))
		}
	}
	set, err := sync.Remove(w.Project.Root, all.plans[0], all.plans[1:], w.options(o.Force))
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
	result := &SyncResult{DryRun: o.DryRun, Warnings: set.Warnings}
	report, err := w.apply(ctx, set, o)
	result.add(report, all.plans[:1], all.failures)
	for i := range result.Hosts {
		result.Hosts[i].Degradations = nil
	}
	return result, err
}

// Command returns the body of the command called slug, for a host that has no
// commands of its own.
func (w *Workspace) Command(slug string) (surface.Command, error) {
	var known []string
	for _, c := range w.Project.Surface.Commands {
		if c.Slug == slug {
			return c, nil
		}
		known = append(known, c.Slug)
	}
	return surface.Command{}, refuse(
		"Commande « %s » inconnue ; connues : %s.",
		"Unknown command %q; known: %s.", slug, strings.Join(known, ", "))
}
