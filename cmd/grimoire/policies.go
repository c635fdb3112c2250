package main

import (
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/core/host"
	"github.com/grimoire-kit/grimoire/governance/policy"
	"github.com/grimoire-kit/grimoire/governance/session"
)

func newPolicies(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "policies",
		Short: a.text("Règles de session : compteurs, accords, explications", "Session rules: counters, approvals, explanations"),
		Long: a.text(`Les règles sont dans _grimoire/standard/policies.yaml. Sans --session-id, la
session est celle de GRIMOIRE_SESSION_ID, sinon la dernière qui a compté.`,
			`The rules are in _grimoire/standard/policies.yaml. Without --session-id the
session is that of GRIMOIRE_SESSION_ID, else the last one that counted.`),
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newPoliciesStatus(a), newPoliciesReset(a), newPoliciesApprove(a), newPoliciesExplain(a))
	return cmd
}

// sessionFlags are what the commands about one session share.
type sessionFlags struct {
	id   string
	json bool
}

func (f *sessionFlags) add(a *app, cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.id, "session-id", "", a.text("session (défaut : GRIMOIRE_SESSION_ID, sinon la plus récente)", "session (default: GRIMOIRE_SESSION_ID, else the latest)"))
	f.addJSON(a, cmd)
}

// addJSON declares --json, by which the existing kit's scripts ask for it.
func (f *sessionFlags) addJSON(a *app, cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.json, "json", false, a.text("comme -o json", "as -o json"))
}

// choose is the session a command is about.
func (f *sessionFlags) choose(a *app, root string) (string, bool) {
	if f.json {
		a.output = "json"
	}
	return session.Choose(root, f.id, a.environ("GRIMOIRE_SESSION_ID"))
}

// governed is the folder of a project whose sessions are asked about.
func (a *app) governed() (string, error) {
	root, err := a.root(true)
	if err != nil {
		return "", err
	}
	return filepath.Abs(root)
}

// policyStatus is the JSON of `policies status`.
type policyStatus struct {
	Session *string             `json:"session_id"`
	Started string              `json:"started_at,omitempty"`
	Path    string              `json:"path,omitempty"`
	Rules   []policy.RuleStatus `json:"rules"`
	Waiting []policy.Waiting    `json:"waiting,omitempty"`
}

func newPoliciesStatus(a *app) *cobra.Command {
	var f sessionFlags
	cmd := &cobra.Command{
		Use:   "status",
		Short: a.text("Compteurs et budgets restants d'une session", "Counters and budgets left of a session"),
		Example: `  grimoire policies status
  grimoire policies status --json | jq '.rules[].summary'`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			root, err := a.governed()
			if err != nil {
				return err
			}
			id, ok := f.choose(a, root)
			rules, err := policy.Load(root)
			if err != nil {
				return err
			}
			st := policyStatus{Rules: []policy.RuleStatus{}}
			if ok {
				s := session.Read(root, id)
				st = policyStatus{Session: &id, Started: session.FormatTime(s.StartedAt), Path: session.Path(root, id),
					Rules: rules.Status(s, time.Now(), a.lang), Waiting: rules.Waiting(s)}
			}
			if a.json() {
				return a.printJSON(st)
			}
			a.showPolicyStatus(st)
			return nil
		},
	}
	f.add(a, cmd)
	return cmd
}

func (a *app) showPolicyStatus(st policyStatus) {
	if st.Session == nil {
		a.printf("%s\n", a.text("Aucune session n'a encore compté.", "No session has counted yet."))
		return
	}
	a.printf("%s %s (%s %s)\n  %s\n", a.text("session", "session"), a.bold(printable(*st.Session)), a.text("depuis", "since"), st.Started, printable(st.Path))
	if len(st.Rules) == 0 {
		a.printf("%s\n", a.text("Aucune règle temporelle dans ", "No temporal rule in ")+policy.File)
	}
	for _, r := range st.Rules {
		a.printf("  %s: %s\n", a.bold(printable(r.Rule)), printable(r.Summary))
	}
	for _, w := range st.Waiting {
		a.printf("  %s %s: %s\n", a.yellow(a.text("attend un accord", "waits for an approval")), w.ID, printable(w.Summary().In(a.lang)))
	}
	if len(st.Waiting) > 0 {
		a.printf("%s\n", a.text("Accord : grimoire policies approve <id>", "To approve: grimoire policies approve <id>"))
	}
}

func newPoliciesReset(a *app) *cobra.Command {
	var f sessionFlags
	cmd := &cobra.Command{
		Use:   "reset-session",
		Short: a.text("Remettre une session à zéro", "Start a session's counters anew"),
		Long: a.text("Supprime le fichier de compteurs de la session, qui repart de zéro : budgets, refroidissements et accords.",
			"Deletes the session's file of counters, which starts from zero: budgets, cooldowns and approvals."),
		Example: `  grimoire policies reset-session
  grimoire policies reset-session --session-id 4f1c --json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			root, err := a.governed()
			if err != nil {
				return err
			}
			id, ok := f.choose(a, root)
			answer := struct {
				Session *string `json:"session_id"`
				Path    *string `json:"path"`
				Deleted bool    `json:"deleted"`
			}{}
			if ok {
				path := session.Path(root, id)
				answer.Session, answer.Path = &id, &path
				if answer.Deleted, err = session.Reset(root, id); err != nil {
					return err
				}
			}
			switch {
			case a.json():
				return a.printJSON(answer)
			case !ok:
				a.printf("%s\n", a.text("Aucune session n'a encore compté.", "No session has counted yet."))
			case !answer.Deleted:
				a.printf(a.text("La session %s n'avait rien compté (%s).\n", "Session %s had counted nothing (%s).\n"), printable(id), printable(*answer.Path))
			default:
				a.printf(a.text("Session %s remise à zéro ; fichier supprimé : %s\n", "Session %s starts anew; file deleted: %s\n"), printable(id), printable(*answer.Path))
			}
			return nil
		},
	}
	f.add(a, cmd)
	return cmd
}

// noSession refuses a command that needs one.
func noSession() error {
	return host.Refusal{
		FR: "Aucune session n'a encore compté dans ce projet.",
		EN: "No session has counted yet in this project.",
	}
}
