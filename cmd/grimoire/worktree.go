package main

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/grimoire-kit/grimoire/core/host"
	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/locate"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
)

// tasksRoot is the folder of the project whose tasks a command is about, and
// the one where the person stands: they differ in a linked worktree of git,
// which shares the tasks of the main one, see locate.Main. dir is --ledger-root.
func (a *app) tasksRoot(args []string, dir string) (root, tree string, err error) {
	tree, err = a.standardRoot(args)
	if err != nil {
		if root, tree, ok := a.onlyInMain(); ok {
			return root, tree, nil
		}
		return "", "", err
	}
	main, err := locate.Main(tree)
	switch {
	case err != nil && dir == "":
		return tree, tree, a.unlinked(tree, err)
	case main == "" || err != nil:
		return tree, tree, nil
	}
	return main, tree, nil
}

// unlinked is what is made of a .git file that leads to no worktree. Tasks that
// are here already go on; a second ledger is not begun for want of the first.
func (a *app) unlinked(tree string, err error) error {
	var link *locate.LinkError
	if !errors.As(err, &link) {
		return err
	}
	t := link.Text()
	if _, err := os.Lstat(filepath.Join(tree, filepath.FromSlash(ledger.Dir), ledger.LogName)); err == nil {
		a.warn(surface.Text{FR: t.FR + " ; les tâches sont celles de ce dossier", EN: t.EN + "; the tasks are those of this folder"})
		return nil
	}
	return host.Refusal{
		FR: t.FR + ". De quel projet sont les tâches n'est pas connu ; `--ledger-root " + ledger.Dir + "` leur en donne un ici.",
		EN: t.EN + ". Which project's tasks these are is not known; `--ledger-root " + ledger.Dir + "` gives them a ledger here."}
}

// onlyInMain is tasksRoot where the linked worktree has no project of its own:
// its commit is older, or git does not track the project's files.
func (a *app) onlyInMain() (root, tree string, ok bool) {
	at, err := locate.Physical(a.startDir())
	if err != nil {
		return "", "", false
	}
	if root, err = locate.Main(at); err != nil || root == "" {
		return "", "", false
	}
	for { // up to the folder that stands for the project's
		up := filepath.Dir(at)
		if main, err := locate.Main(up); err != nil || main != root {
			return root, at, true
		}
		at = up
	}
}

// openTasks opens the project whose tasks a command of the standard is about.
func (a *app) openTasks(args []string) (*standard.Folder, error) {
	root, _, err := a.tasksRoot(args, ledger.Dir) // a link that is broken does not stop what only looks
	if err != nil {
		return nil, err
	}
	return standard.Open(root)
}

// sayMain says whose tasks are shown, in a linked worktree.
func (a *app) sayMain(root, tree string) {
	if root != tree {
		a.printf("%s\n", a.dim(printable(a.text("tâches de "+root+", dont ce dossier est un arbre de travail", "tasks of "+root+", of which this folder is a worktree"))))
	}
}
