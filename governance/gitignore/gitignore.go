// Package gitignore keeps files that may be thrown away out of a project's
// commits, by a .gitignore in the folder of ours that holds them. The project's
// own .gitignore is never touched. governance imports it, the hook too.
package gitignore

import (
	"io"
	"os"
	"path"
)

const name = ".gitignore"

// Put writes a .gitignore into a folder of root, with these lines, where there
// is none. One that a person wrote, or emptied, stays; where it cannot be
// written nothing is lost but the comfort.
func Put(root *os.Root, dir string, lines string) {
	f, err := root.OpenFile(path.Join(dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return
	}
	_, err = io.WriteString(f, lines)
	if closed := f.Close(); err != nil || closed != nil {
		_ = root.Remove(path.Join(dir, name))
	}
}

// Runs is for _grimoire-output/.runs: what sessions leave on a machine, which
// is of use to nobody else. What the hook saw of checks is evidence, and stays
// for the project to keep or not. It hides itself.
const Runs = "# What sessions leave behind on this machine: it is made anew.\n/*\n!/evidence/\n"
