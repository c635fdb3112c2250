// Package host answers `grimoire host …`: it opens a project, asks the
// emitters of the chosen hosts for their plans, and has core/sync compare
// them with the disk or apply them.
//
// It is where project, plugins and sync meet. It prints nothing: results are
// data that cmd/grimoire shows as text or JSON. Only cmd and core import it.
package host

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/grimoire-kit/grimoire/core/managed"
	"github.com/grimoire-kit/grimoire/core/plugin"
	"github.com/grimoire-kit/grimoire/core/project"
	"github.com/grimoire-kit/grimoire/core/sync"
	"github.com/grimoire-kit/grimoire/emitters/bundled"
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

// Workspace is a project with the hosts known in it.
type Workspace struct {
	Project *project.Project
	Catalog *plugin.Catalog
	// Warnings are remarks on the workspace that stopped nothing: a
	// third-party host that cannot be added, a store that cannot be read.
	Warnings []surface.Text

	// Broken is why the project's personas cannot be loaded as they are declared,
	// nil where they can. Only OpenHosts gives such a workspace.
	Broken error

	getenv   func(string) string
	launcher plugin.Launcher
	lock     *sync.Lock
	timings  Timings
}

// Timings say where the time of one run went.
type Timings struct {
	Load    time.Duration // project read, surface built
	Start   time.Duration // the slowest plugin, from launch to connection
	Emit    time.Duration // the slowest emitter
	Plugins time.Duration // all plugins, from the first launch to the last exit
	Prepare time.Duration // plans compared with the disk
	Apply   time.Duration
}

// Open reads the project at root. With toWrite it first takes the project's
// lock, so that what is read is what will be written over; Close gives it
// back. getenv tells which host grimoire runs under.
func Open(ctx context.Context, root string, toWrite bool, getenv func(string) string) (*Workspace, error) {
	w, err := OpenHosts(ctx, root, toWrite, getenv)
	if err == nil && w.Broken != nil {
		w.Close()
		return nil, w.Broken
	}
	return w, err
}

// OpenHosts is Open for what is about hosts and not about personas: a project
// whose personas are at fault is opened all the same, and Broken says why.
func OpenHosts(ctx context.Context, root string, toWrite bool, getenv func(string) string) (*Workspace, error) {
	w := &Workspace{getenv: getenv, launcher: plugin.Launcher{RunsHook: managed.RunsHookArgs}}
	if toWrite {
		lock, err := sync.Acquire(ctx, root)
		if err != nil {
			return nil, err
		}
		w.lock = lock
	}
	if err := w.load(ctx, root); err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

// Close gives the project's lock back. It may be called twice.
func (w *Workspace) Close() {
	if w.lock != nil {
		_ = w.lock.Release() // the process's end would do the same
		w.lock = nil
	}
}

// Timings of what was done so far.
func (w *Workspace) Timings() Timings { return w.timings }

func (w *Workspace) load(ctx context.Context, root string) error {
	start := time.Now()
	cfg, err := project.ReadConfig(root)
	if err != nil {
		return err
	}
	if w.Catalog, err = plugin.NewCatalog(bundled.Emitters()); err != nil {
		return err
	}
	w.addThirdParty(ctx, root, cfg.Hosts.Plugins)
	w.Project, err = project.Load(root, w.profiles())
	w.timings.Load = time.Since(start)
	if w.Project != nil {
		w.Broken, err = err, nil
	}
	return err
}

// addThirdParty adds the hosts that do not ship with grimoire. A project that
// names none pays nothing for those of others.
func (w *Workspace) addThirdParty(ctx context.Context, root string, plugins []project.Plugin) {
	store, err := plugin.OpenStore()
	if err != nil {
		if len(plugins) > 0 {
			w.warn(err)
		}
		return
	}
	identity := plugin.Project{Root: root}
	declared := make([]plugin.Declared, len(plugins))
	for i, p := range plugins {
		declared[i] = plugin.Declared{ID: p.ID, Path: p.Path, Where: fmt.Sprintf("%s:%d", project.ConfigFile, p.Line)}
	}
	if len(declared) > 0 || store.Trusts(root) { // the repository's history is read for them alone
		if identity, err = plugin.IdentifyProject(ctx, root); err != nil {
			w.warn(err)
			return
		}
	}
	if err := w.Catalog.AddThirdParty(declared, store, identity); err != nil {
		w.warn(err)
	}
}

func (w *Workspace) warn(err error) { w.Warnings = append(w.Warnings, TextOf(err)) }

func (w *Workspace) profiles() []pluginsdk.Profile {
	hosts := w.Catalog.Hosts()
	profiles := make([]pluginsdk.Profile, len(hosts))
	for i, h := range hosts {
		profiles[i] = h.Profile
	}
	return profiles
}

func (w *Workspace) enabled(h plugin.Host) bool {
	return slices.Contains(w.Project.Enabled, h.Profile.Alias())
}

// split tells the enabled hosts from the others.
func (w *Workspace) split() (enabled, disabled []plugin.Host) {
	for _, h := range w.Catalog.Hosts() {
		if w.enabled(h) {
			enabled = append(enabled, h)
		} else {
			disabled = append(disabled, h)
		}
	}
	return enabled, disabled
}

// emitted is what came of asking hosts for their plans.
type emitted struct {
	plans    []sync.HostPlan // one per asked host; Plan is nil where it failed
	failures map[string]*plugin.Failure
}

// emit asks hosts for their plans, all at once.
func (w *Workspace) emit(ctx context.Context, hosts []plugin.Host) emitted {
	out := emitted{failures: map[string]*plugin.Failure{}}
	if len(hosts) == 0 {
		return out
	}
	start := time.Now()
	s := *w.Project.Surface
	if w.Project.Config.ProjectName == "" {
		// The folder's name is another in each clone and worktree: what is
		// emitted must not depend on it.
		s.ProjectName = ""
	}
	if w.Broken != nil { // what could be read is not what is declared
		s.Agents, s.Skills, s.Commands = nil, nil, nil
	}
	w.launcher.Widest = project.Widest(&s)
	for _, o := range w.launcher.Run(ctx, hosts, &s) {
		out.plans = append(out.plans, sync.HostPlan{Profile: o.Host.Profile, Plan: o.Plan, Table: o.Table})
		if o.Failure != nil {
			out.failures[o.Host.Profile.ID] = o.Failure
		}
		w.timings.Start = max(w.timings.Start, o.Started)
		w.timings.Emit = max(w.timings.Emit, o.Emitted)
	}
	w.timings.Plugins += time.Since(start)
	return out
}

func (w *Workspace) options(force bool) sync.Options {
	opt := sync.Options{Force: force, EntrySections: w.Project.Config.Hosts.EntrySections, Names: map[string]string{}}
	for _, h := range w.Catalog.Hosts() {
		opt.Names[h.Profile.ID] = h.Name()
		if w.enabled(h) {
			opt.Enabled = append(opt.Enabled, h.Profile.ID)
		}
	}
	return opt
}

// alongside are the other enabled hosts, where the instruction file of one of them
// is, by a link, that of one of these: one file has one text, whose it is only
// their plans tell.
func (w *Workspace) alongside(hosts []plugin.Host) ([]plugin.Host, error) {
	enabled, _ := w.split()
	others := slices.DeleteFunc(enabled, func(e plugin.Host) bool {
		return slices.ContainsFunc(hosts, func(h plugin.Host) bool { return h.Profile.ID == e.Profile.ID })
	})
	linked, err := sync.Linked(w.Project.Root, entrypoints(hosts), entrypoints(others))
	if err != nil || !linked {
		return nil, err
	}
	return others, nil
}

func entrypoints(hosts []plugin.Host) []string {
	var paths []string
	for _, h := range hosts {
		if h.Profile.Entrypoint != "" {
			paths = append(paths, h.Profile.Entrypoint)
		}
	}
	return paths
}
