package policy

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/grimoire-kit/grimoire/surface"
)

// terminals are programs that give another one a terminal, at which nobody
// sits. Behind them a command that asks for a person finds what looks like one.
const terminals = " script scriptreplay expect unbuffer autoexpect spawn tmux screen zellij dtach abduco socat ttyd "

// personal is what is said to a tool that plays the person.
func personal(c *Call) opinion {
	return opinion{ruleApprove, Block, Say(c.Tool,
		surface.Text{FR: "geste d'une personne joué par l'agent", EN: "a person's gesture, played by the agent"},
		surface.Text{
			FR: "ce que la personne dit d'une tâche vient d'elle, dans son propre terminal",
			EN: "what the person says of a task comes from them, in their own terminal"},
		surface.Text{
			FR: "demander à la personne ; `grimoire task show <id>` montre ce qui est dit de la tâche",
			EN: "ask the person; `grimoire task show <id>` shows what is said of the task"})}
}

// playsPerson reports whether a program says something of a task, as people do,
// at a terminal made for it.
func playsPerson(p Program) bool {
	made := func(name string) bool { return strings.Contains(terminals, " "+name+" ") }
	if made(p.Name) || slices.ContainsFunc(p.Via, made) {
		return says(p.Args) || slices.ContainsFunc(p.Args, func(a string) bool { return saying().MatchString(a) })
	}
	return !quotes(p.Name) && slices.ContainsFunc(p.Args, func(a string) bool {
		return strings.Contains(a, "pty") && saying().MatchString(a) // of a program's text
	})
}

func says(args []string) bool {
	i := slices.Index(args, "task")
	return i >= 0 && slices.ContainsFunc(args[i:], func(a string) bool { return a == "comment" || a == "ack" })
}

// saying is the command in a text, be its words in a list or on a line.
var saying = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\btask\W{1,8}(comment|ack)\b`) })
