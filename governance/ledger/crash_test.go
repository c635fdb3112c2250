package ledger

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/grimoire-kit/grimoire/governance/failpoint"
)

// The crash bench kills real processes. Every run does hundreds of rounds;
// `go test ./governance/ledger -run Kill -rounds 5000` does more.
var (
	rounds = flag.Int("rounds", 150, "rounds of the crash bench")
	mills  = flag.Int("mills", 100, "transitions of each of 16 processes")
)

// childVariable makes the test binary a process that works on one ledger:
// "<what> <number> <project>".
const childVariable = "GRIMOIRE_LEDGER_TEST_CHILD"

func TestMain(m *testing.M) {
	if args := strings.SplitN(os.Getenv(childVariable), " ", 3); len(args) == 3 {
		failpoint.Arm()
		n, _ := strconv.Atoi(args[1])
		if err := childMain(args[0], n, args[2]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	_ = flag.Set("rapid.checks", "30") // each syncs the disk many times; the command line says otherwise
	os.Exit(m.Run())
}

func childCommand(what string, n int, root string, env ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), fmt.Sprintf("%s=%s %d %s", childVariable, what, n, root)), env...)
	return cmd
}

// child runs to its end, or to its death, and returns what it acknowledged.
func child(what string, n int, root string, env ...string) (acked []string, err error) {
	cmd := childCommand(what, n, root, env...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%w %s", err, stderr.String())
	}
	return strings.Fields(string(out)), err
}

func childMain(what string, n int, root string) error {
	l := Open(root, "")
	l.images.minGrowth = 2000 // so that snapshots are written as well
	switch what {
	case "work":
		for i := range n {
			if err := step(l, i); err != nil {
				return err
			}
		}
	case "tear": // the power goes when n bytes of the line are written
		l.store.(*File).open = func(r *os.Root, name string, flag int) (logFile, error) {
			f, err := openLog(r, name, flag)
			return torn{f, n}, err
		}
		return step(l, 0)
	case "hold":
		release, err := l.store.Lock(context.Background())
		if err != nil {
			return err
		}
		fmt.Println("held")
		time.Sleep(time.Hour)
		release()
	case "begin":
		return l.Update(context.Background(), func(tx *Tx) error {
			if err := addTask(tx, "GAO-a-001"); !errors.Is(err, ErrExists) {
				return err
			}
			return nil
		})
	case "mill":
		return mill(l, n)
	case "kit":
		return kit(l.store.(*File), n)
	}
	return nil
}

// step is one change: a remark whose text is its acknowledgement, and, every
// other time, the task's next move with it.
func step(l *Ledger, i int) error {
	mark := "m" + token()
	fmt.Println("?" + mark) // about to
	err := l.Update(context.Background(), func(tx *Tx) error {
		if _, err := tx.Direct("GAO-a-001", "comment", mark, "child"); err != nil {
			return err
		}
		if i%2 == 1 {
			return nil
		}
		return turn(tx, "GAO-a-001", "child")
	})
	if err == nil {
		fmt.Println("!" + mark) // done
	}
	return err
}

// turn moves a task on, round and round.
func turn(tx *Tx, id, actor string) error {
	t, _ := tx.State().Task(id)
	switch t.Status {
	case Ready:
		return claim(tx, id, actor)
	case Claimed:
		return tx.Move(id, Move{To: Running, From: Claimed, Actor: actor})
	default:
		return tx.Move(id, Move{To: Ready, From: t.Status, Actor: actor})
	}
}

// torn writes n bytes of a write, and then there is no process any more.
type torn struct {
	logFile
	n int
}

func (f torn) Write(p []byte) (int, error) {
	_, _ = f.logFile.Write(p[:min(f.n, len(p))])
	die()
	return 0, nil
}

func die() {
	p, _ := os.FindProcess(os.Getpid())
	_ = p.Kill()
	time.Sleep(time.Hour)
}

// ledgerModel is what must be in the log: an acknowledged mark once, one that
// was begun and never acknowledged once or not at all.
type ledgerModel struct {
	done  map[string]bool
	begun map[string]bool
}

func (m *ledgerModel) saw(acks []string) {
	for _, a := range acks {
		if m.done == nil {
			m.done, m.begun = map[string]bool{}, map[string]bool{}
		}
		if a[0] == '!' {
			m.done[a[1:]] = true
			delete(m.begun, a[1:])
		} else {
			m.begun[a[1:]] = true
		}
	}
}

func (m *ledgerModel) check(t *testing.T, what, root string) {
	t.Helper()
	l := Open(root, "")
	found := map[string]int{}
	for _, d := range task(t, l, "GAO-a-001").Directives {
		found[d.Text]++
	}
	for mark := range m.done {
		if found[mark] != 1 {
			t.Fatalf("%s: the acknowledged event %s is there %d times", what, mark, found[mark])
		}
	}
	for mark, n := range found {
		if !m.done[mark] && (!m.begun[mark] || n != 1) {
			t.Fatalf("%s: %s is there %d times and was never written", what, mark, n)
		}
	}
	r, err := Verify(root, "")
	if err != nil || !r.Sound() {
		t.Fatalf("%s: %+v %v", what, r, err)
	}
	agrees(t, l.store.(*File).Path())
}

func fresh(t *testing.T) string {
	l, path := open(t, "")
	update(t, l, func(tx *Tx) error { return addTask(tx, "GAO-a-001") })
	return project(path)
}

var points = []string{
	"ledger.locked", "ledger.before-write", "ledger.written", "ledger.synced", "ledger.before-projection", "ledger.projected", "ledger.snapshot-written",
}

func TestKilledBetweenSteps(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of processes")
	}
	root := fresh(t)
	var m ledgerModel
	kills := map[string]int{}
	for round := range *rounds {
		if round%50 == 0 {
			root, m = fresh(t), ledgerModel{}
		}
		point := points[round%len(points)]
		n := 1 + rand.IntN(4)
		if point == "ledger.snapshot-written" {
			n = 1
		}
		acks, err := child("work", 8, root, fmt.Sprintf("%s=%s:%d", failpoint.Variable, point, n))
		if err != nil && !strings.Contains(err.Error(), "killed") {
			t.Fatal(err)
		}
		if err != nil {
			kills[point]++
		}
		m.saw(acks)
		what := fmt.Sprintf("round %d, killed at %s:%d", round, point, n)
		m.check(t, what, root)
		// The next command works.
		acks, err = child("work", 1, root)
		if m.saw(acks); err != nil {
			t.Fatalf("%s: the next command: %v", what, err)
		}
	}
	m.check(t, "at the end", root)
	for _, point := range points {
		if kills[point] == 0 {
			t.Errorf("%s killed nothing: is it still on the path?", point)
		}
	}
}

// The first command of a project is killed while it makes the ledger.
func TestKilledBeforeThereIsALedger(t *testing.T) {
	for _, point := range points {
		root := t.TempDir()
		if _, err := child("begin", 0, root, failpoint.Variable+"="+point); err == nil && point != "ledger.snapshot-written" {
			t.Errorf("%s killed nothing", point)
		}
		if r, err := Verify(root, ""); err != nil || !r.Sound() {
			t.Errorf("%s: %+v %v", point, r, err)
		}
		if _, err := child("begin", 0, root); err != nil {
			t.Errorf("%s: the next command: %v", point, err)
		}
		l := Open(root, "")
		if got := statuses(t, l); got != "GAO-a-001 ready\n" {
			t.Errorf("%s: %s", point, got)
		}
		agrees(t, l.store.(*File).Path())
	}
}

func TestKilledInTheMiddleOfALine(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of processes")
	}
	root := fresh(t)
	var m ledgerModel
	// Both lines of a step, and the byte that closes off the last one.
	for n := range 900 {
		if n%100 == 0 {
			root, m = fresh(t), ledgerModel{}
		}
		acks, err := child("tear", n, root)
		if err == nil || len(acks) != 1 {
			t.Fatalf("not killed: %v %v", acks, err)
		}
		m.saw(acks)
		if n%9 == 0 || n%100 == 99 { // checking costs more than killing
			m.check(t, fmt.Sprintf("killed after %d bytes", n), root)
		}
	}
}

func TestTheOneWhoHoldsTheLockIsKilled(t *testing.T) {
	root := fresh(t)
	cmd := childCommand("hold", 0, root)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "held\n" {
		t.Fatal(line, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), HookWait)
	defer cancel()
	change := func(tx *Tx) error { return turn(tx, "GAO-a-001", "x") }
	if err := Open(root, "").Update(ctx, change); !errors.Is(err, ErrBusy) {
		t.Fatalf("two have the lock: %v", err)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	update(t, Open(root, ""), change)
}

// lossy is a disk that keeps what was synced, and of the rest what it likes:
// nothing, a part, zeros in its place.
type lossy struct {
	synced int64 // length of the log that is safe
}

type lossyFile struct {
	logFile
	disk *lossy
}

func (f lossyFile) Sync() error {
	info, err := f.Stat()
	if err == nil {
		f.disk.synced = info.Size()
	}
	return err
}

func (d *lossy) powerCut(t *testing.T, path string) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	lost := info.Size() - d.synced
	if lost < 0 {
		t.Fatal("the log became shorter")
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	keep := rand.Int64N(lost + 1)
	if err := f.Truncate(d.synced + keep); err != nil {
		t.Fatal(err)
	}
	if zeros := rand.Int64N(keep + 1); rand.IntN(2) == 0 {
		if _, err := f.WriteAt(make([]byte, zeros), d.synced+keep-zeros); err != nil {
			t.Fatal(err)
		}
	}
	d.synced += keep
}

var errPower = errors.New("the power went")

func TestADiskThatDropsWhatWasNotSynced(t *testing.T) {
	for round := range *rounds / 4 {
		root := fresh(t)
		path := filepath.Join(root, filepath.FromSlash(Dir), LogName)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		disk := &lossy{synced: info.Size()}
		var m ledgerModel
		for range 4 {
			l := Open(root, "")
			l.images.minGrowth = 500
			goes := rand.IntN(6) // at which sync of this session the power goes
			l.store.(*File).open = func(r *os.Root, name string, flag int) (logFile, error) {
				f, err := openLog(r, name, flag)
				if err != nil {
					return nil, err
				}
				return dying{lossyFile{f, disk}, &goes}, nil
			}
			for i := 0; ; i++ {
				mark := "m" + token()
				m.saw([]string{"?" + mark})
				err := l.Update(context.Background(), func(tx *Tx) error {
					if _, err := tx.Direct("GAO-a-001", "comment", mark, "x"); err != nil {
						return err
					}
					return turn(tx, "GAO-a-001", "x")
				})
				if errors.Is(err, errPower) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				m.saw([]string{"!" + mark})
			}
			disk.powerCut(t, path)
			m.check(t, fmt.Sprintf("round %d", round), root)
		}
	}
}

// dying is a file whose power goes before the sync that goes counts down to.
type dying struct {
	lossyFile
	goes *int
}

func (f dying) Sync() error {
	if *f.goes--; *f.goes < 0 {
		return errPower
	}
	return f.lossyFile.Sync()
}

// mill makes n transitions of tasks that others move at the same time, and
// acknowledges each.
func mill(l *Ledger, n int) error {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	actor := fmt.Sprint("p", os.Getpid())
	for done := 0; done < n; {
		var id string
		var to Status
		err := l.Update(context.Background(), func(tx *Tx) error {
			id = fmt.Sprintf("GAO-%c-001", 'a'+rune(rand.IntN(8)))
			if t, _ := tx.State().Task(id); t.Status.Active() && t.Claim.Actor != actor {
				return refuse(ErrHeld, "", "")
			}
			if err := turn(tx, id, actor); err != nil {
				return err
			}
			t, _ := tx.State().Task(id)
			to = t.Status
			return nil
		})
		if errors.Is(err, ErrHeld) {
			continue
		}
		if err != nil {
			return err
		}
		done++
		fmt.Fprintf(out, "%s/%s/%s\n", actor, id, to)
	}
	// What it still holds others may go on with.
	return l.Update(context.Background(), func(tx *Tx) error {
		for _, t := range tx.State().Held() {
			if t.Status.Active() && t.Claim.Actor == actor {
				if err := tx.Move(t.ID, Move{To: Ready, Actor: "end of " + actor}); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func TestManyProcessesLoseNothing(t *testing.T) {
	l, path := open(t, "")
	update(t, l, func(tx *Tx) error {
		for c := 'a'; c < 'a'+8; c++ {
			if err := addTask(tx, fmt.Sprintf("GAO-%c-001", c)); err != nil {
				return err
			}
		}
		return nil
	})
	const processes = 16
	n := *mills
	if testing.Short() {
		n = 5
	}
	var mu sync.Mutex
	acked := map[string]int{}
	var all sync.WaitGroup
	for range processes {
		all.Go(func() {
			acks, err := child("mill", n, project(path))
			mu.Lock()
			defer mu.Unlock()
			if err != nil || len(acks) != n {
				t.Errorf("%d acknowledged: %v", len(acks), err)
			}
			for _, a := range acks {
				acked[a]++
			}
		})
	}
	all.Wait()
	if t.Failed() {
		return
	}
	// Verify finds a move from a state that was not so, and a lease given twice.
	r, err := Verify(project(path), "")
	if err != nil || len(r.Problems) != 0 {
		t.Fatalf("%d problems: %+v %v", len(r.Problems), r.Problems[:min(3, len(r.Problems))], err)
	}
	logged := map[string]int{}
	total := 0
	if err := again(path).Events(func(e Event) {
		if e.Type == TaskTransitioned && strings.HasPrefix(e.Actor, "p") {
			_, to, _ := strings.Cut(e.Payload, `"to_state": "`)
			to, _, _ = strings.Cut(to, `"`)
			logged[e.Actor+"/"+e.Entity+"/"+to]++
			total++
		}
	}); err != nil {
		t.Fatal(err)
	}
	if total != processes*n {
		t.Fatalf("%d transitions in the log, %d acknowledged", total, processes*n)
	}
	for what, times := range acked {
		if logged[what] != times {
			t.Fatalf("%s: %d in the log, %d acknowledged", what, logged[what], times)
		}
	}
	agrees(t, path)
}

// kit appends n events as the existing kit does: under the lock, the whole log
// and a line more to a temporary file that is renamed over it.
func kit(f *File, n int) error {
	for i := range n {
		release, err := f.Lock(context.Background())
		if err != nil {
			return err
		}
		e := sample()
		e.ID, e.Actor = NewEventID(), "kit"
		line, err := e.encode()
		if err != nil {
			return err
		}
		old, err := os.ReadFile(f.Path())
		if err != nil {
			return err
		}
		tmp := filepath.Join(filepath.Dir(f.Path()), fmt.Sprintf(".tmp-ledger-%d-%d", os.Getpid(), i))
		if err := errors.Join(os.WriteFile(tmp, append(append(old, line...), '\n'), 0o644), os.Rename(tmp, f.Path())); err != nil {
			return err
		}
		fmt.Println("kit")
		release()
	}
	return nil
}

// Processes of the existing kit and of this one write to one log at once.
func TestBothKitsAtOnce(t *testing.T) {
	l, path := open(t, "")
	update(t, l, func(tx *Tx) error {
		for c := 'a'; c < 'a'+8; c++ {
			if err := addTask(tx, fmt.Sprintf("GAO-%c-001", c)); err != nil {
				return err
			}
		}
		return nil
	})
	const each = 40
	var all sync.WaitGroup
	for _, what := range []string{"kit", "mill", "kit", "mill"} {
		all.Go(func() {
			if acks, err := child(what, each, project(path)); err != nil || len(acks) != each {
				t.Errorf("%s: %d acknowledged: %v", what, len(acks), err)
			}
		})
	}
	all.Wait()
	kits, moves := 0, 0
	if err := again(path).Events(func(e Event) {
		switch {
		case e.Actor == "kit":
			kits++
		case e.Type == TaskTransitioned && strings.HasPrefix(e.Actor, "p"):
			moves++
		}
	}); err != nil {
		t.Fatal(err)
	}
	if kits != 2*each || moves != 2*each {
		t.Errorf("%d events of the existing kit and %d moves, %d of each were acknowledged", kits, moves, 2*each)
	}
	if r, err := Verify(project(path), ""); err != nil || len(r.Problems) != 0 {
		t.Errorf("%+v %v", r, err)
	}
	agrees(t, path)
}

// Several goroutines, of one ledger and of others, are as good as processes.
func TestGoroutines(t *testing.T) {
	l, path := open(t, "")
	l.Now = nil
	update(t, l, func(tx *Tx) error { return addTask(tx, "GAO-a-001") })
	var all sync.WaitGroup
	for i := range 4 {
		ledger := l
		if i%2 == 1 {
			ledger = again(path)
		}
		all.Go(func() {
			for range 10 {
				if err := ledger.Update(t.Context(), func(tx *Tx) error {
					_, err := tx.Direct("GAO-a-001", "comment", "x", "y")
					return err
				}); err != nil {
					t.Error(err)
				}
				if err := ledger.View(func(*State) error { return nil }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if n := len(task(t, l, "GAO-a-001").Directives); n != 40 {
		t.Errorf("%d remarks", n)
	}
	agrees(t, path)
}
