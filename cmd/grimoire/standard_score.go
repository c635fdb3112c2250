package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/core/enrol"
	"github.com/grimoire-kit/grimoire/governance/standard"
)

// scoreReport is the JSON of `standard score`.
type scoreReport struct {
	OK         bool       `json:"ok"`
	Profile    string     `json:"profile"`
	Score      int        `json:"score"`
	Threshold  int        `json:"threshold"`
	Warnings   int        `json:"warnings"`
	Errors     int        `json:"errors"`
	Dimensions dimensions `json:"dimensions"`
	Path       string     `json:"output_path"`
}

// dimensions are written as an object, in the order of the project's weights.
type dimensions []standard.Dimension

func (d dimensions) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, one := range d {
		name, err := json.Marshal(one.Name)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `%s:{"weight":%d,"earned":%d,"percentage":%d,"errors":%d,"warnings":%d}`,
			name, one.Weight, one.Earned, one.Percentage, one.Errors, one.Warnings)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func newStandardScore(a *app) *cobra.Command {
	var f standardFlags
	cmd := &cobra.Command{
		Use:   a.text("score [dossier]", "score [folder]"),
		Short: a.text("Noter le projet, en pour cent", "Score the project, in percent"),
		Long: a.text(`Une erreur coûte toute sa dimension, un avertissement la moitié. Poids et seuils
sont dans _grimoire/standard/compliance-score.yaml, sinon ceux du kit. La note est
gardée dans _grimoire-output/standard/<tâche>/compliance-score.yaml.

Codes de sortie : 0 la note atteint le seuil et rien n'est en erreur · 1 sinon.`,
			`An error costs its whole dimension, a warning half of it. Weights and thresholds
are in _grimoire/standard/compliance-score.yaml, else the kit's. The score is kept
in _grimoire-output/standard/<task>/compliance-score.yaml.

Exit codes: 0 the score reaches the threshold and nothing is an error · 1 otherwise.`),
		Example: `  grimoire standard score
  grimoire -o json standard score | jq '.dimensions'`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			o, err := f.options()
			if err != nil {
				return err
			}
			p, err := a.openTasks(args)
			if err != nil {
				return err
			}
			defer p.Close()
			now := time.Now()
			s := p.Score(o)
			v := s.Verification
			path, failed := enrol.SaveScore(p.Dir(), s, now) // what was worked out is said all the same
			a.noteEvent(enrol.Note(p.Dir(), enrol.Event{Type: "score.calculated", Task: v.Task, Profile: string(v.Profile), At: now,
				Details: map[string]any{"ok": s.OK(), "score": s.Score, "threshold": s.Threshold}}))
			report := scoreReport{s.OK(), string(v.Profile), s.Score, s.Threshold, v.Warnings(), v.Errors(), s.Dimensions, path}
			if a.json() {
				err = a.printJSON(report)
			} else {
				a.showScore(report)
			}
			if err == nil && failed != nil {
				return failed
			}
			if err == nil && !report.OK {
				return errReported
			}
			return err
		},
	}
	f.add(a, cmd, a.bootstrapTask())
	return cmd
}

func (a *app) showScore(r scoreReport) {
	for _, d := range r.Dimensions {
		if d.Errors+d.Warnings > 0 {
			a.printf("  %s\n", fmt.Sprintf(a.text("%-24s %3d %% (%d erreur(s), %d avertissement(s))", "%-24s %3d%% (%d error(s), %d warning(s))"),
				printable(d.Name), d.Percentage, d.Errors, d.Warnings))
		}
	}
	word := a.green(a.text("atteint", "reached"))
	if !r.OK {
		word = a.red(a.text("pas atteint", "not reached"))
	}
	a.printf("%s\n", fmt.Sprintf(a.text("Profil %s : %s/100, seuil %d %s", "Profile %s: %s/100, threshold %d %s"),
		r.Profile, a.bold(fmt.Sprint(r.Score)), r.Threshold, word))
	if r.Errors > 0 {
		a.printf("%s\n", a.text("Une erreur suffit à refuser : `grimoire standard audit`.", "One error is enough to refuse: `grimoire standard audit`."))
	}
}
