package task_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/governance/failpoint"
	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/governance/task"
)

// The crash bench of the board kills real processes; the ledger has its own.
// `go test ./governance/task -run Killed -rounds 5000` does more.
var rounds = flag.Int("rounds", 100, "rounds of the crash bench")

// childVariable makes the test binary a process that changes the tasks of one
// project: "<changes> <project>".
const childVariable = "GRIMOIRE_TASK_TEST_CHILD"

func TestMain(m *testing.M) {
	if count, root, ok := strings.Cut(os.Getenv(childVariable), " "); ok {
		failpoint.Arm()
		n, _ := strconv.Atoi(count)
		if err := changes(root, n); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// changes adds tasks, and says of each what the board is after it.
func changes(root string, n int) error {
	d := task.Open(root, "")
	for range n {
		out, err := d.Add(bg, task.New{Title: "Search", Acceptance: []string{"the tests pass"}, Ready: true})
		if err != nil {
			return err
		}
		if out.BoardErr != nil {
			return out.BoardErr
		}
		b, err := d.Board("")
		if err != nil {
			return err
		}
		fmt.Printf("%x\n", sha256.Sum256(b.YAML))
	}
	return nil
}

// child is a process that makes n changes and is killed at the point, if one
// is named. It returns the last board that was acknowledged, "" for none.
func child(t *testing.T, root string, n int, point string) (acked string, killed bool) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d %s", childVariable, n, root), failpoint.Variable+"="+point)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.Exited()) {
		t.Fatalf("at %s: %v %s", point, err, stderr.String())
	}
	if lines := strings.Fields(string(out)); len(lines) > 0 {
		acked = lines[len(lines)-1]
	}
	return acked, err != nil
}

// Whatever step of a change a process dies at, the board is whole: the one
// before the change or the one after it, as the ledger has it. The next change
// writes it as it must be.
func TestKilledWhileTheBoardIsWritten(t *testing.T) {
	if testing.Short() {
		t.Skip("two hundred processes")
	}
	points := []string{"ledger.before-write", "ledger.synced", "task.before-board", "task.file-written", "task.file-replaced"}
	kills := map[string]int{}
	var d *task.Desk
	before := ""
	for round := range *rounds {
		if round%40 == 0 {
			d = task.Open(t.TempDir(), "")
			put(t, d, "_grimoire/standard/.keep", "")
			before = ""
		}
		point := points[round%len(points)]
		acked, killed := child(t, d.Root, 4, fmt.Sprintf("%s:%d", point, 1+rand.IntN(4)))
		if killed {
			kills[point]++
		}
		if acked == "" {
			acked = before
		}
		what := fmt.Sprintf("round %d, killed at %s", round, point)
		on, now := onDisk(t, d), drawn(t, d)
		if on != acked && on != now {
			t.Fatalf("%s: the board is neither the one before nor the one after", what)
		}
		if r, err := ledger.Verify(d.Root, ""); err != nil || !r.Sound() {
			t.Fatalf("%s: %+v, %v", what, r, err)
		}
		if before, killed = child(t, d.Root, 1, ""); killed {
			t.Fatalf("%s: the next command was killed too", what)
		}
		if on := onDisk(t, d); on != before || on != drawn(t, d) {
			t.Fatalf("%s: the next command left another board", what)
		}
	}
	for _, point := range points {
		if *rounds >= len(points) && kills[point] == 0 {
			t.Errorf("%s killed nothing: is it still on the path?", point)
		}
	}
	readBoard(t, d)
}

// onDisk is the digest of the board in the project, "" for none.
func onDisk(t *testing.T, d *task.Desk) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(d.Root, filepath.FromSlash(standard.BoardFile)))
	if errors.Is(err, os.ErrNotExist) {
		return ""
	}
	if err != nil || !bytes.HasSuffix(text, []byte("\n")) {
		t.Fatalf("%v, %d bytes", err, len(text))
	}
	return fmt.Sprintf("%x", sha256.Sum256(text))
}

// drawn is the digest of the board as the ledger has it.
func drawn(t *testing.T, d *task.Desk) string {
	t.Helper()
	b, err := d.Board("")
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(b.YAML))
}
