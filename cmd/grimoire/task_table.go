package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/task"
)

// maxRows is how many tasks are shown to a person at once: on a terminal, more
// would only push the first ones, which matter most, out of sight.
const maxRows = 100

// forPeople is the order in which a person reads states: work under way, what
// holds it up, what comes next.
var forPeople = []ledger.Status{ledger.Running, ledger.Claimed, ledger.NeedsVerification, ledger.Waiting, ledger.Failed, ledger.Blocked, ledger.Ready, ledger.Proposed,
	ledger.Closed, ledger.Cancelled}

// columns is the width of the terminal that answers are written to, 0 for none.
func (a *app) columns() int {
	w, ok := a.out.(*answer)
	if !ok {
		return 0
	}
	f, ok := w.to.(*os.File)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// listText shows the tasks of a filter; those that have ended only if asked.
func (a *app) listText(d *task.Desk, f task.Filter, ended bool) error {
	rows, err := d.Rows(f)
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		a.warnMission(d, f.Mission)
	}
	if f.Status == "" {
		ready, err := d.Rows(task.Filter{Mission: f.Mission, Status: ledger.Ready})
		if err != nil {
			return err
		}
		rows = append(slices.DeleteFunc(rows, func(r task.Listed) bool { return r.Status == ledger.Ready }), ready...)
		slices.SortStableFunc(rows, func(x, y task.Listed) int {
			return slices.Index(forPeople, x.Status) - slices.Index(forPeople, y.Status)
		})
	}
	left := 0
	if f.Status == "" && !ended {
		n := len(rows)
		rows = slices.DeleteFunc(rows, func(r task.Listed) bool { return r.Status.Ended() })
		left = n - len(rows)
	}
	switch {
	case len(rows)+left == 0 && f == (task.Filter{}):
		a.printf("%s\n", a.text("Aucune tâche ; `grimoire task add \"<titre>\" -a \"<critère>\"` en ajoute une.", "No task; `grimoire task add \"<title>\" -a \"<criterion>\"` adds one."))
	case len(rows) == 0:
		a.printf("%s\n", a.text("Aucune tâche à montrer.", "No task to show."))
	default:
		a.showTasks(rows, a.columns())
	}
	a.sayEnded(left)
	if d.Tree != "" {
		a.sayMain(d.Root, d.Tree)
	}
	return nil
}

// sayEnded says that tasks are not shown because they have ended.
func (a *app) sayEnded(n int) {
	if n > 0 {
		a.printf("%s\n", a.dim(fmt.Sprintf(a.text("%d tâche(s) ont pris fin : --all les montre aussi", "%d task(s) have ended: --all shows them too"), n)))
	}
}

// sayMore says that tasks are not shown because there are many.
func (a *app) sayMore(n int) {
	if n > 0 {
		a.printf("%s\n", a.dim(fmt.Sprintf(a.text("et %d de plus : --status, --mission, ou -o json", "and %d more: --status, --mission, or -o json"), n)))
	}
}

// showTasks draws a table; on a terminal of that width it is cut to fit.
func (a *app) showTasks(rows []task.Listed, width int) {
	more := 0
	if width > 0 && len(rows) > maxRows {
		more = len(rows) - maxRows
		rows = rows[:maxRows]
	}
	header := []string{a.text("TÂCHE", "TASK"), a.text("ÉTAT", "STATE"), a.text("PRIORITÉ", "PRIORITY"), a.text("À QUI", "OWNER"), a.text("TITRE", "TITLE")}
	held := slices.ContainsFunc(rows, func(r task.Listed) bool { return r.Outside != nil })
	if held {
		header = slices.Insert(header, 4, a.text("HORS FILE", "OUT OF QUEUE"))
	}
	t := newTable(header...)
	for _, r := range rows {
		cells := []string{printable(r.ID), printable(string(r.Status)), printable(r.Priority), printable(r.Owner), printable(r.Title)}
		if held {
			cells = slices.Insert(cells, 4, printable(a.outside(r.Outside)))
		}
		t.row(cells...)
	}
	t.fit(width)
	t.write(a)
	a.sayMore(more)
}

// outside says why a task is not in the queue.
func (a *app) outside(o *task.Outside) string {
	switch {
	case o == nil:
		return ""
	case o.Until != "":
		return a.text("bail perdu, jusqu'à ", "lease lost, until ") + o.Until
	}
	return a.text("attend ", "waits for ") + strings.Join(o.Tasks, ", ")
}
