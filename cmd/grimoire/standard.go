package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/core/host"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
)

func newStandard(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "standard",
		Short: a.text("Le standard : profils, fichiers, preuves", "The standard: profiles, files, evidence"),
		Long: a.text(`Un projet suit le standard à l'un de cinq profils, de faible à fort : starter,
controlled, orchestrated, governed, production. Les fichiers sont dans
_grimoire/standard/ ; sous governed et production, les hooks refusent une clôture
dont les preuves manquent.`,
			`A project follows the standard at one of five profiles, from weak to strong:
starter, controlled, orchestrated, governed, production. The files are in
_grimoire/standard/; under governed and production, hooks refuse to close what
lacks its evidence.`),
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		newStandardInit(a),
		newStandardVerify(a),
		newStandardAudit(a),
		newStandardScore(a),
		newStandardGate(a),
		newStandardFix(a),
		newStandardTask(a), newStandardContext(a), newStandardDecision(a),
		newStandardBoard(a), newStandardMemory(a), newStandardRules(a), newStandardHooks(a), newStandardKnowledge(a),
		newStandardEvents(a), newStandardTraceability(a), newStandardUpstream(a),
		newStandardProfiles(a), newStandardNeeds(a), newStandardPattern(a), newStandardPlan(a),
		newStandardDetect(a), newStandardDoctor(a),
	)
	return cmd
}

// standardFlags are what the commands of the standard share.
type standardFlags struct {
	profile, task string
	named         func() bool // --task-id was given
}

func (f *standardFlags) add(a *app, cmd *cobra.Command, task string) {
	f.named = func() bool { return cmd.Flags().Changed("task-id") }
	cmd.Flags().StringVarP(&f.profile, "profile", "p", "", a.text("profil (défaut : celui du projet)", "profile (default: the project's)"))
	cmd.Flags().StringVar(&f.task, "task-id", "", task)
	words := make([]string, len(surface.Profiles))
	for i, p := range surface.Profiles {
		words[i] = string(p)
	}
	_ = cmd.RegisterFlagCompletionFunc("profile", cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// options reads the flags.
func (f *standardFlags) options() (o standard.Options, err error) {
	if f.profile != "" {
		if o.Profile, err = standard.ParseProfile(f.profile); err != nil {
			return o, usageError{err}
		}
	}
	if f.task != "" || f.named() { // an empty variable names no task, and not another one
		if err := standard.CheckTask(f.task); err != nil {
			return o, usageError{err}
		}
		o.Task = f.task
	}
	return o, nil
}

// bootstrapTask describes --task-id where it has a default.
func (a *app) bootstrapTask() string {
	return a.text("tâche dont les fichiers sont regardés (défaut : bootstrap)", "task whose files are looked at (default: bootstrap)")
}

// standardRoot is the project's folder. The existing kit's scripts name it as
// an argument: `grimoire standard verify .`.
func (a *app) standardRoot(args []string) (string, error) {
	if len(args) > 0 {
		if a.dir != "" && a.dir != args[0] {
			return "", usageError{errors.New(a.text("le dossier est nommé deux fois, par l'argument et par --project-root",
				"the folder is named twice, by the argument and by --project-root"))}
		}
		a.dir = args[0]
		a.lang = a.language()
	}
	return a.root(true)
}

// openStandard opens the project that a command only reads.
func (a *app) openStandard(args []string) (*standard.Folder, error) {
	root, err := a.standardRoot(args)
	if err != nil {
		return nil, err
	}
	return standard.Open(root)
}

// onStandard does what a command does on the standard of the project that its
// argument names, with its options; a command without any gives no flags.
func (a *app) onStandard(f *standardFlags, do func(*standard.Folder, standard.Options) error) func(*cobra.Command, []string) error {
	return func(_ *cobra.Command, args []string) error {
		var o standard.Options
		if f != nil {
			var err error
			if o, err = f.options(); err != nil {
				return err
			}
		}
		p, err := a.openStandard(args)
		if err != nil {
			return err
		}
		defer p.Close()
		return do(p, o)
	}
}

// standardCheck is the JSON of a check; its keys are the existing kit's, and
// line is only there where one is meant.
type standardCheck struct {
	ID       string            `json:"id"`
	Severity standard.Severity `json:"severity"`
	Message  string            `json:"message"`
	Path     *string           `json:"path"`
	Line     int               `json:"line,omitempty"`
}

func (a *app) standardChecks(checks []standard.Check) []standardCheck {
	out := make([]standardCheck, len(checks))
	for i, c := range checks {
		out[i] = standardCheck{ID: c.ID, Severity: c.Severity, Message: c.Text.In(a.lang), Path: orNull(c.Path), Line: c.Line}
	}
	return out
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// sign marks a finding by its weight.
func (a *app) sign(s standard.Severity) string {
	switch s {
	case standard.Error:
		return a.red("✗")
	case standard.Info:
		return a.dim("i")
	}
	return a.yellow("!")
}

// showChecks lists checks, each below its place.
func (a *app) showChecks(checks []standardCheck) {
	for _, c := range checks {
		a.printf("  %s %s\n      %s %s\n", a.sign(c.Severity), printable(place(c)), printable(c.Message), a.dim("("+c.ID+")"))
	}
}

func place(c standardCheck) string {
	switch {
	case c.Path == nil:
		return ""
	case c.Line > 0:
		return fmt.Sprintf("%s:%d", *c.Path, c.Line)
	}
	return *c.Path
}

// noteEvent says when the journal could not be written: no answer depends on
// it.
func (a *app) noteEvent(err error) {
	if err == nil {
		return
	}
	t := host.TextOf(err)
	a.warn(surface.Text{FR: "le journal du standard n'a pas pu être écrit (" + t.FR + ")", EN: "the standard's journal could not be written (" + t.EN + ")"})
}
