package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// grown is a log of n tasks that have each lived a little.
func grown(t testing.TB, n int) string {
	l, path := open(t, "")
	update(t, l, func(tx *Tx) error {
		for i := range n {
			id := fmt.Sprintf("GAO-t-%05d", i)
			if err := addTask(tx, id); err != nil {
				return err
			}
			switch i % 4 {
			case 1:
				if err := claim(tx, id, "claude"); err != nil {
					return err
				}
			case 2:
				if err := tx.Move(id, Move{To: Cancelled, Reason: "no\ttime"}); err != nil {
					return err
				}
			case 3:
				if err := tx.Link(id, Dependency{"blocks", "GAO-t-00000"}, "x"); err != nil {
					return err
				}
				if _, err := tx.Direct(id, "directive", "à faire \u2028 vite", "ana"); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return path
}

func besides(path, name string) string { return filepath.Join(filepath.Dir(path), name) }

func TestTheSnapshotSaysWhatTheLogSays(t *testing.T) {
	path := grown(t, 400)
	if _, err := os.Stat(besides(path, snapshotName)); err != nil {
		t.Fatal("no snapshot was written: ", err)
	}
	agrees(t, path)
	r, err := Verify(project(path), "")
	if err != nil || len(r.Problems) != 0 || r.Snapshot != snapshotAgrees {
		t.Fatalf("%+v %v", r, err)
	}
	// From it, nothing of the log is read again but its end.
	l := again(path)
	l.all = l.images.load()
	if l.all.state == nil || l.all.at.Offset != int64(len(read(t, path))) {
		t.Fatalf("%+v", l.all.at)
	}
	// What is read from it and written again is the same, whether its tasks
	// were looked at or not.
	once := string(encodeImage(l.all))
	for _, e := range l.all.state.tasks {
		e.full()
		e.line = ""
	}
	if twice := string(encodeImage(l.all)); twice != once {
		t.Fatal("a snapshot read and written again is another")
	}
}

// Snapshots are thrown away whatever they hold: nothing in them counts against
// the log.
func TestAnImageThatIsNone(t *testing.T) {
	t.Parallel()
	path := grown(t, 300)
	want := statuses(t, again(path))
	snapshot, held := read(t, besides(path, snapshotName)), read(t, besides(path, heldName))
	damage := map[string]func(string) string{
		"empty":     func(string) string { return "" },
		"short":     func(s string) string { return s[:len(s)/2] },
		"longer":    func(s string) string { return s + "x\n" },
		"not it":    func(s string) string { return "hello, this is no image\n" },
		"the other": func(s string) string { return map[bool]string{true: held, false: snapshot}[s == snapshot] },
	}
	for range 50 {
		n := rand.IntN(len(held))
		damage[fmt.Sprint("a bit at ", n)] = func(s string) string {
			b := []byte(s)
			b[n] ^= 1 << rand.IntN(7)
			return string(b)
		}
	}
	for name, change := range damage {
		write(t, besides(path, snapshotName), change(snapshot))
		write(t, besides(path, heldName), change(held))
		if got := statuses(t, again(path)); got != want {
			t.Fatalf("%s: %s", name, got)
		}
		agrees(t, path)
	}
	// A lie that holds together is found by Verify.
	l := again(path)
	if err := l.catchUp(); err != nil {
		t.Fatal(err)
	}
	e := l.all.state.tasks["GAO-t-00000"]
	e.full().Owner = "mallory"
	l.all.state.changed(e)
	write(t, besides(path, snapshotName), string(encodeImage(l.all)))
	r, err := Verify(project(path), "")
	if err != nil || r.Sound() || r.Snapshot != snapshotDisagrees || r.Problems[0].Kind != ProblemHistory {
		t.Fatalf("%+v %v", r, err)
	}
}

func TestSnapshotsAreWrittenRarely(t *testing.T) {
	i := &images{minGrowth: minGrowth}
	written := 0
	for offset := int64(0); offset < 50<<20; offset += 500 { // a log with a snapshot a fifth of its length
		m := memory{at: Version{Offset: offset}}
		if i.stale(m) {
			i.snapshot, i.size = offset, offset/5
			written += int(i.size)
		}
	}
	if written > growth*50<<20 {
		t.Errorf("%d MiB of snapshots for 50 MiB of log", written>>20)
	}
	if grown := int64(50<<20) - i.snapshot; grown > 2<<20 {
		t.Errorf("%d bytes to read on", grown)
	}
}

// A hook finds the held tasks without the log, the snapshot or the other tasks.
func TestHeldTasksAreFoundAlone(t *testing.T) {
	path := grown(t, 300)
	os.Remove(besides(path, snapshotName))
	l := again(path)
	err := l.ViewHeld(func(s *State) error {
		if len(s.Held()) != 75 || s.Held()[0].Title != "Titre de GAO-t-00001" {
			t.Fatalf("%d held", len(s.Held()))
		}
		return nil
	})
	if err != nil || l.all.state != nil {
		t.Fatal("all of the ledger was read: ", err)
	}
	// A writer that keeps no images claims another; the next look finds it, and
	// writes that down.
	other := OpenStore(NewFile(project(path), ""))
	update(t, other, func(tx *Tx) error { return claim(tx, "GAO-t-00000", "gemini") })
	for range 2 {
		l = again(path)
		err = l.ViewHeld(func(s *State) error {
			if got, ok := s.Task("GAO-t-00000"); !ok || len(s.Held()) != 76 || got.Claim.Actor != "gemini" || got.Title == "" {
				t.Errorf("%+v", got)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if l.all.state != nil {
		t.Error("what was found was not written down")
	}
	update(t, l, func(tx *Tx) error { return tx.Move("GAO-t-00001", Move{To: Running}) })
	if err := again(path).UpdateHeld(t.Context(), func(tx *Tx) error { return tx.Attach("GAO-t-00001", "s1", "h", false) }); err != nil {
		t.Fatal(err)
	}
	if got := task(t, again(path), "GAO-t-00001"); got.Claim.Session != "s1" {
		t.Errorf("%+v", got.Claim)
	}
	agrees(t, path)
}

// An image comes with a repository: whatever it holds, it is read or put aside.
func FuzzDecodeImage(f *testing.F) {
	tx := &Tx{state: newState(), now: morning}
	if err := errors.Join(addTask(tx, "GAO-a-001"), claim(tx, "GAO-a-001", "claude")); err != nil {
		f.Fatal(err)
	}
	f.Add(string(encodeImage(memory{state: tx.state, at: Version{Offset: 3, Tail: "t", First: "f"}}))[9:])
	f.Add(`{"schema_version": "` + imageSchema + `", "tasks": 1}` + "\n" + `["a","","","","","","","","",1,2,3,4,true,false]` + "\t{}\n")
	f.Add(`{"schema_version": "` + imageSchema + `", "tasks": 99999999999}` + "\n")
	f.Fuzz(func(t *testing.T, body string) {
		m, ok := decodeImage(fmt.Sprintf("%08x %s", checksum(body), body))
		if !ok {
			return
		}
		for r := range m.state.Rows() {
			if !json.Valid([]byte(m.state.Spelled(r.ID))) && m.state.tasks[r.ID].task == nil {
				t.Fatalf("%s is spelled %s", r.ID, m.state.Spelled(r.ID))
			}
			m.state.Task(r.ID)
		}
		m.state.Held()
		held := memory{state: m.state.onlyHeld()}
		if _, ok := decodeImage(string(encodeImage(held))); !ok {
			t.Fatal("the held tasks cannot be written down")
		}
	})
}

// Both ways to read a row read it alike; what is no row is none.
func TestRowsAreReadAlike(t *testing.T) {
	for _, title := range []string{"", "plain", "é 语", `a "quoted" \ one`, "tab\tand\nline", "],[", `",1,2,3,4,true,true]`} {
		e := entry{task: &Task{ID: "GAO-a-001", Title: title, Status: Ready, Reason: title, Epoch: 3, Claim: &Claim{}}}
		if title == "plain" {
			e.task.DependsOn = []Dependency{{"blocks", "GAO-b-001"}}
		}
		row, _, _ := cutTab(string(e.encode()))
		var texts [2][9]string
		var numbers [2][4]int64
		held, linked, ok := plainRow(row, &texts[0], &numbers[0])
		if escaped := strings.Contains(row, `\`); ok == escaped {
			t.Errorf("%s: read plainly: %v", row, ok)
		}
		if anyHeld, anyLinked, anyOK := anyRow(row, &texts[1], &numbers[1]); !anyOK || texts[1][2] != title || anyLinked != (title == "plain") || ok && (linked != anyLinked || held != anyHeld || texts[0] != texts[1] || numbers[0] != numbers[1]) {
			t.Errorf("%s: %v %v %v, %v %v %v", row, held, texts[0], numbers[0], anyHeld, texts[1], numbers[1])
		}
		for n := range row {
			if _, _, ok := plainRow(row[:n], &texts[0], &numbers[0]); ok {
				t.Errorf("%s is no row", row[:n])
			}
		}
	}
}
