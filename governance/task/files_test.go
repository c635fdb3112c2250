package task_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/task"
)

// reservations is a project whose task GAO-one-001 has reserved src/a.
func reservations(t *testing.T, files ...string) *task.Desk {
	t.Helper()
	d, _ := project(t)
	for _, name := range []string{"src/a/f.go", "src/b/f.go", "src/é/f.go", "app/[id]/page.tsx"} {
		put(t, d, name, "x")
	}
	for link, to := range map[string]string{"lnk": "src", "deep": "lnk/a", "loop": "loop", "out": "..", "dangling": "src/a/new", "src/abs": filepath.Join(d.Root, "src", "a")} {
		if err := os.Symlink(to, filepath.Join(d.Root, filepath.FromSlash(link))); err != nil {
			t.Skip(err)
		}
	}
	if _, err := d.Claim(bg, ready(t, d, "One", "ada"), task.NewClaim{Actor: "ada", Files: files}); err != nil {
		t.Fatal(err)
	}
	return d
}

// What is reserved is a file or a folder, however it is reached and spelled.
func TestReservedFilesHaveOneSpelling(t *testing.T) {
	for f, tt := range map[string]struct{ in, want, refused string }{
		"src/a":               {refused: "src/a is reserved by task GAO-one-001 (ada)"},
		"./src//a/":           {refused: "is reserved"},
		"SRC/A/F.go":          {refused: "is reserved"},
		"lnk/a":               {refused: "src/a is reserved"},
		"lnk/a/f.go":          {refused: "src/a/f.go is reserved"},
		"deep":                {refused: "src/a is reserved"},
		"src/abs/new.go":      {refused: "src/a/new.go is reserved"},
		"dangling":            {refused: "src/a/new is reserved"},
		"src/b/../a":          {refused: "src/a is reserved"},
		"deep/../b":           {want: "src/b"}, // as the system walks it
		"lnk":                 {refused: "src is reserved"},
		".":                   {refused: ". is reserved"},
		"src/b":               {want: "src/b"},
		"b/f.go":              {in: "src", want: "src/b/f.go"},
		"a/f.go":              {in: "src", refused: "src/a/f.go is reserved"},
		"../go.mod":           {in: "src", want: "go.mod"},
		"f.go":                {in: "lnk/b", want: "src/b/f.go"},
		"src/a\u0301b":        {want: "src/\u00e1b"},
		"src/e\u0301/f.go":    {refused: "is reserved"},
		"src/\u00c9":          {refused: "is reserved"},
		"src/*":               {refused: "\"src/*\" is a pattern, and `--file` reserves a file or a whole folder: `--file src`"},
		"**/f.go":             {refused: "is a pattern, and `--file` reserves a file or a whole folder: `--file .`"},
		"src/b/{f,g}.go":      {refused: "`--file src/b`"},
		"src/b/f?.go":         {refused: "`--file src/b`"},
		"*.go":                {in: "src/b", refused: "`--file src/b`"},
		"app/[id]/page.tsx":   {want: "app/[id]/page.tsx"},
		"app/[id]/new.tsx":    {want: "app/[id]/new.tsx"},
		"app/[slug]/page.tsx": {refused: "`--file app`"},
		"loop/x":              {refused: "is no path of the project"},
		"out/x":               {refused: "is no path of the project"},
		"/etc/passwd":         {refused: "is no path of the project"},
		"../../x":             {in: "src", refused: "is no path of the project"},
		"src/\x00":            {refused: "is no path of the project"},
		"":                    {refused: "is no path of the project"},
	} {
		d := reservations(t, "src/a", "src/\u00e9")
		id := ready(t, d, "Two", "bob")
		d.Dir = filepath.Join(d.Root, filepath.FromSlash(tt.in))
		before := log(t, d)
		out, err := d.Claim(bg, id, task.NewClaim{Actor: "bob", Files: []string{f}})
		switch {
		case tt.refused != "" && (err == nil || !strings.Contains(err.Error(), tt.refused) || log(t, d) != before):
			t.Errorf("%q: %v, want %q", f, err, tt.refused)
		case tt.refused == "" && (err != nil || out.Task.Claim.Files[0] != tt.want):
			t.Errorf("%q: %v, want %q", f, err, tt.want)
		}
	}
}

// Claims of older kits hold paths as they were typed.
func TestReservedFilesOfAnOlderKit(t *testing.T) {
	for theirs, tt := range map[string]struct {
		mine string
		free bool
	}{
		"lnk/a": {mine: "src/a/f.go"}, "src/*": {mine: "src/b"}, `src\a`: {mine: "src/a"}, "src/e\u0301": {mine: "src/\u00e9/f.go"},
		"*.md": {mine: "src/b"}, "src/a/**": {mine: "src/b", free: true}, "../elsewhere": {mine: "src/b", free: true},
	} {
		d := reservations(t)
		old := ready(t, d, "Old", "eve")
		if err := d.Ledger.Update(bg, func(tx *ledger.Tx) error {
			return tx.Move(old, ledger.Move{To: ledger.Claimed, Claim: &ledger.Claim{Actor: "eve", Files: []string{theirs}}})
		}); err != nil {
			t.Fatal(err)
		}
		if _, err := d.Claim(bg, ready(t, d, "Two", "bob"), task.NewClaim{Actor: "bob", Files: []string{tt.mine}}); (err == nil) != tt.free {
			t.Errorf("%s beside %s: %v", tt.mine, theirs, err)
		}
	}
}

// Evidence is named where the person stands, else as the project names it.
func TestEvidenceIsNamedWhereThePersonStands(t *testing.T) {
	d, _ := project(t)
	put(t, d, "sub/out/test.txt", "sub")
	put(t, d, "out/test.txt", "root")
	put(t, d, "out/log.txt", "root")
	id := ready(t, d, "One", "ada")
	d.Dir = filepath.Join(d.Root, "sub")
	p, err := d.Prove(bg, id, []task.NewItem{{Kind: "test", Path: "out/test.txt"}, {Kind: "log", Path: "out/log.txt"}, {Kind: "log", Path: "../out/log.txt"}}, nil)
	if err != nil || p.Pack.Items[0].URI != "sub/out/test.txt" || p.Pack.Items[1].URI != "out/log.txt" || p.Pack.Items[2].URI != "out/log.txt" {
		t.Errorf("%+v, %v", p, err)
	}
}
