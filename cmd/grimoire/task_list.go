package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/grimoire-kit/grimoire/core/host"
	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/task"
	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// parseStatus reads a state, and lists them where it is none.
func (a *app) parseStatus(word string) (ledger.Status, error) {
	if s := ledger.Status(word); s.Known() {
		return s, nil
	}
	var list []string
	for _, s := range ledger.Statuses {
		list = append(list, string(s))
	}
	all, shown := strings.Join(list, ", "), surface.Quoted(word)
	return "", host.Refusal{FR: "État inconnu : " + shown + " (états : " + all + ")", EN: "Unknown state: " + shown + " (states: " + all + ")"}
}

func completeStatuses(cmd *cobra.Command, flag string) {
	var list []string
	for _, s := range ledger.Statuses {
		list = append(list, string(s))
	}
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp))
}

func newTaskList(a *app) *cobra.Command {
	var f taskFlags
	var filter task.Filter
	var status string
	var ended bool
	var p portfolioFlags
	cmd := taskCommand(a, "list", a.text("Lister les tâches", "List tasks"),
		a.text(`En texte, par état, les tâches en cours d'abord, sans celles qui ont pris fin (--all) ;
en JSON, toutes, dans l'ordre de leur création. Les tâches prêtes (--status ready) sont
dans l'ordre de la file : priorité, plus un cran par jour d'attente, puis ancienneté. En dernier viennent celles
qui sont hors file : elles en attendent une autre (« task link »), ou leur bail a été
perdu il y a peu. « task claim » les prend quand même.

--all-projects lit les projets que liste ~/.grimoire/cockpit/registry.json (ou
$GRIMOIRE_COCKPIT_HOME/registry.json), le tableau JSON [{"name", "path", "slug"}] du kit
existant, et celui d'ici : aucun disque n'est fouillé et rien n'est écrit. Un projet
illisible est nommé. --live garde les tâches tenues dont la session ou le bail a donné
signe de vie depuis moins de --live-minutes.`,
			`As text by state, work under way first, without those that have ended (--all); as
JSON all of them, in the order of their creation. The ready ones (--status ready) are
in the order of the queue: priority, one notch higher for each day of waiting, then seniority. Last come those
outside of the queue: they wait for another ("task link"), or their lease was lost a
short while ago. "task claim" takes them all the same.

--all-projects reads the projects that ~/.grimoire/cockpit/registry.json lists (or
$GRIMOIRE_COCKPIT_HOME/registry.json), the JSON list [{"name", "path", "slug"}] of the
existing kit, and the one here: no disk is searched and nothing is written. A project
that cannot be read is named. --live keeps claimed tasks whose session or lease gave a
sign of life less than --live-minutes ago.`),
		`  grimoire task list
  grimoire task list --status ready
  grimoire task list --all-projects --live
  grimoire -o json task list --mission MIS-search-001 | jq -r '.[].id'`,
		cobra.NoArgs, &f, func(_ *cobra.Command, d *task.Desk, _ []string) error {
			if a.json() {
				return a.listJSON(d, filter)
			}
			return a.listText(d, filter, ended)
		})
	cmd.ValidArgsFunction = cobra.NoFileCompletions
	cmd.Flags().StringVar(&filter.Mission, "mission", "", a.text("celles d'une mission", "those of a mission"))
	cmd.Flags().StringVar(&status, "status", "", a.text("celles d'un état", "those in a state"))
	completeStatuses(cmd, "status")
	cmd.Flags().BoolVar(&ended, "all", false, a.text("en texte : aussi les tâches closes et abandonnées", "as text: the closed and cancelled ones too"))
	p.add(a, cmd)
	one := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		if err := p.check(a, cmd, f.ledger); err != nil {
			return err
		}
		if status != "" {
			if filter.Status, err = a.parseStatus(status); err != nil {
				return err
			}
		}
		if p.all { // also outside of any project
			return a.listPortfolio(&p, f.ledger, filter, ended)
		}
		return one(cmd, args)
	}
	return cmd
}

// listJSON answers every task of the filter, those outside of the queue with
// the reason.
func (a *app) listJSON(d *task.Desk, f task.Filter) error {
	list := jsonList{a: a}
	err := d.Spelled(f, func(object string, o *task.Outside) error {
		if o == nil {
			return list.add(object)
		}
		more, err := spliced(json.RawMessage(object), struct {
			Outside *task.Outside `json:"outside_queue"`
		}{o})
		if err != nil {
			return err
		}
		return list.add(string(more))
	})
	if err != nil {
		return err
	}
	if list.n == 0 {
		a.warnMission(d, f.Mission)
	}
	return list.end()
}

// warnMission says that there are no tasks because there is no such mission.
// That is no failure: a list of nothing is what scripts of the existing kit
// expect.
func (a *app) warnMission(d *task.Desk, id string) {
	if id == "" {
		return
	}
	if err := d.KnowsMission(id); err != nil {
		a.warn(fault.Text(err))
	}
}

func dueLater(after string) bool {
	at, ok := ledger.ParseTime(after)
	return ok && time.Now().Before(at)
}

func newTaskShow(a *app) *cobra.Command {
	var f taskFlags
	return taskCommand(a, "show <id>", a.text("Montrer une tâche", "Show a task"), "",
		`  grimoire task show GAO-search-001
  grimoire -o json task show GAO-search-001 | jq .verifiability.class`,
		cobra.ExactArgs(1), &f, func(_ *cobra.Command, d *task.Desk, args []string) error {
			t, err := d.Find(args[0])
			if err != nil {
				return err
			}
			v := task.Verify(&t, a.lang)
			_, model := v.Tier()
			problem := d.GatesProblem()
			if a.json() {
				last, err := lastDispatch(d, t.ID)
				if err != nil {
					return err
				}
				var gates *string
				if problem != nil {
					gates = orNull(message(problem, a.lang))
				}
				session := task.Session{}
				if t.Claim != nil {
					session = task.Session{ID: t.Claim.Session, Host: t.Claim.SessionHost}
				}
				answer, err := spliced(t, struct {
					Board    string              `json:"board"`
					V        task.Verifiability  `json:"verifiability"`
					Model    *string             `json:"recommended_model"`
					Dispatch json.RawMessage     `json:"last_dispatch"`
					Resume   string              `json:"resume_command"`
					Next     map[string][]string `json:"next_moves_require"`
					Gates    *string             `json:"gates_error,omitempty"`
				}{task.Column(&t), v, orNull(model), last, task.ResumeCommand(session), d.Requires(&t), gates})
				if err != nil {
					return err
				}
				return a.printJSON(answer)
			}
			a.showTask(d, &t, v)
			if problem != nil {
				a.printf("%s %s\n", a.yellow("[!]"), printable(message(problem, a.lang)))
			}
			return nil
		})
}

// lastDispatch is what the last attempt of a task recorded, null for none.
func lastDispatch(d *task.Desk, id string) (json.RawMessage, error) {
	last := json.RawMessage("null")
	err := d.Ledger.Events(func(e ledger.Event) {
		if e.Type == ledger.TaskDispatched && e.Entity == id && gjson.Valid(e.Payload) {
			last = json.RawMessage(e.Payload)
		}
	})
	return last, err
}

func (a *app) showTask(d *task.Desk, t *ledger.Task, v task.Verifiability) {
	line := func(label, value string) {
		if value != "" {
			a.printf("  %s %s\n", a.dim(label), printable(value))
		}
	}
	a.printf("%s  %s  %s\n", a.bold(t.ID), a.green(printable(string(t.Status))), printable(t.Title))
	line(a.text("mission", "mission"), t.Mission)
	line(a.text("à qui", "owner"), t.Owner)
	line(a.text("priorité", "priority"), t.Priority())
	line(a.text("vérifiable", "verifiable"), v.Class+" ("+v.Explanation+")")
	if c := t.Claim; c != nil && !t.Status.Ended() && t.Status != ledger.Ready { // a task that came back keeps the claim that was
		held := c.Actor
		if c.Expires != "" {
			held = fmt.Sprintf(a.text("%s, bail %d jusqu'à %s", "%s, lease %d until %s"), c.Actor, c.Epoch, c.Expires)
		}
		line(a.text("tenue par", "held by"), held)
		line("session", c.Session)
		line(a.text("reprise", "resume"), task.ResumeCommand(task.Session{ID: c.Session, Host: c.SessionHost}))
		line(a.text("réserve", "reserves"), strings.Join(c.Files, ", "))
	}
	if w := t.Wait; w != nil {
		line(a.text("attend", "waits for"), string(w.Reason))
		line(a.text("branche", "branch"), w.Branch)
		line("?", w.Question)
	}
	if r := t.Readmission; r != nil && dueLater(r.After) {
		line(a.text("hors file jusqu'à", "out of the queue until"), fmt.Sprintf(a.text("%s (%d bail/baux perdu(s) de suite)", "%s (%d lease(s) lost in a row)"), r.After, r.Losses))
	}
	for _, c := range t.Acceptance {
		a.printf("  - %s\n", printable(c))
	}
	for _, dep := range t.DependsOn {
		line(dep.Kind, dep.Target)
	}
	for _, x := range t.Directives {
		line(x.ID+" "+x.Kind, x.Author+": "+x.Text)
	}
	next := d.Requires(t)
	columns := make([]string, 0, len(next))
	for c := range next {
		columns = append(columns, c)
	}
	slices.Sort(columns)
	for _, c := range columns {
		line("→ "+c, strings.Join(next[c], ", "))
	}
}
