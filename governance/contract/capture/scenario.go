package main

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/governance/contract"
	"github.com/grimoire-kit/grimoire/surface"
)

// act is one answer of the scripted model.
type act struct {
	says           string
	run            string // a command
	write, content string // a file and its new text
	over           string // its old text, where it is edited
	read           string
	spawn          string // a sub-agent's prompt
	// remedy is the 1-based number of a command that the last refusal names
	// between backticks; fill says what stands for its placeholders. Nothing
	// else of it is changed.
	remedy int
	fill   map[string]string
	tokens int // that the conversation is said to have grown to
}

var quotedCommand = regexp.MustCompile("`(grimoire [^`]+|go [^`]+)`")

func (a act) resolve(refusal string) act {
	if a.remedy == 0 {
		return a
	}
	found := quotedCommand.FindAllStringSubmatch(refusal, -1)
	if a.remedy > len(found) {
		return act{says: "the refusal names no such command"}
	}
	a.run = found[a.remedy-1][1]
	for placeholder, value := range a.fill {
		a.run = strings.ReplaceAll(a.run, placeholder, value)
	}
	return a
}

// turn is one start of the host. What a person does comes before it.
type turn struct {
	person    []string
	directive *contract.Directive
	prompt    string // "" for the usual one
	acts      []act
	sub       []act // of the sub-agent that acts start
}

// scenario is one run.
type scenario struct {
	name, proves string
	hosts        []string
	profile      surface.Profile
	hook         contract.HookState
	from         string
	cwd          string   // relative to the project
	person       []string // after the project is made
	turns        []turn
	// ran is a file that the tool in question leaves, or "!" and one that it
	// takes away; or, after "=", a text that it shows to the model.
	ran string
}

var (
	every   = []string{"claude", "copilot", "opencode"}
	holding = []string{"claude", "copilot"} // hosts with a Stop hook
)

func longestFirst(all []string) []string {
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return slices.Compact(all)
}

func keys(m map[string]int) []string { return slices.Collect(maps.Keys(m)) }
