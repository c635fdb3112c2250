package plugin

import (
	"fmt"
	"strings"
	"time"

	"mvdan.cc/sh/v3/syntax"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

// Phase is where in its life a plugin failed.
type Phase string

const (
	PhaseLaunch    Phase = "launch"
	PhaseHandshake Phase = "handshake"
	PhaseDescribe  Phase = "describe"
	PhaseEmit      Phase = "emit"
	PhaseValidate  Phase = "validate"
)

// Cause is why it failed. Each has a text and a remedy of its own.
type Cause string

const (
	NotFound       Cause = "not_found"        // no such file
	NotTrusted     Cause = "not_trusted"      // its digest was never pinned here
	DigestChanged  Cause = "digest_changed"   // another digest was pinned
	NotAPlugin     Cause = "not_a_plugin"     // wrong cookie, or no plugin at all
	ProtocolTooOld Cause = "protocol_too_old" // built with an SDK we left behind
	ProtocolTooNew Cause = "protocol_too_new" // built with an SDK we do not know
	Crashed        Cause = "crashed"          // ended by itself
	Slow           Cause = "slow"             // past its deadline
	Garbage        Cause = "garbage"          // answered what is not an answer
	TooLarge       Cause = "too_large"        // a message past the limit
	EmitterError   Cause = "emitter_error"    // the emitter returned an error
	IllegalPlan    Cause = "illegal_plan"     // the plan breaks a rule
	PathTaken      Cause = "path_taken"       // another host has the path
	IllegalProfile Cause = "illegal_profile"  // the profile asks for what no host may have
	OtherProfile   Cause = "other_profile"    // not what the user approved
	Canceled       Cause = "canceled"         // the run was given up
	System         Cause = "system"           // the machine refused something
)

// Failure is why an asked host has no plan.
type Failure struct {
	Host  string // host id
	Phase Phase
	Cause Cause
	Text  surface.Text // what happened and the remedy
	// Stderr holds the last lines that the plugin wrote there.
	Stderr []string
}

func (f *Failure) Error() string {
	return fmt.Sprintf("%s: %s: %s", f.Host, f.Phase, f.Text.EN)
}

// failure builds the Failure of one host. The texts of its callers say what
// happened; the remedy that belongs to the cause is added here.
func failure(host Host, phase Phase, cause Cause, what surface.Text) *Failure {
	remedy := remedies[cause]
	if host.Bundled && !remedyForBundled[cause] {
		remedy = reinstall
	}
	return &Failure{
		Host:  host.Profile.ID,
		Phase: phase,
		Cause: cause,
		Text: surface.Text{
			FR: join(what.FR, strings.ReplaceAll(remedy.FR, "<path>", shellWord(host.origin))),
			EN: join(what.EN, strings.ReplaceAll(remedy.EN, "<path>", shellWord(host.origin))),
		},
	}
}

// shellWord quotes a path for the line that a person will paste: a project
// chooses the path.
func shellWord(path string) string {
	quoted, err := syntax.Quote(path, syntax.LangBash)
	if err != nil {
		return "<path>"
	}
	return quoted
}

func join(what, remedy string) string {
	if remedy == "" {
		return what
	}
	return what + " " + remedy
}

// reinstall is the remedy for a bundled emitter, whose author is grimoire.
var reinstall = surface.Text{
	FR: "Cet émetteur est livré avec grimoire : réinstalle-le, et signale l'erreur si elle revient.",
	EN: "This emitter ships with grimoire: install it again, and report the error if it returns.",
}

// remedyForBundled are the causes whose remedy does not depend on who wrote the
// emitter.
var remedyForBundled = map[Cause]bool{Slow: true, Canceled: true, System: true, PathTaken: true, TooLarge: true}

var remedies = map[Cause]surface.Text{
	NotFound: {
		FR: "Construis le plugin ou corrige son chemin sous hosts.plugins dans project-context.yaml.",
		EN: "Build the plugin or correct its path under hosts.plugins in project-context.yaml.",
	},
	NotTrusted: {
		FR: "Lis d'où il vient, puis : grimoire plugin trust <path>",
		EN: "Read where it comes from, then: grimoire plugin trust <path>",
	},
	DigestChanged: {
		FR: "Si tu sais pourquoi il a changé : grimoire plugin trust <path>",
		EN: "If you know why it changed: grimoire plugin trust <path>",
	},
	NotAPlugin: {
		FR: "Vérifie le chemin ; un plugin appelle pluginsdk.Serve dès son démarrage.",
		EN: "Check the path; a plugin calls pluginsdk.Serve as it starts.",
	},
	ProtocolTooOld: {
		FR: "Demande à l'auteur du plugin une version construite avec le SDK actuel.",
		EN: "Ask the plugin's author for a version built with the current SDK.",
	},
	ProtocolTooNew: {
		FR: "Mets grimoire à jour : go install github.com/grimoire-kit/grimoire/cmd/...@latest",
		EN: "Update grimoire: go install github.com/grimoire-kit/grimoire/cmd/...@latest",
	},
	Crashed: {
		FR: "Ses dernières lignes disent où ; transmets-les à l'auteur du plugin.",
		EN: "Its last lines say where; pass them to the plugin's author.",
	},
	Slow: {
		FR: "Relance quand la machine est moins chargée ; si cela revient, préviens l'auteur du plugin.",
		EN: "Run again when the machine is less busy; if it returns, tell the plugin's author.",
	},
	Garbage: {
		FR: "Transmets ce message à l'auteur du plugin : stdout ne sert qu'au protocole.",
		EN: "Pass this message to the plugin's author: stdout is for the protocol alone.",
	},
	TooLarge: {
		FR: "Réduis les textes des personas, ou désactive l'hôte.",
		EN: "Shorten the texts of the personas, or disable the host.",
	},
	IllegalPlan: {
		FR: "Rien n'a été écrit pour cet hôte ; transmets ce message à l'auteur du plugin.",
		EN: "Nothing was written for this host; pass this message to the plugin's author.",
	},
	PathTaken: {
		FR: "Désactive l'un des deux hôtes dans hosts.enabled.",
		EN: "Disable one of the two hosts in hosts.enabled.",
	},
	IllegalProfile: {
		FR: "Transmets ce message à l'auteur du plugin.",
		EN: "Pass this message to the plugin's author.",
	},
	OtherProfile: {
		FR: "Retire ta confiance (grimoire plugin untrust) et préviens l'auteur du plugin : un profil est constant.",
		EN: "Withdraw your trust (grimoire plugin untrust) and tell the plugin's author: a profile is constant.",
	},
}

func slow(host Host, phase Phase, limit time.Duration) *Failure {
	doing := map[Phase]surface.Text{
		PhaseHandshake: {FR: "démarrer", EN: "start"},
		PhaseDescribe:  {FR: "se décrire", EN: "describe itself"},
		PhaseEmit:      {FR: "rendre son plan", EN: "return its plan"},
	}[phase]
	return failure(host, phase, Slow, textf("%s n'a pas fini de %s en %s.", "%s did not %s within %s.", host.Name(), doing, limit))
}

// protocol judges the version that a plugin announced.
func protocol(host Host, announced int) *Failure {
	cause, what := ProtocolTooOld, textf(
		"%s parle le protocole %d, trop ancien : ce grimoire parle le %d.",
		"%s speaks protocol %d, which is too old: this grimoire speaks %d.",
		host.Name(), announced, pluginsdk.ProtocolVersion)
	if announced > pluginsdk.ProtocolVersion {
		cause, what = ProtocolTooNew, textf(
			"%s parle le protocole %d, trop récent : ce grimoire parle le %d.",
			"%s speaks protocol %d, which is too new: this grimoire speaks %d.",
			host.Name(), announced, pluginsdk.ProtocolVersion)
	}
	return failure(host, PhaseHandshake, cause, what)
}
