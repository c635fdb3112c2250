package sync

import (
	"os"
	"path"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/core/managed"
	"github.com/grimoire-kit/grimoire/core/tree"
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// maxOwned bounds the files looked at below one directory a host owns.
const maxOwned = 20000

// Leftover is a file of ours that nothing asks for any more. Nothing removes it
// but Prune: a host that is switched off, or a persona that is gone, may be back
// tomorrow, and a file that is there is one a person may look at first.
type Leftover struct {
	Path   string
	Host   string // id of the host it was written for
	Edited bool   // someone changed it since it was written
}

// Orphans lists the files written for hosts that are not enabled any more: whole
// files of ours, in a disabled host's plan and in no enabled one's. A file that
// two disabled hosts share is listed for both.
func Orphans(root string, disabled, enabled []HostPlan) ([]Leftover, error) {
	p, err := openProject(root)
	if err != nil {
		return nil, err
	}
	defer p.tree.Close()
	held := p.held(enabled)
	var out []Leftover
	for _, h := range disabled {
		if h.Plan == nil {
			continue
		}
		for _, f := range h.Plan.Files {
			if ours, edited := p.ours(f, held); ours {
				out = append(out, Leftover{Path: f.Path, Host: h.ID(), Edited: edited})
			}
		}
	}
	return out, nil
}

// Stale lists the files of ours under the directories the enabled hosts own that
// are in no enabled plan: those of a persona, skill or command that is gone.
// Nothing is said about what a host without a plan may hold.
func Stale(root string, enabled []HostPlan) ([]Leftover, error) {
	p, err := openProject(root)
	if err != nil {
		return nil, err
	}
	defer p.tree.Close()
	return p.stale(enabled, p.held(enabled)), nil
}

// FilesOf lists what a host has in a project: the files of ours where its profile
// has its own, and the user's files that hold entries of ours for it.
func FilesOf(root string, profile pluginsdk.Profile) ([]string, error) {
	p, err := openProject(root)
	if err != nil {
		return nil, err
	}
	defer p.tree.Close()
	host := HostPlan{Profile: profile, Plan: &pluginsdk.Plan{}}
	var paths []string
	for _, l := range p.stale([]HostPlan{host}, &holding{}) {
		paths = append(paths, l.Path)
	}
	for _, merged := range p.mergedFiles(host) {
		if len(p.entriesAt(merged)) > 0 {
			paths = appendNew(paths, merged)
		}
	}
	return paths, nil
}

func (p *project) stale(hosts []HostPlan, held *holding) []Leftover {
	type candidate struct{ path, host string }
	var candidates []candidate
	seen := map[string]bool{}
	for _, h := range hosts {
		if h.Plan == nil {
			continue
		}
		for _, prefix := range h.Profile.Owns {
			files := []string{prefix}
			if strings.HasSuffix(prefix, "/") {
				files = p.tree.Files(prefix, maxOwned)
			}
			for _, file := range files {
				if !seen[file] && !held.path(file) {
					seen[file] = true
					candidates = append(candidates, candidate{file, h.ID()})
				}
			}
		}
	}
	found := make([]*Leftover, len(candidates))
	p.each(len(candidates), func(i int) {
		c := candidates[i]
		if ours, edited := p.ours(fileAt(c.path), held); ours {
			found[i] = &Leftover{Path: c.path, Host: c.host, Edited: edited}
		}
	})
	var out []Leftover
	for _, l := range found {
		if l != nil {
			out = append(out, *l)
		}
	}
	return out
}

// fileAt is what a file of ours at path would be owned by.
func fileAt(path string) pluginsdk.File {
	if strings.HasSuffix(strings.ToLower(path), ".json") {
		return pluginsdk.File{Path: path, Ownership: pluginsdk.OwnedByHooks}
	}
	return pluginsdk.File{Path: path, Ownership: pluginsdk.OwnedByMarker}
}

// ours reports whether the file at f's path is one we wrote and no host holds.
func (p *project) ours(f pluginsdk.File, held *holding) (ours, edited bool) {
	if held.path(f.Path) {
		return false, false
	}
	have, err := p.tree.Read(f.Path)
	if err != nil || !have.Exists() || held.reals[have.Real] {
		return false, false
	}
	ours, edited = managed.Owns(f, have.Data)
	if !ours && f.Ownership == pluginsdk.OwnedByHooks && strings.HasPrefix(path.Base(f.Path), ownName) && managed.SharesHooks(have.Data) {
		return true, true
	}
	return ours, edited
}

// ownName begins the names of the hook files that are ours. Such a file stays ours
// when somebody adds a hook to it: one of our hooks in it would stay alive after
// its host is gone.
const ownName = "grimoire-"

// holding is the set of paths that enabled hosts hold.
type holding struct {
	tree  *tree.Tree
	paths map[string][]*wanted // by the folded path
	reals map[string]bool      // where their links lead
	// unknown are the hosts whose emitter failed: any path of theirs may be held.
	unknown []HostPlan
}

func (h *holding) path(p string) bool { return h.by(p) != "" }

// by gives the id of the host that holds a path, or may; "" for none.
func (h *holding) by(p string) string {
	for _, w := range h.paths[tree.FoldPath(p)] {
		if w.path == p || h.same(w.path, p) {
			return w.hosts[0]
		}
	}
	return hostOf(p, h.unknown)
}

// same reports whether two spellings of a path are one file: a disk that tells
// case apart has two, and one of them may be a leftover.
func (h *holding) same(a, b string) bool {
	one, err := h.tree.Stat(a)
	if err != nil || !one.Exists() {
		return false
	}
	other, err := h.tree.Stat(b)
	return err == nil && other.Exists() && os.SameFile(one.Info, other.Info)
}

// below reports whether anything is held below a directory.
func (h *holding) below(dir string) bool {
	for real := range h.reals {
		if strings.HasPrefix(real, dir+"/") {
			return true
		}
	}
	return false
}

func (p *project) held(enabled []HostPlan) *holding {
	h := &holding{tree: p.tree, paths: map[string][]*wanted{}, reals: map[string]bool{}}
	for _, plan := range enabled {
		if plan.Plan == nil {
			h.unknown = append(h.unknown, plan)
		}
	}
	for _, w := range p.claim(enabled) {
		folded := tree.FoldPath(w.path)
		h.paths[folded] = append(h.paths[folded], w)
		if f, err := p.tree.Stat(w.path); err == nil {
			h.reals[f.Real] = true
		}
	}
	return h
}

// Prune decides to delete leftovers: those that still are ours and that no
// enabled host holds. One that was edited by hand is a conflict unless forced.
func Prune(root string, leftovers []Leftover, enabled []HostPlan, opt Options) (*ChangeSet, error) {
	p, err := openProject(root)
	if err != nil {
		return nil, err
	}
	defer p.tree.Close()
	held := p.held(enabled)
	set := &ChangeSet{root: p.tree.Dir(), Warnings: p.warnings}
	at := map[string]int{}
	for _, l := range leftovers {
		set.hosts = appendNew(set.hosts, l.Host)
		if i, ok := at[l.Path]; ok {
			set.Changes[i].Hosts = appendNew(set.Changes[i].Hosts, l.Host)
			continue
		}
		if c, ok := p.retire(fileAt(l.Path), held, opt); ok {
			c.Hosts = []string{l.Host}
			at[l.Path] = len(set.Changes)
			set.Changes = append(set.Changes, c)
		}
	}
	set.sort()
	return set, nil
}

// retire decides for a file that is to go. It reports false when there is none
// of ours.
func (p *project) retire(f pluginsdk.File, held *holding, opt Options) (Change, bool) {
	ours, edited := p.ours(f, held)
	if !ours {
		return Change{}, false
	}
	c := Change{Path: f.Path, Kind: WholeFile, Edited: edited}
	have, err := p.tree.Read(f.Path)
	if err != nil {
		c.refuse(fault.Text(err))
		return c, true
	}
	c.read(have)
	switch {
	case !edited || opt.Force:
		c.delete(p.tree)
	case f.Ownership == pluginsdk.OwnedByHooks:
		if rest, ok := managed.WithoutHooks(have.Data); ok {
			c.Edited, c.Note = false, othersStay
			c.write(p.tree, rest)
		} else {
			c.Action, c.Reason = Conflict, hooksOfTwo
		}
	default:
		c.Action, c.Reason = Conflict, changedByHand
	}
	return c, true
}

var (
	changedByHand = surface.Text{
		FR: "modifié à la main depuis son écriture, donc préservé ; `--force` le retire",
		EN: "changed by hand since it was written, so it is kept; `--force` removes it",
	}
	sharedHooks = surface.Text{
		FR: "porte aussi un hook qui n'est pas à nous, donc préservé : déplace-le dans un autre fichier du même dossier ; `--force` récrit le fichier, et ce hook est perdu",
		EN: "also holds a hook that is not ours, so it is kept: move it to another file of that folder; `--force` writes the file again, and that hook is lost",
	}
	othersStay = surface.Text{
		FR: "porte aussi ce qui n'est pas à nous, et reste, à toi ; seuls nos hooks en partent",
		EN: "also holds what is not ours, and stays, as yours; only our hooks leave it",
	}
	hooksOfTwo = surface.Text{
		FR: "porte aussi ce qui n'est pas à nous, si mêlé à nos hooks qu'ils n'en peuvent être retirés : préservé, et ils tournent encore ; retire ce qui lance grimoire-hook, ou `--force` supprime le fichier",
		EN: "also holds what is not ours, so mixed with our hooks that they cannot be taken out: it is kept, and they still run; take out what runs grimoire-hook, or `--force` deletes the file",
	}
)

// hostOf finds the host that owns a path by its prefixes.
func hostOf(path string, plans []HostPlan) string {
	for _, h := range plans {
		if slices.ContainsFunc(h.Profile.Owns, func(prefix string) bool {
			return path == prefix || strings.HasSuffix(prefix, "/") && strings.HasPrefix(path, prefix)
		}) {
			return h.ID()
		}
	}
	return ""
}
