package dialect

import (
	"github.com/tidwall/gjson"

	"github.com/grimoire-kit/grimoire/surface"
)

// Version is the version of the document this package reads.
const Version = 1

// Outcome is what a decision comes to. The set is closed, and none of them
// lets a tool run: a host that gets no opinion goes on as if there were no
// hook, with its own permissions and its own questions to the person.
type Outcome string

const (
	NoOpinion Outcome = "no_opinion"
	Refuse    Outcome = "refuse"     // the tool, or the prompt, does not run
	Ask       Outcome = "ask"        // the person decides
	Context   Outcome = "context"    // it runs, and the model reads a text
	BlockStop Outcome = "block_stop" // the agent goes on instead of stopping
	// Grant answers the host's own question to the person in their place; it
	// exists for permission_request alone.
	Grant Outcome = "grant"
)

// Outcomes lists every outcome.
var Outcomes = []Outcome{NoOpinion, Refuse, Ask, Context, BlockStop, Grant}

// Reaction is what a host does with a tool whose hook gave no answer.
type Reaction string

const (
	Runs    Reaction = "run"     // the tool runs, most often without a word
	Refuses Reaction = "refuse"  // the tool does not run
	Profile Reaction = "profile" // the project's profile decides
)

// Limits are the bounds of a host, as observed.
type Limits struct {
	// ContextChars is how many characters (UTF-16 code units) of a text reach
	// the model whole; 0 where no limit was seen.
	ContextChars int
	// TimeoutSeconds is how long the host waits where its configuration does
	// not say.
	TimeoutSeconds int
	OnTimeout      Reaction // the time-out is reached
	OnCrash        Reaction // the hook is killed before it answered
}

// Dialect is one host's wire format. It is immutable, and safe for use by
// several goroutines. Only what a call needs is read from the document: a hook
// is started anew for every call.
type Dialect struct {
	Host     string   // short name of the host: "claude"
	HostID   string   // stable identifier, for traces: "host-claude-code-cli"
	Observed []string // versions of the host it was checked against
	// Asks says whether the host puts an Ask to the person. Where it does not,
	// the answer to Ask refuses, and the text has to say how to approve.
	Asks   bool
	Limits Limits
	// UnhookedInput says that what is typed into a shell that a call left open
	// passes no hook of the host.
	UnhookedInput bool
	// TellsAfter says that what a hook says before a tool does not reach the
	// model, while what it says after one does.
	TellsAfter bool

	dispatch gjson.Result // see Dispatch
	root     []string
	tools    toolTable
	answers  answerTable
	variants []gjson.Result // each an object; see variant
}

// variant is one shape of payload.
type variant struct {
	id   string
	when []predicate

	// A shape that is not this dialect's to judge has one of these.
	ignored   string // the reason
	belongsTo string // the host whose dialect reads it
	silentIf  string // path of that host's own hook file
	offIn     []string

	eventPaths []string
	events     []eventName
	ignores    gjson.Result // event of the host → why nothing is decided at it
	fields     fields
	tools      toolTable
	answers    answerTable
}

// decodes reports whether payloads of this shape are read.
func (v *variant) decodes() bool {
	return v.belongsTo == "" && v.ignored == ""
}

// eventName is a host's word for an event.
type eventName struct {
	wire  string
	event surface.HookEvent
}

// fields are where things stand in a payload: for each, paths in order of
// preference.
type fields struct {
	session, parentSession, agent, agentType []string
	tool, toolUseID, toolInput, toolResponse []string
	cwd, prompt, source, stopActive          []string
}

// predicate is one condition on a payload.
type predicate struct {
	path   string
	is     string // "present", "absent", "string", "object"
	equals string // with is "string": the value
}

// tool is what a dialect knows about a tool of the host.
type tool struct {
	name   string // exact, or with `*` for any run of characters
	as     string // name Claude Code gives the same tool
	family surface.ToolFamily
	args   []argument
	// generic says that the table gives no arguments: those of "*" are read.
	generic bool
}

// argument is one argument of a tool and what it means.
type argument struct {
	path string
	kind Kind
}

// answer is what goes back to the host. In its texts {reason}, {context} and
// {event} stand for what the caller gives.
type answer struct {
	stdout gjson.Result // an object, a string of plain text, or absent
	stderr string
	exit   int
}

// Dispatch is what a session that takes the entry persona on is told of the
// models its sub-agents run on, where the host lets it choose; else nothing.
func (d *Dialect) Dispatch() surface.Text {
	return surface.Text{FR: d.dispatch.Get("fr").Str, EN: d.dispatch.Get("en").Str}
}
