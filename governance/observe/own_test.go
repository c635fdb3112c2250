package observe_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/grimoire-kit/grimoire/governance/command"
	"github.com/grimoire-kit/grimoire/governance/observe"
)

// Where a project declares its checks no other line passes or blocks, nor does
// one that was no run, whenever it was noted.
func TestWhichChecksCount(t *testing.T) {
	none := 127
	check := func(command string, o observe.Outcome) observe.Entry {
		return observe.Entry{Type: observe.Check, Command: command, Outcome: o, Kinds: []string{"go test"}}
	}
	for name, tt := range map[string]struct {
		own  []string
		list []observe.Entry
		want string
	}{
		"none declared":           {nil, []observe.Entry{check("go test ./a", observe.Failed), check("go test ./b", observe.Passed)}, "go test ./b passed"},
		"another fails":           {[]string{"go test  ./b"}, []observe.Entry{check("go test ./b", observe.Passed), check("npm test", observe.Failed)}, "go test ./b passed"},
		"another passes":          {[]string{"go test ./b"}, []observe.Entry{check("go test ./a", observe.Passed)}, ""},
		"of the same kind":        {[]string{"go test ./a", "go test ./b"}, []observe.Entry{check("go test ./a", observe.Failed), check("go test ./b", observe.Passed)}, "go test ./a failed"},
		"a program was not there": {nil, []observe.Entry{check("go test", observe.Passed), {Type: observe.Check, Command: "pytest", Outcome: observe.Failed, Exit: &none}}, "go test passed"},
	} {
		root := t.TempDir()
		for _, e := range tt.list {
			if err := observe.Append(root, "T-1", e); err != nil {
				t.Fatal(err)
			}
		}
		s, err := observe.Read(root, "T-1", tt.own)
		got := ""
		if s.Check != nil {
			got = s.Check.Command + " " + string(s.Check.Outcome)
		}
		if err != nil || got != tt.want {
			t.Errorf("%s: %q, %v, want %q", name, got, err, tt.want)
		}
	}
}

// A check that finds nothing to check where it starts.
func TestLostChecks(t *testing.T) {
	root := t.TempDir()
	for _, file := range []string{"web/package.json", "web/src/a.js", "mod/go.mod", "mod/in/a.go", "work/go.work", "rs/Cargo.toml"} {
		path := filepath.Join(root, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for line, want := range map[string]bool{
		"npm test": true, "npm run test": true, "yarn test": true, "pnpm test": true, "bun run test": true, "cargo test": true, "go test ./...": true,
		"go vet ./...": true, "cd web && npm test && cd .. && npm test": true, "cd mod && npm test": true,
		"bun test": false, "pytest": false, "make test": false, "go test a_test.go": false,
		"cd web && npm test": false, "cd web/src && npm test": false, "npm test --prefix web": false, "cd mod/in && go test ./...": false,
		"cd work && go test ./...": false, "cd rs && cargo clippy": false, "cargo test --manifest-path rs/Cargo.toml": false,
	} {
		c := observe.ChecksOf(line, command.Analyze(line, command.Options{}), observe.Place{Root: root, Dir: root})
		if len(c.Kinds) == 0 || c.Lost != want {
			t.Errorf("%s: %+v, want %t", line, c, want)
		}
	}
	if c := observe.ChecksOf("npm test", command.Analyze("npm test", command.Options{}), observe.Place{Root: filepath.Join(root, "web/src"), Dir: filepath.Join(root, "web/src")}); !c.Lost {
		t.Error("a package.json outside of the project, in no repository")
	}
}
