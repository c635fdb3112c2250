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
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/grimoire-kit/grimoire/governance/failpoint"
)

// The crash bench kills real processes. Every run does hundreds of rounds;
// `go test ./governance/ledger -run Kill -rounds 5000` does more.
var (
	rounds = flag.Int("rounds", 120, "rounds of the crash bench")
	mills  = flag.Int("mills", 1000, "transitions of each of 16 processes")
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
	change := func(tx *Tx) error {
		if _, err := tx.Direct("GAO-a-001", "comment", mark, "child"); err != nil {
			return err
		}
		if i%2 == 1 {
			return nil
		}
		return turn(tx, "GAO-a-001", "child")
	}
	err := ErrUnknownTask
	if i%3 == 2 { // as the hook does
		err = l.UpdateHeld(context.Background(), change)
	}
	if errors.Is(err, ErrUnknownTask) { // nobody holds it
		err = l.Update(context.Background(), change)
	}
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
	"ledger.locked", "ledger.before-write", "ledger.written", "ledger.synced", "ledger.before-projection", "ledger.held-written", "ledger.projected", "ledger.snapshot-written",
}

func TestKilledBetweenSteps(t *testing.T) {
	t.Parallel()
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
	t.Parallel()
	if testing.Short() {
		t.Skip("hundreds of processes")
	}
	root := fresh(t)
	var m ledgerModel
	// All of a step's first line, the byte that closes off one cut before, and into its second line.
	for n := range 500 {
		if n%20 == 0 { // checking costs as much as the log is long
			root, m = fresh(t), ledgerModel{}
		}
		acks, err := child("tear", n, root)
		if err == nil || len(acks) != 1 {
			t.Fatalf("not killed: %v %v", acks, err)
		}
		m.saw(acks)
		what := fmt.Sprintf("killed after %d bytes", n)
		m.check(t, what, root)
		mark := "m" + token() // the next command's is written whole, and stands alone
		update(t, Open(root, ""), func(tx *Tx) error { _, err := tx.Direct("GAO-a-001", "comment", mark, "x"); return err })
		m.saw([]string{"!" + mark})
		m.check(t, "after one "+what, root)
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
