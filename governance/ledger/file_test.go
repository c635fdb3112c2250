package ledger

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// started is a ledger with one claimed task, and its log.
func started(t testing.TB) (l *Ledger, path, log string) {
	t.Helper()
	l, path = open(t, "")
	update(t, l, func(tx *Tx) error { return addTask(tx, "GAO-a-001") })
	update(t, l, func(tx *Tx) error { return claim(tx, "GAO-a-001", "claude") })
	return l, path, read(t, path)
}

func project(path string) string { return filepath.Dir(filepath.Dir(filepath.Dir(path))) }

// again is another process's ledger of the same project.
func again(path string) *Ledger { return Open(project(path), "") }

func running(tx *Tx) error { return tx.Move("GAO-a-001", Move{To: Running}) }

// agrees checks that what is kept beside the log says what the log says.
func agrees(t testing.TB, path string) {
	t.Helper()
	full := &Ledger{store: NewFile(project(path), "")}
	if err := full.catchUp(); err != nil {
		t.Fatal(err)
	}
	kept := again(path)
	if err := kept.catchUp(); err != nil {
		t.Fatal(err)
	}
	if !same(full.all, kept.all) {
		t.Fatalf("the snapshot gives\n%s\nthe log\n%s", encodeImage(kept.all), encodeImage(full.all))
	}
	want := fmt.Sprint(heldOf(full.all.state))
	err := again(path).ViewHeld(func(s *State) error {
		if got := fmt.Sprint(heldOf(s)); got != want {
			t.Fatalf("held are\n%s\nwant\n%s", got, want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func heldOf(s *State) []string {
	var out []string
	for _, t := range s.Held() {
		out = append(out, string(t.encode())+fmt.Sprint(t.Since, t.ReadySince, t.Epoch, t.Reason))
	}
	return out
}

func TestALastLineCutShortAtEveryByte(t *testing.T) {
	t.Parallel()
	_, path, log := started(t)
	last := strings.LastIndex(strings.TrimSuffix(log, "\n"), "\n") + 1
	for cut := last; cut <= len(log); cut++ {
		write(t, path, log[:cut])
		whole := cut >= len(log)-1 // without its end it is an event all the same
		want := "GAO-a-001 ready\n"
		if whole {
			want = "GAO-a-001 claimed\n"
		}
		l := again(path)
		if got := statuses(t, l); got != want {
			t.Fatalf("cut at %d: %s", cut-last, got)
		}
		torn := int64(cut - last)
		if whole {
			torn = 0
		}
		r, err := Verify(project(path), "")
		if err != nil || !r.Sound() || r.Torn != torn || (torn > 0) != (len(r.Problems) == 1) {
			t.Fatalf("cut at %d: %+v %v", cut-last, r, err)
		}
		// Two ledgers saw the cut; what both append next is on lines of its own.
		update(t, l, func(tx *Tx) error { _, err := tx.Direct("GAO-a-001", "comment", "a", "x"); return err })
		update(t, again(path), func(tx *Tx) error { _, err := tx.Direct("GAO-a-001", "comment", "b", "x"); return err })
		got := read(t, path)
		closed := log[:cut]
		if !strings.HasSuffix(closed, "\n") {
			closed += "\n"
		}
		if !strings.HasPrefix(got, closed) || strings.Count(got[len(closed):], "\n") != 2 {
			t.Fatalf("cut at %d: %q", cut-last, got[last:])
		}
		if st := statuses(t, again(path)); st != want || len(task(t, l, "GAO-a-001").Directives) != 2 {
			t.Fatalf("cut at %d: an append changed what the line says: %s", cut-last, st)
		}
		r, err = Verify(project(path), "")
		if err != nil || !r.Sound() || r.Torn != 0 || len(r.Problems) != min(1, int(torn)) {
			t.Fatalf("cut at %d, closed off: %+v %v", cut-last, r, err)
		}
		agrees(t, path)
	}
}

func TestABadLineHidesNothing(t *testing.T) {
	_, path, log := started(t)
	lines := strings.SplitAfter(log, "\n")
	event := strings.TrimSuffix(lines[2], "\n")
	for name, bad := range map[string]struct {
		line string
		kind FaultKind
	}{
		"prose":   {"hello", FaultNotJSON},
		"zeros":   {strings.Repeat("\x00", 4096), FaultCut},
		"binary":  {"\xff\xfe\x00", FaultNotText},
		"long":    {strings.Repeat("x", 3*MaxLine), FaultTooLong},
		"deep":    {strings.Repeat("[", 100_000), FaultTooDeep},
		"partial": {`{"id": "evt-1"}`, FaultNotEvent},
		"glued":   {event[:50] + event, FaultGlued},
	} {
		write(t, path, lines[0]+lines[1]+bad.line+"\n"+strings.Join(lines[2:], ""))
		l := again(path)
		if got := statuses(t, l); got != "GAO-a-001 claimed\n" {
			t.Errorf("%s: %s", name, got)
		}
		if f := l.all.state.Log.Faults; len(f) != 1 || f[0].Line != 3 || f[0].Kind != bad.kind || f[0].Offset != int64(len(lines[0]+lines[1])) {
			t.Errorf("%s: %+v", name, f)
		}
		update(t, l, running)
		agrees(t, path)
	}
	// Windows' ends of line, blank lines and its mark of a text are no faults.
	write(t, path, "\xef\xbb\xbf"+strings.ReplaceAll(log, "\n", "\r\n\r\n"))
	l := again(path)
	if got := statuses(t, l); got != "GAO-a-001 claimed\n" || l.all.state.Log.Skipped != 0 {
		t.Errorf("%s %+v", got, l.all.state.Log)
	}
}

// What a crash left may be longer than any line; the ledger goes on.
func TestALongTail(t *testing.T) {
	for name, tail := range map[string]string{"zeros": strings.Repeat("\x00", 3*MaxLine), "a line": strings.Repeat("x", MaxLine+9), "blanks": strings.Repeat(" ", MaxLine)} {
		l, path, log := started(t)
		write(t, path, log+tail)
		update(t, l, running)
		if got := read(t, path); !strings.HasPrefix(got, log+tail+"\n{") || statuses(t, again(path)) != "GAO-a-001 running\n" {
			t.Errorf("%s: %d bytes", name, len(got))
		}
		agrees(t, path)
	}
}

// The existing kit writes old content and a new line to a temporary file and
// renames it over the log; git puts another file in its place; someone cuts it.
func TestALogThatIsReplaced(t *testing.T) {
	_, path, log := started(t)
	lines := strings.SplitAfter(strings.TrimSuffix(log, "\n"), "\n")
	replace := func(content string) {
		tmp := filepath.Join(filepath.Dir(path), ".tmp-ledger-x")
		write(t, tmp, content)
		if err := os.Rename(tmp, path); err != nil {
			t.Fatal(err)
		}
	}
	theirs := strings.ReplaceAll(strings.TrimSpace(lines[3]), `"ready", "to_state": "claimed"`, `"claimed", "to_state": "running"`) + "\n"
	other := strings.ReplaceAll(log, "GAO-a-001", "GAO-z-001")
	for _, tt := range []struct {
		name   string
		change func()
		want   string
	}{
		{"the existing kit appends", func() { replace(log + theirs) }, "GAO-a-001 running\n"},
		{"an older commit", func() { replace(strings.Join(lines[:3], "")) }, "GAO-a-001 ready\n"},
		{"cut in place", func() { write(t, path, strings.Join(lines[:2], "")) }, "GAO-a-001 proposed\n"},
		{"another log of the same length", func() { replace(other) }, "GAO-z-001 claimed\n"},
		{"gone", func() { os.Remove(path) }, ""},
		{"empty", func() { write(t, path, "") }, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			replace(log)
			l := again(path)
			l.images.minGrowth = 1 // every state is written down
			if got := statuses(t, l); got != "GAO-a-001 claimed\n" {
				t.Fatal(got)
			}
			if err := l.ViewHeld(func(*State) error { return nil }); err != nil {
				t.Fatal(err)
			}
			tt.change()
			if got := statuses(t, l); got != tt.want {
				t.Errorf("the same ledger: %q", got)
			}
			if got := statuses(t, again(path)); got != tt.want {
				t.Errorf("another: %q", got)
			}
			agrees(t, path)
			content, _ := os.ReadFile(path)
			update(t, l, func(tx *Tx) error { return addTask(tx, "GAO-n-001") })
			if got := read(t, path); !strings.HasPrefix(got, string(content)) || statuses(t, again(path)) != tt.want+"GAO-n-001 ready\n" {
				t.Errorf("appended: %s", got)
			}
			agrees(t, path)
		})
	}
}

// A claim judged on a state that another has changed is not written.
func TestAppendComparesAndSets(t *testing.T) {
	_, path, log := started(t)
	f := NewFile(project(path), "")
	at, err := f.Read(Version{}, func(Line) {})
	if err != nil {
		t.Fatal(err)
	}
	e, _ := ptr(sample()).encode()
	for name, wrong := range map[string]Version{
		"the beginning": {}, "before": {Offset: at.Offset - 1, Tail: at.Tail, First: at.First},
		"beyond": {Offset: at.Offset + 1, Tail: at.Tail, First: at.First}, "another log": {Offset: at.Offset, Tail: at.Tail, First: "evt-x"},
		"another tail": {Offset: at.Offset, Tail: "0", First: at.First},
	} {
		if _, err := f.Append(wrong, e); !errors.Is(err, ErrMoved) {
			t.Errorf("%s: %v", name, err)
		}
		if wrong.Offset == 0 {
			continue // reading on from there is reading all
		}
		if _, err := f.Read(wrong, func(Line) { t.Error("a line was read") }); !errors.Is(err, ErrMoved) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if read(t, path) != log {
		t.Fatal("something was written")
	}
	next, err := f.Append(at, e)
	if err != nil || next.Offset != int64(len(read(t, path))) || next.First != at.First {
		t.Fatalf("%+v %v", next, err)
	}
	if got, err := f.Read(at, func(l Line) {
		if string(l.Text) != string(e) {
			t.Errorf("%+v", l)
		}
	}); err != nil || got != next {
		t.Fatalf("%+v %v", got, err)
	}
}

func TestALogThatMovesUnderAWriter(t *testing.T) {
	l, path, log := started(t)
	tries := 0
	update(t, l, func(tx *Tx) error {
		if tries++; tries == 1 { // a writer that takes no lock
			e := sample()
			e.ID = "evt-ffffffffffff"
			line, _ := e.encode()
			write(t, path, log+string(line)+"\n")
		}
		return running(tx)
	})
	if tries != 2 || statuses(t, again(path)) != "GAO-a-001 running\n" || !strings.Contains(read(t, path), "evt-ffffffffffff") {
		t.Fatalf("%d tries: %s", tries, read(t, path))
	}
	err := l.Update(context.Background(), func(tx *Tx) error {
		write(t, path, read(t, path)+"\n")
		_, err := tx.Direct("GAO-a-001", "comment", "x", "")
		return err
	})
	if !errors.Is(err, ErrMoved) {
		t.Fatalf("a log that never holds still: %v", err)
	}
}

func TestTheLockIsWaitedForAsLongAsAsked(t *testing.T) {
	l, path, log := started(t)
	release, err := NewFile(project(path), "").Lock(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), HookWait)
	defer cancel()
	begun := time.Now()
	err = l.UpdateHeld(ctx, running)
	var r *Refusal
	if !errors.Is(err, ErrBusy) || !errors.As(err, &r) || time.Since(begun) < HookWait/2 || read(t, path) != log {
		t.Fatalf("%v after %v", err, time.Since(begun))
	}
	if got := statuses(t, l); got != "GAO-a-001 claimed\n" {
		t.Fatal("reading waits for the lock: " + got)
	}
	release()
	update(t, l, running)
}

// Files of a cloned repository: links lead elsewhere, a pipe never answers.
func TestFilesThatAreNoFiles(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "precious")
	for _, name := range []string{LogName, lockName, snapshotName, heldName, temporary} {
		for _, target := range []string{outside, "/dev/zero", "../../inside"} {
			write(t, outside, "precious\n")
			_, path, _ := started(t)
			inside := filepath.Join(project(path), "inside")
			write(t, inside, "mine\n")
			victim := filepath.Join(filepath.Dir(path), name)
			os.Remove(victim)
			if err := os.Symlink(target, victim); err != nil {
				t.Skip(err)
			}
			l := again(path)
			l.images.minGrowth = 1
			err := l.Update(context.Background(), running)
			if wrong := name == LogName || name == lockName; wrong != (err != nil) {
				t.Errorf("%s → %s: %v", name, target, err)
			}
			if read(t, outside) != "precious\n" || read(t, inside) != "mine\n" {
				t.Fatalf("%s → %s: written through", name, target)
			}
		}
	}
	root := t.TempDir()
	if err := os.Symlink(t.TempDir(), filepath.Join(root, "_grimoire-runtime-output")); err != nil {
		t.Skip(err)
	}
	if err := Open(root, "").Update(context.Background(), func(tx *Tx) error { return addTask(tx, "GAO-a-001") }); err == nil {
		t.Error("the ledger's folder leads out of the project")
	}
}

func TestTheLedgersFolder(t *testing.T) {
	root, far := t.TempDir(), filepath.Join(t.TempDir(), "deep", "ledger")
	for dir, want := range map[string]string{"": filepath.Join(root, filepath.FromSlash(Dir), LogName), "a/b": filepath.Join(root, "a", "b", LogName), far: filepath.Join(far, LogName)} {
		l := Open(root, dir)
		update(t, l, func(tx *Tx) error { return addTask(tx, "GAO-a-001") })
		if read(t, want) == "" {
			t.Errorf("%s: nothing", dir)
		}
	}
	if err := Open(root, "../elsewhere").Update(context.Background(), func(tx *Tx) error { return addTask(tx, "GAO-a-001") }); err == nil {
		t.Error("a relative folder leads out of the project")
	}
}

// noLocks is a store on a file system without locks.
type noLocks struct{ *File }

func (noLocks) Lock(context.Context) (func(), error) { return nil, refuse(ErrNoLock, "non", "no") }

func TestNoLockNoClaim(t *testing.T) {
	_, path, log := started(t)
	l := OpenStore(noLocks{NewFile(project(path), "")})
	for name, change := range map[string]func(*Tx) error{
		"move": running, "attach": func(tx *Tx) error { return tx.Attach("GAO-a-001", "s", "h", false) },
		"renew": func(tx *Tx) error { return tx.Renew("GAO-a-001", 0, "") },
	} {
		if err := l.Update(context.Background(), change); !errors.Is(err, ErrNoLock) || read(t, path) != log {
			t.Errorf("%s: %v", name, err)
		}
	}
	update(t, l, func(tx *Tx) error { _, err := tx.Direct("GAO-a-001", "comment", "x", ""); return err })
	if len(task(t, l, "GAO-a-001").Directives) != 1 {
		t.Error("a remark was lost")
	}
}

// Dates never order anything, and a clock that jumps back breaks nothing.
func TestAClockThatGoesBackwards(t *testing.T) {
	l, path, _ := started(t)
	l.Now = func() time.Time { return morning.AddDate(-1, 0, 0) }
	update(t, l, running)
	update(t, l, func(tx *Tx) error { return tx.Renew("GAO-a-001", 1, "") })
	for _, l := range []*Ledger{l, again(path)} {
		if got := task(t, l, "GAO-a-001"); got.Status != Running || got.Claim.Epoch != 1 || !got.Since.Equal(morning.AddDate(-1, 0, 0)) {
			t.Fatalf("%+v", got)
		}
	}
	r, err := Verify(project(path), "")
	if err != nil || len(r.Problems) != 0 {
		t.Fatalf("%+v %v", r, err)
	}
}

// A change far from the log's end that keeps its size and its date is seen, by
// commands and by the hook.
func TestALogThatIsChangedFarBack(t *testing.T) {
	if identity(mustStat(t, ".")) == "" {
		t.Skip("the system does not tell that a file was written to")
	}
	for _, replaced := range []bool{false, true} {
		root := logOf(t, 3000)
		path := filepath.Join(root, filepath.FromSlash(Dir), LogName)
		l := Open(root, "")
		l.images.minGrowth = 1
		update(t, l, func(tx *Tx) error { return addTask(tx, "GAO-n-001") }) // and writes down what there is
		info, before := mustStat(t, path), read(t, path)
		owner := func() string { return task(t, Open(root, ""), "GAO-t-00001").Claim.Actor }
		if got := owner(); got != "a1" {
			t.Fatal(got)
		}
		time.Sleep(10 * time.Millisecond) // a tick of the file system's clock
		changed := strings.Replace(before, `"claim": {"actor_id": "a1"`, `"claim": {"actor_id": "zz"`, 1)
		if changed == before || len(changed) != len(before) {
			t.Fatal("nothing was changed")
		}
		if replaced {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
		write(t, path, changed)
		if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
			t.Fatal(err)
		}
		held := ""
		if err := Open(root, "").ViewHeld(func(s *State) error {
			x, _ := s.Task("GAO-t-00001")
			held = x.Claim.Actor
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		for range 2 { // and what was written down after it
			if got := owner(); got != "zz" || held != "zz" {
				t.Errorf("replaced %v: %s, the hook: %s", replaced, got, held)
			}
		}
		agrees(t, path)
		update(t, Open(root, ""), func(tx *Tx) error { return addTask(tx, "GAO-n-002") })
		if got := owner(); got != "zz" {
			t.Errorf("replaced %v: %s after the next change", replaced, got)
		}
		agrees(t, path)
	}
}

func mustStat(t *testing.T, path string) os.FileInfo {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info
}
