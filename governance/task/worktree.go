package task

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"github.com/grimoire-kit/grimoire/governance/git"
	"github.com/grimoire-kit/grimoire/governance/locate"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
)

// gitWait bounds one question to git.
const gitWait = 10 * time.Second

// worktree is where the work of a task stands: on the branch task/<id>, in the
// worktree that has it checked out.
type worktree struct {
	dir          string // "" where no worktree has the branch checked out
	branch, head string // "" where there is no such branch
	unpushed     bool   // commits that no branch of a remote has
	modified     bool   // files that no commit has
}

// local reports whether work stands there and nowhere else.
func (w worktree) local() bool { return w.unpushed || w.modified }

// worktree asks git. A project without git has none; an answer that cannot be
// had is an error. It is called before the ledger's lock, never under it.
func (d *Desk) worktree(ctx context.Context, task string) (worktree, error) {
	if locate.GitRoot(d.Root) == "" {
		return worktree{}, nil
	}
	var w worktree
	ref := "refs/heads/task/" + task
	list, err := d.git(ctx, d.Root, "worktree", "list", "--porcelain", "-z")
	if err != nil {
		return w, err
	}
	dir := ""
	for _, line := range strings.Split(list, "\x00") {
		if at, ok := strings.CutPrefix(line, "worktree "); ok {
			dir = at
		}
		if line == "branch "+ref {
			w.dir = dir
		}
	}
	found, err := d.git(ctx, d.Root, "for-each-ref", "--format=%(objectname)", ref)
	if err != nil {
		return w, err
	}
	if w.head = strings.TrimSpace(found); w.head == "" && w.dir == "" {
		return worktree{}, nil
	}
	w.branch = strings.TrimPrefix(ref, "refs/heads/")
	if w.head != "" {
		if w.unpushed, err = d.unpushed(ctx, d.Root, w.head); err != nil {
			return w, err
		}
	}
	if w.dir != "" {
		changes, err := d.git(ctx, w.dir, "status", "--porcelain", "-z")
		if err != nil {
			return w, err
		}
		w.modified = changes != ""
	}
	return w, nil
}

// unpushed reports whether a commit leads to some that no branch of a remote has.
func (d *Desk) unpushed(ctx context.Context, dir, commit string) (bool, error) {
	ahead, err := d.git(ctx, dir, "rev-list", "--max-count=1", commit, "--not", "--remotes")
	return strings.TrimSpace(ahead) != "", err
}

// place is the project's folder where something was noted: in the main worktree,
// else in the linked one that tree names. What names it may have come with a
// repository: only a worktree of this project is looked into.
func (d *Desk) place(tree string) (string, error) {
	if tree == "" {
		return d.Root, nil
	}
	root, err := locate.Physical(d.Root)
	if err == nil && filepath.IsAbs(tree) {
		if tree = filepath.Clean(tree); locate.Copies(tree, root) {
			return tree, nil
		}
	}
	return "", say("l'arbre de travail %s n'est plus là, ou n'est pas de ce projet", "the worktree %s is gone, or is not one of this project", surface.Shown(tree))
}

// refuseTemporary turns down work that is left in a folder for temporary files,
// where it may be gone at its return. A project that is itself in one may have
// its worktrees there.
func (d *Desk) refuseTemporary(task string, w worktree) error {
	if w.dir == "" {
		return nil
	}
	root, err := locate.Physical(d.Root)
	if err != nil {
		return err
	}
	temp := locate.Temporary(w.dir)
	if temp == "" || temp == locate.Temporary(root) {
		return nil
	}
	move := "`git worktree move " + argument(w.dir) + " ../" + task + "`"
	return refuse(task, "wait", "worktree",
		surface.Text{
			FR: "son arbre de travail est dans " + surface.Shown(temp) + ", un dossier temporaire, dont le contenu peut disparaître",
			EN: "its worktree is in " + surface.Shown(temp) + ", a temporary folder, whose content may disappear"},
		surface.Text{FR: move, EN: move})
}

// parked is where a task's work is left: its own branch, else the one that is
// checked out where work is done. It is a note: what git does not tell is left
// out. A worktree in a folder for temporary files is refused.
func (d *Desk) parked(ctx context.Context, task string) (branch, head string, err error) {
	if w, err := d.worktree(ctx, task); err == nil && w.branch != "" {
		return w.branch, w.head, d.refuseTemporary(task, w)
	}
	if locate.GitRoot(d.tree()) == "" {
		return "", "", nil
	}
	if d.tree() != d.Root {
		if err := d.refuseTemporary(task, worktree{dir: locate.GitRoot(d.Tree)}); err != nil {
			return "", "", err
		}
	}
	branch, head = d.checkedOut(ctx, d.tree())
	return branch, head, nil
}

// checkedOut is what a worktree has checked out, each "" where git does not
// tell.
func (d *Desk) checkedOut(ctx context.Context, dir string) (branch, head string) {
	if out, err := d.git(ctx, dir, "symbolic-ref", "--short", "-q", "HEAD"); err == nil {
		branch = strings.TrimSpace(out)
	}
	if out, err := d.git(ctx, dir, "rev-parse", "--verify", "-q", "HEAD"); err == nil {
		head = strings.TrimSpace(out)
	}
	return branch, head
}

// modified reports whether the worktree that a folder of the project is in has
// files that no commit has, but for grimoire's own records, which change by
// themselves.
func (d *Desk) modified(ctx context.Context, dir string) (bool, error) {
	ask := []string{"status", "--porcelain", "-z", "--", ":/"}
	for _, record := range standard.Records {
		ask = append(ask, ":(exclude)"+record)
	}
	out, err := d.git(ctx, dir, ask...)
	return out != "", err
}

// git asks one thing, within gitWait.
func (d *Desk) git(ctx context.Context, dir string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, gitWait)
	defer cancel()
	return git.Ask(ctx, dir, args...)
}
