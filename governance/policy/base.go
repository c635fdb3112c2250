package policy

import (
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/surface"
)

// baseRule is a rule every project has, whatever its policies.yaml says.
type baseRule struct {
	Rule
	why, wayOut surface.Text
}

var baseRules = []baseRule{
	{
		Rule:   Rule{ID: "no-destructive-without-strict", Mutations: []Mutation{Destructive}, Risks: []Risk{Light, Standard}, Verdict: Block, Pattern: everyCall},
		why:    surface.Text{FR: "une action destructive n'est admise qu'en profil production, avec confirmation", EN: "a destructive action is admitted only under the production profile, with confirmation"},
		wayOut: surface.Text{FR: "une variante qui ne détruit rien, ou la personne la lance elle-même dans son terminal", EN: "a variant that destroys nothing, or the person runs it themselves in their terminal"},
	},
	{
		Rule:   Rule{ID: "destructive-requires-confirmation", Mutations: []Mutation{Destructive}, Risks: []Risk{Strict}, Verdict: Warn, Pattern: everyCall},
		why:    surface.Text{FR: "une action destructive demande une confirmation", EN: "a destructive action needs a confirmation"},
		wayOut: surface.Text{FR: "la personne confirme, ou la lance elle-même dans son terminal", EN: "the person confirms, or runs it themselves in their terminal"},
	},
	{
		Rule:   Rule{ID: "secret-access-always-block", Kinds: []Kind{KindSecretAccess}, Verdict: Block, Pattern: everyCall},
		why:    surface.Text{FR: "un secret ne se lit sous aucun profil", EN: "a secret is not read under any profile"},
		wayOut: surface.Text{FR: "le modèle sans valeurs (.env.example), ou la personne donne la seule valeur utile", EN: "the template without values (.env.example), or the person gives the one value that is needed"},
	},
	{
		Rule:   Rule{ID: "pack-activation-requires-evidence", Kinds: []Kind{KindPackActivation}, Verdict: Block, Pattern: everyCall},
		why:    surface.Text{FR: "activer un pack demande des preuves", EN: "activating a pack needs evidence"},
		wayOut: surface.Text{FR: "verser les preuves de la tâche, puis la personne active le pack", EN: "file the task's evidence, then the person activates the pack"},
	},
	{
		Rule:   Rule{ID: "task-close-requires-verification", Kinds: []Kind{KindTaskClose}, Verdict: Warn, Pattern: everyCall},
		why:    surface.Text{FR: "clore une tâche demande une vérification", EN: "closing a task needs a verification"},
		wayOut: surface.Text{FR: "la personne confirme la clôture", EN: "the person confirms the closure"},
	},
}

// Ids of the rules that guard the guard; see guard.go.
const (
	ruleGuardFile = "guard-edit-asks"
	ruleApprove   = "approval-is-a-persons"
)

func builtIn(id string) bool {
	return id == ruleGuardFile || id == ruleApprove || id == ruleHookCall ||
		slices.ContainsFunc(baseRules, func(r baseRule) bool { return r.ID == id })
}

// Judge applies the rules that look at the call alone: the built-in ones, the
// guard of the guard, and the project's that are not temporal. It needs no
// state and changes nothing.
func Judge(c *Call, profile surface.Profile, rules *Rules) Decision {
	d := Decision{Verdict: Allow}
	for _, o := range opinions(c, profile, rules) {
		d.add(o.rule, o.verdict, o.reason)
	}
	return d
}

// opinion is what one rule says about a call that it is about.
type opinion struct {
	rule    string
	verdict Verdict
	reason  surface.Text
}

func opinions(c *Call, profile surface.Profile, rules *Rules) []opinion {
	var out []opinion
	risk := RiskOf(profile)
	changes := c.Mutation != ReadOnly || c.SecretFragment != ""
	if changes {
		for i := range baseRules {
			if r := &baseRules[i]; r.selects(c, risk) {
				out = append(out, opinion{r.ID, r.Verdict, Say(c.Tool, c.what(), withRisk(r.why, risk), r.wayOut)})
			}
		}
		out = append(out, guard(c, profile)...)
	}
	for i := range rules.list {
		r := &rules.list[i]
		if r.Temporal() || !(changes || r.seesReadOnly()) || !r.selects(c, risk) {
			continue
		}
		if r.Verdict == Allow && r.Reason == "" {
			continue
		}
		out = append(out, opinion{r.ID, r.Verdict, Say(c.Tool, c.what(), withRisk(r.why(), risk), surface.Text{
			FR: "la personne revoit la règle " + r.ID + " de " + File,
			EN: "the person reviews rule " + r.ID + " of " + File})})
	}
	return out
}

// selects reports whether a rule that is not temporal is about the call.
func (r *Rule) selects(c *Call, risk Risk) bool {
	return in(r.Kinds, c.Kind) && in(r.Mutations, c.Mutation) && in(r.Risks, risk) && c.matches(r.Pattern)
}

func in[T comparable](list []T, v T) bool { return len(list) == 0 || slices.Contains(list, v) }

// what names the subject of a verdict: what is destroyed, else the secret,
// else the kind of the action. The command itself is never quoted: it may
// hold what should not be repeated.
func (c *Call) what() surface.Text {
	if c.DestructiveLabel.EN != "" {
		return c.DestructiveLabel
	}
	if c.SecretFragment != "" {
		f := "« " + OneLine(c.SecretFragment, 120) + " »"
		return surface.Text{FR: "accès à un secret (" + f + ")", EN: "access to a secret (" + f + ")"}
	}
	return kindTexts[c.Kind]
}

var kindTexts = map[Kind]surface.Text{
	"":                 {FR: "appel d'outil", EN: "tool call"},
	KindToolUse:        {FR: "appel d'outil", EN: "tool call"},
	KindFileWrite:      {FR: "écriture de fichier", EN: "file write"},
	KindNetwork:        {FR: "accès au réseau", EN: "network access"},
	KindSecretAccess:   {FR: "accès à un secret", EN: "access to a secret"},
	KindPackActivation: {FR: "activation d'un pack", EN: "pack activation"},
	KindTaskClose:      {FR: "clôture de tâche", EN: "task closure"},
	KindMissionClose:   {FR: "clôture de mission", EN: "mission closure"},
}

// why is the project's own words for a rule, in both languages alike.
func (r *Rule) why() surface.Text {
	for _, s := range []string{r.Reason, r.Description} {
		if s = strings.TrimRight(OneLine(s, 500), ". "); s != "" {
			return surface.Text{FR: s, EN: s}
		}
	}
	return surface.Text{FR: "règle " + r.ID + " du projet", EN: "rule " + r.ID + " of the project"}
}

func withRisk(t surface.Text, risk Risk) surface.Text {
	return surface.Text{FR: t.FR + " (risque : " + string(risk) + ")", EN: t.EN + " (risk: " + string(risk) + ")"}
}
