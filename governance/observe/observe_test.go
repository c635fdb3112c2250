package observe_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/grimoire-kit/grimoire/governance/command"
	"github.com/grimoire-kit/grimoire/governance/observe"
)

func TestChecksOf(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"app/sub", "app/pkg", "other"} {
		if err := os.MkdirAll(filepath.Join(root, filepath.FromSlash(dir)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	app := filepath.Join(root, "app")
	if err := os.WriteFile(filepath.Join(app, "go.mod"), []byte("module example.org/app\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(root, "other"), filepath.Join(app, "link")); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"go test ./...":                                "go test",
		"go vet ./... && go test ./...":                "go vet, go test",
		"go test ./... 2>&1":                           "go test",
		"go test -run TestX -count=1 ./pkg -args -n 5": "go test",
		"go test -race -coverprofile=/tmp/c.out -o /tmp/x.test example.org/app/...": "go test",
		"cd sub && pytest -q":                    "pytest",
		"cd " + app + "/sub && cd .. && go test": "go test",
		"(cd sub && go test ./...)":              "go test",
		"python -m pytest -q tests":              "pytest",
		"pytest -rh --junitxml=/tmp/report.xml":  "pytest",
		"uv run pytest":                          "pytest",
		"uv run -m pytest":                       "pytest",
		"npx vitest run":                         "vitest",
		"npm test":                               "npm test",
		"npm run test":                           "npm test",
		"pnpm run test -- --coverage":            "pnpm test",
		"make -C sub test":                       "make test",
		"make -j test":                           "make test",
		"bazel test //...":                       "bazel test",
		"PYTHONPATH=src pytest":                  "pytest",
		"npm t":                                  "npm test",
		"make check":                             "make check",
		"make -j4 V=1 test":                      "make test",
		"CI=1 cargo test":                        "cargo test",
		"cargo nextest run":                      "cargo nextest",
		"DATABASE_URL=postgres://x GOMAXPROCS=2 go test .": "go test",
		"timeout 60 env CI=1 go test ./...":                "go test",
		"bash -lc 'go test ./...'":                         "go test",
		"./gradlew test":                                   "gradle test",
		"ruff check . && mypy src":                         "ruff check, mypy",
		"ruff format --check":                              "ruff format",
		"golangci-lint run":                                "golangci-lint run",
		"go test ./... && grimoire task move T --to x":     "go test",

		// Not whole, or not alone.
		"go test ./... || true": "", "go test ./... ; true": "", "go test ./... | tail": "", "go test ./... &": "", "! go test ./...": "",
		"go test ./...\ntrue": "", "echo go test": "", "go test ./... && touch x": "", "go build ./...": "", "npm install": "",
		"python -c 'import pytest'": "", "uv run evil": "", "go test $(evil)": "", "go test $X": "", "pytest `evil`": "", "": "", "cd x": "",
		"true # go test": "", "go test ./... && sh s.sh && grimoire task show T": "", "grimoire task show T": "",
		"go test ./... && grimoire task board export --to x.go": "", "go test ./... && grimoire up --fix": "",
		// Helps, versions, listings, dry runs.
		"npm test --help": "", "npm test -- --help": "", "make -n test": "", "make test -n": "", "make -sn test": "", "make -q -t test": "", "make --dry-run test": "",
		"go test -n ./...": "", "go test -list . ./...": "", "go test -c -o /dev/null ./...": "", "go test ./... -args -test.list=.": "",
		"go test -count=0 ./...": "", "go test -run '^$' ./...": "", "go test -run NONE ./...": "", "go test -skip . ./...": "", "go test -h": "",
		"pytest --collect-only": "", "pytest --co -q": "", "pytest -qV": "", "python3 -m pytest --version": "", "uv run pytest --collect-only": "",
		"ruff --version": "", "ruff rule F401": "", "ruff format": "", "ruff check --exit-zero": "", "tsc --version": "", "tsc -v": "", "shellcheck --version": "",
		"golangci-lint version": "", "staticcheck -version": "", "cargo test --no-run": "", "cargo nextest list": "", "jest --listTests": "", "mocha --dry-run": "",
		"ctest -N": "", "rake -T test": "", "gradle test --dry-run": "", "./gradlew test -m": "", "mvn test -DskipTests": "", "tox -l": "", "dotnet test --list-tests": "",
		"npm test --if-present": "", "mypy -c pass": "", "pytest -o addopts=--co": "", "pytest --override-ini=addopts=--co": "", "npm run build": "", "npm run evil test": "", "pytest --pyargs numpy": "", "bash -n -c 'go test ./...'": "",
		// Programs by a path, and names that stand for another program.
		"./pytest": "", "fake/go test ./...": "", "/tmp/go test ./...": "", "../other/gradlew test": "", "./node_modules/.bin/jest": "", "./python -m pytest": "",
		"PATH=fake:$PATH go test ./...": "", "export PATH=fake:$PATH && go test ./...": "", "env PATH=fake go test ./...": "", "GOFLAGS=-n go test": "",
		"GOFLAGS=-C=/elsewhere go test": "", "PYTEST_ADDOPTS=--co pytest": "", "LD_PRELOAD=x pytest": "", "PYTHONPATH=fake pytest": "", "make -C //other test": "", "make SHELL=/bin/true test": "", "MAKEFLAGS=n make test": "",
		"pytest() ( cd . ) && pytest": "", "go() ( cd . ) && go test ./...": "", "function go { cd . ; } && go test": "", "alias go=true && go test": "",
		"go test -exec /bin/true ./...": "", "go test -toolexec true ./...": "", "go vet -vettool=/bin/true ./...": "", "npm test --script-shell=/bin/true": "",
		"bazel test --run_under=/bin/true //...": "", "npx -p evil jest": "", "nice true go test": "", "just --shell true test": "", "./bash -c 'go test ./...'": "",
		// Somewhere else.
		"cd ../other && go test ./...": "", "cd link && go test ./...": "", "cd - && go test": "", "cd $X && go test": "", "cd ~ && go test": "",
		"go test -C /elsewhere ./...": "", "go test -C ../other ./...": "", "go test fmt": "", "go test std": "", "go test example.org/apple/...": "", "make -C ../other test": "",
		"make -C../other test": "", "make -f /tmp/Makefile test": "", "pytest ../other": "", "pytest --rootdir=/elsewhere": "", "pytest link/../../other": "",
		"npm --prefix ../other test": "", "npm test --prefix=../other": "", "cargo test --manifest-path ../other/Cargo.toml": "", "deno test https://example.org/x.ts": "",
		"ssh host go test": "", "docker run img go test ./...": "", "env -C ../other go test ./...": "", "uv run --directory ../other pytest": "",
	} {
		c := observe.ChecksOf(line, command.Analyze(line, command.Options{}), observe.Place{Root: app, Dir: app})
		if got := strings.Join(c.Kinds, ", "); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
		if c.Alone != (want != "" && !strings.Contains(line, "grimoire")) {
			t.Errorf("%q: alone %v", line, c.Alone)
		}
	}
	const line = "go test ./..."
	if c := observe.ChecksOf(line, command.Analyze(line, command.Options{}), observe.Place{Root: app, Dir: filepath.Join(root, "other")}); len(c.Kinds) > 0 {
		t.Errorf("a line that starts in another project: %v", c.Kinds)
	}
}

// A check that did not pass stays what counts until one of its kind passes.
func TestAFailedCheckStays(t *testing.T) {
	add := func(t *testing.T, root string, list ...observe.Entry) {
		t.Helper()
		for _, e := range list {
			if err := observe.Append(root, "T-1", e); err != nil {
				t.Fatal(err)
			}
		}
	}
	check := func(command string, o observe.Outcome, kinds ...string) observe.Entry {
		return observe.Entry{Type: observe.Check, Command: command, Outcome: o, Kinds: kinds}
	}
	zero, one := 0, 1
	for name, tt := range map[string]struct {
		list []observe.Entry
		want string
	}{
		"another kind passes": {[]observe.Entry{check("go test ./...", observe.Failed, "go test"), check("go vet ./...", observe.Passed, "go vet")}, "go test ./... failed"},
		"its kind passes": {[]observe.Entry{check("go test ./...", observe.Failed, "go test"), check("go vet", observe.Passed, "go vet"),
			check("go test -v ./...", observe.Passed, "go test")}, "go test -v ./... passed"},
		"two kinds in one": {[]observe.Entry{check("go vet && go test", observe.Failed, "go vet", "go test"), check("go test", observe.Passed, "go test")}, "go vet && go test failed"},
		"both of them": {[]observe.Entry{check("go vet && go test", observe.Failed, "go vet", "go test"), check("go test", observe.Passed, "go test"),
			check("go vet", observe.Passed, "go vet")}, "go vet passed"},
		"of which nothing is told":      {[]observe.Entry{check("go test", observe.Unknown, "go test"), check("go vet", observe.Passed, "go vet")}, "go test unknown"},
		"the last of several":           {[]observe.Entry{check("pytest", observe.Failed, "pytest"), check("mypy", observe.Failed, "mypy"), check("go vet", observe.Passed, "go vet")}, "mypy failed"},
		"of an older journal":           {[]observe.Entry{check("go test ./...", observe.Failed), check("go vet", observe.Passed)}, "go test ./... failed"},
		"of an older journal, its kind": {[]observe.Entry{check("cd x && go test", observe.Failed), check("go test", observe.Passed)}, "go test passed"},
		"of another kit":                {[]observe.Entry{{Type: observe.Check, Command: "pytest | tail", Exit: &one}, {Type: observe.Check, Command: "pytest | tail", Exit: &zero}}, "pytest | tail "},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			add(t, root, tt.list...)
			s, err := observe.Read(root, "T-1", nil)
			if err != nil || s.Check == nil {
				t.Fatalf("%+v, %v", s, err)
			}
			if got := s.Check.Command + " " + string(s.Check.Outcome); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestOutcomeOf(t *testing.T) {
	for _, tt := range []struct {
		response         string
		failed, failures bool
		want             observe.Outcome
	}{
		{`{"stdout":"","interrupted":false}`, false, true, observe.Passed}, // Claude Code has an event for failures
		{`{"stdout":"","interrupted":true}`, false, true, observe.Unknown},
		{`{"backgroundTaskId":"b1"}`, false, true, observe.Unknown},
		{``, true, true, observe.Failed},
		{`"Exit code 3\noops"`, true, true, observe.Failed},
		{``, false, true, observe.Unknown},
		{`{"exit":0}`, false, false, observe.Passed}, // opencode, through our plugin
		{`{"exit":1}`, false, false, observe.Failed},
		{`{"exit":null}`, false, false, observe.Unknown},
		// Copilot's command that goes on in the background.
		{`{"result_type":"success","text_result_for_llm":"<command with shellId: 0 is still running>"}`, false, true, observe.Unknown},
		{`{"exit_code":0}`, false, false, observe.Passed},
		{`{"exit_code":2}`, false, true, observe.Failed},
		{`{"exitCode":1}`, false, true, observe.Failed},
		{`{"text_result_for_llm":"ok\n<shellId: 0 completed with exit code 0>"}`, false, true, observe.Passed},
		{`{"text_result_for_llm":"<shellId: 0 completed with exit code 0>\n<shellId: 0 completed with exit code 1>"}`, false, true, observe.Failed},
		{`{"output":"fine"}`, false, false, observe.Unknown},
		{`not json`, false, false, observe.Unknown},
	} {
		if got, _ := observe.OutcomeOf([]byte(tt.response), tt.failed, tt.failures); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.response, got, tt.want)
		}
	}
}

func TestJournal(t *testing.T) {
	root := t.TempDir()
	if s, err := observe.Read(root, "T-1", nil); err != nil || s.Check != nil || s.Write != nil {
		t.Errorf("%+v, %v", s, err)
	}
	add := func(e observe.Entry) {
		t.Helper()
		e.At = observe.Stamp(time.Now())
		if err := observe.Append(root, "T-1", e); err != nil {
			t.Fatal(err)
		}
	}
	seen := func() string {
		t.Helper()
		s, err := observe.Read(root, "T-1", nil)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, e := range []*observe.Entry{s.Check, s.Write} {
			if e != nil {
				out = append(out, e.What())
			}
		}
		return strings.Join(out, ", ")
	}
	add(observe.Entry{Type: observe.Write, Path: "a.go"})
	add(observe.Entry{Type: observe.Check, Command: "go test", Outcome: observe.Passed})
	if got := seen(); got != "go test" {
		t.Error(got)
	}
	add(observe.Entry{Type: observe.Bash, Command: "sed -i x"})
	add(observe.Entry{Type: observe.Write, Path: "b.go"})
	if got := seen(); got != "go test, sed -i x" { // the write that made it stale
		t.Error(got)
	}
	// Where a check's files are known, they tell what a command changed.
	add(observe.Entry{Type: observe.Check, Command: "go vet", Outcome: observe.Passed, Files: &observe.Files{Digest: "d"}})
	add(observe.Entry{Type: observe.Bash, Command: "go build"})
	if got := seen(); got != "go vet" {
		t.Error(got)
	}
	add(observe.Entry{Type: observe.Write, Path: "c.go"})
	if got := seen(); got != "go vet, c.go" {
		t.Error(got)
	}
	add(observe.Entry{Type: observe.Check, Command: "go vet", Outcome: observe.Passed, Files: &observe.Files{Unknown: "no git"}})
	add(observe.Entry{Type: observe.Bash, Command: "go build"})
	if got := seen(); got != "go vet, go build" {
		t.Error(got)
	}
	// A torn line, and what an older kit wrote.
	path := filepath.Join(root, filepath.FromSlash(observe.Path("T-1")))
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = f.WriteString("{\"ts\":\"x\",\"ty\n" + `{"ts":"x","type":"test_run","command":"pytest","exit_code":0}` + "\n")
	_ = f.Close()
	if got := seen(); got != "pytest" {
		t.Error(got)
	}
	if line := observe.Line("a  b\n" + strings.Repeat("é", 300)); strings.ContainsRune(line, '\n') || len([]rune(line)) != 240 {
		t.Errorf("%d runes: %s", len([]rune(line)), line)
	}
}
