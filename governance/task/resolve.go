package task

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/observe"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
	"github.com/grimoire-kit/grimoire/surface/frontmatter"
)

const registryFile = standard.Dir + "/llm-provider-registry.yaml"

// resolve looks for one kind of evidence, and says what is missing and how it
// comes to be. A name that nobody knows is missing: a gate fails closed.
func (d *Desk) resolve(name string, t *ledger.Task) *Missing {
	switch name {
	case "acceptance_criteria":
		if len(t.Acceptance) > 0 {
			return nil
		}
		return &Missing{
			Reason: surface.Text{FR: "la tâche n'a pas de critère d'acceptation", EN: "the task has no criterion of acceptance"},
			Remedy: surface.Text{
				FR: "`grimoire task cancel " + t.ID + " --reason \"sans critère\"`, puis `grimoire task add " + argument(t.Title) + " -a \"…\"` avec ce qui montrera qu'elle est finie",
				EN: "`grimoire task cancel " + t.ID + " --reason \"no criterion\"`, then `grimoire task add " + argument(t.Title) + " -a \"…\"` with what will show that it is done"}}
	case "owner_or_agent_role":
		if strings.TrimSpace(t.Owner) != "" || t.Claim != nil && strings.TrimSpace(t.Claim.Actor) != "" {
			return nil
		}
		return &Missing{
			Reason: surface.Text{FR: "la tâche n'est à personne : ni owner, ni claim", EN: "the task is nobody's: no owner and no claim"},
			Remedy: surface.Text{
				FR: "`grimoire task assign " + t.ID + " --owner " + login() + "` (ou un autre nom), puis `grimoire task move " + t.ID + " --to ready`",
				EN: "`grimoire task assign " + t.ID + " --owner " + login() + "` (or another name), then `grimoire task move " + t.ID + " --to ready`"}}
	case "provider_policy":
		return d.resolveProvider()
	case "context_bundle":
		return d.resolveFile(ContextPath(t.ID), t)
	case "decision_trace":
		return d.resolveFile(DecisionPath(t.ID), t)
	case "evidence_pack", "review_gate", "evidence_gate":
		return d.resolveEvidence(name, t)
	case "observed_check":
		return d.resolveObserved(t)
	case "compliance_score":
		return d.resolveScore(t)
	case "release_authorization":
		return &Missing{
			Reason: surface.Text{
				FR: "autoriser une mise en production est à une personne : aucun fichier ne le prouve à grimoire, qui refuse toujours",
				EN: "to authorise a release is for a person: no file proves it to grimoire, which always refuses"},
			Remedy: surface.Text{
				FR: "`grimoire standard gate check --task-id " + t.ID + " --target-state released` dit ce que doivent les fichiers ; la décision se prend hors de grimoire, ou une personne retire release_authorization de required_evidence dans " + GatesFile,
				EN: "`grimoire standard gate check --task-id " + t.ID + " --target-state released` says what the files owe; the decision is taken outside of grimoire, or a person takes release_authorization out of required_evidence in " + GatesFile}}
	}
	shown := surface.Quoted(name)
	return &Missing{
		Reason: surface.Text{FR: "aucun contrôle ne connaît " + shown, EN: "no check knows " + shown},
		Remedy: surface.Text{
			FR: "corrige required_evidence dans " + GatesFile + " ; `grimoire standard verify` nomme les preuves connues",
			EN: "mend required_evidence in " + GatesFile + "; `grimoire standard verify` names the evidence there is"}}
}

// login is a name to propose: that of the machine's user, where it is one that
// can be typed.
func login() string {
	for _, name := range []string{"USER", "USERNAME", "LOGNAME"} {
		if who := os.Getenv(name); plainWord(who) {
			return who
		}
	}
	return "me"
}

// resolveObserved wants a check that the hook saw pass after the last write.
func (d *Desk) resolveObserved(t *ledger.Task) *Missing {
	remedy := d.HowToCheck(t.ID)
	seen, err := observe.Read(d.Root, t.ID, d.ownChecks())
	switch c, w := seen.Check, seen.Write; {
	case err != nil:
		return &Missing{Reason: fault.Text(err), Remedy: remedy}
	case c == nil:
		return &Missing{Reason: surface.Text{FR: "le hook n'a vu aucun contrôle", EN: "the hook saw no check"}, Remedy: d.orOwn(remedy)}
	case c.Outcome == observe.Unknown:
		return &Missing{Reason: surface.Text{
			FR: "cet hôte ne dit pas comment `" + shownCommand(c.Command) + "` s'est terminé",
			EN: "this host does not tell how `" + shownCommand(c.Command) + "` ended"}, Remedy: d.again(c, t.ID, remedy)}
	case c.Outcome != observe.Passed:
		return &Missing{Reason: surface.Text{FR: "le contrôle `" + shownCommand(c.Command) + "` a échoué", EN: "the check `" + shownCommand(c.Command) + "` failed"}, Remedy: d.again(c, t.ID, remedy)}
	case w != nil:
		return &Missing{Reason: surface.Text{
			FR: "le contrôle `" + shownCommand(c.Command) + "` est plus ancien que l'écriture de " + surface.Shown(w.What()) + " (" + surface.Shown(w.At) + ")",
			EN: "the check `" + shownCommand(c.Command) + "` is older than the write of " + surface.Shown(w.What()) + " (" + surface.Shown(w.At) + ")"}, Remedy: remedy}
	}
	dir, gone := d.place(seen.Check.Tree)
	switch c := seen.Check; {
	case gone != nil:
		why := fault.Text(gone)
		return &Missing{Reason: surface.Text{
			FR: "le contrôle `" + shownCommand(c.Command) + "` ne vaut que là où il a eu lieu : " + why.FR,
			EN: "the check `" + shownCommand(c.Command) + "` holds only where it ran: " + why.EN}, Remedy: remedy}
	case c.Files == nil || c.Files.Unknown != "":
		return nil // the order of what the hook saw is all there is
	default:
		return d.resolveFiles(dir, c, remedy)
	}
}

// resolveFiles wants the files that a check was about, in the folder where it
// ran, to be those of now, whoever changed them.
func (d *Desk) resolveFiles(dir string, c *observe.Entry, remedy surface.Text) *Missing {
	changed, err := observe.ChangedSince(context.Background(), dir, c.Files)
	switch {
	case err != nil:
		why := fault.Text(err)
		return &Missing{Reason: surface.Text{
			FR: "les fichiers ne se comparent pas à ceux du contrôle `" + shownCommand(c.Command) + "` : " + why.FR,
			EN: "the files cannot be compared with those of the check `" + shownCommand(c.Command) + "`: " + why.EN}, Remedy: remedy}
	case changed != "":
		return &Missing{Reason: surface.Text{
			FR: "les fichiers ne sont plus ceux du contrôle `" + shownCommand(c.Command) + "` : " + surface.Shown(changed) + " a changé depuis (" + surface.Shown(c.At) + ")",
			EN: "the files are not those of the check `" + shownCommand(c.Command) + "` any more: " + surface.Shown(changed) + " has changed since (" + surface.Shown(c.At) + ")"}, Remedy: remedy}
	}
	return nil
}

func (d *Desk) resolveFile(name string, t *ledger.Task) *Missing {
	if d.isFile(name) {
		return nil
	}
	return &Missing{
		Reason: surface.Text{FR: name + " manque", EN: name + " is missing"},
		Remedy: both("`grimoire task context " + t.ID + "`")}
}

func (d *Desk) resolveProvider() *Missing {
	remedy := surface.Text{
		FR: "mets `enabled: true` à un fournisseur de " + registryFile + ", ou `grimoire standard init --provider claude`",
		EN: "set `enabled: true` on a provider of " + registryFile + ", or `grimoire standard init --provider claude`"}
	var doc struct {
		Providers []struct {
			Enabled yaml.Node `yaml:"enabled"`
		} `yaml:"providers"`
	}
	err := d.readYAML(registryFile, &doc)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &Missing{Reason: fault.Text(err), Remedy: surface.Text{
			FR: "corrige " + registryFile + " ; `grimoire standard verify` dit ce qui ne va pas",
			EN: "mend " + registryFile + "; `grimoire standard verify` says what is wrong"}}
	}
	for _, p := range doc.Providers {
		if on, _ := frontmatter.Bool(&p.Enabled); on {
			return nil
		}
	}
	return &Missing{
		Reason: surface.Text{FR: "aucun fournisseur de modèles n'est activé", EN: "no provider of models is enabled"},
		Remedy: remedy}
}

func (d *Desk) resolveEvidence(name string, t *ledger.Task) *Missing {
	prove := both("`grimoire task prove " + t.ID + " " + itemsWord(t) + coversWord(t) + "`")
	pack, verdict, err := d.lastEvidence(t.ID)
	switch {
	case err != nil:
		return &Missing{Reason: fault.Text(err), Remedy: prove}
	case pack == nil:
		return &Missing{Reason: surface.Text{FR: "aucun dossier de preuves", EN: "no evidence pack"}, Remedy: prove}
	case name == "evidence_pack":
		return nil
	case name == "review_gate" && verdict == nil:
		return &Missing{Reason: surface.Text{FR: "le dossier " + pack.ID + " n'a pas de verdict", EN: "pack " + pack.ID + " has no verdict"}, Remedy: prove}
	case name == "review_gate" && verdict.Verdict != "passed":
		failed := strings.Join(verdict.failed(), ", ")
		return &Missing{
			Reason: surface.Text{FR: "verdict " + verdict.Verdict + " : " + failed, EN: "verdict " + verdict.Verdict + ": " + failed}, Remedy: prove}
	case name == "evidence_gate" && pack.Coverage == nil:
		return &Missing{Reason: surface.Text{FR: "le dossier " + pack.ID + " ne dit pas quels critères il couvre", EN: "pack " + pack.ID + " does not say which criteria it covers"}, Remedy: prove}
	case name == "evidence_gate" && len(pack.Coverage.Missing) > 0:
		list := strings.Join(pack.Coverage.Missing, " ; ")
		return &Missing{Reason: surface.Text{FR: "critères sans preuve : " + list, EN: "criteria without evidence: " + list}, Remedy: prove}
	case name == "evidence_gate":
		if why := d.changedItem(pack); why != nil {
			return &Missing{Reason: *why, Remedy: prove}
		}
	}
	return nil
}
