package host

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/core/project"
	"github.com/grimoire-kit/grimoire/core/scaffold"
	"github.com/grimoire-kit/grimoire/core/sync"
	"github.com/grimoire-kit/grimoire/governance/policy"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
)

// Why explains one path: which sources and which emitter made it, and what
// became of it since. path is absolute, or relative to the project.
func (w *Workspace) Why(ctx context.Context, path string) (*sync.Explanation, error) {
	enabled, disabled := w.split()
	plans := w.emit(ctx, slices.Concat(enabled, runnable(disabled))).plans
	e, err := sync.Why(w.Project.Root, path, pick(plans, enabled), planned(plans, disabled), w.options(false))
	if err != nil {
		return nil, err
	}
	if e.State == sync.Theirs && e.Path == scaffold.ManifestPath {
		e.State, e.Kind = sync.InSync, sync.WholeFile
		e.Reason = surface.Text{
			FR: "le registre des textes du kit, tels qu'ils ont été écrits ; à committer",
			EN: "the record of the kit's texts as they were written; commit it",
		}
	}
	if e.State == sync.Theirs && slices.Contains(scaffold.Wrote(w.Project.Root), e.Path) {
		e.State, e.Kind = sync.Kit, sync.WholeFile
	}
	if wired(e) {
		e.Sources = w.rules(e.Sources)
	}
	isEntry := func(p sync.HostPlan) bool { return p.Profile.Entrypoint == e.Path }
	if len(e.Sources) == 0 && e.State != sync.Theirs && slices.ContainsFunc(plans, isEntry) {
		e.Sources = []string{project.ConfigFile} // an entry file speaks of the project as a whole
	}
	return e, nil
}

// wired reports whether a file holds hooks or permissions, which come from the
// project's rules: a merged file, or a whole one of JSON.
func wired(e *sync.Explanation) bool {
	if e.State == sync.Theirs || e.State == sync.Kit || e.State == sync.Orphan {
		return false
	}
	return e.Kind == sync.Merged || e.Kind == sync.WholeFile && len(e.Hosts) > 0 && path.Ext(e.Path) == ".json"
}

// rules adds to sources the files that say which hooks and permissions there are,
// as far as the project has them.
func (w *Workspace) rules(sources []string) []string {
	out := slices.Clone(sources)
	for _, file := range []string{project.ConfigFile, policy.File, standard.ProfileFile} {
		if _, err := os.Stat(filepath.Join(w.Project.Root, filepath.FromSlash(file))); err == nil && !slices.Contains(out, file) {
			out = append(out, file)
		}
	}
	return out
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
