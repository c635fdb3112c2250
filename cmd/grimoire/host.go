package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/core/host"
	"github.com/grimoire-kit/grimoire/core/project"
	"github.com/grimoire-kit/grimoire/emitters/bundled"
	"github.com/grimoire-kit/grimoire/surface"
)

func newHost(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "host",
		Short: a.text("Surfaces des hôtes : lister, synchroniser, expliquer", "Surfaces of hosts: list, sync, explain"),
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		newHostList(a),
		newHostSurface(a),
		newHostSync(a),
		newHostStatus(a),
		newHostRun(a),
		newHostWhy(a),
		newHostRemove(a),
		newHostHook(a),
	)
	return cmd
}

// root is the folder of the project a command is about: the nearest around the
// folder named, else around the current one. A command that writes wants a
// project that is really there.
func (a *app) root(mustExist bool) (string, error) {
	start := a.startDir()
	if info, err := os.Stat(start); err != nil || !info.IsDir() {
		return "", host.Refusal{
			FR: "--project-root " + start + " : ce n'est pas un dossier.",
			EN: "--project-root " + start + ": it is not a folder.",
		}
	}
	root, ok := project.FindRoot(start)
	misnamed, isMisnamed := project.Misnamed(start)
	switch {
	case ok || !mustExist:
		return root, nil
	case isMisnamed:
		return "", host.Refusal{FR: misnamed.In(surface.French), EN: misnamed.In(surface.English)}
	case a.dir != "":
		return "", host.Refusal{
			FR: "Aucun projet Grimoire dans " + a.dir + " ni au-dessus : lance `grimoire init --project-root " + a.dir + "`.",
			EN: "No Grimoire project in " + a.dir + " or above: run `grimoire init --project-root " + a.dir + "`.",
		}
	}
	return "", host.Refusal{
		FR: "Aucun projet Grimoire ici ni au-dessus : lance `grimoire init`, ou nomme son dossier avec --project-root.",
		EN: "No Grimoire project here or above: run `grimoire init`, or name its folder with --project-root.",
	}
}

// open reads the project of a command. Ctrl-C ends what follows cleanly.
func (a *app) open(ctx context.Context, toWrite bool) (*host.Workspace, error) {
	return a.openWith(ctx, host.Open, toWrite, toWrite)
}

// openThere is open for a command that writes nothing and has nothing to say where
// there is no project.
func (a *app) openThere(ctx context.Context) (*host.Workspace, error) {
	return a.openWith(ctx, host.Open, true, false)
}

// openHosts is open for what is about hosts alone: a persona at fault is a warning.
func (a *app) openHosts(ctx context.Context, mustExist, toWrite bool) (*host.Workspace, error) {
	w, err := a.openWith(ctx, host.OpenHosts, mustExist, toWrite)
	if err == nil && w.Broken != nil {
		a.warn(host.TextOf(w.Broken))
	}
	return w, err
}

type opener func(ctx context.Context, root string, toWrite bool, getenv func(string) string) (*host.Workspace, error)

func (a *app) openWith(ctx context.Context, open opener, mustExist, toWrite bool) (*host.Workspace, error) {
	root, err := a.root(mustExist)
	if err != nil {
		return nil, err
	}
	w, err := open(ctx, root, toWrite, a.environ)
	if err != nil {
		return nil, err
	}
	for _, t := range w.Warnings {
		a.warn(t)
	}
	return w, nil
}

// interruptible is a context that ends with Ctrl-C or a polite kill.
func interruptible(cmd *cobra.Command) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
}

// addHostFlag declares --host with its completion.
func addHostFlag(a *app, cmd *cobra.Command, name *string) {
	cmd.Flags().StringVar(name, "host", host.AllHosts,
		a.text("hôte : un nom, all (tous les hôtes activés) ou auto (celui qui nous lance)",
			"host: a name, all (every enabled host) or auto (the one that started us)"))
	_ = cmd.RegisterFlagCompletionFunc("host", completeHosts(host.AllHosts, host.AutoHost))
}

// completeHosts completes bundled hosts: a shell's Tab must not start plugins.
func completeHosts(extra ...string) cobra.CompletionFunc {
	names := extra
	for _, e := range bundled.Emitters() {
		names = append(names, e.Profile().Alias())
	}
	return cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp)
}
