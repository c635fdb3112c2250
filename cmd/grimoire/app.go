package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/grimoire-kit/grimoire/core/project"
	"github.com/grimoire-kit/grimoire/surface"
)

// app is what every command shares: where to read and write, in which
// language and form, and which project it is about.
type app struct {
	in       io.Reader
	out, err io.Writer
	environ  func(string) string

	lang     surface.Language
	output   string // "text" or "json"
	answered bool   // a JSON answer was written: one command gives one
	dir      string // --project-root, "" for the folder grimoire is run in
	colour   bool
	errTerm  bool // stderr is a terminal: progress may be shown
}

func newApp(args []string) *app {
	a := &app{in: os.Stdin, out: os.Stdout, err: os.Stderr, environ: os.Getenv, output: "text"}
	a.errTerm = term.IsTerminal(int(os.Stderr.Fd()))
	a.colour = a.environ("NO_COLOR") == "" && a.environ("TERM") != "dumb" && term.IsTerminal(int(os.Stdout.Fd()))
	if form := a.environ("GRIMOIRE_OUTPUT"); form != "" {
		a.output = form
	}
	a.dir = flagValue(args, "--project-root", "-C")
	a.lang = a.language()
	return a
}

// language is the project's own when it says one, else the locale's.
// It is needed before the flags are parsed, because help is text too.
func (a *app) language() surface.Language {
	if root, ok := project.FindRoot(a.startDir()); ok {
		if cfg, err := project.ReadConfig(root); err == nil {
			if l, ok := surface.ParseLanguage(cfg.Language); ok {
				return l
			}
		}
	}
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := a.environ(name); v != "" {
			l, _ := surface.ParseLanguage(v)
			return l
		}
	}
	return surface.English
}

func (a *app) startDir() string {
	if a.dir != "" {
		return a.dir
	}
	return "."
}

func (a *app) json() bool { return a.output == "json" }

// text picks the message in the person's language.
func (a *app) text(fr, en string) string { return a.lang.Text(fr, en) }

func (a *app) printf(format string, args ...any) { fmt.Fprintf(a.out, format, args...) }

// printJSON writes v as every JSON answer of grimoire is written: two spaces
// of indent, non-ASCII kept, one final newline.
func (a *app) printJSON(v any) error {
	a.answered = true
	enc := json.NewEncoder(a.out)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// warn says something on stderr that is not an answer.
func (a *app) warn(t surface.Text) {
	fmt.Fprintln(a.err, "grimoire: "+printableLines(t.In(a.lang)))
}

// flagValue looks for a flag's value before cobra has parsed anything.
func flagValue(args []string, long, short string) string {
	for i, arg := range args {
		switch {
		case arg == "--":
			return ""
		case arg == long || arg == short:
			if i+1 < len(args) {
				return args[i+1]
			}
		case strings.HasPrefix(arg, long+"="):
			return strings.TrimPrefix(arg, long+"=")
		case strings.HasPrefix(arg, short) && !strings.HasPrefix(arg, "--"):
			return strings.TrimPrefix(strings.TrimPrefix(arg, short), "=")
		}
	}
	return ""
}
