package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/core/enrol"
	"github.com/grimoire-kit/grimoire/core/host"
	"github.com/grimoire-kit/grimoire/core/scaffold"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
)

// enrolment is the JSON of `standard init`; lists are never null.
type enrolment struct {
	OK             bool          `json:"ok"`
	Profile        string        `json:"profile"`
	Root           string        `json:"project_root"`
	DryRun         bool          `json:"dry_run"`
	Providers      []string      `json:"providers"`
	ProviderPolicy string        `json:"provider_policy"`
	Written        []string      `json:"written"`
	Skipped        []string      `json:"skipped"`
	Kept           []pathReason  `json:"kept"` // those of skipped that differ from what would be written
	Failed         []pathReason  `json:"failed"`
	Plan           *standardPlan `json:"plan"`               // as it was decided, before anything was written
	ExtrasRan      bool          `json:"install_extras_ran"` // always false: grimoire runs no package manager
	Activation     *activation   `json:"claude_activation"`
	Sync           *syncOutcome  `json:"sync"` // null when none was run
}

// activation says whether Claude Code will call the hook in this project.
type activation struct {
	// Status is active, planned (a dry run), skipped (--no-claude-hook),
	// not_enabled (no host of this project) or failed.
	Status  string   `json:"status"`
	Written []string `json:"written"`
	Message string   `json:"message"`
}

// claudeHost is the host whose hook --claude-hook is about.
const claudeHost = "claude"

// initFlags are the options of `standard init` alone.
type initFlags struct {
	dryRun, interactive, extras bool
	hook, noHook                bool
}

func newStandardInit(a *app) *cobra.Command {
	var c choices
	var f initFlags
	cmd := &cobra.Command{
		Use:   a.text("init [dossier]", "init [folder]"),
		Short: a.text("Suivre le standard, ou monter de profil", "Follow the standard, or raise the profile"),
		Long: a.text(`Écrit dans _grimoire/standard/ les fichiers que demande le profil, ceux des besoins
(--needs) et des motifs (--pattern), puis lance la synchronisation, dont l'échec est
dit et ne fait pas échouer init. Un fichier que quelqu'un a écrit ou modifié est
gardé ; --force le remplace, sauf le tableau des tâches. Un fichier que personne n'a
modifié suit le profil. Un profil plus faible que celui du projet est refusé : c'est
à une personne de l'écrire.

Sans --profile, un besoin peut monter le profil ; « standard plan » le dit d'avance.
Le choix est noté dans install-manifest.yaml et ne fait que s'étendre : pour en
retirer un mot, une personne le retire là. Les mémoires (--memory) y sont notées ;
--install-extras dit ce qu'elles demandent à cette machine, sans rien installer.

hosted-safe : un fournisseur hébergé n'a que des données publiques ou internes.
local-first : de même, et le fournisseur local passe avant. mixed : un fournisseur
hébergé a aussi les données confidentielles.

Les hooks de Claude Code viennent avec la synchronisation ; --no-claude-hook ne
touche pas à ses fichiers cette fois-ci.

Codes de sortie : 0 · 1 refusé, ou un fichier n'a pas pu être écrit · 2 ligne de
commande invalide (aussi --interactive sans terminal).`,
			`Writes into _grimoire/standard/ the files that the profile asks for, with those of
needs (--needs) and patterns (--pattern), then runs the sync, whose failure is told
and does not fail init. A file that somebody wrote or changed is kept; --force
replaces it, except the board of tasks. A file that nobody changed follows the
profile. A profile weaker than the project's is refused: a person has to write that.

Without --profile, a need may raise the profile; "standard plan" tells beforehand.
The choice is recorded in install-manifest.yaml and only grows: to take a word out, a
person takes it out there. Stores of memory (--memory) are recorded there;
--install-extras says what they want from this machine, and installs nothing.

hosted-safe: a hosted provider gets public and internal data alone. local-first: the
same, and the local provider comes first. mixed: a hosted provider gets confidential
data too.

Claude Code's hooks come with the sync; --no-claude-hook leaves its files alone this
time.

Exit codes: 0 · 1 refused, or a file could not be written · 2 an invalid command line
(also --interactive without a terminal).`),
		Example: `  grimoire standard init
  grimoire standard init --profile governed --provider claude
  grimoire standard init --needs multi-agent,web-ui --pattern cost-registry
  grimoire standard init --interactive
  grimoire standard init --profile production --dry-run -o json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.standardInit(cmd, args, &c, f) },
	}
	c.add(a, cmd)
	flags := cmd.Flags()
	flags.BoolVar(&f.dryRun, "dry-run", false, a.text("dire ce qui serait écrit, sans rien écrire", "say what would be written, write nothing"))
	flags.BoolVarP(&f.interactive, "interactive", "i", false, a.text("demander ce que les options ne disent pas (sur un terminal)", "ask for what the flags do not say (on a terminal)"))
	flags.BoolVar(&f.extras, "install-extras", false, a.text("dire ce que les mémoires demandent à cette machine ; n'installe rien", "say what the stores of memory want from this machine; installs nothing"))
	flags.BoolVar(&f.hook, "claude-hook", false, a.text("écrire les hooks de Claude Code (c'est le défaut), et dire s'il n'est pas activé", "write Claude Code's hooks (the default), and say so if it is not enabled"))
	flags.BoolVar(&f.noHook, "no-claude-hook", false, a.text("ne pas toucher aux fichiers de Claude Code cette fois-ci", "leave Claude Code's files alone this time"))
	return cmd
}

func (a *app) standardInit(cmd *cobra.Command, args []string, c *choices, f initFlags) error {
	if f.hook && f.noHook {
		return usageError{errors.New(a.text("--claude-hook et --no-claude-hook se contredisent", "--claude-hook and --no-claude-hook contradict each other"))}
	}
	if _, err := c.options(a); err != nil {
		return err
	}
	root, err := a.standardRoot(args)
	if err != nil {
		return err
	}
	if f.interactive {
		if err := a.interview(cmd, root, c); err != nil {
			return err
		}
	}
	o, err := c.options(a)
	if err != nil {
		return err
	}
	plan, err := a.prepareStandard(root, o)
	if err != nil {
		return err
	}
	defer plan.Close()
	for _, t := range plan.Warnings {
		a.warn(t)
	}
	e := a.enrolment(root, plan, f.dryRun)
	// The project's kit has texts that only make sense from now on.
	kit, err := a.prepare(root, scaffold.Options{})
	if err != nil {
		return err
	}
	enabled := slices.Contains(kit.Hosts, claudeHost)
	if err := kit.Close(); err != nil {
		return err
	}
	if !f.dryRun {
		if f.interactive {
			if !a.json() {
				a.showPlanOf(e.Plan)
			}
			if !a.confirm(a.text("Écrire ?", "Write?")) {
				return host.Refusal{FR: "Rien n'a été écrit.", EN: "Nothing was written."}
			}
		}
		ctx, cancel := interruptible(cmd)
		defer cancel()
		if err := a.enrol(ctx, root, plan, e, f.noHook); err != nil {
			return err
		}
	}
	e.Activation = a.activation(e.Sync, enabled, f)
	if f.hook && e.Activation.Status == "not_enabled" {
		a.say("grimoire: %s\n", e.Activation.Message)
	}
	if a.json() {
		err = a.printJSON(e)
	} else {
		a.showEnrolment(e, f)
	}
	if err == nil && !e.OK {
		return errReported
	}
	return err
}

// interview asks for what the command line leaves open.
func (a *app) interview(cmd *cobra.Command, root string, c *choices) error {
	f, err := standard.Open(root)
	if err != nil {
		return err
	}
	defer f.Close()
	follows := f.Followed()
	if err := follows.Problem(); err != nil {
		return err
	}
	return a.inquire(cmd, c, follows.Profile, f.EnabledProviders())
}

// enrol writes the plan, opens the ledger and runs the sync.
func (a *app) enrol(ctx context.Context, root string, plan *enrol.Plan, e *enrolment, noHook bool) error {
	out, err := plan.Apply()
	if err != nil {
		return err
	}
	e.Written = out.Written
	for _, fault := range out.Failed {
		e.Failed = append(e.Failed, pathReason{fault.Path, fault.Text().In(a.lang)})
	}
	e.OK = len(e.Failed) == 0
	if err := plan.OpenLedger(ctx, out.Written); err != nil {
		return err
	}
	kit, err := a.prepare(root, scaffold.Options{})
	if err != nil {
		return err
	}
	defer kit.Close()
	s, without := a.newSetup(kit), ""
	if noHook {
		without = claudeHost
	}
	if err := a.writeWithout(ctx, kit, s, false, without); err != nil {
		return err
	}
	e.Written, e.Sync = append(e.Written, s.Written...), s.Sync
	return nil
}

// activation says what became of Claude Code's hook.
func (a *app) activation(sync *syncOutcome, enabled bool, f initFlags) *activation {
	out := &activation{Written: []string{}}
	say := func(status, fr, en string) *activation {
		out.Status, out.Message = status, a.text(fr, en)
		return out
	}
	switch {
	case f.noHook:
		return say("skipped", "les fichiers de Claude Code n'ont pas été touchés ; `grimoire host sync --host claude` les écrit",
			"Claude Code's files were left alone; `grimoire host sync --host claude` writes them")
	case !enabled:
		return say("not_enabled", "Claude Code n'est pas dans hosts.enabled de project-context.yaml : ajoute-y claude, puis `grimoire host sync`",
			"Claude Code is not in hosts.enabled of project-context.yaml: add claude there, then `grimoire host sync`")
	case f.dryRun:
		return say("planned", "la synchronisation qui suit écrira ses hooks", "the sync that follows will write its hooks")
	}
	at := -1
	if sync != nil {
		at = slices.IndexFunc(sync.hosts, func(h hostCount) bool { return h.alias == claudeHost })
	}
	if at < 0 {
		return say("failed", "la synchronisation n'a pas abouti ; `grimoire doctor` dit ce qui reste", "the sync did not get there; `grimoire doctor` says what is left")
	}
	h := sync.hosts[at]
	out.Written = append(out.Written, h.paths...)
	for _, p := range h.problems {
		if slices.Contains(h.merges, p.Path) { // where the hook's entries stand
			return say("failed", p.Path+" : "+p.Reason, p.Path+": "+p.Reason)
		}
	}
	return say("active", "ses hooks sont écrits ; `grimoire doctor` prouve qu'ils refusent", "its hooks are written; `grimoire doctor` proves that they refuse")
}

func (a *app) enrolment(root string, p *enrol.Plan, dryRun bool) *enrolment {
	e := &enrolment{OK: true, Profile: string(p.Profile), Root: root, DryRun: dryRun,
		Providers: append([]string{}, p.Providers...), ProviderPolicy: string(p.Policy),
		Written: p.Pending(), Skipped: p.Skipped(), Kept: []pathReason{}, Failed: []pathReason{}, Plan: a.standardPlan(p)}
	for _, f := range p.Kept() {
		e.Kept = append(e.Kept, pathReason{f.Path, f.Why.In(a.lang)})
	}
	return e
}

func (a *app) showEnrolment(e *enrolment, f initFlags) {
	a.showChoice(e.Plan)
	for _, path := range e.Written {
		a.printf("  %s %s\n", a.green("+"), printable(path))
	}
	for _, k := range e.Kept {
		a.printf("  %s %s: %s\n", a.dim("·"), printable(k.Path), printable(k.Reason))
	}
	for _, f := range e.Failed {
		a.printf("  %s %s: %s\n", a.red("!"), printable(f.Path), printable(f.Reason))
	}
	what := a.text("%d fichier(s) écrit(s), %d laissé(s)", "%d file(s) written, %d left alone")
	if e.DryRun {
		what = a.text("%d fichier(s) à écrire, %d laissé(s)", "%d file(s) to write, %d left alone")
	}
	a.printf(what+"\n", len(e.Written), len(e.Skipped))
	if e.Sync != nil {
		for _, h := range e.Sync.hosts {
			a.printf("%s: %s\n", a.bold(printable(h.name)), fmt.Sprintf(a.text("%d fichier(s) écrit(s), %d en tout", "%d file(s) written, %d in all"), h.written, h.files))
		}
		a.showDecisions(e.Sync, false)
	}
	if e.Activation.Status == "skipped" {
		a.printf("Claude Code%s%s\n", a.colon(), e.Activation.Message)
	}
	if surface.Profile(e.Profile).Rank() >= surface.ProfileControlled.Rank() && len(e.Providers) == 0 {
		a.printf("%s %s\n", a.yellow("[!]"), a.text(
			"aucun fournisseur de modèles n'est activé : grimoire standard init --provider "+strings.Join(enrol.ProviderNames(), "|"),
			"no provider of models is enabled: grimoire standard init --provider "+strings.Join(enrol.ProviderNames(), "|")))
	}
	a.showExtras(e.Plan.Extras)
	if f.extras && !slices.ContainsFunc(e.Plan.Extras, func(x extra) bool { return !x.Found }) {
		a.printf("%s\n", a.text("--install-extras : rien ne manque à cette machine", "--install-extras: this machine lacks nothing"))
	}
	if !e.DryRun {
		a.printf("%s\n", a.text("Ensuite : grimoire standard verify", "Next: grimoire standard verify"))
	}
}
