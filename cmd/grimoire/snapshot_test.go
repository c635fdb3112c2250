package main

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
)

// snapshots are the trees that running scripts asked to remember, by the
// script's folder.
var snapshots sync.Map // WORK → map[path]content

// snapshot remembers every file of the script's project: names, bytes, modes,
// modification times, link targets.
//
//	snapshot
func snapshot(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: snapshot")
	}
	snapshots.Store(ts.Getenv("WORK"), treeOf(ts))
}

// unchanged checks that nothing was touched since the last snapshot; with a
// path, that this file was not. `! unchanged` wants a change.
//
//	[!] unchanged [path]
func unchanged(ts *testscript.TestScript, neg bool, args []string) {
	before, ok := snapshots.Load(ts.Getenv("WORK"))
	if !ok {
		ts.Fatalf("unchanged comes after snapshot")
	}
	changes := differences(before.(map[string]string), treeOf(ts))
	if len(args) == 1 {
		changes = slices.DeleteFunc(changes, func(c string) bool { return c != args[0] })
	}
	switch {
	case neg && len(changes) == 0:
		ts.Fatalf("nothing was changed")
	case !neg && len(changes) > 0:
		ts.Fatalf("changed since the snapshot:\n  %s", strings.Join(changes, "\n  "))
	}
}

func treeOf(ts *testscript.TestScript) map[string]string {
	root, found := ts.Getenv("REPO"), map[string]string{}
	ts.Check(filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		var content []byte
		if d.Type()&fs.ModeSymlink != 0 {
			target, err := os.Readlink(path)
			if err != nil {
				return err
			}
			content = []byte(target)
		} else if content, err = os.ReadFile(path); err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		found[filepath.ToSlash(rel)] = fmt.Sprint(info.Mode(), info.ModTime().UnixNano(), " ", string(content))
		return err
	}))
	return found
}

func differences(before, after map[string]string) []string {
	paths := maps.Clone(before)
	maps.Copy(paths, after)
	var changes []string
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		was, old := before[path]
		is, there := after[path]
		if was != is || old != there {
			changes = append(changes, path)
		}
	}
	return changes
}
