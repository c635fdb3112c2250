package ledger

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

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
	t.Parallel()
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
			for {
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
				if info, err := os.Stat(path); err != nil || disk.synced != info.Size() {
					t.Fatalf("round %d: success was reported with %d of %d bytes on the disk: %v", round, disk.synced, info.Size(), err)
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
