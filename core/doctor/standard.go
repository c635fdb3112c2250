package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/grimoire-kit/grimoire/core/enrol"
	"github.com/grimoire-kit/grimoire/core/host"
	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/locate"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
)

// RunStandard examines what the project at root has of the standard. The error
// is about the examination itself, not about what it finds.
func RunStandard(root string, l surface.Language) (*Report, error) {
	f, err := standard.Open(root)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	follows := f.Followed()
	profile := follows.Profile
	r := &Report{}
	add := func(name string, found []finding, fr, en string) {
		r.Checks = append(r.Checks, conclude(name, found, surface.Text{FR: fr, EN: en}))
	}
	if err := follows.Problem(); err != nil {
		add("standard_profile", []finding{{failure, host.TextOf(err)}}, "", "")
		return r, nil
	}
	if !follows.Declared {
		add("standard_profile", []finding{{failure, surface.Text{
			FR: standard.ProfileFile + " n'est pas là, ou ne nomme aucun profil ; `grimoire standard init` l'écrit",
			EN: standard.ProfileFile + " is not there, or names no profile; `grimoire standard init` writes it"}}}, "", "")
		return r, nil
	}
	add("standard_profile", nil, "profil "+string(profile), "profile "+string(profile))
	v := f.Verify(standard.Options{})
	add("standard_files", missing(v), fmt.Sprintf("%d fichiers, tous là", len(v.Present)), fmt.Sprintf("%d files, all there", len(v.Present)))
	add("standard_checks", checked(v), "rien à redire", "nothing to remark")
	selection, err := f.Selection()
	add("standard_selection", selected(selection, err), "rien n'est choisi en plus du profil", "nothing is selected beside the profile")
	if err == nil {
		found, err := generation(root, l)
		if err != nil {
			found = []finding{{failure, host.TextOf(err)}}
		}
		add("standard_generation", found, "chaque fichier suit encore le profil", "every file still follows the profile")
	}
	if profile.Rank() >= surface.ProfileControlled.Rank() {
		var none []finding
		enabled := f.EnabledProviders()
		if len(enabled) == 0 {
			none = []finding{{warning, surface.Text{
				FR: "aucun fournisseur n'est activé ; `grimoire standard detect-providers`, puis `grimoire standard init --provider <nom>`",
				EN: "no provider is enabled; `grimoire standard detect-providers`, then `grimoire standard init --provider <name>`"}}}
		}
		shown := make([]string, len(enabled))
		for i, id := range enabled {
			shown[i] = surface.Shown(id)
		}
		list := strings.Join(shown, ", ")
		add("standard_providers", none, list, list)
	}
	if profile.Rank() >= surface.ProfileOrchestrated.Rank() {
		add("standard_ledger", ledgered(root), "le registre des tâches se lit", "the ledger of tasks can be read")
	}
	return r, nil
}

func missing(v *standard.Verification) (found []finding) {
	for _, path := range v.Missing {
		found = append(found, finding{failure, surface.Text{
			FR: path + " manque ; `grimoire standard fix --apply` l'écrit", EN: path + " is missing; `grimoire standard fix --apply` writes it"}})
	}
	return found
}

func checked(v *standard.Verification) (found []finding) {
	for _, c := range v.Checks {
		s, at := warning, c.Path
		switch c.Severity {
		case standard.Error:
			s = failure
		case standard.Info:
			s = note
		}
		if c.Line > 0 {
			at = fmt.Sprintf("%s:%d", c.Path, c.Line)
		}
		found = append(found, finding{s, surface.Text{FR: at + ": " + c.Text.FR, EN: at + ": " + c.Text.EN}})
	}
	return found
}

func selected(s standard.Selection, err error) (found []finding) {
	if err != nil {
		return []finding{{failure, host.TextOf(err)}}
	}
	var names []string
	for _, c := range s.Controls() {
		names = append(names, c.Name())
	}
	if len(names) > 0 {
		list := strings.Join(names, ", ")
		found = append(found, finding{note, surface.Text{FR: "motifs : " + list, EN: "patterns: " + list}})
	}
	for _, w := range s.Strangers() {
		found = append(found, finding{warning, surface.Text{
			FR: standard.SelectionFile + " : " + surface.Quoted(w) + " est inconnu de ce grimoire et ne mène à rien",
			EN: standard.SelectionFile + ": " + surface.Quoted(w) + " is unknown to this grimoire and leads to nothing"}})
	}
	return found
}

// generation says which files no longer follow the profile, and why.
func generation(root string, l surface.Language) (found []finding, err error) {
	p, err := enrol.Prepare(root, enrol.Options{Language: l, Now: time.Now()})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	if _, err := os.Lstat(filepath.Join(root, filepath.FromSlash(enrol.ManifestPath))); errors.Is(err, fs.ErrNotExist) {
		found = append(found, finding{note, surface.Text{
			FR: enrol.ManifestPath + " n'est pas là : tout fichier compte comme celui de l'équipe",
			EN: enrol.ManifestPath + " is not there: every file counts as the team's"}})
	}
	for _, t := range p.Warnings {
		found = append(found, finding{warning, t})
	}
	for _, f := range p.Files {
		switch f.Action {
		case enrol.Keep:
			found = append(found, finding{note, surface.Text{FR: f.Path + " : " + f.Why.FR, EN: f.Path + ": " + f.Why.EN}})
		case enrol.Refresh:
			found = append(found, finding{note, surface.Text{
				FR: f.Path + " : a vieilli ; `grimoire standard init` le met à jour", EN: f.Path + ": has aged; `grimoire standard init` brings it up to date"}})
		}
	}
	return found, nil
}

// ledgered looks at the ledger that a board of tasks is drawn from.
func ledgered(root string) []finding {
	if main, err := locate.Main(root); err == nil && main != "" {
		root = main // a linked worktree shares its tasks
	}
	path := filepath.Join(root, filepath.FromSlash(ledger.Dir), "events.jsonl")
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return []finding{{warning, surface.Text{
			FR: "aucun registre des tâches ; s'il y a un tableau tenu à la main, `grimoire task migrate-standard` le reprend",
			EN: "there is no ledger of tasks; `grimoire task migrate-standard` takes over a board that was kept by hand"}}}
	}
	if err := ledger.OpenReader(root, "").View(func(*ledger.State) error { return nil }); err != nil {
		t := host.TextOf(err)
		return []finding{{failure, surface.Text{FR: t.FR + " ; `grimoire ledger verify`", EN: t.EN + "; `grimoire ledger verify`"}}}
	}
	return nil
}
