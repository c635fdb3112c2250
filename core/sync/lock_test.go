package sync

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	gosync "sync"
	"testing"
	"time"
)

func TestLockIsBoundedAndEndsWithItsProcess(t *testing.T) {
	root := t.TempDir()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"=hold "+root)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "held\n" {
		t.Fatalf("the other process says %q", line)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := Acquire(ctx, root); !errors.Is(err, ErrBusy) {
		t.Errorf("error %v, want ErrBusy", err)
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Acquire(stopped, root); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want Canceled", err)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	l, err := Acquire(context.Background(), root)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Release(); err != nil {
		t.Fatal(err)
	}
	if names, _ := os.ReadDir(root); len(names) > 0 {
		t.Errorf("the lock left %v in the tree", names)
	}
}

// Where a directory cannot be locked, a file of the user's cache stands for it.
func TestCacheLock(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	t.Setenv("LocalAppData", t.TempDir())
	try := func(dir string) (bool, func() error) {
		l, err := cacheLock(dir)
		if err != nil {
			t.Fatal(err)
		}
		ok, err := l.TryLock()
		if err != nil {
			t.Fatal(err)
		}
		return ok, l.Unlock
	}
	first, release := try("/project")
	again, _ := try("/project")
	other, _ := try("/other")
	if !first || again || !other {
		t.Fatalf("first %v, again %v, other %v", first, again, other)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	if after, _ := try("/project"); !after {
		t.Error("still held after its release")
	}
}

func TestApplyNeedsTheLockOfItsProject(t *testing.T) {
	root := t.TempDir()
	set := prepare(t, root, Options{}, two(ours("a.md", "a\n")))
	if _, err := set.Apply(context.Background(), nil, nil); err == nil {
		t.Error("applied without a lock")
	}
	l, err := Acquire(context.Background(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer l.Release()
	if _, err := set.Apply(context.Background(), l, nil); err == nil || exists(root, "a.md") {
		t.Error("applied under another project's lock")
	}
}

// TestSyncsAtOnce runs real processes against one project: the same sync several
// times, and two hosts one by one.
func TestSyncsAtOnce(t *testing.T) {
	want := killProject(t)
	if out, err := child("new", want); err != nil {
		t.Fatal(err, out)
	}
	for _, whats := range []string{"new new new new", "one two one two"} {
		t.Run(whats, func(t *testing.T) {
			root := killProject(t)
			var wg gosync.WaitGroup
			for _, what := range strings.Fields(whats) {
				wg.Go(func() {
					if out, err := child(what, root); err != nil {
						t.Errorf("%s: %v %s", what, err, out)
					}
				})
			}
			wg.Wait()
			sameSnapshot(t, whats, snapshot(t, want, false), snapshot(t, root, false))
		})
	}
}

// A plan that was made before another sync ran is applied where it still holds.
func TestPlanOvertakenByAnotherSync(t *testing.T) {
	root := killProject(t)
	plans := newPlans()
	set := prepare(t, root, killOptions, plans...)
	run(t, root, killOptions, plans...)
	before := snapshot(t, root, false)
	if r := apply(t, set); !r.OK() || len(r.Hosts[0].Written) > 0 || len(r.Hosts[0].Unchanged) != 4 {
		t.Errorf("%+v", r)
	}
	sameSnapshot(t, "overtaken", before, snapshot(t, root, false))
}
