package doctor

import (
	"fmt"
	"slices"

	"github.com/grimoire-kit/grimoire/core/host"
	"github.com/grimoire-kit/grimoire/core/sync"
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

// sync compares the hosts' files with what the project declares. A host that
// is behind is a warning: only one whose emitter fails is broken.
func (e *examination) sync() []Check {
	if e.workspace == nil || e.workspace.Project.NoKnownHost != nil {
		return nil // the project's own check says why
	}
	status, err := e.workspace.Status(e.ctx, host.AllHosts)
	if err != nil {
		return []Check{conclude("host_sync", []finding{{failure, host.TextOf(err)}}, surface.Text{})}
	}
	e.status = status
	var behind, silent []finding
	for _, h := range status.Hosts {
		name := orElse(h.Profile.DisplayName, h.Profile.Alias())
		if h.Failure != nil {
			behind = append(behind, finding{failure, surface.Text{
				FR: name + " : " + h.Failure.Text.FR, EN: name + ": " + h.Failure.Text.EN}})
			continue
		}
		if len(h.Pending) > 0 {
			behind = append(behind, finding{warning, surface.Text{
				FR: fmt.Sprintf("%s : %d fichier(s) à écrire (%s…) ; `grimoire host sync`", name, len(h.Pending), h.Pending[0]),
				EN: fmt.Sprintf("%s: %d file(s) to write (%s…); `grimoire host sync`", name, len(h.Pending), h.Pending[0])}})
		}
		for _, c := range h.Conflicts {
			behind = append(behind, finding{warning, surface.Text{
				FR: name + " : " + c.Path + " : " + c.Reason.FR, EN: name + ": " + c.Path + ": " + c.Reason.EN}})
		}
		for _, path := range h.Edited {
			reason := sync.ChangedByHand(h.Entries[path])
			behind = append(behind, finding{warning, surface.Text{
				FR: name + " : " + path + " : " + reason.FR, EN: name + ": " + path + ": " + reason.EN}})
		}
		if !e.emitted(h) {
			silent = append(silent, finding{warning, surface.Text{
				FR: name + " est activé et n'a encore rien reçu ; `grimoire host sync`",
				EN: name + " is enabled and has received nothing yet; `grimoire host sync`"}})
		}
	}
	return []Check{
		conclude("host_sync", behind, surface.Text{FR: "chaque hôte activé est à jour", EN: "every enabled host is up to date"}),
		conclude("host_emitted", silent, surface.Text{FR: "chaque hôte activé a ses fichiers", EN: "every enabled host has its files"}),
	}
}

// emitted reports whether a host has received anything, be it out of date.
func (e *examination) emitted(h host.HostStatus) bool {
	return len(h.Current) > 0 || len(h.Pending) == 0 || slices.ContainsFunc(h.Pending, func(path string) bool {
		f, err := e.tree.Read(path)
		if err != nil || !f.Exists() {
			return false
		}
		_, ours := pluginsdk.FindMarker(path, f.Data)
		return ours
	})
}

// leftovers lists files of ours that no enabled host asks for. Nothing removes
// them unasked.
func (e *examination) leftovers() []Check {
	if e.status == nil {
		return nil
	}
	var orphans, stale []finding
	for _, o := range e.status.Orphans {
		for _, held := range o.Entries {
			why := surface.Text{FR: "qui n'est pas activé", EN: "which is not enabled"}
			if o.Forgotten {
				why = surface.Text{FR: "dont l'émetteur n'est plus là", EN: "whose emitter is not here any more"}
			}
			orphans = append(orphans, finding{note, surface.Text{
				FR: fmt.Sprintf("%s : %d entrée(s) de %s, %s ; `grimoire host remove %s` les retire", held.Path, len(held.Entries), o.Name, why.FR, o.Profile.Alias()),
				EN: fmt.Sprintf("%s: %d of its entries are those of %s, %s; `grimoire host remove %s` takes them out", held.Path, len(held.Entries), o.Name, why.EN, o.Profile.Alias())}})
		}
		if len(o.Files) == 0 {
			continue
		}
		orphans = append(orphans, finding{note, surface.Text{
			FR: fmt.Sprintf("%d fichier(s) de %s, qui n'est pas activé (%s…) ; `grimoire host sync --prune-disabled` les retire", len(o.Files), o.Profile.DisplayName, o.Files[0].Path),
			EN: fmt.Sprintf("%d file(s) of %s, which is not enabled (%s…); `grimoire host sync --prune-disabled` removes them", len(o.Files), o.Profile.DisplayName, o.Files[0].Path)}})
	}
	for _, f := range e.status.Stale {
		stale = append(stale, finding{warning, surface.Text{
			FR: f.Path + " : plus rien ne le demande, et l'hôte le charge encore ; `grimoire host sync --prune-stale` le retire",
			EN: f.Path + ": nothing asks for it any more, and the host still loads it; `grimoire host sync --prune-stale` removes it"}})
	}
	return []Check{
		conclude("host_orphans", orphans, surface.Text{FR: "aucun fichier d'un hôte désactivé", EN: "no file of a disabled host"}),
		conclude("host_stale", stale, surface.Text{FR: "aucun fichier périmé", EN: "no stale file"}),
	}
}
