package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/core/host"
	"github.com/grimoire-kit/grimoire/core/sync"
	"github.com/grimoire-kit/grimoire/surface"
)

func newHostStatus(a *app) *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:   "status",
		Short: a.text("Écart entre ce que le projet déclare et ce que l'hôte exécute", "Distance between what the project declares and what the host runs"),
		Long: a.text(`N'écrit rien. Code 0 si chaque hôte est à jour et qu'aucun fichier n'est périmé, 1
sinon, comme « grimoire host sync --check » ; les orphelins d'un hôte désactivé ne
comptent pas.`,
			`Writes nothing. Exit 0 when every host is up to date and no file is stale, 1
otherwise, as "grimoire host sync --check"; orphans of a disabled host do not
count.`),
		Example: `  grimoire host status
  grimoire host status --host gemini
  grimoire host status -o json | jq '.hosts[].pending'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, cancel := interruptible(cmd)
			defer cancel()
			p := a.progress(a.text("Comparaison avec le disque", "Comparing with the disk"))
			defer p.stop()
			w, err := a.openThere(ctx)
			if err != nil {
				return err
			}
			defer w.Close()
			s, err := w.Status(ctx, name)
			p.stop()
			if err != nil {
				return err
			}
			if a.json() {
				err = a.printJSON(s.JSON(strings.EqualFold(name, host.AllHosts), a.lang))
			} else {
				a.showStatus(s)
			}
			if err == nil && !s.InSync() {
				return errReported
			}
			return err
		},
	}
	addHostFlag(a, cmd, &name)
	return cmd
}

func (a *app) showStatus(s *host.Status) {
	for _, h := range s.Hosts {
		a.showHostStatus(h)
	}
	if len(s.Hosts) == 0 {
		a.printf("%s\n", a.text("Aucun hôte activé.", "No host is enabled."))
	}
	switch {
	case s.EntryAgent != "":
		a.printf("%s%s%s\n", a.text("persona d'entrée", "entry persona"), a.colon(), s.EntryAgent)
	case s.EntryDeclared != "":
		a.printf("%s %s\n", a.yellow("[!]"), printable(host.NoSuchEntry(s.EntryDeclared).In(a.lang)))
	default:
		a.printf("%s\n", a.text("pas de persona d'entrée", "no entry persona"))
	}
	if len(s.Inferred) > 0 {
		a.printf("%s%s%s (%s)\n", a.text("frontière d'outils déduite du texte", "tool boundary inferred from the text"), a.colon(), strings.Join(s.Inferred, ", "),
			a.text("un champ `tools` la fige", "a `tools` field settles it"))
	}
	for _, f := range s.Skipped {
		a.printf("%s %s: %s\n", a.yellow("[!]"), printable(at(f.Path, f.Line)), printable(f.Reason.In(a.lang)))
	}
	for _, f := range s.Warnings {
		a.printf("%s %s: %s\n", a.yellow("[!]"), printable(at(f.Path, f.Line)), printable(f.Text.In(a.lang)))
	}
	for _, n := range s.Notes {
		a.printf("%s %s\n", a.yellow("[!]"), printable(n.In(a.lang)))
	}
	if len(s.Stale) > 0 {
		a.printf("%s\n", a.text("fichiers que plus rien ne demande (`grimoire host sync --prune-stale` les retire) :", "files that nothing asks for any more (`grimoire host sync --prune-stale` removes them):"))
		for _, f := range s.Stale {
			a.printf("  %s\n", printable(f.Path))
		}
	}
	for _, o := range s.Orphans {
		a.showOrphans(o)
	}
}

func (a *app) showOrphans(o host.HostOrphans) {
	name := printable(o.Name)
	if len(o.Files) > 0 {
		a.printf(a.text("orphelins de %s, qui n'est pas activé (`grimoire host sync --prune-disabled` les retire) :\n", "orphans of %s, which is not enabled (`grimoire host sync --prune-disabled` removes them):\n"), name)
		for _, f := range o.Files {
			a.printf("  %s\n", printable(f.Path))
		}
	}
	if len(o.Entries) > 0 {
		whose := a.text("entrées de %s, qui n'est pas activé, dans tes fichiers (`grimoire host remove %s` les retire) :\n", "entries of %s, which is not enabled, in your files (`grimoire host remove %s` takes them out):\n")
		if o.Forgotten {
			whose = a.text("entrées de %s, dont l'émetteur n'est plus là, dans tes fichiers (`grimoire host remove %s` les retire) :\n", "entries of %s, whose emitter is not here any more, in your files (`grimoire host remove %s` takes them out):\n")
		}
		a.printf(whose, name, printable(o.Profile.Alias()))
		for _, held := range o.Entries {
			a.printf("  %s: %s\n", printable(held.Path), printable(host.CountEntries(held.Entries)))
		}
	}
}

func (a *app) showHostStatus(h host.HostStatus) {
	name := a.bold(printable(h.Name))
	switch {
	case h.Failure != nil:
		a.showFailure(h.Name, h.Failure)
		return
	case h.InSync():
		a.printf("%s%s%s\n", name, a.colon(), a.green(a.text("à jour", "in sync")))
	default:
		a.printf("%s%s%s\n", name, a.colon(), a.yellow(a.text("en écart", "out of sync")))
	}
	for _, path := range h.Pending {
		a.printf("  %s %s\n", a.green("+"), printable(path))
	}
	a.showProblems(h.Conflicts)
	for _, path := range h.Edited {
		a.printf("  %s %s: %s\n", a.yellow("~"), printable(path), printable(sync.ChangedByHand(h.Entries[path]).In(a.lang)))
	}
	a.showNotes(h.Notes)
	if len(h.BlockingHooks) > 0 {
		a.printf("  %s%s%s\n", a.text("hooks bloquants", "blocking hooks"), a.colon(), events(h.BlockingHooks))
	}
	if len(h.UnsupportedEvents) > 0 {
		a.printf("  %s%s%s\n", a.text("événements que l'hôte n'appelle pas", "events the host does not call"), a.colon(), events(h.UnsupportedEvents))
	}
	for _, n := range h.CannotFire {
		a.printf("  %s %s: %s\n", a.yellow("!"), printable(n.Rule), printable(n.Reason.In(a.lang)))
	}
	for _, d := range h.Degradations {
		a.printf("  %s %s%s%s → %s\n", a.dim("·"), a.lost(d.Surface), a.colon(), printable(d.Reason.In(a.lang)), printable(d.Fallback.In(a.lang)))
	}
}

func events(list []surface.HookEvent) string {
	words := make([]string, len(list))
	for i, e := range list {
		words[i] = string(e)
	}
	return strings.Join(words, ", ")
}

// at is a place in a file; line 0 is the whole of it.
func at(path string, line int) string {
	if line == 0 {
		return path
	}
	return fmt.Sprintf("%s:%d", path, line)
}

func counted(n int, what string) string { return fmt.Sprintf("%d %s", n, what) }
