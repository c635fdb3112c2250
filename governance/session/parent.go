package session

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/grimoire-kit/grimoire/governance/canonical"
)

// maxParents bounds how many parents up a session is looked for.
const maxParents = 32

// Link records that session child was started by session parent, on hosts
// that give a sub-agent an id of its own (Copilot CLI, opencode): its calls
// then count for the parent. The first link of a child stands; one that would
// close a circle is ignored.
//
// There is one file per child, so that looking up a session costs the same
// however many there were.
func Link(root, child, parent string) error {
	if strings.TrimSpace(child) == "" || strings.TrimSpace(parent) == "" || fileKey(child) == fileKey(parent) {
		return nil
	}
	if fileKey(Root(root, parent)) == fileKey(child) {
		return nil
	}
	dir, err := runsDir(root)
	if err != nil {
		return fmt.Errorf("link session %s: %w", fileKey(child), err)
	}
	path := filepath.Join(dir, parentName(child))
	if _, err := os.Lstat(path); err == nil {
		return nil
	}
	if len(parent) > maxID {
		parent = fileKey(parent)
	}
	o := newObject()
	o.text("parent", parent)
	if err := replace(path, []byte(o.String())); err != nil {
		return fmt.Errorf("link session %s: %w", fileKey(child), err)
	}
	return nil
}

// Root is the session whose budget a session shares: the first one up the
// chain of parents that has none, or id itself. A chain that runs in a circle
// or does not end counts for id itself.
func Root(root, id string) string {
	at := id
	for range maxParents {
		up, ok := parent(root, at)
		if !ok {
			return at
		}
		at = up
	}
	return id
}

func parentName(child string) string { return "parent-" + fileKey(child) + ".json" }

func parent(root, child string) (string, bool) {
	path := filepath.Join(root, filepath.FromSlash(Dir), parentName(child))
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	f, err := os.Open(path)
	if err != nil {
		return "", false
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, 64<<10))
	if err != nil {
		return "", false
	}
	if _, ok := canonical.Parse(data); !ok {
		return "", false
	}
	up := text(gjson.GetBytes(data, "parent"))
	return up, strings.TrimSpace(up) != ""
}

// Start is what a session_start event does to the counters. A new session
// (source startup, clear, new, or none given) begins at zero; a session that
// is resumed or was compacted goes on counting, and so does a sub-agent's,
// which counts for its parent. It reports whether counters were dropped.
func Start(root, id, source string) (bool, error) {
	switch strings.ToLower(source) {
	case "resume", "compact":
		return false, nil
	}
	if _, child := parent(root, id); child {
		return false, nil
	}
	return Reset(root, id)
}
