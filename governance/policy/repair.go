package policy

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// repairFiles are the two kinds of file that lift a block: editing them is
// exempt from budgets, which otherwise could refuse their own correction.
var repairFiles = []string{File, "_grimoire-output/.runs/session-*.json"}

// repairs reports whether no budget stops the call: it changes nothing, or it
// is one of the ways out that a budget's refusal names.
func (c *Call) repairs() bool {
	if c.Mutation == ReadOnly || c.runsRepair() {
		return true
	}
	return strings.TrimSpace(c.Command) == "" && len(c.Changes) > 0 && c.changesOnlyRepairFiles()
}

// runsRepair reports whether the command line runs `grimoire policies` and
// nothing else. One such program among others exempts none of them.
func (c *Call) runsRepair() bool {
	if c.Unresolved || len(c.Programs) == 0 || !c.changesOnlyRepairFiles() {
		return false
	}
	repairs := false
	for _, p := range c.Programs {
		switch verb, ok := p.policies(); {
		case ok && verb != "approve":
			repairs = true
		case p.Name != "cd":
			return false
		}
	}
	return repairs
}

func (c *Call) changesOnlyRepairFiles() bool {
	return !slices.ContainsFunc(c.Changes, func(ch Change) bool {
		rel, inside := c.relative(ch.Path)
		return !inside || ch.Removed && !strings.HasPrefix(rel, "_grimoire-output/") ||
			!slices.ContainsFunc(repairFiles, func(g string) bool { return glob(g, rel) })
	})
}

// approves reports whether a program gives approvals. Unlike an exemption,
// which needs the exact form, this sees the words wherever options put them,
// under any name that the program was given, and in the text of a program that
// runs others. A verb that cannot be known is taken for the worst.
func approves(p Program) bool {
	if quotes(p.Name) {
		return false
	}
	if i := slices.Index(p.Args, "policies"); i >= 0 {
		if slices.Contains(p.Args[i:], "approve") {
			return true
		}
		verb := slices.IndexFunc(p.Args[i+1:], func(a string) bool { return !strings.HasPrefix(a, "-") })
		if p.Name == "grimoire" && verb >= 0 && strings.ContainsRune(p.Args[i+1+verb], 0) {
			return true
		}
	}
	return slices.ContainsFunc(p.Args, func(a string) bool { return strings.Contains(a, "policies") && approval().MatchString(a) })
}

// approval is the command in a text, be its words in a list or on a line.
var approval = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bpolicies\W{1,8}approve\b`) })

// quotes reports whether a program only repeats its words, or keeps them.
func quotes(name string) bool {
	return slices.Contains([]string{"echo", "printf", "git", "gh", "grep", "rg", "sed", "jq", "cat"}, name)
}

// policies recognises `grimoire policies VERB` in its documented forms, the
// existing kit's `python -m grimoire policies VERB` included.
func (p Program) policies() (verb string, ok bool) {
	args := p.Args
	switch {
	case p.Name == "grimoire":
	case strings.HasPrefix(p.Name, "python") && strings.Trim(p.Name[len("python"):], "0123456789.") == "":
		if len(args) < 2 || args[0] != "-m" || args[1] != "grimoire" {
			return "", false
		}
		args = args[2:]
	default:
		return "", false
	}
	args = skipOptions(args)
	if len(args) == 0 || args[0] != "policies" {
		return "", false
	}
	if args = skipOptions(args[1:]); len(args) == 0 {
		return "", true
	}
	return args[0], true
}

// skipOptions drops the options before a verb, with the values of those that
// take one.
func skipOptions(args []string) []string {
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		n := 1
		if slices.Contains([]string{"-C", "-o", "--output", "--session-id", "--project-root"}, args[0]) {
			n = min(2, len(args))
		}
		args = args[n:]
	}
	return args
}
