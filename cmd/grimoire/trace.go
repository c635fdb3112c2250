package main

import (
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/governance/trace"
)

func newTrace(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "trace",
		Short: a.text("Ce que la gouvernance a enregistré", "What governance recorded"),
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newTraceReport(a))
	return cmd
}

func newTraceReport(a *app) *cobra.Command {
	var since, by string
	cmd := &cobra.Command{
		Use:   "report",
		Short: a.text("Taux de refus par outil, règle, hôte et période", "Refusal rate per tool, rule, host and period"),
		Long: a.text(`Lit `+trace.File+`. Les appels en lecture seule n'y sont pas.
« non évalués » compte les appels que rien n'a jugés, avec la cause.`,
			`Reads `+trace.File+`. Read-only calls are not in it.
"not evaluated" counts the calls that nothing judged, with the cause.`),
		Example: `  grimoire trace report
  grimoire trace report --since 7d --by day -o json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			from, err := a.moment(since)
			if err != nil {
				return err
			}
			period := trace.Period(by)
			if period != trace.ByDay && period != trace.ByMonth {
				return usageError{fmt.Errorf(a.text("--by %q : attendu day ou month", "--by %q: expected day or month"), by)}
			}
			root, err := a.root(true)
			if err != nil {
				return err
			}
			report, err := trace.Summarize(root, from, period)
			if err != nil {
				return err
			}
			if a.json() {
				return a.printJSON(report)
			}
			a.showTraceReport(report)
			return nil
		},
	}
	cmd.Flags().StringVar(&since, "since", "", a.text("depuis une date (2026-01-31) ou un nombre de jours (7d)", "since a date (2026-01-31) or a number of days (7d)"))
	cmd.Flags().StringVar(&by, "by", string(trace.ByMonth), a.text("période : day ou month", "period: day or month"))
	_ = cmd.RegisterFlagCompletionFunc("by", cobra.FixedCompletions([]string{string(trace.ByDay), string(trace.ByMonth)}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// moment reads --since; an empty one is the zero time.
func (a *app) moment(since string) (time.Time, error) {
	if since == "" {
		return time.Time{}, nil
	}
	if n := len(since) - 1; since[n] == 'd' {
		if days, err := strconv.ParseUint(since[:n], 10, 16); err == nil {
			return time.Now().AddDate(0, 0, -int(days)), nil
		}
	}
	for _, form := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(form, since); err == nil {
			return t, nil
		}
	}
	return time.Time{}, usageError{fmt.Errorf(a.text("--since %q : attendu une date (2026-01-31) ou un nombre de jours (7d)", "--since %q: expected a date (2026-01-31) or a number of days (7d)"), since)}
}

func (a *app) showTraceReport(r trace.Report) {
	if r.Total.Calls == 0 && len(r.Causes) == 0 {
		a.printf("%s\n", a.text("Rien n'est enregistré sur cette période.", "Nothing is recorded for that time."))
		return
	}
	t := newTable("", a.text("APPELS", "CALLS"), a.text("REFUSÉS", "REFUSED"), a.text("DEMANDÉS", "ASKED"), a.text("NON ÉVALUÉS", "NOT EVALUATED"), a.text("TAUX DE REFUS", "REFUSAL RATE"))
	row := func(name string, s trace.Share) {
		t.row(name, strconv.Itoa(s.Calls), strconv.Itoa(s.Blocked), strconv.Itoa(s.Asked), strconv.Itoa(s.NotEvaluated), strconv.FormatFloat(100*s.Rate, 'f', 1, 64)+" %")
	}
	row(a.text("total", "total"), r.Total)
	for _, part := range []struct {
		name string
		rows []trace.Row
	}{
		{a.text("outil", "tool"), r.Tools}, {a.text("règle", "rule"), r.Rules}, {a.text("hôte", "host"), r.Hosts}, {a.text("période", "period"), r.Periods},
	} {
		for _, x := range part.rows {
			row(part.name+" "+printable(x.Name), x.Share)
		}
	}
	t.write(a)
	for _, c := range r.Causes {
		a.printf("%s %s: %d\n", a.text("non évalué,", "not evaluated,"), printable(c.Cause), c.Count)
	}
	if r.Skipped > 0 {
		a.printf(a.text("%d ligne(s) illisible(s) ignorée(s)\n", "%d unreadable line(s) left out\n"), r.Skipped)
	}
}
