package host

import (
	"maps"
	"slices"

	"github.com/grimoire-kit/grimoire/core/plugin"
	"github.com/grimoire-kit/grimoire/core/sync"
	"github.com/grimoire-kit/grimoire/surface"
)

// The JSON answers of host commands. Keys are the existing kit's; those it
// did not have are added beside them. Lists are never null.

type degradationJSON struct {
	Surface  string `json:"surface"`
	Reason   string `json:"reason"`
	Fallback string `json:"fallback"`
}

type problemJSON struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

type failureJSON struct {
	Phase  plugin.Phase `json:"phase"`
	Cause  plugin.Cause `json:"cause"`
	Text   string       `json:"text"`
	Stderr []string     `json:"stderr"`
}

type leftoverJSON struct {
	Path   string `json:"path"`
	Edited bool   `json:"edited"`
}

// entriesJSON are the JSON paths of entries of ours in one file of the user's.
type entriesJSON struct {
	Path    string   `json:"path"`
	Entries []string `json:"entries"`
}

func editedEntries(byPath map[string][]string) []entriesJSON {
	out := []entriesJSON{}
	for _, path := range slices.Sorted(maps.Keys(byPath)) {
		out = append(out, entriesJSON{path, byPath[path]})
	}
	return out
}

type placedJSON struct {
	Path string `json:"path"`
	Line int    `json:"line,omitempty"`
	Text string `json:"text"`
}

type syncHostJSON struct {
	Host         string            `json:"host"`
	DryRun       bool              `json:"dry_run"`
	Written      []string          `json:"written"`
	Unchanged    []string          `json:"unchanged"`
	Skipped      []string          `json:"skipped"`
	Degradations []degradationJSON `json:"degradations"`
	Deleted      []string          `json:"deleted"`
	Edited       []string          `json:"edited"`
	Entries      []entriesJSON     `json:"edited_entries"`
	Replaced     []string          `json:"replaced"` // written by hand before
	Notes        []problemJSON     `json:"notes"`
	Problems     []problemJSON     `json:"problems"` // why each skipped or failed path is so
	Failed       []string          `json:"failed"`
	Failure      *failureJSON      `json:"failure,omitempty"`
}

// JSON is the answer of `grimoire -o json host sync`, in language l.
func (r *SyncResult) JSON(l surface.Language) any {
	out := struct {
		Hosts    []syncHostJSON `json:"hosts"`
		Pruned   *[]string      `json:"pruned,omitempty"`
		Freed    []problemJSON  `json:"freed,omitempty"` // they stay, without our entries
		Kept     []problemJSON  `json:"kept,omitempty"`
		Stale    []leftoverJSON `json:"stale"`
		Warnings []string       `json:"warnings"`
	}{Hosts: []syncHostJSON{}, Freed: problems(r.Freed, l), Kept: problems(r.Kept, l), Stale: leftovers(r.Stale), Warnings: texts(r.Warnings, l)}
	if r.Pruned != nil {
		out.Pruned = &r.Pruned
	}
	for _, h := range r.Hosts {
		out.Hosts = append(out.Hosts, syncHostJSON{
			Host:         h.Host,
			DryRun:       r.DryRun,
			Written:      list(h.Written),
			Unchanged:    list(h.Unchanged),
			Skipped:      paths(h.Skipped),
			Degradations: degradations(h.Degradations, l),
			Deleted:      list(h.Deleted),
			Edited:       list(h.Edited),
			Entries:      editedEntries(h.Entries),
			Replaced:     list(h.Replaced),
			Notes:        problems(h.Notes, l),
			Problems:     problems(append(append([]sync.Problem{}, h.Skipped...), h.Failed...), l),
			Failed:       paths(h.Failed),
			Failure:      failureOf(h.Failure, l),
		})
	}
	return out
}

type statusHostJSON struct {
	Host              string              `json:"host"`
	DisplayName       string              `json:"display_name"`
	InSync            bool                `json:"in_sync"`
	Pending           []string            `json:"pending"`
	Conflicts         []string            `json:"conflicts"`
	BlockingHooks     []surface.HookEvent `json:"blocking_hooks"`
	UnsupportedEvents []surface.HookEvent `json:"unsupported_events"`
	Degradations      []degradationJSON   `json:"degradations"`
	CapabilityGaps    []string            `json:"capability_gaps"`
	Inferred          []string            `json:"agents_with_inferred_tools"`
	EntryAgent        string              `json:"entry_agent"`
	EntryDeclared     string              `json:"entry_agent_declared"`
	Edited            []string            `json:"edited"`
	Entries           []entriesJSON       `json:"edited_entries"`
	Notes             []problemJSON       `json:"notes"`
	Problems          []problemJSON       `json:"problems"`
	CannotFire        []ruleNoteJSON      `json:"rules_that_cannot_fire"`
	Failure           *failureJSON        `json:"failure,omitempty"`
}

type ruleNoteJSON struct {
	Rule   string `json:"rule"`
	Reason string `json:"reason"`
}

// JSON is the answer of `grimoire -o json host status`, in language l. For
// one host it is a bare list, as existing scripts expect.
func (s *Status) JSON(whole bool, l surface.Language) any {
	hosts := []statusHostJSON{}
	for _, h := range s.Hosts {
		hosts = append(hosts, s.hostJSON(h, l))
	}
	if !whole {
		return hosts
	}
	type orphanJSON struct {
		Host        string        `json:"host"`
		DisplayName string        `json:"display_name"`
		Files       []string      `json:"files"`
		Entries     []entriesJSON `json:"entries"`
		Forgotten   bool          `json:"forgotten"` // nobody can run its emitter any more
	}
	out := struct {
		Hosts    []statusHostJSON `json:"hosts"`
		Orphans  []orphanJSON     `json:"orphans"`
		Stale    []leftoverJSON   `json:"stale"`
		Skipped  []placedJSON     `json:"skipped_files"`
		Warnings []placedJSON     `json:"warnings"`
		Notes    []string         `json:"notes"`
	}{Hosts: hosts, Orphans: []orphanJSON{}, Stale: leftovers(s.Stale), Skipped: []placedJSON{}, Warnings: []placedJSON{}, Notes: texts(s.Notes, l)}
	for _, o := range s.Orphans {
		files := []string{}
		for _, f := range o.Files {
			files = append(files, f.Path)
		}
		entries := []entriesJSON{}
		for _, e := range o.Entries {
			entries = append(entries, entriesJSON{e.Path, e.Entries})
		}
		out.Orphans = append(out.Orphans, orphanJSON{o.Profile.ID, o.Name, files, entries, o.Forgotten})
	}
	for _, f := range s.Skipped {
		out.Skipped = append(out.Skipped, placedJSON{f.Path, f.Line, f.Reason.In(l)})
	}
	for _, f := range s.Warnings {
		out.Warnings = append(out.Warnings, placedJSON{f.Path, f.Line, f.Text.In(l)})
	}
	return out
}

func (s *Status) hostJSON(h HostStatus, l surface.Language) statusHostJSON {
	out := statusHostJSON{
		Host:              h.Profile.ID,
		DisplayName:       h.Profile.DisplayName,
		InSync:            h.InSync(),
		Pending:           list(h.Pending),
		Conflicts:         paths(h.Conflicts),
		BlockingHooks:     h.BlockingHooks,
		UnsupportedEvents: h.UnsupportedEvents,
		Degradations:      degradations(h.Degradations, l),
		CapabilityGaps:    []string{},
		Inferred:          s.Inferred,
		EntryAgent:        s.EntryAgent,
		EntryDeclared:     s.EntryDeclared,
		Edited:            list(h.Edited),
		Entries:           editedEntries(h.Entries),
		Notes:             problems(h.Notes, l),
		Problems:          problems(h.Conflicts, l),
		CannotFire:        []ruleNoteJSON{},
		Failure:           failureOf(h.Failure, l),
	}
	for _, g := range h.Gaps {
		out.CapabilityGaps = append(out.CapabilityGaps, string(g.Capability))
	}
	for _, n := range h.CannotFire {
		out.CannotFire = append(out.CannotFire, ruleNoteJSON{n.Rule, n.Reason.In(l)})
	}
	return out
}

func list(paths []string) []string { return append([]string{}, paths...) }

func paths(ps []sync.Problem) []string {
	out := []string{}
	for _, p := range ps {
		out = append(out, p.Path)
	}
	return out
}

func problems(ps []sync.Problem, l surface.Language) []problemJSON {
	out := []problemJSON{}
	for _, p := range ps {
		out = append(out, problemJSON{p.Path, p.Reason.In(l)})
	}
	return out
}

func leftovers(ls []sync.Leftover) []leftoverJSON {
	out := []leftoverJSON{}
	for _, f := range ls {
		out = append(out, leftoverJSON{f.Path, f.Edited})
	}
	return out
}

func texts(ts []surface.Text, l surface.Language) []string {
	out := []string{}
	for _, t := range ts {
		out = append(out, t.In(l))
	}
	return out
}

func degradations(ds []surface.Degradation, l surface.Language) []degradationJSON {
	out := []degradationJSON{}
	for _, d := range ds {
		out = append(out, degradationJSON{d.Surface, d.Reason.In(l), d.Fallback.In(l)})
	}
	return out
}

func failureOf(f *plugin.Failure, l surface.Language) *failureJSON {
	if f == nil {
		return nil
	}
	return &failureJSON{f.Phase, f.Cause, f.Text.In(l), list(f.Stderr)}
}
