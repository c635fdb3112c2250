package main

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/core/enrol"
	"github.com/grimoire-kit/grimoire/core/host"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/governance/task"
	"github.com/grimoire-kit/grimoire/surface"
)

// standardGroup is a command of the standard that only holds others.
func standardGroup(use, short string, commands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(commands...)
	return cmd
}

// taskFlag is the option that names a task: GRIMOIRE_TASK_ID stands in for it.
type taskFlag struct {
	id    string
	named func() bool // the option was given
}

func (f *taskFlag) add(a *app, cmd *cobra.Command) {
	f.named = func() bool { return cmd.Flags().Changed("task-id") }
	cmd.Flags().StringVar(&f.id, "task-id", "", a.text("tâche (défaut : GRIMOIRE_TASK_ID, sinon celle de la session, sinon la seule en cours, sinon bootstrap)",
		"task (default: GRIMOIRE_TASK_ID, else the session's, else the only one under way, else bootstrap)"))
	_ = cmd.RegisterFlagCompletionFunc("task-id", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return a.taskIDs(&taskFlags{}), cobra.ShellCompDirectiveNoFileComp
	})
}

// task is the task that a command is about, which a path may be built of.
func (f *taskFlag) task(a *app, p *standard.Folder) (string, error) {
	id := f.id
	if !f.named() {
		id = strings.TrimSpace(a.environ("GRIMOIRE_TASK_ID"))
	}
	if id != "" || f.named() { // an empty variable names no task, and not another one
		if err := standard.CheckTask(id); err != nil {
			return "", usageError{err}
		}
		return id, nil
	}
	found, err := a.currentTask(p)
	if err != nil || found.ID != "" {
		return found.ID, err
	}
	if len(found.Candidates) > 0 {
		list := strings.Join(found.Candidates, ", ")
		return "", host.Refusal{FR: "Plusieurs tâches sont en cours (" + list + ") : nomme-la avec `--task-id " + found.Candidates[0] + "`.",
			EN: "Several tasks are under way (" + list + "): name one with `--task-id " + found.Candidates[0] + "`."}
	}
	return standard.Bootstrap, nil
}

// aboutTask is a command about the files of one task.
func aboutTask(a *app, use, short, long, example string, do func(cmd *cobra.Command, p *standard.Folder, id string) error) *cobra.Command {
	var f taskFlag
	cmd := &cobra.Command{
		Use: use + a.text(" [dossier]", " [folder]"), Short: short, Long: long, Example: example, Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := a.openTasks(args)
			if err != nil {
				return err
			}
			defer p.Close()
			id, err := f.task(a, p)
			if err != nil {
				return err
			}
			return a.taskError(do(cmd, p, id))
		},
	}
	f.add(a, cmd)
	return cmd
}

// scaffoldReport is the JSON of `standard task scaffold`; lists are never null.
type scaffoldReport struct {
	Task    string       `json:"task_id"`
	Profile string       `json:"profile"`
	DryRun  bool         `json:"dry_run"`
	Written []string     `json:"written"` // with dry_run: what would be
	Skipped []string     `json:"skipped"`
	Failed  []pathReason `json:"failed"`
}

func newStandardTask(a *app) *cobra.Command {
	var dryRun bool
	cmd := aboutTask(a, "scaffold", a.text("Écrire les fichiers d'une tâche qui manquent", "Write the files of a task that are missing"),
		a.text(`Écrit ceux des fichiers propres à la tâche que le profil connaît (enveloppe, preuves,
affirmations, acceptation), son contexte et la trace de ses décisions, et seulement
ceux qui manquent. La tâche doit être dans le journal des missions ou au tableau.`,
			`Writes those of the task's own files that the profile knows (envelope, evidence,
claims, acceptance), its context and the trace of its decisions, and only those that
are missing. The task must be in the mission ledger or on the board.`),
		`  grimoire standard task scaffold --task-id GAO-search-001
  grimoire standard task scaffold --task-id GAO-search-001 --dry-run`,
		func(_ *cobra.Command, p *standard.Folder, id string) error { return a.scaffoldTask(p, id, dryRun) })
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, a.text("dire ce qui serait écrit", "say what would be written"))
	return standardGroup("task", a.text("Les fichiers d'une tâche", "The files of a task"), cmd)
}

func (a *app) scaffoldTask(p *standard.Folder, named string, dryRun bool) error {
	desk := task.Open(p.Dir(), "")
	id, column, err := desk.Known(named)
	if err != nil {
		return err
	}
	now := time.Now()
	plan, err := enrol.PrepareTask(p.Dir(), enrol.Options{Task: id, Column: column, Language: a.lang, Now: now})
	if err != nil {
		return err
	}
	defer plan.Close()
	missing := desk.MissingContext(id)
	r := &scaffoldReport{Task: id, Profile: string(plan.Profile), DryRun: dryRun,
		Written: append(plan.Pending(), missing...), Skipped: plan.Skipped(), Failed: []pathReason{}}
	for _, path := range []string{task.ContextPath(id), task.DecisionPath(id)} {
		if !slices.Contains(missing, path) {
			r.Skipped = append(r.Skipped, path)
		}
	}
	if !dryRun && len(r.Written) > 0 {
		r.Written = []string{}
		if len(plan.Pending()) > 0 {
			out, err := plan.Apply()
			if err != nil {
				return err
			}
			for _, path := range out.Written {
				if path != enrol.ManifestPath {
					r.Written = append(r.Written, path)
				}
			}
			for _, fault := range out.Failed {
				r.Failed = append(r.Failed, pathReason{fault.Path, fault.Text().In(a.lang)})
			}
		}
		written, err := desk.CompleteContext(id, a.lang)
		r.Written = append(r.Written, written...)
		if err != nil {
			return err
		}
		a.noteEvent(enrol.Note(p.Dir(), enrol.Event{Type: "task.scaffolded", Task: id, Profile: r.Profile, At: now,
			Details: map[string]any{"written": r.Written}}))
	}
	if a.json() {
		err = a.printJSON(r)
	} else {
		for _, path := range r.Written {
			a.printf("  %s %s\n", a.green("+"), printable(path))
		}
		for _, f := range r.Failed {
			a.printf("  %s %s: %s\n", a.red("!"), printable(f.Path), printable(f.Reason))
		}
		what := a.text("%d fichier(s) écrit(s), %d laissé(s)", "%d file(s) written, %d left alone")
		if dryRun {
			what = a.text("%d fichier(s) à écrire, %d laissé(s)", "%d file(s) to write, %d left alone")
		}
		a.printf(what+"\n", len(r.Written), len(r.Skipped))
	}
	if err == nil && len(r.Failed) > 0 {
		return errReported
	}
	return err
}

func newStandardContext(a *app) *cobra.Command {
	return standardGroup("context", a.text("Le contexte d'une tâche, et le contrat qui le borne", "The context of a task, and the contract that bounds it"),
		aboutTask(a, "build", a.text("Assembler le contexte d'une tâche", "Put the context of a task together"),
			a.text(`Comme grimoire task context : écrit context-bundle.yaml, la trace des décisions, et
l'enveloppe si elle manque. Une tâche qui n'est qu'au tableau a aussi le sien.`,
				`As grimoire task context: writes context-bundle.yaml, the trace of the decisions, and
the envelope if it is missing. A task that is on the board alone has its own too.`),
			`  grimoire standard context build --task-id GAO-search-001
  grimoire -o json standard context build | jq .selected_sources`,
			func(_ *cobra.Command, p *standard.Folder, id string) error {
				return a.buildContext(task.Open(p.Dir(), ""), id)
			}),
		newStandardPart(a, "context"))
}

func newStandardDecision(a *app) *cobra.Command {
	var kind string
	explain := aboutTask(a, "explain", a.text("Dire ce que la trace dit de chaque décision", "Say what the trace says of each decision"),
		a.text("Lit decision-trace.yaml et n'écrit rien. Codes de sortie : 0 · 1 sans trace, ou décision inconnue.",
			"Reads decision-trace.yaml and writes nothing. Exit codes: 0 · 1 without a trace, or the decision is unknown."),
		`  grimoire standard decision explain --task-id GAO-search-001
  grimoire standard decision explain --type provider_routing`,
		func(_ *cobra.Command, p *standard.Folder, id string) error { return a.explainDecisions(p, id, kind) })
	explain.Flags().StringVar(&kind, "type", "", a.text("cette décision seulement", "this decision only"))
	_ = explain.RegisterFlagCompletionFunc("type", cobra.FixedCompletions(standard.DecisionTypes, cobra.ShellCompDirectiveNoFileComp))
	return standardGroup("decision", a.text("Les décisions d'une tâche, tracées", "The decisions of a task, traced"),
		aboutTask(a, "trace", a.text("Écrire la trace des décisions d'une tâche", "Write the trace of a task's decisions"),
			a.text("Une entrée par décision de decision-graph.yaml, dans decision-trace.yaml.",
				"A record for each decision of decision-graph.yaml, in decision-trace.yaml."),
			`  grimoire standard decision trace --task-id GAO-search-001`,
			func(_ *cobra.Command, p *standard.Folder, id string) error {
				trace, err := task.Open(p.Dir(), "").WriteTrace(id)
				if err != nil {
					return err
				}
				if a.json() {
					return a.printJSON(trace)
				}
				a.printf("  %s %s\n", a.green("+"), printable(task.DecisionPath(trace.Task)))
				a.printf(a.text("%d décision(s)", "%d decision(s)")+"\n", len(trace.Records))
				return nil
			}),
		explain)
}

// explanation is the JSON of `standard decision explain`.
type explanation struct {
	Task    string                `json:"task_id"`
	Path    string                `json:"path"`
	Profile string                `json:"profile"`
	Records []task.DecisionRecord `json:"records"`
}

func (a *app) explainDecisions(p *standard.Folder, id, kind string) error {
	path := task.DecisionPath(id)
	trace, err := task.Open(p.Dir(), "").ReadTrace(id)
	if errors.Is(err, fs.ErrNotExist) {
		remedy := "`grimoire standard decision trace --task-id " + id + "`"
		return host.Refusal{FR: path + " manque : " + remedy + " l'écrit.", EN: path + " is missing: " + remedy + " writes it."}
	}
	if err != nil {
		return err
	}
	e := explanation{id, path, trace.Profile, []task.DecisionRecord{}}
	var types []string
	for _, r := range trace.Records {
		types = append(types, r.Type)
		if kind == "" || r.Type == kind {
			e.Records = append(e.Records, r)
		}
	}
	if kind != "" && len(e.Records) == 0 {
		shown, has := surface.Quoted(kind), strings.Join(types, ", ")
		return host.Refusal{FR: path + " n'a pas de décision " + shown + " (elle a : " + has + ").", EN: path + " has no decision " + shown + " (it has: " + has + ")."}
	}
	if a.json() {
		return a.printJSON(e)
	}
	for _, r := range e.Records {
		a.printf("%s  %s\n", a.bold(printable(r.Type)), printable(r.Result+" · "+r.Confidence+" · "+r.Timestamp))
		for _, row := range []struct {
			name string
			list []string
		}{
			{a.text("d'après", "from"), r.Inputs}, {a.text("politiques", "policies"), r.Policies},
			{a.text("règles", "rules"), r.Rules}, {a.text("preuves", "evidence"), r.Evidence},
		} {
			if len(row.list) > 0 {
				a.printf(a.text("  %s : %s\n", "  %s: %s\n"), row.name, printable(strings.Join(row.list, ", ")))
			}
		}
	}
	return nil
}
