package observe

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/grimoire-kit/grimoire/governance/command"
)

// checker is a program that checks. Its options are named without their dashes.
type checker struct {
	// verbs must follow, one of them; "" is none. The first word that is no
	// option counts.
	verbs string
	// not are first words with which it checks nothing.
	not string
	// idle are options with which it checks nothing, hides that it failed, or
	// runs another program in place of what it is to check.
	idle string
	// values are options that are idle with one value: name=value.
	values string
	// bundled are the letters that may stand together after one dash: where
	// not "", each letter before the first of these counts. They take a value.
	bundled string
	// labels says that its words are labels of the project ("//..."), no paths.
	labels bool
}

// always are the options by which any of them tells about itself.
const always = " help h version dry-run "

// It is made when it is first needed: most calls of the hook run no check.
var checkers = sync.OnceValue(func() map[string]checker {
	return map[string]checker{
		"pytest":   {idle: "collect-only co setup-plan fixtures fixtures-per-test markers V cache-show pyargs trace-config", bundled: "kmcporWn"},
		"unittest": {},
		"tox":      {not: "list l config c exec e devenv d depends quickstart man schema", idle: "l listenvs a listenvs-all showconfig notest n"},
		"nox":      {idle: "l list list-sessions install-only"},
		"ruff":     {verbs: "check format", idle: "exit-zero e show-files show-settings"},
		"mypy":     {idle: "V c command", bundled: "mp"},
		"pyright":  {idle: "createstub"},
		"flake8":   {idle: "exit-zero bug-report"},
		"pylint":   {idle: "exit-zero list-msgs list-msgs-enabled list-groups list-extensions list-conf-levels help-msg generate-rcfile generate-toml-config", values: "fail-under=0"},

		"go": {verbs: "test vet", idle: "n c list test.list exec toolexec vettool overlay modfile V flags C",
			values: "count=0 run=^$ run=NONE skip=. skip=.*"},
		"gotestsum":     {not: "tool", idle: "raw-command watch n c list exec toolexec overlay modfile", values: "count=0 run=^$"},
		"golangci-lint": {verbs: "run", values: "issues-exit-code=0"},
		"staticcheck":   {idle: "list-checks explain debug.version merge", values: "fail=none"},

		"cargo": {verbs: "test check clippy nextest", idle: "no-run list config V"},
		"npm":   {verbs: "test t", idle: "if-present script-shell"},
		"pnpm":  {verbs: "test", idle: "if-present script-shell"},
		"yarn":  {verbs: "test"},
		"bun":   {verbs: "test"},
		"deno":  {verbs: "test check lint", idle: "no-run rules"},

		"jest":       {idle: "listTests showConfig init clearCache"},
		"vitest":     {not: "list init bench", idle: "mergeReports"},
		"mocha":      {idle: "list-reporters list-interfaces V"},
		"eslint":     {idle: "print-config init env-info v stdin inspect-config"},
		"tsc":        {idle: "init showConfig listFilesOnly all v dry d clean"},
		"playwright": {verbs: "test", idle: "list pass-with-no-tests"},
		"cypress":    {verbs: "run"},

		"make": {verbs: "test check lint", idle: "n just-print recon q question t touch i ignore-errors v eval", bundled: "CfIojlWE"},
		"just": {verbs: "test check lint", idle: "n l list s show summary evaluate choose dump fmt init variables V shell shell-arg c command", bundled: "fd"},
		"task": {verbs: "test check lint", idle: "n dry l list a list-all status summary i init", bundled: "Cdto"},
		"rake": {verbs: "test spec", idle: "n T tasks P prereqs W where D describe V H e execute p execute-print E execute-continue", bundled: "fIRrj"},

		"rspec":   {idle: "init v"},
		"phpunit": {idle: "list-tests list-tests-xml list-suites list-groups list-test-files check-version generate-configuration atleast-version"},
		"mvn":     {verbs: "test verify", idle: "v fn fail-never DskipTests Dmaven.test.skip Dmaven.test.failure.ignore"},
		"gradle":  {verbs: "test check", idle: "m v x exclude-task I init-script"},
		"dotnet":  {verbs: "test", idle: "t list-tests ?"},
		"bazel":   {verbs: "test", idle: "run_under nobuild", labels: true},
		"ctest":   {idle: "N show-only print-labels", bundled: "RELCjSDTMA"},

		"shellcheck": {idle: "V list-optional"},
	}
})

// wrappersOf are what a project starts by a path of its own because it holds
// the program itself.
var wrappersOf = map[string]string{"gradlew": "gradle", "mvnw": "mvn"}

// scripted are the programs whose `run test` is their `test`.
const scripted = " npm pnpm yarn bun "

// checks is the kind of check that a program is, "" for none.
func checks(p command.Program, at Place) string {
	name := p.Name
	if own, ok := wrappersOf[name]; ok {
		if !at.holds(at.path(p.Path)) {
			return ""
		}
		name = own
	} else if strings.ContainsAny(p.Path, `/\`) {
		return ""
	}
	args := p.Args
	for _, a := range args {
		if !a.Resolved() {
			return ""
		}
	}
	if (name == "python" || name == "python3") && len(args) > 1 && args[0].Text == "-m" {
		if name = args[1].Text; name != "pytest" && name != "unittest" {
			return ""
		}
		args = args[2:]
	}
	c, ok := checkers()[name]
	words := c.operands(args)
	if !ok || c.idles(name, args) || c.out(args, at) {
		return ""
	}
	if len(words) > 1 && strings.HasPrefix(words[0], "run") && words[1] == "test" && strings.Contains(scripted, " "+name+" ") {
		words = words[1:]
	}
	first := ""
	if len(words) > 0 {
		first = words[0]
	}
	switch {
	case strings.Contains(" "+c.not+" ", " "+first+" ") && first != "":
		return ""
	case c.verbs == "":
		return name
	case first == "" || !strings.Contains(" "+c.verbs+" ", " "+first+" "):
		return ""
	}
	switch {
	case name == "go" && !at.ownPackages(args):
		return ""
	case name == "cargo" && first == "nextest" && (len(words) < 2 || words[1] != "run"):
		return ""
	case name == "ruff" && first == "format" && !has(args, "check") && !has(args, "diff"):
		return "" // it changes the files instead
	case name == "npm" && first == "t":
		first = "test"
	}
	return name + " " + first
}

// operands are the words that are no options, nor their values as far as they
// are known, nor variables given to make.
func (c checker) operands(args []command.Word) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		text := args[i].Text
		if len(text) == 2 && text[0] == '-' && strings.IndexByte(c.bundled, text[1]) >= 0 && text[1] != 'j' && text[1] != 'l' { // theirs may be left out
			i++
			continue
		}
		name, _, assigned := strings.Cut(text, "=")
		if !strings.HasPrefix(text, "-") && !(assigned && isName(name)) {
			out = append(out, text)
		}
	}
	return out
}

// option takes an option apart: its name without dashes, and its value where
// that is glued to it.
func option(arg string) (name, value string, glued bool) {
	if !strings.HasPrefix(arg, "-") {
		return "", "", false
	}
	return cut(strings.TrimLeft(arg, "-"))
}

func cut(s string) (string, string, bool) {
	name, value, ok := strings.Cut(s, "=")
	return name, value, ok
}

func has(args []command.Word, name string) bool {
	return slices.ContainsFunc(args, func(a command.Word) bool { n, _, _ := option(a.Text); return n == name })
}

// idles reports whether an option makes the program check nothing.
func (c checker) idles(program string, args []command.Word) bool {
	idle := always + c.idle + " "
	for i, a := range args {
		name, value, glued := option(a.Text)
		if name == "" {
			continue
		}
		if program == "go" && name == "args" { // what follows is the test's own
			idle, c.values = " test.list ", ""
			continue
		}
		if !glued && i+1 < len(args) {
			value = args[i+1].Text
		}
		if program == "pytest" && strings.Contains(value, "addopts") {
			return true
		}
		if strings.Contains(idle, " "+name+" ") || strings.Contains(" "+c.values+" ", " "+name+"="+value+" ") {
			return true
		}
		if c.bundled != "" && !strings.HasPrefix(a.Text, "--") {
			for _, letter := range name {
				if strings.ContainsRune(c.bundled, letter) {
					break
				}
				if strings.Contains(idle, " "+string(letter)+" ") {
					return true
				}
			}
		}
	}
	return false
}

// writes are parts of the names of options whose value is where a report goes.
var writes = []string{"out", "report", "profile", "junit", "log", "cache", "cov", "temp", "tmp", "trace", "xml"}

// out reports whether an argument leads out of the project, but for where a
// report is written to.
func (c checker) out(args []command.Word, at Place) bool {
	before := ""
	for _, a := range args {
		name, value, glued := option(a.Text)
		reports := func(name string) bool {
			return slices.ContainsFunc(writes, func(w string) bool { return strings.Contains(strings.ToLower(name), w) })
		}
		switch {
		case c.labels && strings.HasPrefix(a.Text, "//"):
		case name == "" && at.leadsOut(a.Text) && !reports(before) && before != "o",
			glued && at.leadsOut(value) && !reports(name),
			name != "" && !glued && !strings.HasPrefix(a.Text, "--") && len(a.Text) > 2 && at.leadsOut(a.Text[2:]):
			return true
		}
		before = name
	}
	return false
}

// goValued are the options of go test and go vet whose value may be a word of
// its own.
const goValued = " run bench benchtime count timeout tags cpu parallel p coverprofile covermode coverpkg cpuprofile memprofile memprofilerate " +
	"blockprofile blockprofilerate mutexprofile mutexprofilefraction trace outputdir skip shuffle fuzz fuzztime fuzzminimizetime mod gcflags ldflags " +
	"asmflags o vet buildmode pkgdir installsuffix "

// ownPackages reports whether the packages that go is given are the project's:
// by a path, or by the path of its module.
func (at Place) ownPackages(args []command.Word) bool {
	verb := false
	for i := 0; i < len(args); i++ {
		text := args[i].Text
		if name, _, glued := option(text); name != "" {
			if name == "args" {
				break
			}
			if !glued && strings.Contains(goValued, " "+name+" ") {
				i++
			}
			continue
		}
		if !verb {
			verb = true
			continue
		}
		if !strings.HasPrefix(text, ".") && !filepath.IsAbs(text) && !strings.HasSuffix(text, ".go") {
			module := at.module()
			if module == "" || text != module && !strings.HasPrefix(text, module+"/") {
				return false
			}
		}
	}
	return true
}

// module is the path of the Go module that a folder belongs to, "" where none
// is found in the project.
func (at Place) module() string {
	for dir := at.Dir; at.holds(dir); dir = filepath.Dir(dir) {
		if info, err := os.Lstat(filepath.Join(dir, "go.mod")); err == nil && info.Mode().IsRegular() && info.Size() < 1<<20 {
			f, err := os.Open(filepath.Join(dir, "go.mod"))
			if err != nil {
				return ""
			}
			defer f.Close()
			for s := bufio.NewScanner(f); s.Scan(); {
				if name, ok := strings.CutPrefix(strings.TrimSpace(s.Text()), "module "); ok {
					return strings.Trim(strings.TrimSpace(name), `"`)
				}
			}
			return ""
		}
		if filepath.Dir(dir) == dir {
			return ""
		}
	}
	return ""
}
