package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/governance/command"
	"github.com/grimoire-kit/grimoire/governance/decide"
	"github.com/grimoire-kit/grimoire/pluginsdk/dialect"
)

func newPoliciesExplain(a *app) *cobra.Command {
	var f sessionFlags
	var payload, name, event string
	cmd := &cobra.Command{
		Use:   "explain '<command>'",
		Short: a.text("Ce que le hook ferait d'un appel, règle par règle", "What the hook would make of a call, rule by rule"),
		Long: a.text(`Montre le programme lu dans la ligne, les faits, chaque règle et le verdict.
N'enregistre rien : aucun compteur ne bouge, aucune trace n'est laissée.`,
			`Shows the program read in the line, the facts, each rule and the verdict.
Records nothing: no counter moves and no trace is left.`),
		Example: `  grimoire policies explain 'touch x && rm -rf build'
  grimoire policies explain --payload call.json --host copilot`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if (len(args) == 1) == (payload != "") {
				return usageError{errors.New(a.text("attendu : une ligne de commande, ou --payload", "expected: a command line, or --payload"))}
			}
			r, err := a.hookRequest(name, event)
			if err != nil {
				return err
			}
			line := ""
			if payload != "" {
				file, err := a.openPayload(payload)
				if err != nil {
					return err
				}
				defer func() { _ = file.Close() }()
				r.Payload = file
			} else {
				line = args[0]
			}
			root, err := a.root(false)
			if err != nil {
				return err
			}
			id, ok := f.choose(a, root)
			if !ok {
				id = "explain" // a session that has counted nothing
			}
			e, err := decide.Explain(r, line, id)
			if errors.Is(err, decide.ErrUnknownHost) {
				return usageError{fmt.Errorf(a.text("--host %q : hôte inconnu", "--host %q: unknown host"), name)}
			}
			if err != nil {
				return err
			}
			if a.json() {
				return a.printJSON(a.explained(e))
			}
			a.showExplanation(e)
			return nil
		},
	}
	cmd.Flags().StringVar(&payload, "payload", "", a.text("fichier d'une charge utile d'hôte (- pour l'entrée standard)", "file with a host's payload (- for stdin)"))
	cmd.Flags().StringVar(&name, "host", "claude", a.text("hôte qui appelle", "host that calls"))
	cmd.Flags().StringVar(&event, "event", "PreToolUse", a.text("événement, où la charge utile n'en dit rien", "event, where the payload does not say"))
	_ = cmd.RegisterFlagCompletionFunc("host", completeHosts())
	f.add(a, cmd)
	return cmd
}

// explained is the JSON of `policies explain`.
func (a *app) explained(e *decide.Explanation) any {
	type program struct {
		Name string   `json:"name"`
		Args []string `json:"args"`
		Via  []string `json:"via"`
	}
	type line struct {
		Programs    []program `json:"programs"`
		Destructive []string  `json:"destructive"`
		Opaque      []string  `json:"opaque"`
		ReadOnly    bool      `json:"read_only"`
		Interactive string    `json:"interactive,omitempty"`
		Unjudged    string    `json:"unjudged,omitempty"`
	}
	type rule struct {
		Rule     string `json:"rule_id"`
		Line     int    `json:"line,omitempty"`
		Temporal bool   `json:"temporal"`
		Applies  bool   `json:"applies"`
		Verdict  string `json:"verdict"`
		Text     string `json:"text,omitempty"`
	}
	out := struct {
		Host         string   `json:"host"`
		Root         string   `json:"project_root"`
		Session      string   `json:"session_id"`
		Event        string   `json:"event"`
		Tool         string   `json:"tool"`
		NotEvaluated string   `json:"not_evaluated,omitempty"`
		Kind         string   `json:"kind,omitempty"`
		Mutation     string   `json:"mutation,omitempty"`
		Secret       string   `json:"secret,omitempty"`
		Commands     []line   `json:"commands"`
		Rules        []rule   `json:"rules"`
		Problems     []string `json:"problems"`
		Outcome      string   `json:"outcome"`
		Reason       string   `json:"reason,omitempty"`
		Stdout       string   `json:"stdout"`
		Stderr       string   `json:"stderr"`
		Exit         int      `json:"exit"`
	}{Host: e.Host, Root: e.Root, Session: e.Session, Event: string(e.Event), Tool: e.Tool, NotEvaluated: string(e.NotEvaluated),
		Commands: []line{}, Rules: []rule{}, Problems: []string{}, Outcome: string(e.Outcome), Reason: e.Reason.In(a.lang),
		Stdout: string(e.Answer.Stdout), Stderr: string(e.Answer.Stderr), Exit: e.Answer.Exit}
	if c := e.Call; c != nil {
		out.Kind, out.Mutation, out.Secret = string(c.Kind), string(c.Mutation), c.SecretFragment
	}
	for _, c := range e.Commands {
		l := line{Programs: []program{}, Destructive: []string{}, Opaque: append([]string{}, c.Opaque...), ReadOnly: c.ReadOnly, Interactive: c.Interactive, Unjudged: string(c.Unjudged)}
		for _, p := range c.Programs {
			l.Programs = append(l.Programs, program{p.Name, words(p), append([]string{}, p.Via...)})
		}
		for _, d := range c.Destructive {
			l.Destructive = append(l.Destructive, string(d.Label))
		}
		out.Commands = append(out.Commands, l)
	}
	for _, r := range e.Rules {
		out.Rules = append(out.Rules, rule{r.Rule, r.Line, r.Temporal, r.Applies, string(r.Verdict), r.Text.In(a.lang)})
	}
	for _, p := range e.Problems {
		out.Problems = append(out.Problems, p.In(a.lang))
	}
	return out
}

// words are a program's arguments, the parts nobody can know shown as “…”.
func words(p command.Program) []string {
	out := make([]string, len(p.Args))
	for i, w := range p.Args {
		out[i] = strings.ReplaceAll(w.Text, command.Unknown, "…")
	}
	return out
}

func (a *app) showExplanation(e *decide.Explanation) {
	if e.NotEvaluated != "" {
		a.printf("%s%s%s\n", a.text("rien à juger", "nothing to judge"), a.colon(), e.NotEvaluated)
		return
	}
	if e.Call == nil {
		a.printf(a.text("%s : seul un appel d'outil est jugé règle par règle\n", "%s: only a tool call is judged rule by rule\n"), e.Event)
		return
	}
	a.printf("%s %s: %s, %s, %s\n", a.text("outil", "tool"), a.bold(printable(e.Tool)), e.Call.Family, e.Call.Kind, e.Call.Mutation)
	for _, c := range e.Commands {
		a.showProgram(c)
	}
	if s := e.Call.SecretFragment; s != "" {
		a.printf("  %s%s%s\n", a.text("secret", "secret"), a.colon(), printable(s))
	}
	a.printf("%s\n", a.bold(a.text("règles", "rules")))
	for _, r := range e.Rules {
		where, verdict := r.Rule, string(r.Verdict)
		if r.Line > 0 {
			where += fmt.Sprintf(" (policies.yaml:%d)", r.Line)
		}
		if !r.Applies {
			verdict = a.dim(a.text("ne s'applique pas", "does not apply"))
		}
		a.printf("  %s: %s\n", printable(where), verdict)
		if t := r.Text.In(a.lang); t != "" {
			a.printf("      %s\n", printable(t))
		}
	}
	for _, p := range e.Problems {
		for line := range strings.SplitSeq(p.In(a.lang), "\n") {
			a.printf("  %s %s\n", a.yellow("[!]"), printable(line))
		}
	}
	a.printf("%s%s%s\n", a.bold(a.text("verdict", "verdict")), a.colon(), a.verdict(e.Outcome))
	if t := e.Reason.In(a.lang); t != "" {
		a.printf("  %s\n", printable(t))
	}
}

func (a *app) showProgram(c command.Facts) {
	for _, p := range c.Programs {
		via := ""
		if len(p.Via) > 0 {
			via = " (" + a.text("sous ", "under ") + strings.Join(p.Via, " › ") + ")"
		}
		a.printf("  → %s\n", printable(strings.TrimSpace(p.Name+" "+strings.Join(words(p), " "))+via))
	}
	for _, d := range c.Destructive {
		a.printf("  %s: %s (%s)\n", a.red(a.text("destructif", "destructive")), d.Label.Text().In(a.lang), printable(strings.ReplaceAll(d.Fragment, command.Unknown, "…")))
	}
	for _, o := range c.Opaque {
		a.printf("  %s: %s\n", a.yellow(a.text("inconnaissable d'avance", "cannot be known beforehand")), printable(strings.ReplaceAll(o, command.Unknown, "…")))
	}
	if c.Interactive != "" {
		a.printf("  %s: %s\n", a.yellow(a.text("laissé ouvert", "left open")), printable(c.Interactive))
	}
	if c.Unjudged != "" {
		a.printf("  %s: %s %s\n", a.yellow(a.text("non jugé", "not judged")), c.Unjudged, printable(c.Detail))
	}
}

func (a *app) verdict(o dialect.Outcome) string {
	switch o {
	case dialect.Refuse:
		return a.red(a.text("refusé", "refused"))
	case dialect.Ask:
		return a.yellow(a.text("confirmation demandée", "confirmation asked"))
	case dialect.Context:
		return a.yellow(a.text("passe, avec un mot à l'agent", "passes, with a word to the agent"))
	}
	return a.green(a.text("passe, sans un mot", "passes, without a word"))
}
