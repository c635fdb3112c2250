package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/task"
	"github.com/grimoire-kit/grimoire/surface"
)

// A terminal is shown as much as a person takes in, in lines that do not wrap;
// a pipe gets everything whole.
func TestTasksFitTheTerminal(t *testing.T) {
	var rows []task.Listed
	for i := range 10_000 {
		rows = append(rows, task.Listed{Row: ledger.Row{ID: fmt.Sprintf("GAO-t-%05d", i), Status: ledger.Ready, Priority: "medium", Owner: "ada", Title: strings.Repeat("é", 200)}})
	}
	show := func(width int) []string {
		var out bytes.Buffer
		a := newApp(nil)
		a.out, a.lang, a.colour = &out, surface.English, false
		a.showTasks(rows, width)
		return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	}
	if lines := show(0); len(lines) != 10_001 || utf8.RuneCountInString(lines[1]) < 200 {
		t.Errorf("a pipe gets %d lines, the first of %d", len(lines), utf8.RuneCountInString(lines[1]))
	}
	lines := show(80)
	if len(lines) != 102 || lines[101] != "and 9900 more: --status, --mission, or -o json" {
		t.Errorf("%d lines, the last %q", len(lines), lines[len(lines)-1])
	}
	for _, line := range lines {
		if utf8.RuneCountInString(line) > 80 {
			t.Fatalf("wider than the terminal: %q", line)
		}
	}
	if lines = show(10); utf8.RuneCountInString(lines[1]) < minLast {
		t.Errorf("nothing is left of the title: %q", lines[1])
	}
}
