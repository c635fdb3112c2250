package standard

import (
	"bytes"
	"slices"
	"strings"
)

// The lines around the section of an evidence pack that says what the hook
// saw. `grimoire standard gate check` writes what is between them; the rest of
// the file is a person's.
const (
	LogBegin = "<!-- grimoire:evidence-log:begin -->"
	LogEnd   = "<!-- grimoire:evidence-log:end -->"
)

// LogSection is where the section stands in a pack, markers and the end of the
// last line included; both are -1 where there is none. ok is false for markers
// that are not one pair, whose first is on line; what is meant then is for a
// person to say.
func LogSection(pack []byte) (from, to, line int, ok bool) {
	from, to = -1, -1
	offset, at := 0, 0
	for text := range bytes.Lines(pack) {
		at++
		switch string(bytes.TrimSpace(text)) {
		case LogBegin:
			if from >= 0 {
				return -1, -1, line, false
			}
			from, line = offset, at
		case LogEnd:
			if from < 0 || to >= 0 {
				return -1, -1, max(line, at), false
			}
			to = offset + len(text)
		}
		offset += len(text)
	}
	if from >= 0 && to < 0 {
		return -1, -1, line, false
	}
	return from, to, line, true
}

// withoutLog is a pack's text as people wrote it; the lines of the section are
// blank, so that those after it keep their numbers.
func withoutLog(text string) string {
	from, to, _, ok := LogSection([]byte(text))
	if !ok || from < 0 {
		return text
	}
	return text[:from] + strings.Repeat("\n", strings.Count(text[from:to], "\n")) + text[to:]
}

// Run is the last run of the tests that was seen for a task.
type Run struct {
	Path    string // the journal that it stands in
	Command string
	Passed  *bool // nil where the host does not tell
	Exit    *int
}

// noTests is how pytest ends when it found none.
const noTests = 5

// runOwed are the columns that a run of the tests is looked at in.
var runOwed = []string{"in_progress", "review", "accepted", "released"}

// OwesRun reports whether a run of the tests is looked at in a column.
func OwesRun(state string) bool { return slices.Contains(runOwed, state) }

// CheckRun adds to a gate what is wrong with the last run that was seen. A
// project without tests says why in the acceptance record.
func (f *Folder) CheckRun(g *Gate, r Run) {
	v := &Verification{Profile: g.Profile, Task: g.Task}
	x := &file{v: v, path: r.Path}
	command := strings.ReplaceAll(r.Command, "`", "'")
	switch late := g.State != "in_progress"; {
	case r.Exit != nil && *r.Exit == noTests && strings.Contains(r.Command, "pytest"):
		if f.justified(g.Task) {
			break
		}
		record := pathOf("acceptance_record", g.Task)
		fr := "`" + command + "` n'a trouvé aucun test ; écris-en un, ou dis pourquoi dans " + record + " sous « Contrôle absent »"
		en := "`" + command + "` found no test; write one, or say why in " + record + " under \"No check\""
		if late && g.Profile.Blocks() {
			x.fail("acceptance.no_tests_collected", node{}, fr, en)
		} else {
			x.warn("acceptance.no_tests_collected", node{}, fr, en)
		}
	case r.Passed != nil && !*r.Passed:
		x.fail("acceptance.test_run_failed", node{},
			"le dernier contrôle que le hook a vu, `"+command+"`, a échoué ; relance-le seul sur sa ligne dans la session une fois réparé",
			"the last check that the hook saw, `"+command+"`, failed; run it again alone on its line in the session once it is mended")
	}
	g.Checks = append(g.Checks, v.Checks...)
}

// justified reports whether the acceptance record says why no test can show
// the result: a line of its own below the heading that asks for it.
func (f *Folder) justified(task string) bool {
	data, err := f.read(pathOf("acceptance_record", task), maxFile)
	if err != nil {
		return false
	}
	inside := false
	for text := range strings.Lines(string(data)) {
		text = strings.TrimSpace(text)
		switch {
		case strings.HasPrefix(text, "#"):
			heading := strings.TrimSpace(strings.TrimLeft(text, "#"))
			inside = heading == "Contrôle absent" || heading == "No check"
		case !inside, text == "", strings.HasPrefix(text, "<!--"):
		case strings.HasPrefix(text, "_") && strings.HasSuffix(text, "_"): // what the template asks
		default:
			return true
		}
	}
	return false
}
