//go:build unix

package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// elsewhere are texts with a command that are no way out of a refusal that
// TestTaskRemediesAreFollowed could provoke, each with where it is shown.
var elsewhere = map[string]string{
	"[Grimoire] % % pour %, de %\nEntendu : `grimoire task ack % %`": "a person says it at a terminal: task_lease.txtar",
	"[Grimoire] % % for %, from %\nHeard: `grimoire task ack % %`":   "likewise",
}

// answers are what commands have said.
type answers struct {
	cases atomic.Int32
	mu    sync.Mutex
	list  []string
}

func (a *answers) add(text string) {
	plain := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&", `\n`, "\n", `\"`, `"`).Replace(text)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.list = append(a.list, text, plain)
}

func (a *answers) have(re *regexp.Regexp) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, text := range a.list {
		if re.MatchString(text) {
			return true
		}
	}
	return false
}

// remedyText is a text of the source that names a command.
type remedyText struct {
	short string // its literal parts
	re    *regexp.Regexp
}

// remedyTexts finds the texts, in both languages, in the source of the tasks, the standard
// and their part of the hook that name a command between backquotes, by their
// places.
func remedyTexts(t *testing.T) map[string]remedyText {
	t.Helper()
	out := map[string]remedyText{}
	set := token.NewFileSet()
	for _, pattern := range []string{"governance/task/*.go", "governance/current/*.go", "governance/standard/*.go", "governance/ledger/*.go",
		"governance/decide/ledger.go", "governance/decide/stop.go", "governance/decide/parked.go", "cmd/grimoire/task*.go"} {
		files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pattern)))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			file, err := parser.ParseFile(set, name, text, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				x, ok := n.(ast.Expr)
				if !ok || !isText(x) {
					return true
				}
				var short, re strings.Builder
				parts(x, &short, &re)
				if strings.Contains(short.String(), "`grimoire ") {
					at := set.Position(n.Pos())
					out[fmt.Sprintf("%s:%d:%d", strings.TrimPrefix(filepath.ToSlash(at.Filename), "../../"), at.Line, at.Column)] = remedyText{short.String(), regexp.MustCompile("(?s)" + re.String())}
				}
				return false
			})
		}
	}
	return out
}

// isText reports whether an expression is a literal text, or some put together.
func isText(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.BasicLit:
		return x.Kind == token.STRING
	case *ast.BinaryExpr:
		return x.Op == token.ADD && (isText(x.X) || isText(x.Y))
	}
	return false
}

var verb = regexp.MustCompile(`%(\\\[\d+\\\])?[sdq]`)

// parts spells what is literal in a text, and a pattern of the whole.
func parts(x ast.Expr, short, re *strings.Builder) {
	switch x := x.(type) {
	case *ast.BasicLit:
		if s, err := strconv.Unquote(x.Value); err == nil {
			short.WriteString(s)
			re.WriteString(`\s*` + verb.ReplaceAllString(regexp.QuoteMeta(strings.TrimSpace(s)), ".*") + `\s*`)
			return
		}
	case *ast.BinaryExpr:
		parts(x.X, short, re)
		parts(x.Y, short, re)
		return
	}
	short.WriteString("%")
	re.WriteString(".*")
}
