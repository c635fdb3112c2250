package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/governance/standard"
)

// verification is the JSON of `standard verify`; lists are never null.
type verification struct {
	OK       bool            `json:"ok"`
	Profile  string          `json:"profile"`
	Root     string          `json:"project_root"`
	Present  []string        `json:"present"`
	Missing  []string        `json:"missing"`
	Invalid  []string        `json:"invalid_yaml"`
	Warnings []string        `json:"warnings"`
	Checks   []standardCheck `json:"checks"`
	Errors   int             `json:"error_count"`
	Warned   int             `json:"warning_count"`
}

func (a *app) verification(root string, v *standard.Verification) verification {
	return verification{
		OK: v.OK(), Profile: string(v.Profile), Root: root,
		Present: append([]string{}, v.Present...), Missing: append([]string{}, v.Missing...), Invalid: append([]string{}, v.InvalidYAML...),
		Warnings: []string{}, Checks: a.standardChecks(v.Checks), Errors: v.Errors(), Warned: v.Warnings(),
	}
}

func newStandardVerify(a *app) *cobra.Command {
	var f standardFlags
	cmd := &cobra.Command{
		Use:   a.text("verify [dossier]", "verify [folder]"),
		Short: a.text("Vérifier les fichiers que demande le profil", "Check the files that the profile asks for"),
		Long: a.text(`Dit ce qui manque, ce qui n'est pas du YAML, et ce qui ne suit pas le standard,
avec la ligne. N'écrit rien.

Codes de sortie : 0 tout suit (des avertissements peuvent rester) · 1 une erreur.`,
			`Says what is missing, what is not YAML, and what does not follow the standard,
with its line. Writes nothing.

Exit codes: 0 all follows (warnings may be left) · 1 an error.`),
		Example: `  grimoire standard verify
  grimoire standard verify . --profile governed
  grimoire -o json standard verify | jq '.checks[] | select(.severity=="error")'`,
		Args: cobra.MaximumNArgs(1),
		RunE: a.onStandard(&f, func(p *standard.Folder, o standard.Options) error {
			var err error
			v := a.verification(p.Dir(), p.Verify(o))
			if a.json() {
				err = a.printJSON(v)
			} else {
				a.showVerification(v)
			}
			if err == nil && !v.OK {
				return errReported
			}
			return err
		}),
	}
	f.add(a, cmd, a.bootstrapTask())
	return cmd
}

func (a *app) showVerification(v verification) {
	for _, path := range v.Missing {
		a.printf("  %s %s: %s\n", a.sign(standard.Error), path, a.text("manque", "missing"))
	}
	a.showChecks(v.Checks)
	a.showConclusion(v)
	if len(v.Missing) > 0 {
		a.printf("%s\n", a.text("`grimoire standard fix --apply` écrit ce qui manque.", "`grimoire standard fix --apply` writes what is missing."))
	}
}

func (a *app) showConclusion(v verification) {
	word := a.green(a.text("suivi", "followed"))
	if !v.OK {
		word = a.red(a.text("pas suivi", "not followed"))
	}
	a.printf("%s\n", fmt.Sprintf(a.text("Profil %s : %s (%d erreur(s), %d avertissement(s), %d fichier(s) sur %d)", "Profile %s: %s (%d error(s), %d warning(s), %d file(s) of %d)"),
		a.bold(v.Profile), word, v.Errors, v.Warned, len(v.Present), len(v.Present)+len(v.Missing)))
}

// remedy is the JSON of something to do.
type remedy struct {
	Check    string            `json:"check_id"`
	Severity standard.Severity `json:"severity"`
	Action   string            `json:"action"`
	Path     *string           `json:"path"`
	Message  string            `json:"message"`
}

func (a *app) remedies(v *standard.Verification) []remedy {
	out := []remedy{}
	for _, r := range v.Remedies() {
		out = append(out, remedy{r.Check, r.Severity, r.Action, orNull(r.Path), r.Text.In(a.lang)})
	}
	return out
}

// auditReport is the JSON of `standard audit`.
type auditReport struct {
	OK      bool            `json:"ok"`
	Profile string          `json:"profile"`
	Root    string          `json:"project_root"`
	Present []string        `json:"present"`
	Missing []string        `json:"missing"`
	Invalid []string        `json:"invalid_yaml"`
	Checks  []standardCheck `json:"checks"`
	Errors  int             `json:"error_count"`
	Warned  int             `json:"warning_count"`
	Actions []remedy        `json:"remediation_actions"`
}

func newStandardAudit(a *app) *cobra.Command {
	var f standardFlags
	var markdown bool
	cmd := &cobra.Command{
		Use:   a.text("audit [dossier]", "audit [folder]"),
		Short: a.text("Vérifier, et dire quoi faire de chaque écart", "Check, and say what to do about each finding"),
		Long: a.text("Comme verify, avec une action par écart. --markdown en fait une page à joindre à une revue.",
			"As verify, with an action for each finding. --markdown makes a page of it, to attach to a review."),
		Example: `  grimoire standard audit
  grimoire standard audit --markdown > audit.md
  grimoire -o json standard audit | jq '.remediation_actions'`,
		Args: cobra.MaximumNArgs(1),
		RunE: a.onStandard(&f, func(p *standard.Folder, o standard.Options) error {
			var err error
			found := p.Verify(o)
			v, actions := a.verification(p.Dir(), found), a.remedies(found)
			switch {
			case a.json():
				err = a.printJSON(auditReport{v.OK, v.Profile, v.Root, v.Present, v.Missing, v.Invalid, v.Checks, v.Errors, v.Warned, actions})
			case markdown:
				a.showAuditPage(v, actions)
			default:
				for _, r := range actions {
					a.printf("  %s %s\n      %s\n      → %s\n", a.sign(r.Severity), printable(*r.Path), printable(r.Message), a.bold(r.Action))
				}
				a.showConclusion(v)
			}
			if err == nil && !v.OK {
				return errReported
			}
			return err
		}),
	}
	f.add(a, cmd, a.bootstrapTask())
	cmd.Flags().BoolVar(&markdown, "markdown", false, a.text("écrire l'audit en Markdown", "print the audit as Markdown"))
	return cmd
}

// showAuditPage prints an audit as Markdown. A cell is one line without bars,
// whatever a project's file says.
func (a *app) showAuditPage(v verification, actions []remedy) {
	cell := func(s string) string { return strings.ReplaceAll(printable(s), "|", `\|`) }
	a.printf("# %s\n\n", a.text("Audit du standard", "Audit of the standard"))
	a.printf("- Profile: `%s`\n- OK: %t\n- Errors: %d\n- Warnings: %d\n", v.Profile, v.OK, v.Errors, v.Warned)
	if len(actions) == 0 {
		return
	}
	a.printf("\n| %s |\n|---|---|---|---|\n", a.text("Écart | Fichier | Action | Détail", "Finding | File | Action | Detail"))
	for _, r := range actions {
		a.printf("| %s `%s` | `%s` | %s | %s |\n", r.Severity, r.Check, cell(*r.Path), r.Action, cell(r.Message))
	}
}
