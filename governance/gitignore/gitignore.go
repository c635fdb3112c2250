// Package gitignore says to git, from inside folders of ours, what is thrown
// away (a .gitignore) and what is a log whose lines are joined at a merge (a
// .gitattributes). The project's own files of these names are never touched.
// governance imports it, the hook too.
package gitignore

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
)

const name = ".gitignore"

// all keeps a folder and this file itself out of commits.
const all = "# What this machine leaves behind: it may be deleted, and is not committed.\n*\n"

// narrower is what Hide wrote before it hid the evidence of checks as well.
const narrower = "# What sessions leave behind on this machine: it is made anew.\n/*\n!/evidence/\n"

// Hide keeps a folder of root, which it makes where it is missing, out of
// commits. Where all is in place it costs one lstat. A .gitignore that a person
// wrote, or emptied, stays; where none can be written nothing is lost but the
// comfort. An error means that the folder could not be made.
func Hide(root *os.Root, dir string) error {
	info, err := root.Lstat(path.Join(dir, name))
	switch {
	case err == nil && info.Mode().IsRegular() && info.Size() == int64(len(narrower)):
		if text, err := root.ReadFile(path.Join(dir, name)); err == nil && bytes.Equal(text, []byte(narrower)) {
			// Anew, not in place: what a reader meets is whole, or none.
			_ = root.Remove(path.Join(dir, name))
			Put(root, dir, all)
		}
	case errors.Is(err, fs.ErrNotExist):
		if err := root.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		Put(root, dir, all)
	case err != nil:
		return root.MkdirAll(dir, 0o755)
	}
	return nil
}

// Put writes a .gitignore into a folder of root, with these lines, where there
// is none.
func Put(root *os.Root, dir string, lines string) { put(root, path.Join(dir, name), lines) }

// Join has git keep the lines of both sides where it merges these files of a
// folder of root, by a .gitattributes beside them where there is none. One that
// a person wrote, or emptied, stays.
func Join(root *os.Root, dir string, logs ...string) {
	at := path.Join(dir, ".gitattributes")
	if _, err := root.Lstat(at); err == nil {
		return
	}
	lines := "# Logs that are only ever appended to: a merge keeps the lines of both sides.\n"
	for _, log := range logs {
		lines += "/" + log + " merge=union\n"
	}
	put(root, at, lines)
}

func put(root *os.Root, at, lines string) {
	f, err := root.OpenFile(at, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return
	}
	_, err = io.WriteString(f, lines)
	if closed := f.Close(); err != nil || closed != nil {
		_ = root.Remove(at)
	}
}
