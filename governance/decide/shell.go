package decide

import (
	"strings"

	"github.com/grimoire-kit/grimoire/governance/command"
	"github.com/grimoire-kit/grimoire/governance/policy"
	"github.com/grimoire-kit/grimoire/surface"
)

// Ids of the rules about command lines that cannot be judged whole.
const (
	ruleTooLarge    = "command-too-large"
	ruleOpaque      = "command-opaque"
	ruleInteractive = "interactive-shell"
)

// judgeShell speaks of what could not be seen: a line too large to judge is
// refused; a program that cannot be known is asked about, or at least named; a
// shell left open is refused where what is typed into it passes no hook.
func (x *decision) judgeShell(f facts) policy.Decision {
	d := policy.Decision{Verdict: policy.Allow}
	for _, c := range f.commands {
		switch {
		case c.Unjudged != "" && c.Unjudged != command.Syntax:
			d = d.Then(x.refuse(ruleTooLarge,
				surface.Text{FR: "commande trop grande pour être jugée", EN: "command too large to judge"},
				surface.Text{FR: "ce qui ne peut être lu ne peut être laissé passer", EN: "what cannot be read cannot be let through"},
				surface.Text{FR: "la couper en plusieurs commandes, ou écrire son contenu dans un fichier avec l'outil d'écriture", EN: "cut it into several commands, or write its content into a file with the tool that writes"}))
		case c.Interactive != "" && x.dialect.UnhookedInput:
			d = d.Then(x.refuse(ruleInteractive,
				surface.Text{FR: "shell ou interpréteur laissé ouvert (" + fragment(c.Interactive) + ")", EN: "shell or interpreter left open (" + fragment(c.Interactive) + ")"},
				surface.Text{FR: "ce qui y serait tapé ensuite ne passe par aucun hook de cet hôte", EN: "what would be typed into it later passes no hook of this host"},
				surface.Text{FR: "donner la commande entière d'un coup", EN: "give the whole command at once"}))
		case len(c.Opaque) > 0 || c.Unjudged == command.Syntax:
			d = d.Then(x.opaque(c))
		}
	}
	return d
}

func (x *decision) refuse(rule string, what, why, wayOut surface.Text) policy.Decision {
	return policy.Decision{Verdict: policy.Block, Rules: []string{rule}, Reason: policy.Say(x.call.Tool, what, why, wayOut)}
}

// opaque is about a program that cannot be known before it runs. Under a
// profile that blocks the person is asked; elsewhere it passes, said aloud: a
// guard that stops every `$EDITOR` gets switched off.
func (x *decision) opaque(c command.Facts) policy.Decision {
	what := surface.Text{FR: "ligne qu'aucun shell connu ne lit", EN: "a line that no known shell reads"}
	if len(c.Opaque) > 0 {
		quoted := " (" + fragment(c.Opaque[0]) + ")"
		what = surface.Text{FR: "programme impossible à connaître d'avance" + quoted, EN: "a program that cannot be known beforehand" + quoted}
	}
	text := policy.Say(x.call.Tool, what,
		surface.Text{FR: "ce qui serait exécuté n'a pas pu être jugé", EN: "what would run could not be judged"},
		surface.Text{FR: "écrire la commande en toutes lettres", EN: "spell the command out"})
	if x.project.profile().Blocks() {
		return policy.Decision{Verdict: policy.Warn, Rules: []string{ruleOpaque}, Reason: text}
	}
	return policy.Decision{Verdict: policy.Allow, Rules: []string{ruleOpaque}, Alerts: []surface.Text{text}}
}

// fragment is a piece of a command line as a message may quote it.
func fragment(s string) string {
	return policy.OneLine(strings.ReplaceAll(s, command.Unknown, "…"), 80)
}
