package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/core/host"
	"github.com/grimoire-kit/grimoire/core/plugin"
	"github.com/grimoire-kit/grimoire/core/project"
	"github.com/grimoire-kit/grimoire/core/scaffold"
	"github.com/grimoire-kit/grimoire/core/sync"
	"github.com/grimoire-kit/grimoire/core/tree"
	"github.com/grimoire-kit/grimoire/emitters/bundled"
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

// setup is what `grimoire init` and `grimoire up` did to a project, or would
// do. Its JSON keys are stable; lists are never null.
type setup struct {
	Root        string       `json:"project_root"`
	Initialized bool         `json:"already_initialized"` // before this command
	UpToDate    bool         `json:"up_to_date"`          // before this command
	DryRun      bool         `json:"dry_run"`             // asked to write nothing
	Hosts       []string     `json:"hosts"`
	Stack       []string     `json:"stack"`
	Pending     []fileAction `json:"pending"` // what the scaffold lacked
	Written     []string     `json:"written"`
	Kept        []pathReason `json:"kept"`
	Failed      []pathReason `json:"failed"`
	Notes       []string     `json:"notes"`
	Sync        *syncOutcome `json:"sync"` // null when none was run
}

type fileAction struct {
	Path   string          `json:"path"`
	Action scaffold.Action `json:"action"`
	Reason string          `json:"reason"`
}

type pathReason struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// syncOutcome is what became of the sync that follows. It never fails the
// command it belongs to.
type syncOutcome struct {
	OK      bool     `json:"ok"`
	Written []string `json:"written"`
	Error   string   `json:"error"` // "Type: message", "" when ok
	// Edited are the written paths, ours, that someone had changed by hand.
	Edited []string `json:"edited"`
	// Conflicts, Refused and Stale are what a person has to decide; they are not a
	// failure.
	Conflicts []pathReason `json:"conflicts"`
	Refused   []pathReason `json:"refused"` // cannot be written as things are
	Stale     []string     `json:"stale"`   // ours, and nothing asks for them any more

	hosts []hostCount
}

// hostCount is what became of one host's files.
type hostCount struct {
	alias, name    string
	written, files int
	paths          []string     // written
	merges         []string     // where it has entries in a user's file
	problems       []pathReason // skipped or failed
}

// prepare looks at what the project at root lacks.
func (a *app) prepare(root string, o scaffold.Options) (*scaffold.Plan, error) {
	o.Hosts, o.Language = bundledProfiles(), a.lang
	return scaffold.Prepare(root, o)
}

func bundledProfiles() []pluginsdk.Profile {
	var profiles []pluginsdk.Profile
	for _, e := range bundled.Emitters() {
		profiles = append(profiles, e.Profile())
	}
	return profiles
}

func (a *app) newSetup(p *scaffold.Plan) *setup {
	s := &setup{
		Root: p.Root, Initialized: !p.New, UpToDate: len(p.Pending()) == 0,
		Hosts: append([]string{}, p.Hosts...), Stack: p.Stack,
		Pending: []fileAction{}, Written: []string{}, Kept: []pathReason{}, Failed: []pathReason{}, Notes: []string{},
	}
	for _, f := range p.Pending() {
		s.Pending = append(s.Pending, fileAction{f.Path, f.Action, f.Why.In(a.lang)})
	}
	for _, f := range p.Kept() {
		s.Kept = append(s.Kept, pathReason{f.Path, f.Why.In(a.lang)})
	}
	for _, t := range p.Warnings {
		s.Notes = append(s.Notes, t.In(a.lang))
	}
	if w, ok := project.Misnamed(p.Root); ok {
		s.Notes = append(s.Notes, w.In(a.lang))
	}
	if note, ok := host.BelowGitRoot(p.Root); ok {
		s.Notes = append(s.Notes, note.In(a.lang))
	}
	return s
}

// write makes the plan's files, then has the hosts' files made. Only what the
// scaffold itself could not write is a problem of the command.
func (a *app) write(ctx context.Context, p *scaffold.Plan, s *setup, force bool) error {
	return a.writeWithout(ctx, p, s, force, "")
}

// writeWithout is write with one host, by its alias, left alone.
func (a *app) writeWithout(ctx context.Context, p *scaffold.Plan, s *setup, force bool, without string) error {
	out, err := p.Apply()
	s.Written = out.Written
	for _, f := range out.Failed {
		s.Failed = append(s.Failed, pathReason{f.Path, f.Text().In(a.lang)})
	}
	if err != nil {
		return err
	}
	if slices.ContainsFunc(s.Failed, func(f pathReason) bool { return f.Path == project.ConfigFile }) {
		a.warn(surface.Text{
			FR: project.ConfigFile + " n'a pas pu être écrit : les fichiers des hôtes, qui en dépendent, ne l'ont pas été",
			EN: project.ConfigFile + " could not be written: the hosts' files, which depend on it, were not"})
		return nil
	}
	s.Sync = a.syncAfter(ctx, p.Root, host.SyncOptions{Host: host.AllHosts, Force: force, Without: without})
	if !s.Sync.OK {
		what := printable(strings.ReplaceAll(s.Sync.Error, "\n", " · "))
		a.warn(surface.Text{
			FR: "la synchronisation des hôtes n'a pas abouti (" + what + ") ; corrige, puis relance `grimoire host sync`",
			EN: "the hosts' files could not all be written (" + what + "); fix that, then run `grimoire host sync`"})
	}
	return nil
}

// syncAfter runs the sync, or the preview of one, and tells how it went.
func (a *app) syncAfter(ctx context.Context, root string, o host.SyncOptions) *syncOutcome {
	out := &syncOutcome{OK: true, Written: []string{}, Edited: []string{}, Conflicts: []pathReason{}, Refused: []pathReason{}, Stale: []string{}}
	w, err := host.Open(ctx, root, !o.DryRun, a.environ)
	if err != nil {
		out.fail(a, err)
		return out
	}
	defer w.Close()
	for _, t := range w.Warnings {
		a.warn(t)
	}
	result, err := w.Sync(ctx, o)
	if result != nil {
		for _, t := range result.Warnings {
			a.warn(t)
		}
		for _, f := range result.Stale {
			out.Stale = append(out.Stale, f.Path)
		}
		for _, h := range result.Hosts {
			out.add(a, h)
			if known, err := w.Catalog.Resolve(h.Host); err == nil && h.Failure == nil {
				c := hostCount{alias: known.Profile.Alias(), name: known.Name(), written: len(h.Written), files: len(h.Written) + len(h.Unchanged), paths: h.Written, merges: known.Profile.Merges}
				for _, p := range slices.Concat(h.Skipped, h.Failed) {
					c.problems = append(c.problems, pathReason{p.Path, p.Reason.In(a.lang)})
				}
				out.hosts = append(out.hosts, c)
			}
		}
	}
	if err != nil {
		out.fail(a, err)
	}
	return out
}

func (out *syncOutcome) add(a *app, h host.HostResult) {
	// Two hosts may share a file.
	for _, path := range slices.Concat(h.Written, h.Deleted) {
		if !slices.Contains(out.Written, path) {
			out.Written = append(out.Written, path)
		}
	}
	for _, path := range h.Edited {
		if !slices.Contains(out.Edited, path) {
			out.Edited = append(out.Edited, path)
		}
	}
	for _, p := range h.Skipped {
		to := &out.Conflicts
		if p.Refused {
			to = &out.Refused
		}
		if left := (pathReason{p.Path, p.Reason.In(a.lang)}); !slices.Contains(*to, left) {
			*to = append(*to, left)
		}
	}
	for _, f := range h.Failed {
		out.fail(a, host.Refusal{FR: f.Path + " : " + f.Reason.FR, EN: f.Path + ": " + f.Reason.EN})
	}
	if h.Failure != nil {
		out.fail(a, h.Failure)
	}
}

// reached reports whether a host has files now.
func (out *syncOutcome) reached() bool {
	return out.OK && slices.ContainsFunc(out.hosts, func(h hostCount) bool { return h.files > 0 })
}

// fail keeps the first error; the sync itself tells them all.
func (out *syncOutcome) fail(a *app, err error) {
	if out.OK {
		out.OK, out.Error = false, errorType(err)+": "+message(err, a.lang)
	}
}

// errorType is the stable word for the kind of an error.
func errorType(err error) string {
	var mistake *project.Error
	var failure *plugin.Failure
	var fault *tree.Fault
	var refusal host.Refusal
	switch {
	case errors.As(err, &mistake):
		return "ProjectError"
	case errors.As(err, &failure):
		return "EmitterError"
	case errors.As(err, &fault), errors.As(err, &refusal):
		return "FileError"
	case errors.Is(err, sync.ErrBusy):
		return "BusyError"
	case errors.Is(err, context.Canceled):
		return "Canceled"
	}
	return "Error"
}

// showPlan says what would be written, before anything is.
func (a *app) showPlan(s *setup) {
	a.showProject(s)
	for _, f := range s.Pending {
		sign := a.green("+")
		if f.Action != scaffold.Create {
			sign = a.yellow("~")
		}
		a.printf("  %s %s\n", sign, printable(f.Path))
	}
}

func (a *app) showProject(s *setup) {
	say := func(what, value string) {
		if value != "" {
			a.printf("%s%s%s\n", a.bold(what), a.colon(), printable(value))
		}
	}
	say(a.text("projet", "project"), s.Root)
	say(a.text("hôtes", "hosts"), strings.Join(s.Hosts, ", "))
	say(a.text("technique", "stack"), strings.Join(s.Stack, ", "))
}

// showAreas says where the emitters of the enabled hosts may write, and what
// becomes of the instruction files that a person wrote there.
func (a *app) showAreas(s *setup, handWritten []string, force bool) {
	a.printf("%s\n", a.text("puis, pour chaque hôte activé :", "then, for each enabled host:"))
	for _, p := range bundledProfiles() {
		if !slices.Contains(s.Hosts, p.Alias()) {
			continue
		}
		a.printf("  %s%s%s", p.DisplayName, a.colon(), strings.Join(p.Owns, ", "))
		if len(p.Merges) > 0 {
			a.printf(a.text(" ; nos entrées dans %s", "; entries of ours in %s"), strings.Join(p.Merges, a.text(" ou ", " or ")))
		}
		a.printf("\n")
	}
	for _, path := range handWritten {
		if force {
			a.printf("  %s %s: %s\n", a.red("!"), path, a.text("écrit à la main, sera remplacé", "written by hand, will be replaced"))
		} else {
			a.printf("  %s %s: %s\n", a.yellow("!"), path, a.text("écrit à la main, sera laissé tel quel", "written by hand, will be left as it is"))
		}
	}
}

// showOutcome says what was written, what was left alone, and what is left to
// decide.
func (a *app) showOutcome(s *setup, listed bool) {
	if !listed {
		for _, path := range s.Written {
			a.printf("  %s %s\n", a.green("+"), printable(path))
		}
	}
	a.printf("%s\n", a.number(len(s.Written), "fichier du projet écrit", "fichiers du projet écrits", "project file(s) written"))
	if s.Sync != nil {
		for _, h := range s.Sync.hosts {
			a.printf("%s%s%s, %s\n", a.bold(printable(h.name)), a.colon(), a.number(h.written, "fichier écrit", "fichiers écrits", "file(s) written"), counted(h.files, a.text("en tout", "in all")))
		}
	}
	a.showRest(s)
}

// showRest is what a person has to know or decide.
func (a *app) showRest(s *setup) {
	for _, f := range s.Failed {
		a.printf("  %s %s: %s\n", a.red("!"), printable(f.Path), printable(f.Reason))
	}
	for _, k := range s.Kept {
		a.printf("  %s %s: %s\n", a.dim("·"), printable(k.Path), printable(k.Reason))
	}
	if s.Sync != nil {
		a.showDecisions(s.Sync, s.DryRun)
	}
	for _, n := range s.Notes {
		a.printf("%s %s\n", a.yellow("[!]"), printable(n))
	}
}

// showDecisions says what the sync left to a person, and what it changed of
// theirs.
func (a *app) showDecisions(o *syncOutcome, dryRun bool) {
	for _, path := range o.Edited {
		what := a.text("avait été modifié à la main ; régénéré (modifie plutôt sa source)", "had been changed by hand; regenerated (edit its source instead)")
		if dryRun {
			what = a.text("modifié à la main ; sera régénéré", "changed by hand; will be regenerated")
		}
		a.printf("  %s %s: %s\n", a.yellow("~"), printable(path), what)
	}
	for _, r := range o.Refused {
		a.printf("  %s %s: %s\n", a.red("!"), printable(r.Path), printable(r.Reason))
	}
	if len(o.Conflicts)+len(o.Stale) == 0 {
		return
	}
	a.printf("%s\n", a.text("À toi de décider (rien n'y a été touché) :", "Yours to decide (nothing there was touched):"))
	for _, c := range o.Conflicts {
		a.printf("  %s %s: %s\n", a.yellow("!"), printable(c.Path), printable(c.Reason))
	}
	for _, path := range o.Stale {
		a.printf("  %s %s: %s\n", a.yellow("!"), printable(path), a.text(
			"plus rien ne le demande ; `grimoire host sync --prune-stale` le retire",
			"nothing asks for it any more; `grimoire host sync --prune-stale` removes it"))
	}
}

// addHostsFlag declares the --host of init, which may be repeated.
func addHostsFlag(a *app, cmd *cobra.Command, names *[]string) {
	cmd.Flags().StringSliceVar(names, "host", nil,
		a.text("activer ces hôtes plutôt que ceux qui sont détectés (liste, ou option répétée)",
			"enable these hosts instead of those detected (a list, or repeat the flag)"))
	_ = cmd.RegisterFlagCompletionFunc("host", completeHosts())
}

// aliases turns what people type after --host into the names hosts.enabled
// takes, in the order hosts are listed.
func aliases(names []string) ([]string, error) {
	catalog, err := plugin.NewCatalog(bundled.Emitters())
	if err != nil {
		return nil, err
	}
	wanted := map[string]bool{}
	for _, name := range names {
		h, err := catalog.Resolve(name)
		if err != nil {
			return nil, err
		}
		wanted[h.Profile.Alias()] = true
	}
	var out []string
	for _, h := range catalog.Hosts() {
		if wanted[h.Profile.Alias()] {
			out = append(out, h.Profile.Alias())
		}
	}
	return out, nil
}
