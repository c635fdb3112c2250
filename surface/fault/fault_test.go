package fault_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

type spoken struct{}

func (spoken) Error() string      { return "two words" }
func (spoken) Text() surface.Text { return surface.Text{FR: "deux mots", EN: "two words"} }

// The errors are made for real where a test can make them.
func TestText(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	fails := func(_ any, err error) error {
		if err == nil {
			t.Fatal("nothing failed")
		}
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	long := filepath.Join(dir, strings.Repeat("x", 300))
	failed := func(number syscall.Errno) error { return &fs.PathError{Op: "write", Path: file, Err: number} }
	for name, tt := range map[string]struct {
		err  error
		want string
	}{
		"not found":         {fails(os.Open(filepath.Join(dir, "b"))), filepath.Join(dir, "b") + " : n'existe pas"},
		"wrapped":           {fmt.Errorf("read the board: %w", fails(os.Open(filepath.Join(dir, "b")))), filepath.Join(dir, "b") + " : n'existe pas"},
		"a folder":          {fails(os.ReadFile(dir)), dir + " : c'est un dossier"},
		"no folder":         {fails(os.Open(filepath.Join(file, "c"))), filepath.Join(file, "c") + " : un élément du chemin n'est pas un dossier"},
		"exists":            {os.Mkdir(dir, 0o755), dir + " : existe déjà"},
		"too long":          {fails(os.Open(long)), long + " : nom trop long"},
		"not empty":         {os.Remove(dir), dir + " : le dossier n'est pas vide"},
		"a rename":          {os.Rename(filepath.Join(dir, "b"), file), filepath.Join(dir, "b") + " vers " + file + " : n'existe pas"},
		"out of the folder": {fails(root.Open("../x")), "../x : mène hors du dossier"},
		"permission":        {failed(syscall.EACCES), file + " : permission refusée"},
		"read-only":         {failed(syscall.EROFS), file + " : système de fichiers en lecture seule"},
		"full":              {failed(syscall.ENOSPC), file + " : plus de place sur le disque"},
		"not a file":        {fmt.Errorf("read it: %w", &fs.PathError{Op: "open", Path: "a/b", Err: fault.NotRegular}), "a/b : ce n'est pas un fichier ordinaire"},
		"no path":           {fmt.Errorf("sync: %w", syscall.EIO), "erreur d'entrée-sortie"},
		"a rare one":        {failed(syscall.ENODEV), file + " : « no such device »"},
		"no program":        {fmt.Errorf("git status: %w", exec.Command("no-such-program-here").Run()), "programme introuvable : no-such-program-here"},
		"too slow":          {fmt.Errorf("git status: %w", context.DeadlineExceeded), "délai dépassé"},
		"both languages":    {fmt.Errorf("outer: %w", spoken{}), "deux mots"},
		"nobody's":          {errors.New("option requise : --to"), "option requise : --to"},
	} {
		if got := fault.Text(tt.err); got.FR != tt.want {
			t.Errorf("%s: %q, want %q", name, got.FR, tt.want)
		} else if got.EN != tt.err.Error() && name != "both languages" && name != "out of the folder" {
			t.Errorf("%s: the English is not the error's own: %q", name, got.EN)
		}
	}
	if got := fault.Cause(fails(os.Open(filepath.Join(dir, "b")))).FR; got != "n'existe pas" {
		t.Errorf("the cause alone: %q", got)
	}
	if got := fault.Cause(fails(root.Open("../x"))); got.FR != "mène hors du dossier" || got.EN != "leads out of the folder" {
		t.Errorf("the cause alone: %+v", got)
	}
	if got := fmt.Sprintf("%s, %d", fault.In(surface.French, []any{syscall.ENOSPC, 3})...); got != "plus de place sur le disque, 3" {
		t.Errorf("in a sentence: %q", got)
	}
}
