package enrol_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/core/enrol"
	"github.com/grimoire-kit/grimoire/governance/observe"
	"github.com/grimoire-kit/grimoire/governance/standard"
)

const pack = standard.EvidenceDir + "/T-1/evidence-pack.md"

// projectLog copies what the hook saw of T-1 into a pack with that text.
func projectLog(t *testing.T, text string, seen ...observe.Entry) (dir, after string, log *enrol.EvidenceLog, err error) {
	t.Helper()
	dir = t.TempDir()
	place := filepath.Join(dir, filepath.FromSlash(pack))
	if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "project-context.yaml"), []byte("user: {language: English}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(place, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, e := range seen {
		if err := observe.Append(dir, "T-1", e); err != nil {
			t.Fatal(err)
		}
	}
	log, err = enrol.ProjectLog(dir, "T-1")
	return dir, read(t, dir, pack), log, err
}

var passed = observe.Entry{At: "2026-12-01T10:00:00.000000+00:00", Type: observe.Check, Command: "go test ./...", Outcome: observe.Passed}

// Whatever stands around the section stays byte for byte, also at the second
// time, and in a file that is neither UTF-8 nor of one kind of line end.
func TestProjectLogKeepsWhatPeopleWrote(t *testing.T) {
	for name, text := range map[string]string{
		"as the template":        "# Evidence\n\n- Outcome: done\n",
		"without a last newline": "# Evidence",
		"empty":                  "",
		"CRLF":                   "# Evidence\r\n\r\n- Outcome:\r\n",
		"mixed ends":             "a\r\nb\nc\r",
		"not UTF-8":              "caf\xe9\x00\xff\n",
		"BOM":                    "\ufeff# Evidence\n",
		"quoted in a sentence":   "The line `" + standard.LogBegin + "` begins it.\n",
	} {
		dir, after, log, err := projectLog(t, text, passed)
		if err != nil || !log.Written || log.Entries != 1 {
			t.Fatalf("%s: %+v, %v", name, log, err)
		}
		if !strings.HasPrefix(after, text) || !strings.Contains(after, "| `go test ./...` | passed |") {
			t.Errorf("%s:\n%q", name, after)
		}
		if log, err := enrol.ProjectLog(dir, "T-1"); err != nil || log.Written {
			t.Errorf("%s: a second time: %+v, %v", name, log, err)
		}
		// A person goes on below, and the hook sees more.
		place := filepath.Join(dir, filepath.FromSlash(pack))
		if err := os.WriteFile(place, []byte(after+"below\xff\r\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := observe.Append(dir, "T-1", observe.Entry{Type: observe.Write, Path: "new.go"}); err != nil {
			t.Fatal(err)
		}
		if log, err := enrol.ProjectLog(dir, "T-1"); err != nil || !log.Written {
			t.Errorf("%s: %+v, %v", name, log, err)
		}
		again := read(t, dir, pack)
		if !strings.HasPrefix(again, text) || !strings.HasSuffix(again, "below\xff\r\n") || !strings.Contains(again, "| `new.go` | written |") ||
			!strings.Contains(again, "1 check(s) that passed, 0 that failed, 1 write(s), 1 of them since the last check.") || strings.Count(again, "## Seen by the hook") != 1 {
			t.Errorf("%s:\n%q", name, again)
		}
	}
}

// A hostile journal can end neither the section nor a row of it, and what a
// command gives to a variable is not copied into a file that is shared.
func TestProjectLogOfHostileEntries(t *testing.T) {
	_, after, _, err := projectLog(t, "# Evidence\n",
		observe.Entry{At: "| x |", Type: observe.Check, Command: "TOKEN='s3 cret' pytest `x` | \x1b[2J\n" + standard.LogEnd + "\nmine", Outcome: "blessed"},
		observe.Entry{Type: observe.Bash, Command: "AWS=s3cret curl -H 'Authorization: s3cret' https://example.org"},
		observe.Entry{Type: "rumour", Command: "nothing"})
	if err != nil {
		t.Fatal(err)
	}
	if from, to, _, ok := standard.LogSection([]byte(after)); !ok || from < 0 || to != len(after) {
		t.Errorf("the section ends early:\n%s", after)
	}
	for _, bad := range []string{"s3", "cret", "\x1b", "nothing", "example.org"} {
		if strings.Contains(after, bad) {
			t.Errorf("%q is in\n%s", bad, after)
		}
	}
	if !strings.Contains(after, "| – | `TOKEN=… pytest") || !strings.Contains(after, "| – | `curl …` | may have written |") {
		t.Error(after)
	}
}

func TestProjectLogWrites(t *testing.T) {
	if _, after, log, err := projectLog(t, "# Evidence\n"); err != nil || log.Written || after != "# Evidence\n" {
		t.Errorf("nothing was seen: %+v, %v, %q", log, err, after)
	}
	old := "a\n" + standard.LogBegin + "\nall is well\n" + standard.LogEnd + "\nb\n"
	if _, after, _, err := projectLog(t, old); err != nil || strings.Contains(after, "well") || !strings.Contains(after, "Nothing was seen") {
		t.Errorf("a section without a journal: %v, %q", err, after)
	}
	var marker *enrol.MarkerError
	torn := "a\n" + standard.LogBegin + "\nb\n"
	if _, after, _, err := projectLog(t, torn, passed); !errors.As(err, &marker) || marker.Line != 2 || after != torn {
		t.Errorf("one marker: %v, %q", err, after)
	}
	dir, _, _, _ := projectLog(t, "x", passed)
	if err := os.Remove(filepath.Join(dir, filepath.FromSlash(pack))); err != nil {
		t.Fatal(err)
	}
	if log, err := enrol.ProjectLog(dir, "T-1"); err != nil || log.Written {
		t.Errorf("no pack: %+v, %v", log, err)
	}
	if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(pack))); err == nil {
		t.Error("a pack was made")
	}
}
