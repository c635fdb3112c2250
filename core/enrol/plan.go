package enrol

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/grimoire-kit/grimoire/core/project"
	"github.com/grimoire-kit/grimoire/core/tree"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// Action is what was decided for one file.
type Action string

const (
	Create  Action = "create"  // it is not there
	Refresh Action = "refresh" // nobody changed it since it was generated
	Replace Action = "replace" // a person's, and replacing it was asked for
	Keep    Action = "keep"    // a person's: it stays as it is
	Current Action = "current" // it says what would be written
)

// File is one file of the standard.
type File struct {
	Path   string
	Action Action
	Why    surface.Text // of Keep

	content []byte
	target  *tree.File
}

// Options are the choices of `grimoire standard init`.
type Options struct {
	Profile surface.Profile // "" is the project's own, else the weakest
	Project string          // its name; "" is that of project-context.yaml, else of the folder
	Task    string          // whose files are written; "" is standard.Bootstrap
	Column  string          // where the task stands on the board, for its envelope; "" is proposed
	// Providers are enabled in a registry that is written. Without any, those
	// that are enabled stay so.
	Providers []string
	// Policy says which data hosted providers may get and who is asked first;
	// "" is the one that the registry records, else HostedSafe.
	Policy ProviderPolicy
	// Selection is added to what the project recorded. Its needs may raise the
	// profile where none is given.
	Selection standard.Selection
	Language  surface.Language
	Now       time.Time // dates the files
	// Force replaces files that a person changed, but never a board.
	Force bool
	// MissingOnly leaves every file that is there alone.
	MissingOnly bool
}

// LowerError is a profile weaker than the project's: that is for a person to
// write into the profile file, which the hook guards against agents.
type LowerError struct{ From, To surface.Profile }

func (e *LowerError) Error() string { return e.Text().EN }

// Text is the message in both languages.
func (e *LowerError) Text() surface.Text {
	return surface.Text{
		FR: fmt.Sprintf("Le projet suit le profil %s ; %s est plus faible. Une personne peut l'écrire dans %s.", e.From, e.To, standard.ProfileFile),
		EN: fmt.Sprintf("The project follows the profile %s; %s is weaker. A person can write it into %s.", e.From, e.To, standard.ProfileFile),
	}
}

// ProfileSource is what settled a plan's profile.
type ProfileSource string

const (
	FromOption  ProfileSource = "option"  // it was named
	FromProject ProfileSource = "project" // the project follows it
	FromNeeds   ProfileSource = "needs"   // a need makes sense from there on
	FromDefault ProfileSource = "default" // the weakest
)

// Plan is what a project's standard lacks. Nothing is written until Apply.
type Plan struct {
	Profile surface.Profile
	// From is what settled the profile.
	From      ProfileSource
	Task      string
	Providers []string // enabled in the registry that is written
	Policy    ProviderPolicy
	Selection standard.Selection // recorded and asked for
	Files     []File
	Warnings  []surface.Text

	tree     *tree.Tree
	manifest manifest
	conflict bool // git left the record undone
	record   *tree.File
}

// Prepare looks at the project at root. Close the plan when done with it. A
// profile file that cannot be read is a *standard.FileError: what would be
// written for another profile would bury what it was meant to say.
func Prepare(root string, o Options) (*Plan, error) {
	f, err := standard.Open(root)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	follows := f.Followed()
	if err := follows.Problem(); err != nil {
		return nil, cmp.Or(misplaced(root), err)
	}
	current, declared := follows.Profile, follows.Declared
	recorded, err := f.Selection()
	var warnings []surface.Text
	if err != nil {
		var unreadable *standard.SelectionError
		if !o.MissingOnly || !errors.As(err, &unreadable) {
			return nil, cmp.Or(misplaced(root), err)
		}
		warnings = append(warnings, unreadable.Why)
	}
	selection := recorded.Union(o.Selection)
	from := FromOption
	if o.Profile == "" {
		switch least := o.Selection.Profile(); {
		case least.Rank() > current.Rank():
			o.Profile, from = least, FromNeeds
		case declared:
			o.Profile, from = current, FromProject
		default:
			o.Profile, from = current, FromDefault
		}
	}
	if declared && o.Profile.Rank() < current.Rank() {
		return nil, &LowerError{current, o.Profile}
	}
	if o.Task == "" {
		o.Task = standard.Bootstrap
	}
	if err := standard.CheckTask(o.Task); err != nil {
		return nil, err
	}
	if o.Project == "" {
		o.Project = nameOf(root)
	}
	if len(o.Providers) == 0 {
		o.Providers = knownAmong(f.EnabledProviders())
	}
	asked := o.Policy != ""
	if !asked {
		o.Policy = HostedSafe
		switch word := ProviderPolicy(f.ProviderPolicy()); {
		case word == "":
		case word.unknown():
			warnings = append(warnings, surface.Text{
				FR: "llm-provider-registry.yaml : metadata.provider_policy " + surface.Quoted(string(word)) + " est inconnu, hosted-safe en tient lieu",
				EN: "llm-provider-registry.yaml: metadata.provider_policy " + surface.Quoted(string(word)) + " is unknown, hosted-safe stands in for it"})
		default:
			o.Policy = word
		}
	}
	if ordered, err := o.Policy.order(o.Providers); err == nil {
		o.Providers = ordered
	} else if asked {
		return nil, err
	}
	if least := o.Selection.Profile(); least.Rank() > o.Profile.Rank() {
		warnings = append(warnings, surface.Text{
			FR: fmt.Sprintf("ces besoins ont leur sens à partir du profil %s ; le projet suit %s", least, o.Profile),
			EN: fmt.Sprintf("these needs make sense from the profile %s on; the project follows %s", least, o.Profile)})
	}
	t, err := tree.Open(root)
	if err != nil {
		return nil, err
	}
	p := &Plan{Profile: o.Profile, From: from, Task: o.Task, Providers: o.Providers, Policy: o.Policy, Selection: selection, Warnings: warnings, tree: t}
	if words := selection.Strangers(); len(words) > 0 {
		p.Warnings = append(p.Warnings, strangers(words))
	}
	if err := p.decide(o, recorded); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return p, nil
}

// misplaced is what keeps the folder of the standard from being written, if
// anything does: that is said before what is wrong with a file in it.
func misplaced(root string) error {
	t, err := tree.Open(root)
	if err != nil {
		return err
	}
	_, err = t.Read(standard.SelectionFile)
	return errors.Join(err, t.Close())
}

// strangers says which words of the record lead to nothing.
func strangers(words []string) surface.Text {
	shown := make([]string, 0, maxShown)
	for _, w := range words[:min(len(words), maxShown)] {
		shown = append(shown, surface.Quoted(w))
	}
	list := strings.Join(shown, ", ")
	if len(words) > maxShown {
		list += ", …"
	}
	return surface.Text{
		FR: standard.SelectionFile + " nomme ce que ce grimoire ne connaît pas : " + list,
		EN: standard.SelectionFile + " names what this grimoire does not know: " + list,
	}
}

// maxShown bounds how many words of a file a message repeats.
const maxShown = 8

// nameOf is the project's name for people.
func nameOf(root string) string {
	if cfg, err := project.ReadConfig(root); err == nil && oneLine(cfg.ProjectName) != "" {
		return cfg.ProjectName
	}
	if abs, err := filepath.Abs(root); err == nil {
		root = abs
	}
	return filepath.Base(root)
}

// knownAmong are the providers that a new registry lists.
func knownAmong(ids []string) []string {
	return slices.DeleteFunc(ids, func(id string) bool { return !slices.Contains(ProviderNames(), id) })
}

// Close ends the plan.
func (p *Plan) Close() error { return p.tree.Close() }

// Pending lists the paths that Apply would write, without the record.
func (p *Plan) Pending() []string {
	paths := []string{}
	for _, f := range p.Files {
		if f.writes() {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

// Skipped lists the paths that stay as they are.
func (p *Plan) Skipped() []string {
	paths := []string{}
	for _, f := range p.Files {
		if !f.writes() {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

// Kept lists the files that stay though something else would be written.
func (p *Plan) Kept() []File {
	return slices.DeleteFunc(slices.Clone(p.Files), func(f File) bool { return f.Action != Keep })
}

func (f File) writes() bool { return f.Action != Keep && f.Action != Current }

func (p *Plan) decide(o Options, recorded standard.Selection) error {
	var err error
	if p.record, err = p.tree.Read(ManifestPath); err != nil {
		return err
	}
	if p.manifest, err = decodeManifest(p.record.Data); err != nil {
		why, then := fault.JSONOf(p.record.Data, err), surface.Text{}
		if p.conflict = fault.Conflict(p.record.Data) > 0; p.conflict {
			then = surface.Text{
				FR: ", puis `grimoire standard init` ; d'ici là il reste tel quel et chaque fichier compte comme celui de l'équipe",
				EN: ", then `grimoire standard init`; until then it stays as it is and every file counts as the team's"}
		}
		p.Warnings = append(p.Warnings, surface.Text{
			FR: ManifestPath + " est illisible et compte comme vide : " + why.FR + then.FR,
			EN: ManifestPath + " cannot be read and counts as empty: " + why.EN + then.EN,
		})
	}
	r := newRenderer(p, o)
	r.values.State = envelopeState(o.Column)
	for _, a := range standard.Artifacts(o.Profile) {
		if err := p.file(a.Path(o.Task), a.Name()+a.Ext, r, o); err != nil {
			return err
		}
	}
	// The choice first: of a command that is killed, what is left to write is
	// known.
	if !p.Selection.IsEmpty() {
		if err := p.selection(r, o, recorded); err != nil {
			return err
		}
	}
	for _, c := range p.Selection.Controls() {
		if err := p.file(c.Path(), c.Name()+".yaml", r, o); err != nil {
			return err
		}
	}
	return p.file(standard.ProfileFile, "standard-profile.yaml", r, o)
}

// selection decides for the record of what was selected. A person's own is
// kept, so it must name what is asked for already.
func (p *Plan) selection(r *renderer, o Options, recorded standard.Selection) error {
	if err := p.file(standard.SelectionFile, "install-manifest.yaml", r, o); err != nil {
		return err
	}
	lacks := recorded.Lacks(o.Selection)
	if last := p.Files[len(p.Files)-1]; last.Action != Keep || lacks.IsEmpty() {
		return nil
	}
	list := strings.ReplaceAll(strings.Join(slices.Concat(lacks.Needs, lacks.Patterns, lacks.Memory), ", "), "_", "-")
	return &standard.SelectionError{Why: surface.Text{
		FR: fmt.Sprintf("%s n'est pas le texte de grimoire et reste tel quel : ajoutes-y %s, ou relance avec --force. Rien n'a été écrit.", standard.SelectionFile, list),
		EN: fmt.Sprintf("%s is not grimoire's own text and stays as it is: add %s to it, or run again with --force. Nothing was written.", standard.SelectionFile, list),
	}}
}

// file decides for one file.
func (p *Plan) file(path, template string, r *renderer, o Options) error {
	target, err := p.tree.Read(path)
	if errors.Is(err, tree.ErrDirectory) {
		return &standard.FileError{Path: path, Why: surface.Text{
			FR: "un dossier est à la place du fichier ; déplace-le ou supprime-le, puis relance. Rien n'a été écrit.",
			EN: "a folder stands in the file's place; move or remove it, then run again. Nothing was written."}}
	}
	if err != nil {
		return err
	}
	content, err := r.render(template)
	if err != nil {
		return err
	}
	f := File{Path: path, target: target, content: content}
	foreign := standard.IsForeign(path, target.Data) // whatever another kit's record says of it
	switch same := bytes.Equal(undated(target.Data), undated(content)); {
	case !target.Exists():
		f.Action = Create
	case same:
		f.Action, f.content = Current, target.Data
	case path == standard.BoardFile:
		f.Action, f.Why = Keep, surface.Text{
			FR: "le tableau est la projection du registre des tâches", EN: "the board is a projection of the ledger of tasks"}
	case o.MissingOnly:
		f.Action, f.Why = Keep, surface.Text{FR: "déjà là", EN: "already there"}
	case foreign && !o.Force:
		f.Action, f.Why = Keep, surface.Text{
			FR: "d'un autre format ($schema), donc gardé ; --force le remplace", EN: "of another format ($schema), so it is kept; --force replaces it"}
	case !foreign && p.manifest.untouched(path, target.Data):
		f.Action = Refresh
	case o.Force:
		f.Action = Replace
	case p.manifest[path] != "":
		f.Action, f.Why = Keep, surface.Text{
			FR: "modifié à la main, donc gardé ; --force le remplace", EN: "changed by hand, so it is kept; --force replaces it"}
	default:
		f.Action, f.Why = Keep, surface.Text{
			FR: "déjà là, donc gardé ; --force le remplace", EN: "already there, so it is kept; --force replaces it"}
	}
	p.Files = append(p.Files, f)
	return nil
}

// Outcome is what became of a plan.
type Outcome struct {
	Written []string
	Failed  []*tree.Fault
}

// Apply writes the pending files, each whole or not at all, and the record
// last. A file that fails costs only itself.
func (p *Plan) Apply() (Outcome, error) {
	out := Outcome{Written: []string{}}
	now := maps.Clone(p.manifest)
	write := func(path string, target *tree.File, content []byte) error {
		wrote, err := p.tree.Replace(target, content)
		var fault *tree.Fault
		switch {
		case errors.As(err, &fault):
			out.Failed = append(out.Failed, fault)
			return fault
		case err != nil:
			return err
		case wrote:
			out.Written = append(out.Written, path)
		}
		return nil
	}
	var fault *tree.Fault
	for _, f := range p.Files {
		if f.writes() {
			if err := write(f.Path, f.target, f.content); errors.As(err, &fault) {
				continue
			} else if err != nil {
				return out, err
			}
		}
		// A file that already says what would be written is adopted.
		if f.Action != Keep {
			now[f.Path] = digest(f.content)
		}
	}
	content, err := now.encode()
	if err != nil {
		return out, err
	}
	// What a person has yet to choose between is not chosen for them.
	if !p.conflict && !bytes.Equal(unixLines(p.record.Data), content) {
		if err := write(ManifestPath, p.record, content); err != nil && !errors.As(err, &fault) {
			return out, err
		}
	}
	return out, p.tree.Sync()
}
