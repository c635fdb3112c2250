package sync

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/governance/failpoint"
	"github.com/grimoire-kit/grimoire/pluginsdk"
)

// childVariable makes the test binary a process that does one thing to one
// project: "<what> <project>".
const childVariable = "GRIMOIRE_SYNC_TEST_CHILD"

func TestMain(m *testing.M) {
	what, root, ok := strings.Cut(os.Getenv(childVariable), " ")
	if !ok {
		_ = flag.Set("rapid.checks", "30") // each syncs the disk many times; the command line says otherwise
		os.Exit(m.Run())
	}
	failpoint.Arm()
	if err := childMain(what, root); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// child runs this binary as a real process of its own.
func child(what, root string, env ...string) (string, error) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), childVariable+"="+what+" "+root), env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func childMain(what, root string) error {
	ctx := context.Background()
	l, err := Acquire(ctx, root)
	if err != nil {
		return err
	}
	defer l.Release()
	var set *ChangeSet
	switch what {
	case "old":
		set, err = Prepare(root, oldPlans(), killOptions)
	case "new":
		set, err = Prepare(root, newPlans(), killOptions)
	case "prune":
		var stale []Leftover
		if stale, err = Stale(root, newPlans()); err == nil {
			set, err = Prune(root, stale, newPlans(), Options{})
		}
	case "remove":
		for _, h := range newPlans() {
			if set, err = Remove(root, h, nil, Options{}); err != nil {
				return err
			}
			if _, err = set.Apply(ctx, l, nil); err != nil {
				return err
			}
		}
		return nil
	case "many":
		set, err = Prepare(root, manyPlans(), killOptions)
	case "one":
		set, err = Prepare(root, newPlans()[:1], killOptions)
	case "two":
		set, err = Prepare(root, newPlans()[1:], killOptions)
	case "hold":
		fmt.Println("held")
		select {}
	}
	if err != nil {
		return err
	}
	r, err := set.Apply(ctx, l, nil)
	if err == nil && !r.OK() {
		err = fmt.Errorf("not all done: %+v", r)
	}
	return err
}

var killOptions = Options{EntrySections: true}

// The project before and after a change of its sources: files that change, that
// go and that come, in directories that exist and that do not, a section, a merge
// that drops a rule and adds another.
func oldPlans() []HostPlan {
	a := one(ours(".one/agents/a.md", "old a\n"), ours(".one/agents/gone.md", "gone\n"), entry("ONE.md", "old one\n"))
	return []HostPlan{a, two(ours(".two/x.md", "old x\n"))}
}

func newPlans() []HostPlan {
	a := one(ours(".one/agents/a.md", "new a\n"), ours(".one/agents/new/b.md", "new b\n"), entry("ONE.md", "new one\n"))
	m := settings()
	m.Ops = append(m.Ops[:2:2], pluginsdk.Op{Kind: pluginsdk.OpEnsureString, Path: []string{"permissions", "deny"}, Value: raw(`"Read(./**/*.pem)"`)})
	a.Plan.Merges = []pluginsdk.Merge{m}
	b := two(ours(".two/x.md", "new x\n"), ours(".two/y/z.md", "new z\n"))
	b.Plan.Merges = []pluginsdk.Merge{{Path: "two.json", Ops: []pluginsdk.Op{{Kind: pluginsdk.OpEnsureString, Path: []string{"instructions"}, Value: raw(`"GRIMOIRE.md"`)}}}}
	b.Table = b.Plan.Merges
	return []HostPlan{a, b}
}

// manyPlans are enough files to be synced together, in two batches.
func manyPlans() []HostPlan {
	var files []pluginsdk.File
	for i := range 300 {
		files = append(files, ours(fmt.Sprintf(".two/%d/%03d.md", i%7, i), "new\n"))
	}
	return []HostPlan{two(files...)}
}

func killProject(t *testing.T) string {
	root := t.TempDir()
	write(t, root, "_grimoire/kit/agents/scribe.md", "mine\n")
	write(t, root, "ONE.md", "# Mine")
	write(t, root, ".one/settings.json", "{\n\t\"model\": \"x\", // mine\n}")
	return root
}

func copyOf(t *testing.T, root string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(root)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// steps are the fail points of an apply, in the order they are passed.
var steps = []string{
	"sync.before-announce", "tree.directory-created", "tree.temporary-created", "tree.temporary-written", "tree.temporary-synced",
	"tree.before-check", "tree.before-rename", "tree.after-rename", "sync.after-announce", "sync.before-merges", "sync.before-deletions",
	"tree.before-delete", "tree.after-delete", "sync.before-disk", "sync.before-record", "sync.after-record",
}

// TestKilledAtEveryStep kills a real sync, then a real prune and a real removal,
// at every hit of every step. Each file is then the old or the new one, and the
// next run ends where an undisturbed one does, down to leaving no trace at all
// when everything is removed.
func TestKilledAtEveryStep(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of processes")
	}
	phases := []string{"old", "new", "prune", "remove"}
	// after[i] is the project before phases[i] ran undisturbed.
	root := killProject(t)
	after := []map[string]string{snapshot(t, root, false)}
	var before []string // a copy of the project for each phase to start from
	for _, phase := range phases {
		before = append(before, copyOf(t, root))
		if out, err := child(phase, root); err != nil {
			t.Fatalf("%s: %v %s", phase, err, out)
		}
		after = append(after, snapshot(t, root, false))
	}
	sameSnapshot(t, "removed", after[0], after[len(phases)])

	for i, phase := range phases {
		t.Run(phase, func(t *testing.T) {
			t.Parallel()
			kills := 0
			for _, step := range steps {
				for n := 1; ; n++ {
					root := copyOf(t, before[i])
					armed := fmt.Sprintf("%s=%s:%d", failpoint.Variable, step, n)
					out, err := child(phase, root, armed)
					if err == nil {
						break // fewer than n hits
					}
					what := fmt.Sprintf("%s killed at %s:%d", phase, step, n)
					if out != "" {
						t.Fatalf("%s: %v %s", what, err, out)
					}
					kills++
					oldOrNew(t, what, after[i], after[i+1], snapshot(t, root, false))
					for _, next := range []int{i, len(phases) - 1} {
						if out, err := child(phases[next], root); err != nil {
							t.Fatalf("%s, then %s: %v %s", what, phases[next], err, out)
						}
						sameSnapshot(t, what+", then "+phases[next], after[next+1], snapshot(t, root, false))
					}
					if t.Failed() {
						return
					}
				}
			}
			if kills < 5 {
				t.Errorf("only %d kills: are the fail points still on the path?", kills)
			}
		})
	}
}

func TestKilledInABatch(t *testing.T) {
	start := killProject(t)
	before := snapshot(t, start, false)
	done := copyOf(t, start)
	if out, err := child("many", done); err != nil {
		t.Fatal(err, out)
	}
	after := snapshot(t, done, false)
	steps := []string{"tree.temporary-written:200", "tree.after-rename:1", "tree.after-rename:256", "tree.after-rename:257", "tree.before-check:270"}
	if runtime.GOOS == "linux" {
		steps = append(steps, "tree.before-whole-sync:1", "tree.after-whole-sync:1", "tree.before-whole-sync:2")
	}
	for _, step := range steps {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			root := copyOf(t, start)
			if out, err := child("many", root, failpoint.Variable+"="+step); err == nil || out != "" {
				t.Fatalf("not killed: %v %s", err, out)
			}
			oldOrNew(t, step, before, after, snapshot(t, root, false))
			if out, err := child("many", root); err != nil {
				t.Fatal(err, out)
			}
			sameSnapshot(t, step+", then many", after, snapshot(t, root, false))
		})
	}
}

// oldOrNew checks that every file is whole: the old one, the new one, absent
// where either is, or a temporary or the record, which the next run settles.
func oldOrNew(t *testing.T, what string, before, after, got map[string]string) {
	t.Helper()
	for p, have := range got {
		if strings.Contains(p, ".grimoire-") || strings.HasPrefix(have, "d") || strings.HasPrefix(p, "_grimoire/hosts/") {
			continue
		}
		if have != before[p] && have != after[p] {
			t.Errorf("%s: %s is neither old nor new: %q", what, p, have)
		}
	}
	for p := range before {
		if _, stays := after[p]; stays && !strings.HasPrefix(before[p], "d") {
			if _, ok := got[p]; !ok {
				t.Errorf("%s: %s is gone", what, p)
			}
		}
	}
}
