package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidwall/gjson"
)

// In a copy of the test binary started by TestNoCountIsLost this adds to a
// session as hook processes do. How long they wait for each other is the
// machine's affair: one that waited in vain counted nothing, and asks again.
func TestMain(m *testing.M) {
	if root := os.Getenv("SESSION_TEST_ROOT"); root != "" {
		for done := 0; done < 5; {
			err := Update(root, "shared", func(s *State) error {
				c := s.Rule("budget")
				c.Calls++
				s.Mutations++
				s.Ask(Pending{Key: fmt.Sprintf("%d-%d", os.Getpid(), c.Calls), Fingerprint: "f", Rules: []string{"budget"}})
				return nil
			})
			switch {
			case err == nil:
				done++
			case !errors.Is(err, context.DeadlineExceeded):
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestNoCountIsLost(t *testing.T) {
	root := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const processes = 32
	var wg sync.WaitGroup
	for range processes {
		wg.Go(func() {
			cmd := exec.Command(self)
			cmd.Env = append(os.Environ(), "SESSION_TEST_ROOT="+root)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	wg.Wait()
	s := Read(root, "shared")
	if got := s.Rule("budget").Calls; got != processes*5 || s.Mutations != processes*5 {
		t.Errorf("got %d calls, %d mutations; want %d", got, s.Mutations, processes*5)
	}
	// The last 64 asked stand, in the order in which they were asked.
	if len(s.Pending) != MaxPending {
		t.Fatalf("got %d pending", len(s.Pending))
	}
	for i, p := range s.Pending {
		if want := fmt.Sprintf("-%d", processes*5-MaxPending+1+i); !strings.HasSuffix(p.Key, want) {
			t.Fatalf("pending %d is %s, want …%s", i, p.Key, want)
		}
	}
	left, _ := filepath.Glob(filepath.Join(root, Dir, ".*.tmp"))
	if len(left) > 0 {
		t.Errorf("temporary files left: %v", left)
	}
}

func TestUpdateWaitsAtMostItsTime(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	unlock, err := lock(root, "held")
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	called := false
	if err := Update(root, "held", func(*State) error { called = true; return nil }); err == nil || called {
		t.Fatalf("got %v, changed %v; want an error and no change", err, called)
	}
}

func TestUpdateWritesOnlyAChange(t *testing.T) {
	root := t.TempDir()
	broken := errors.New("broken")
	if err := Update(root, "s", func(s *State) error { s.Mutations = 3; return broken }); !errors.Is(err, broken) {
		t.Fatal(err)
	}
	if _, err := os.Stat(Path(root, "s")); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("a change that failed was written: %v", err)
	}
	if err := Update(root, "s", func(s *State) error { s.Mutations = 3; return nil }); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(Path(root, "s"))
	if err := Update(root, "s", func(*State) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if after, _ := os.ReadFile(Path(root, "s")); string(after) != string(before) {
		t.Errorf("nothing changed, yet the file did:\n%s\n%s", before, after)
	}
}

// existing is a file as the existing kit writes it.
const existing = `{"mutations":2,"pending_approvals":{"toolu_1":{"fingerprint":"aa","rules":["rm"]},"toolu_0":{"fingerprint":"bb","rules":["rm"]}},"rules":{"rm":{"approved":true,"approved_fingerprints":["cc"],"calls":1,"cost_usd":0.5,"hits":["2026-01-01T00:00:01.250000+00:00","2026-01-01T00:00:02",7],"writes":1}},"schema_version":1,"session_id":"abc","started_at":"2026-01-01T00:00:00","task_id":"T-1","updated_at":"2026-01-01T00:00:00+00:00","later":{"a":[1]}}`

func TestReadsTheExistingKit(t *testing.T) {
	s, ok := decode([]byte(existing))
	if !ok {
		t.Fatal("not read")
	}
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	c := s.Rule("rm")
	switch {
	case s.ID != "abc" || s.Task != "T-1" || s.Mutations != 2 || !s.StartedAt.Equal(start):
		t.Errorf("session: %+v", s)
	case c.Calls != 1 || c.Writes != 1 || c.CostUSD != 0.5 || !c.IsApproved("cc") || c.IsApproved("aa"):
		t.Errorf("counters: %+v", c)
	case len(c.Hits) != 2 || !c.Hits[0].Equal(start.Add(1250*time.Millisecond)) || !c.Hits[1].Equal(start.Add(2*time.Second)):
		t.Errorf("hits: %v", c.Hits)
	case len(s.Pending) != 2 || s.Pending[0].Key != "toolu_1":
		t.Errorf("pending: %+v", s.Pending)
	}
	want := `{"later":{"a":[1]},"mutations":2,"pending_approvals":{"toolu_0":{"fingerprint":"bb","order":2,"rules":["rm"]},"toolu_1":{"fingerprint":"aa","order":1,"rules":["rm"]}},"rules":{"rm":{"approved":true,"approved_fingerprints":["cc"],"calls":1,"cost_usd":0.5,"hits":["2026-01-01T00:00:01.250000+00:00","2026-01-01T00:00:02+00:00"],"writes":1}},"schema_version":1,"session_id":"abc","started_at":"2026-01-01T00:00:00+00:00","task_id":"T-1","updated_at":"2026-01-01T00:00:00+00:00"}`
	if got := string(s.encode()); got != want {
		t.Errorf("written:\n%s\nwant:\n%s", got, want)
	}
}

func TestBrokenFilesAreNewSessions(t *testing.T) {
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, Dir), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "{", "[]", "null", `"x"`, `{}`, `{"schema_version":2,"mutations":4}`,
		`{"schema_version":"1","mutations":4}`, `{"schema_version":true,"mutations":4}`, existing[:len(existing)-20], strings.Repeat("[", 1<<20)} {
		if err := os.WriteFile(Path(root, "s"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		s := Read(root, "s")
		if s.ID != "s" || s.Mutations != 0 || len(s.Rules) != 0 || time.Since(s.StartedAt) > time.Minute {
			t.Errorf("%.30q: got %+v", text, s)
		}
		if err := Update(root, "s", func(s *State) error { s.Mutations++; return nil }); err != nil {
			t.Errorf("%.30q: %v", text, err)
		}
		if got := Read(root, "s").Mutations; got != 1 {
			t.Errorf("%.30q: got %d mutations after an update", text, got)
		}
	}
}

func TestWrongTypesCountAsAbsent(t *testing.T) {
	s, ok := decode([]byte(`{"schema_version":1,"session_id":3,"started_at":"yesterday","mutations":-1,"rules":{"a":{"calls":"x","writes":1.5,"cost_usd":-2,"hits":{},"approved_fingerprints":[1,"f"]},"b":[]},"pending_approvals":{"k":{"rules":["a"]},"l":3}}`))
	if !ok {
		t.Fatal("not read")
	}
	a := s.Rule("a")
	if s.ID != "" || !s.StartedAt.IsZero() || s.Mutations != 0 || a.Calls != 0 || a.Writes != 0 || a.CostUSD != 0 ||
		len(a.Hits) != 0 || !slices.Equal(a.Approved, []string{"f"}) || len(s.Pending) != 0 {
		t.Errorf("got %+v, %+v", s, a)
	}
}

func TestFileNames(t *testing.T) {
	long := strings.Repeat("a", 129)
	for id, want := range map[string]string{
		"abc-DEF_1": "session-abc-DEF_1.json",
		"":          "session-unknown.json",
		"  ":        "session-unknown.json",
		"../../x":   "session-h-",
		"a/b":       "session-h-",
		"é":         "session-h-",
		"a.b":       "session-h-",
		long:        "session-h-",
	} {
		got := FileName(id)
		if strings.HasSuffix(want, "-") {
			if !strings.HasPrefix(got, want) || len(got) != len(want)+32+len(".json") {
				t.Errorf("%q: got %s", id, got)
			}
		} else if got != want {
			t.Errorf("%q: got %s, want %s", id, got, want)
		}
	}
}

func TestLongIDs(t *testing.T) {
	root, long := t.TempDir(), strings.Repeat("é", 1<<20)
	if err := Link(root, "child", long); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{long, "child", long} {
		if err := Update(root, Root(root, id), func(s *State) error { s.Mutations++; return nil }); err != nil {
			t.Fatal(err)
		}
	}
	if s := Read(root, long); s.Mutations != 3 || len(s.ID) > maxID {
		t.Errorf("got %d mutations, an id of %d bytes", s.Mutations, len(s.ID))
	}
	if id, _ := Choose(root, "", ""); FileName(id) != FileName(long) {
		t.Errorf("choose: %s", id)
	}
}

func TestStart(t *testing.T) {
	for source, dropped := range map[string]bool{"startup": true, "clear": true, "new": true, "": true, "resume": false, "compact": false, "Resume": false} {
		root := t.TempDir()
		if err := Update(root, "s", func(s *State) error { s.Mutations = 7; return nil }); err != nil {
			t.Fatal(err)
		}
		got, err := Start(root, "s", source)
		if err != nil || got != dropped {
			t.Errorf("%q: got %v, %v", source, got, err)
		}
		if left := Read(root, "s").Mutations; (left == 0) != dropped {
			t.Errorf("%q: %d mutations left", source, left)
		}
	}
	if got, err := Start(t.TempDir(), "s", "startup"); got || err != nil {
		t.Errorf("no file: got %v, %v", got, err)
	}
}

func TestParents(t *testing.T) {
	root := t.TempDir()
	link := func(child, parent string) {
		t.Helper()
		if err := Link(root, child, parent); err != nil {
			t.Fatal(err)
		}
	}
	link("b", "a")
	link("c", "b")
	link("c", "z")  // the first link stands
	link("a", "c")  // would close a circle
	link("a", "a")  // is one
	link("", "a")   // no child
	link("d/1", "") // no parent
	link("d/1", "c")
	for id, want := range map[string]string{"a": "a", "b": "a", "c": "a", "d/1": "a", "z": "z", "": ""} {
		if got := Root(root, id); got != want {
			t.Errorf("%q: got %q, want %q", id, got, want)
		}
	}
	// A sub-agent's start does not wipe what it shares, and its own name
	// leads to the parent's session.
	if err := Update(root, "a", func(s *State) error { s.Mutations = 1; return nil }); err != nil {
		t.Fatal(err)
	}
	if dropped, err := Start(root, "c", "startup"); dropped || err != nil {
		t.Errorf("start of a sub-agent: %v, %v", dropped, err)
	}
	if id, ok := Choose(root, "c", ""); id != "a" || !ok {
		t.Errorf("choose: %q", id)
	}
}

func TestParentCirclesOnDisk(t *testing.T) {
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, Dir), 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(child, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(root, Dir, parentName(child)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("x", `{"parent":"y"}`)
	write("y", `{"parent":"x"}`)
	write("self", `{"parent":"self"}`)
	write("bad", `{"parent":3}`)
	write("cut", `{"parent":"x`)
	for i := range 100 {
		write(fmt.Sprintf("n%d", i), fmt.Sprintf(`{"parent":"n%d"}`, i+1))
	}
	for _, id := range []string{"x", "y", "self", "bad", "cut", "n0"} {
		if got := Root(root, id); got != id {
			t.Errorf("%s: got %s", id, got)
		}
	}
	if got := Root(root, "n90"); got != "n100" {
		t.Errorf("n90: got %s", got)
	}
}

func TestChoose(t *testing.T) {
	root := t.TempDir()
	if id, ok := Choose(root, "", ""); ok {
		t.Errorf("no session: got %q", id)
	}
	for i, id := range []string{"old", "weird/id", "new"} {
		if err := Update(root, id, func(*State) error { return nil }); err != nil {
			t.Fatal(err)
		}
		at := time.Date(2026, 1, 1+i, 0, 0, 0, 0, time.UTC)
		if err := os.Chtimes(Path(root, id), at, at); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ named, env, want string }{{"a", "b", "a"}, {"", "b", "b"}, {"", " ", "new"}} {
		if got, ok := Choose(root, tt.named, tt.env); !ok || got != tt.want {
			t.Errorf("%+v: got %q", tt, got)
		}
	}
	if dropped, err := Reset(root, "new"); !dropped || err != nil {
		t.Fatal(dropped, err)
	}
	if got, _ := Choose(root, "", ""); got != "weird/id" {
		t.Errorf("hashed name: got %q", got)
	}
}

func TestStateLeavesTheProjectAlone(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "_grimoire-output"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(root, filepath.FromSlash(Dir))); err != nil {
		t.Skip(err)
	}
	if err := Update(root, "s", func(s *State) error { s.Mutations++; return nil }); err == nil {
		t.Error("wrote through a link that leaves the project")
	}
	if entries, _ := os.ReadDir(outside); len(entries) > 0 {
		t.Errorf("left outside: %v", entries)
	}
}

func TestALinkForALockIsRefused(t *testing.T) {
	root, outside := t.TempDir(), filepath.Join(t.TempDir(), "made")
	if err := os.MkdirAll(filepath.Join(root, Dir), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(root, Dir, "session-s.lock")); err != nil {
		t.Skip(err)
	}
	if err := Update(root, "s", func(s *State) error { s.Mutations++; return nil }); err == nil {
		t.Error("no error")
	}
	if _, err := os.Lstat(outside); err == nil {
		t.Error("a file was made outside the project")
	}
}

func TestStoredStateHoldsNoContent(t *testing.T) {
	s := New("s", time.Now())
	s.Ask(Pending{Key: "k", Fingerprint: "f", Rules: []string{"r"}, Tool: "Bash", Asked: time.Now()})
	for _, key := range gjson.GetBytes(s.encode(), "pending_approvals.k|@keys").Array() {
		if !slices.Contains([]string{"asked_at", "fingerprint", "order", "rules", "tool"}, key.String()) {
			t.Errorf("stores %s", key)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(existing))
	f.Add([]byte(`{"schema_version":1,"rules":{"":{"cost_usd":1e308}},"pending_approvals":{"":{"fingerprint":"x","order":1e99}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, ok := decode(data)
		if !ok {
			return
		}
		once := s.encode()
		again, ok := decode(once)
		if !ok {
			t.Fatalf("%q is not read back", once)
		}
		if twice := again.encode(); string(twice) != string(once) {
			t.Fatalf("not stable:\n%s\n%s", once, twice)
		}
	})
}

func BenchmarkUpdate(b *testing.B) {
	root := b.TempDir()
	for b.Loop() {
		if err := Update(root, "s", func(s *State) error { s.Rule("r").Calls++; return nil }); err != nil {
			b.Fatal(err)
		}
	}
}
