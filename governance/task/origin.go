package task

import (
	"mvdan.cc/sh/v3/syntax"

	"github.com/grimoire-kit/grimoire/surface"
)

// Origin is where a gesture comes from. Some gestures are a person's: a remark
// to the agent at work, a capacity that is given back by hand, the end of a
// pause. Every command and tool that needs one asks Person, and nothing else.
type Origin struct {
	// Terminal: a person can type here. Never true of an MCP tool or a hook.
	Terminal bool
	// Host is the agentic host that this process runs under, "" for none.
	Host string
	// Getenv reads the environment; it can take the human origin away, and
	// never give it.
	Getenv func(string) string
}

// Person reports whether a person is behind it: there is a terminal, no host
// started us, no session's id is in the environment and GRIMOIRE_UNATTENDED is
// not set. An agent that rids its environment of all that still has no
// terminal; one that makes itself a terminal is not stopped here.
func (o Origin) Person() bool {
	return o.Terminal && o.Host == "" && o.Getenv("GRIMOIRE_UNATTENDED") == "" && EnvSession(o.Getenv).ID == ""
}

// refuse refuses a gesture that no person makes; command is the one that a
// person would type.
func (o Origin) refuse(task, transition, command string) *Refusal {
	if o.Person() {
		return nil
	}
	return refuse(task, transition, "human_origin",
		surface.Text{FR: "ce geste est celui d'une personne", EN: "this is for a person to do"},
		surface.Text{
			FR: "la personne lance `" + command + "` dans son propre terminal",
			EN: "the person runs `" + command + "` in their own terminal"})
}

// Session is a session of a host.
type Session struct{ ID, Host string }

// EnvSession is the session that this process runs in, as its environment
// says: GRIMOIRE_SESSION_ID, whose host is unknown, else Claude Code's own
// variable (observed 2.1.332). It is never guessed from what lies on the disk.
func EnvSession(getenv func(string) string) Session {
	if id := getenv("GRIMOIRE_SESSION_ID"); id != "" {
		return Session{ID: id}
	}
	if id := getenv("CLAUDE_CODE_SESSION_ID"); id != "" {
		return Session{ID: id, Host: claudeHost}
	}
	return Session{}
}

// claudeHost is the only host whose sessions a command resumes.
const claudeHost = "host-claude-code-cli"

// ResumeCommand takes a session up again, "" where its host has no command
// for it. The existing kit also spelled the host without its prefix.
func ResumeCommand(s Session) string {
	if (s.Host == claudeHost || s.Host == "claude-code-cli") && plainWord(s.ID) {
		return "claude --resume " + s.ID
	}
	return ""
}

// argument is s as a shell reads it back.
func argument(s string) string {
	if plainWord(s) {
		return s
	}
	if q, err := syntax.Quote(s, syntax.LangBash); err == nil {
		return q
	}
	return surface.Quoted(s)
}

// plainWord reports whether a shell reads s as itself: ids come from files.
func plainWord(s string) bool {
	for _, r := range s {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.') {
			return false
		}
	}
	return s != "" && s[0] != '-'
}
