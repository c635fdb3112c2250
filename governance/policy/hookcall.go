package policy

import (
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/surface"
)

// ruleHookCall is the rule of a tool that calls the hook in the host's place.
const ruleHookCall = "hook-is-the-hosts"

// hookCall is what is said to a tool that tells the hook what happened: the
// hook believes what its host says, and what it notes is evidence.
func hookCall(c *Call) opinion {
	return opinion{ruleHookCall, Block, Say(c.Tool,
		surface.Text{FR: "appel du hook par l'agent", EN: "a call of the hook by the agent"},
		surface.Text{
			FR: "c'est à l'hôte de l'appeler : ce qu'un outil lui raconterait n'a pas été observé",
			EN: "it is the host's to call: what a tool would tell it was not observed"},
		surface.Text{
			FR: "`grimoire policies explain '<commande>'` dit ce que le hook déciderait, `grimoire doctor` s'il est branché",
			EN: "`grimoire policies explain '<command>'` says what the hook would decide, `grimoire doctor` whether it is wired"})}
}

// callsHook reports whether a program is the hook, or runs it: by its name, as
// `grimoire host hook`, or under any other name (a copy, `go run`, expect's
// spawn) by the two options that every call of it carries.
func callsHook(p Program) bool {
	switch p.Name {
	case "grimoire-hook":
		return !onlyAsks(p.Args)
	case "grimoire":
		verbs := slices.DeleteFunc(slices.Clone(skipOptions(p.Args)), func(a string) bool { return strings.HasPrefix(a, "-") })
		if len(verbs) > 1 && verbs[0] == "host" && verbs[1] == "hook" {
			return !slices.ContainsFunc(p.Args, asks)
		}
		return false // of any other command the options are its own
	case "echo", "printf", "git", "grep", "rg", "sed", "jq", "cat":
		return false // they repeat their words, or keep them
	}
	host, event := false, false
	for i, a := range p.Args {
		name, value, glued := strings.Cut(a, "=")
		if !glued && i+1 < len(p.Args) {
			value = p.Args[i+1]
		}
		host = host || name == "--host" && value != ""
		event = event || name == "--event" && strings.Contains(hookEvents, " "+plainEvent(value)+" ")
	}
	return host && event
}

// onlyAsks reports whether a command line does no more than ask a program about
// itself.
func onlyAsks(args []string) bool {
	return len(args) > 0 && !slices.ContainsFunc(args, func(a string) bool { return !asks(a) })
}

func asks(arg string) bool { return arg == "--help" || arg == "-h" || arg == "--version" }

// hookEvents are the events that hosts have a hook for, in any of their
// spellings: letters alone, in lower case.
const hookEvents = " sessionstart sessionend userpromptsubmit userpromptsubmitted pretooluse posttooluse posttoolusefailure precompact " +
	"subagentstop stop agentstop permissionrequest beforetool aftertool beforeagent afteragent precompress notification "

func plainEvent(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, strings.ToLower(s))
}
