package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/task"
	"github.com/grimoire-kit/grimoire/surface"
)

// timelineJSON is the answer of `task trace`, in the existing kit's keys.
type timelineJSON struct {
	ID      string             `json:"task_id"`
	Task    *ledger.Task       `json:"task"`
	Sources map[string]*string `json:"sources"`
	Entries []stepJSON         `json:"entries"`
	Causes  []stepJSON         `json:"causes"`
	Skipped map[string]int     `json:"skipped_lines,omitempty"`
}

type stepJSON struct {
	At      string `json:"at"`
	Source  string `json:"source"`
	Kind    string `json:"kind"`
	Summary string `json:"summary"`
	Failure bool   `json:"failure"`
	Detail  any    `json:"detail"`
}

func newTaskTrace(a *app) *cobra.Command {
	var f taskFlags
	var causes bool
	var kernel string
	cmd := taskCommand(a, "trace <id>", a.text("Raconter ce qui est arrivé à une tâche", "Tell what happened to a task"),
		a.text(`Le journal, les traces des hooks et des gates, les exécutions de flows et les preuves,
dans l'ordre du temps. Une source absente est dite absente ; rien n'est créé.`,
			`The ledger, the traces of hooks and gates, the runs of flows and the evidence, in the
order of their time. A source that is not there is said to be so; nothing is created.`),
		`  grimoire task trace GAO-search-001
  grimoire task trace GAO-search-001 --causes`,
		cobra.ExactArgs(1), &f, func(cmd *cobra.Command, d *task.Desk, args []string) error {
			if !filepath.IsAbs(kernel) && !filepath.IsLocal(kernel) {
				return usageError{errors.New(a.text("--kernel-root : attendu un dossier du projet, ou un chemin absolu", "--kernel-root: expected a folder of the project, or an absolute path"))}
			}
			if where := kernel; cmd.Flags().Changed("kernel-root") {
				if !filepath.IsAbs(where) {
					where = filepath.Join(d.Root, where)
				}
				if info, err := os.Stat(where); err != nil || !info.IsDir() {
					a.warn(surface.Text{FR: "--kernel-root : le dossier " + surface.Quoted(kernel) + " n'existe pas, aucune exécution n'est racontée",
						EN: "--kernel-root: there is no folder " + surface.Quoted(kernel) + ", so no run is told"})
				}
			}
			l, err := d.Timeline(args[0], kernel)
			if err != nil {
				return err
			}
			steps := l.Steps
			if causes {
				steps = l.Causes()
			}
			if a.json() {
				out := timelineJSON{ID: strings.TrimSpace(args[0]), Task: l.Task, Sources: map[string]*string{}, Entries: a.steps(steps), Causes: a.steps(l.Causes()), Skipped: l.Skipped}
				for name, where := range l.Sources {
					out.Sources[name] = orNull(where)
				}
				return a.printJSON(out)
			}
			a.showTimeline(l, steps, causes)
			return nil
		})
	cmd.Flags().BoolVar(&causes, "causes", false, a.text("seulement ce qui explique un arrêt", "only what explains why work stopped"))
	cmd.Flags().StringVar(&kernel, "kernel-root", task.KernelDir, a.text("dossier des exécutions de flows, relatif au projet ou absolu", "folder of the runs of flows, relative to the project or absolute"))
	_ = cmd.MarkFlagDirname("kernel-root")
	return cmd
}

func (a *app) steps(list []task.Step) []stepJSON {
	out := []stepJSON{}
	for _, s := range list {
		out = append(out, stepJSON{s.At, s.Source, s.Kind, s.Summary.In(a.lang), s.Failure, s.Detail})
	}
	return out
}

func (a *app) showTimeline(l *task.Timeline, steps []task.Step, causes bool) {
	for _, s := range steps {
		mark := " "
		if s.Failure {
			mark = a.red("✗")
		}
		a.printf("%s %s  %-8s %s\n", mark, a.dim(fmt.Sprintf("%-19.19s", printable(s.At))), s.Source, printable(s.Summary.In(a.lang)))
	}
	if causes && len(steps) == 0 {
		a.printf("%s\n", a.text("Rien n'explique un arrêt.", "Nothing explains a stop."))
	}
	var absent []string
	for name, where := range l.Sources {
		if where == "" {
			absent = append(absent, name)
		}
	}
	if slices.Sort(absent); len(absent) > 0 {
		a.printf("%s\n", a.dim(a.text("sources absentes : ", "sources that are not there: ")+strings.Join(absent, ", ")))
	}
	for name, n := range l.Skipped {
		a.warn(surface.Text{
			FR: fmt.Sprintf("%s : %d ligne(s) illisible(s) dans %s", name, n, l.Sources[name]),
			EN: fmt.Sprintf("%s: %d line(s) of %s could not be read", name, n, l.Sources[name])})
	}
}
