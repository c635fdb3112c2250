package standard

import (
	"errors"
	"io/fs"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/grimoire-kit/grimoire/governance/locate"
	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// About says what a profile is for.
type About struct {
	Name string // for people: "Governed"
	For  surface.Text
	// Capabilities are what grimoire and the team answer for at this profile.
	Capabilities []string
	// Evidence is what a finished task shows at the least.
	Evidence []surface.Text
}

var abouts = map[surface.Profile]About{
	surface.ProfileStarter: {
		Name: "Starter",
		For: surface.Text{
			FR: "une personne ou un petit projet : dire ce qu'on fait et montrer que c'est fait",
			EN: "one person or a small project: say what is done and show that it is done"},
		Capabilities: []string{"tool-policy", "secret-guard", "task-evidence"},
		Evidence: []surface.Text{
			{FR: "La tâche dit ce qu'elle peut toucher.", EN: "The task says what it may touch."},
			{FR: "Elle finit sur une preuve, ou dit pourquoi il n'y en a pas.", EN: "It ends on a proof, or says why there is none."},
		},
	},
	surface.ProfileControlled: {
		Name: "Controlled",
		For: surface.Text{
			FR: "une équipe : les modèles appelés sont déclarés, les écarts aussi",
			EN: "a team: the models that are called are declared, and so are deviations"},
		Capabilities: []string{"provider-registry", "data-policy", "session-rules"},
		Evidence: []surface.Text{
			{FR: "Tout fournisseur appelé est dans le registre.", EN: "Every provider that is called is in the registry."},
			{FR: "Tout écart au standard a un responsable.", EN: "Every deviation from the standard has an owner."},
		},
	},
	surface.ProfileOrchestrated: {
		Name: "Orchestrated",
		For: surface.Text{
			FR: "plusieurs agents : tableau des tâches, contexte, mémoire et rôles sont réglés",
			EN: "several agents: board, context, memory and roles are settled"},
		Capabilities: []string{"task-board", "context-contract", "memory-policy", "evidence-gates", "role-boundaries"},
		Evidence: []surface.Text{
			{FR: "Chaque source de contexte dit d'où elle vient et pourquoi elle est là.", EN: "Each source of context says where it comes from and why it is there."},
			{FR: "Aucune tâche ne change de colonne sans la preuve qu'elle demande.", EN: "No task changes column without the proof that this takes."},
		},
	},
	surface.ProfileGoverned: {
		Name: "Governed",
		For: surface.Text{
			FR: "une organisation : les gates refusent, les risques et dérogations expirent",
			EN: "an organisation: gates refuse, risks and waivers expire"},
		Capabilities: []string{"blocking-gates", "compliance-score", "risk-acceptance", "waivers", "observability"},
		Evidence: []surface.Text{
			{FR: "Une clôture sans gates verts est refusée.", EN: "Closing without green gates is refused."},
			{FR: "Tout risque accepté a un responsable et une date de fin.", EN: "Every accepted risk has an owner and an end date."},
		},
	},
	surface.ProfileProduction: {
		Name: "Production",
		For: surface.Text{
			FR: "ce qui sert des clients : contrôle observé après la dernière écriture, essai à blanc, retour arrière",
			EN: "what serves customers: a check observed after the last write, dry runs, rollback"},
		Capabilities: []string{"observed-checks", "dry-run", "rollback", "slo", "release-authorization"},
		Evidence: []surface.Text{
			{FR: "Un contrôle a été vu réussir après la dernière écriture.", EN: "A check was seen to pass after the last write."},
			{FR: "Une action risquée a un essai à blanc et un retour arrière.", EN: "A risky action has a dry run and a rollback."},
		},
	},
}

// Describe is what a profile is for. The profile must be a known one.
func Describe(p surface.Profile) About { return abouts[p] }

// ProfileError is a word that names no profile.
type ProfileError struct{ Word string }

func (e *ProfileError) Error() string { return e.Text().EN }

// Text is the message in both languages.
func (e *ProfileError) Text() surface.Text {
	list, shown := e.expected(), surface.Quoted(e.Word)
	return surface.Text{
		FR: "Profil inconnu : " + shown + " (attendu : " + list + ")",
		EN: "Unknown profile: " + shown + " (expected one of: " + list + ")",
	}
}

// expected lists the profiles there are.
func (*ProfileError) expected() string {
	words := make([]string, len(surface.Profiles))
	for i, p := range surface.Profiles {
		words[i] = string(p)
	}
	return strings.Join(words, ", ")
}

// ParseProfile reads a profile's word; another one is a *ProfileError.
func ParseProfile(word string) (surface.Profile, error) {
	if p := surface.Profile(word); p.Rank() >= 0 {
		return p, nil
	}
	return "", &ProfileError{word}
}

// Followed is what the profile file of a project says. All of grimoire, the hook
// too, reads the file as ReadProfile does.
type Followed struct {
	// Profile is the one to emit and to judge by. Where the file is absent or
	// names none it is the weakest, and where what it says cannot be read
	// ProfileGoverned: a fault in the file must not loosen what it was written
	// to tighten.
	Profile  surface.Profile
	Declared bool         // the file names Profile
	Wrong    surface.Text // what is wrong with the file, "" for nothing
	Line     int          // where, from 1; 0 where the whole file is meant
}

// Problem is what is wrong with the file, as a *FileError that says how to get
// on, or nil.
func (w Followed) Problem() error {
	if w.Wrong.EN == "" {
		return nil
	}
	why := w.Placed()
	return &FileError{ProfileFile, surface.Text{
		FR: why.FR + " ; une personne corrige ce fichier, d'ici là le projet est tenu pour governed",
		EN: why.EN + "; a person mends that file, until then the project is held to be governed"}}
}

// Placed is what is wrong after its line.
func (w Followed) Placed() surface.Text {
	return Check{Text: w.Wrong, Line: w.Line}.Placed()
}

// ReadProfile reads the text of a profile file, or what kept it from being
// read.
func ReadProfile(text []byte, err error) Followed {
	wrong := func(line int, t surface.Text) Followed {
		return Followed{Profile: surface.ProfileGoverned, Wrong: t, Line: line}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Followed{Profile: surface.ProfileStarter}
	case err != nil:
		if why, out := locate.Escape(err); out {
			return wrong(0, why)
		}
		return wrong(0, fault.Cause(err))
	}
	top, broken := topOf(text)
	if broken != nil {
		return wrong(broken.Line, broken.Text)
	}
	word := merged(top, "profile")
	switch shown := near(top, "profile"); {
	case word.n != nil && word.n.Kind != yaml.ScalarNode:
		said := (&ProfileError{}).expected()
		return wrong(word.line(), surface.Text{FR: "profile : un mot était attendu (" + said + ")", EN: "profile: one word was expected (" + said + ")"})
	case word.text() != "":
		p, err := ParseProfile(word.text())
		if err != nil {
			return wrong(word.line(), err.(*ProfileError).Text())
		}
		return Followed{Profile: p, Declared: true}
	case word.n == nil && shown.n != nil && len(shown.n.Value) <= len("profile")+1:
		fr, en := misspelt(top, "profile")
		return wrong(shown.line(), surface.Text{FR: "la clé profile manque" + fr, EN: "the key profile is missing" + en})
	}
	return Followed{Profile: surface.ProfileStarter}
}

// Followed is the profile that the project follows.
func (f *Folder) Followed() Followed { return ReadProfile(f.read(ProfileFile, maxFile)) }

// Threshold is the least score that passes at a profile, in percent, where a
// project says none of its own.
func Threshold(p surface.Profile) int { return thresholds[p] }
