// Package golden holds input projects and, for each host, the exact tree that
// `grimoire host sync` must make of them.
//
// <case>/project is the input; <case>/want/<host>/ holds every file the sync
// wrote or changed for that host, and <case>/want/<host>.txt what it reported
// on the others. Regenerate with:
//
//	go test ./golden -update
package golden

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/core/host"
	"github.com/grimoire-kit/grimoire/core/plugin"
	"github.com/grimoire-kit/grimoire/emitters/bundled"
	"github.com/grimoire-kit/grimoire/surface"
)

var update = flag.Bool("update", false, "write the trees instead of comparing with them")

// The emitters are this very test binary, started again.
func TestMain(m *testing.M) {
	if plugin.Main(bundled.Emitters()) {
		return
	}
	os.Exit(m.Run())
}

func TestGolden(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", t.TempDir()) // no plugin of this machine's user
	inputs, err := filepath.Glob("*/project")
	if err != nil || len(inputs) < 6 {
		t.Fatalf("%d input projects, %v", len(inputs), err)
	}
	for _, input := range inputs {
		for _, e := range bundled.Emitters() {
			alias := e.Profile().Alias()
			t.Run(filepath.Dir(input)+"/"+alias, func(t *testing.T) {
				t.Parallel()
				check(t, filepath.Dir(input), alias)
			})
		}
	}
}

func check(t *testing.T, name, alias string) {
	before := read(t, filepath.Join(name, "project"))
	root := filepath.Join(t.TempDir(), "a clone of "+name) // the folder's name must not matter
	write(t, root, before)
	report := sync(t, root, alias)
	got := changed(before, read(t, root))

	second := sync(t, root, alias)
	for _, line := range strings.Split(second, "\n") {
		if strings.HasPrefix(line, "written ") {
			t.Errorf("the second sync is not quiet: %s", line)
		}
	}

	want := filepath.Join(name, "want", alias)
	if *update {
		if err := os.RemoveAll(want); err != nil {
			t.Fatal(err)
		}
		write(t, want, got)
		if err := os.WriteFile(want+".txt", []byte(report), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	compare(t, read(t, want), got)
	if have, _ := os.ReadFile(want + ".txt"); string(have) != report {
		t.Errorf("report differs\ngot:\n%s\nwant:\n%s", report, have)
	}
}

// sync runs the real thing for one host, enabled or not, and returns what it
// says, a line a path.
func sync(t *testing.T, root, alias string) string {
	t.Helper()
	w, err := host.Open(context.Background(), root, true, func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	result, err := w.Sync(context.Background(), host.SyncOptions{Host: alias, ForceHost: true})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, h := range result.Hosts {
		if h.Failure != nil {
			t.Fatalf("%v\n%s", h.Failure, strings.Join(h.Failure.Stderr, "\n"))
		}
		for _, p := range h.Written {
			fmt.Fprintf(&b, "written %s\n", p)
		}
		for _, p := range h.Skipped {
			fmt.Fprintf(&b, "skipped %s: %s\n", p.Path, p.Reason.EN)
		}
		for _, p := range h.Failed {
			fmt.Fprintf(&b, "failed %s: %s\n", p.Path, p.Reason.EN)
		}
		for _, d := range h.Degradations {
			fmt.Fprintf(&b, "degraded %s: %s → %s\n", d.Surface, d.Reason.EN, d.Fallback.EN)
		}
	}
	for _, s := range w.Project.Skipped {
		fmt.Fprintf(&b, "not read %s: %s\n", s.Path, s.Reason.In(surface.English))
	}
	for _, s := range w.Project.Warnings {
		fmt.Fprintf(&b, "warning %s:%d: %s\n", s.Path, s.Line, s.Text.In(surface.English))
	}
	return b.String()
}

type tree map[string][]byte

func read(t *testing.T, root string) tree {
	t.Helper()
	files := tree{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		files[filepath.ToSlash(rel)], err = os.ReadFile(path)
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return files
}

func write(t *testing.T, root string, files tree) {
	t.Helper()
	for rel, content := range files {
		path := filepath.Join(root, filepath.FromSlash(rel))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func changed(before, after tree) tree {
	out := tree{}
	for path, content := range after {
		if have, ok := before[path]; !ok || !bytes.Equal(have, content) {
			out[path] = content
		}
	}
	return out
}

func compare(t *testing.T, want, got tree) {
	t.Helper()
	paths := []string{}
	for p := range want {
		paths = append(paths, p)
	}
	for p := range got {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	for _, p := range slices.Compact(paths) {
		w, inWant := want[p]
		g, inGot := got[p]
		switch {
		case !inGot:
			t.Errorf("%s: not written", p)
		case !inWant:
			t.Errorf("%s: written, and not expected", p)
		case !bytes.Equal(w, g):
			t.Errorf("%s differs\ngot:\n%s\nwant:\n%s", p, g, w)
		}
	}
}
