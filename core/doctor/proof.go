package doctor

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/grimoire-kit/grimoire/core/plugin"
	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// Enforcement is proved by running what the hosts run: the installed line,
// through the shell that the host gives it, with a call that must be stopped
// and one that must not. A file that holds the right words proves nothing
// about the program behind them.
//
// A line is run only where it is, to the letter, one that grimoire writes: a
// project may come from anybody, and examining it must not be a way to run its
// commands. Any other line fails the proof and is left alone.

// The two calls. Both are shell commands, so that one matcher lets both in.
// Nobody runs them: they are only asked about.
const (
	destructive = "rm -rf build"
	harmless    = "ls"
)

// drill is how one host asks the hook about a call.
type drill struct {
	// start is what the host would start, in the project at dir.
	start func(dir, command string) start
	// read is what the host makes of the answer.
	read func(outcome) answer
	// beside are files the drill needs next to the project, by name.
	beside map[string][]byte
	// file is where the host has it from.
	file string
}

// answer is what a host would do about a call.
type answer struct {
	stops  bool   // refuse it, or ask the person first
	silent bool   // let it run, with nothing said
	says   string // the reason, or what was said instead of one
	late   bool   // there was none in time; several hosts then run the tool
}

// saying is what was said, or that nothing was.
func (a answer) saying() surface.Text {
	switch {
	case a.late:
		return surface.Text{
			FR: fmt.Sprintf("aucune réponse en %d s", proofTimeout/time.Second),
			EN: fmt.Sprintf("no answer within %d s", proofTimeout/time.Second)}
	case a.says == "":
		return surface.Text{FR: "le hook n'a rien répondu", EN: "the hook answered nothing"}
	}
	return surface.Text{FR: a.says, EN: a.says}
}

// drills prepare each host's drill; what stands in its way is a finding, and
// then there is no drill.
var drills = map[string]func(*examination) (*drill, []finding){
	"claude":   (*examination).claudeDrill,
	"copilot":  (*examination).copilotDrill,
	"opencode": (*examination).opencodeDrill,
}

// enforcement proves for each enabled host that its hook refuses and lets
// through what it should. The project is not touched: each call is asked about
// in a copy of what decides.
func (e *examination) enforcement() []Check {
	if e.NoProof {
		return nil
	}
	e.step(surface.Text{FR: "Essai du hook de chaque hôte", EN: "Trying each host's hook"})
	copied := e.whatDecides()
	checks := make([]Check, len(e.hosts))
	var running sync.WaitGroup
	for i, h := range e.hosts {
		name := "enforcement_" + h.Profile.Alias()
		prepare, known := drills[h.Profile.Alias()]
		if failure := h.Barred(); failure != nil {
			checks[i] = conclude(name, []finding{{warning, surface.Text{
				FR: "rien n'est prouvé : " + failure.Text.FR, EN: "nothing is proved: " + failure.Text.EN}}}, surface.Text{})
			continue
		}
		if !known || len(h.Profile.HookEvents) == 0 {
			checks[i] = conclude(name, []finding{{note, unproved(h)}}, surface.Text{})
			continue
		}
		d, found := prepare(e) // one after the other: the tree is not for several at once
		found = append(found, e.trust(h.Profile.Alias())...)
		if d == nil {
			checks[i] = conclude(name, found, surface.Text{})
			continue
		}
		found = append(found, e.dropped(h, d.file)...)
		running.Go(func() {
			found = append(found, e.prove(h, d, copied)...)
			checks[i] = conclude(name, found, surface.Text{
				FR: "le hook installé arrête « " + destructive + " » et laisse passer « " + harmless + " »",
				EN: "the installed hook stops `" + destructive + "` and lets `" + harmless + "` through"})
		})
	}
	running.Wait()
	return checks
}

// unproved says why nothing could be run for a host.
func unproved(h plugin.Host) surface.Text {
	if len(h.Profile.HookEvents) == 0 {
		return surface.Text{
			FR: "aucun hook n'est émis pour " + h.Name() + " : grimoire n'y arrête aucun appel ; ses propres règles y tiennent seules",
			EN: "no hook is emitted for " + h.Name() + ": grimoire stops no call there; that host's own rules stand alone"}
	}
	return surface.Text{
		FR: "grimoire ne sait pas lancer le hook comme le fait " + h.Name() + " : rien n'est prouvé",
		EN: "grimoire does not know how " + h.Name() + " runs its hook: nothing is proved"}
}

// dropped says that the host would not load the file that holds the hook, or
// runs no hook at all: then it is of no use that the hook works.
func (e *examination) dropped(h plugin.Host, file string) []finding {
	r := &reading{tree: e.tree}
	readers[h.Profile.Alias()](r)
	for _, f := range r.found {
		if f.severity == failure && (strings.HasPrefix(f.text.EN, file+":") || strings.Contains(f.text.EN, "disableAllHooks")) {
			name := "host_surface_" + h.Profile.Alias()
			return []finding{{failure, surface.Text{
				FR: file + " : " + h.Name() + " n'en exécute pas le hook ; voir " + name,
				EN: file + ": " + h.Name() + " does not run its hook; see " + name}}}
		}
	}
	return nil
}

// prove runs a drill, both calls at once.
func (e *examination) prove(h plugin.Host, d *drill, copied map[string][]byte) []finding {
	var stopped, passed answer
	var errs [2]error
	var running sync.WaitGroup
	running.Go(func() { stopped, errs[0] = e.ask(d, destructive, copied) })
	running.Go(func() { passed, errs[1] = e.ask(d, harmless, copied) })
	running.Wait()
	for _, err := range errs {
		if err != nil {
			return []finding{{failure, surface.Text{
				FR: "le hook n'a pas pu être essayé : " + printable(fault.Text(err).FR),
				EN: "the hook could not be tried: " + printable(fault.Text(err).EN)}}}
		}
	}
	var found []finding
	if !stopped.stops {
		found = append(found, finding{failure, surface.Text{
			FR: "« " + destructive + " » passerait : " + stopped.saying().FR + e.remedy(stopped).FR,
			EN: "`" + destructive + "` would run: " + stopped.saying().EN + e.remedy(stopped).EN}})
	}
	switch {
	case passed.stops && e.ruledOut(h.Profile.Alias(), copied):
		found = append(found, finding{note, surface.Text{
			FR: "les règles du projet arrêtent jusqu'à « " + harmless + " » : " + passed.says,
			EN: "the project's rules stop even `" + harmless + "`: " + passed.says}})
	case passed.stops:
		found = append(found, finding{failure, surface.Text{
			FR: "« " + harmless + " » est arrêté : " + passed.saying().FR + e.remedy(passed).FR,
			EN: "`" + harmless + "` is stopped: " + passed.saying().EN + e.remedy(passed).EN}})
	case !passed.silent && stopped.stops:
		found = append(found, finding{warning, surface.Text{
			FR: "« " + harmless + " » passe, mais pas en silence : " + passed.saying().FR,
			EN: "`" + harmless + "` runs, but not in silence: " + passed.saying().EN}})
	}
	return found
}

// remedy names the program that answered so, and how to have the right one,
// unless the answer says that already.
func (e *examination) remedy(a answer) surface.Text {
	programs := e.programs()
	install := "; " + hookRemedy
	if strings.Contains(a.says, hookRemedy) {
		install = ""
	}
	switch len(programs) {
	case 0:
		return surface.Text{FR: install, EN: install}
	case 1:
		return surface.Text{
			FR: " ; le programme est " + programs[0] + install,
			EN: "; the program is " + programs[0] + install}
	}
	return surface.Text{
		FR: " ; le programme est " + programs[0] + ", qui passe avant " + programs[1] + " : retire celui qui n'est pas de grimoire" + install,
		EN: "; the program is " + programs[0] + ", which comes before " + programs[1] + ": remove the one that is not grimoire's" + install}
}

// programs are those that carry the hook's name, in the order of a line's
// search.
func (e *examination) programs() []string {
	var programs []string
	for _, dir := range e.hookPath() {
		if file := filepath.Join(dir, hookProgram); isProgram(file) && !slices.Contains(programs, file) {
			programs = append(programs, file)
		}
	}
	return programs
}

func isProgram(file string) bool {
	info, err := os.Stat(file)
	return err == nil && !info.IsDir() && info.Mode().Perm()&0o111 != 0
}

// find looks for a program of the host's in the absolute folders of PATH.
func (e *examination) find(name string) (string, bool) {
	for _, dir := range filepath.SplitList(orElse(e.Getenv("PATH"), "/usr/bin:/bin")) {
		if file := filepath.Join(dir, name); filepath.IsAbs(dir) && isProgram(file) {
			return file, true
		}
	}
	return "", false
}

// step tells the caller what is being done.
func (e *examination) step(t surface.Text) {
	if e.Step != nil {
		e.Step(t)
	}
}

// maxSaid bounds what is shown of an answer, in bytes.
const maxSaid = 400

// said is a program's output as a report can show it.
func said(s string) string {
	s = printable(strings.Join(strings.Fields(strings.ToValidUTF8(s, "\ufffd")), " "))
	if len(s) <= maxSaid {
		return s
	}
	cut := maxSaid
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}
