package dialect

import "github.com/grimoire-kit/grimoire/surface"

// Call is one call of the hook in neutral words.
type Call struct {
	Event surface.HookEvent // "" where nothing is decided
	// WireEvent is the host's word for it, "" where the payload has none.
	WireEvent string

	Session string // host's id of the session
	// ParentSession is the session that started this one, on hosts that give
	// a sub-agent an id of its own.
	ParentSession string
	Agent         string // host's id of the running sub-agent, "" in the main loop
	AgentType     string // its name: the persona

	Tool      string // the host's own name
	Canonical string // the name Claude Code gives the same tool, else Tool
	Family    surface.ToolFamily
	Args      []Arg
	// Changes are the file edits the arguments spell out.
	Changes   []Change
	ToolUseID string // host's id of the call, "" where it gives none

	ToolInput    []byte // JSON as the host sent it
	ToolResponse []byte // JSON as the host sent it

	Cwd string // as the payload has it; it may be the tool's own folder
	// WorkDir is the folder relative paths of the call start from: Cwd, or the
	// one the call itself asks to run in.
	WorkDir string
	Prompt  string
	Source  string // how a session started
	// StopActive says that the host is already running the agent again
	// because of an earlier BlockStop.
	StopActive bool

	// NotEvaluated says why there is nothing to judge; "" where there is.
	NotEvaluated Cause
	Detail       string // for the trace: what exactly stood in the way

	// BelongsTo names the host this payload comes from, where it is not the
	// dialect's own: hosts run each other's hook files. Its dialect decodes
	// and answers. SilentIf is the project-relative path of the hook file by
	// which that host would also call for itself; where our entry stands in
	// it, this call keeps silent, so that an event is decided once.
	BelongsTo string
	SilentIf  string
	// OffIn are project-relative paths of JSON settings in which
	// `"disableAllHooks": true` keeps that host from running its hook file.
	OffIn []string

	variant *variant
}

// Cause is why a call is not evaluated, in a word for traces.
type Cause string

const (
	Empty        Cause = "empty_payload"
	TooLarge     Cause = "payload_too_large"
	TooDeep      Cause = "payload_too_deep"
	NotUTF8      Cause = "payload_not_utf8"
	NotJSON      Cause = "payload_not_json" // truncated ones too
	NotObject    Cause = "payload_not_object"
	UnknownShape Cause = "unknown_shape" // no variant fits
	UnknownEvent Cause = "unknown_event"
	IgnoredEvent Cause = "ignored_event" // known, and nothing is decided at it
	NoTool       Cause = "no_tool_name"
	OtherHost    Cause = "other_host" // see Call.BelongsTo
)

// Kind is what an argument of a tool means.
type Kind string

const (
	Command Kind = "command" // a command line
	Words   Kind = "words"   // what follows the command on its line, in a list
	Code    Kind = "code"    // a program in a language that is not told
	Query   Kind = "query"   // a statement for a database, or a question in words
	Patch   Kind = "patch"   // a patch in the apply_patch format
	Path    Kind = "path"    // a file or folder
	Pattern Kind = "pattern" // a glob over paths
	Folder  Kind = "folder"  // the folder the tool is to run in
	URL     Kind = "url"
	Text    Kind = "text"    // anything else worth knowing: a prompt, a query
	Content Kind = "content" // the whole new text of the file
	Old     Kind = "old"     // the text an edit replaces
	New     Kind = "new"     // what an edit puts there
)

// Kinds lists every kind.
var Kinds = []Kind{Command, Words, Code, Query, Patch, Path, Pattern, Folder, URL, Text, Content, Old, New}

// Arg is one argument of a tool call, as text. Paths are as the host wrote
// them, file: URIs apart, which are turned into paths.
type Arg struct {
	Kind  Kind
	Key   string // where it stands in the input, as the dialect names it
	Value string
}

// Change is one edit of a file, with what the call says about the text.
type Change struct {
	Path string
	// Old is replaced by New; with Whole, New is the file's whole new text.
	Old, New string
	Whole    bool
	// Removed says that the file is deleted or moved away.
	Removed bool
}

// Values returns the arguments of one kind, in order, each once.
func (c *Call) Values(k Kind) []string {
	var out []string
	seen := map[string]bool{}
	for _, a := range c.Args {
		if a.Kind == k && !seen[a.Value] {
			seen[a.Value] = true
			out = append(out, a.Value)
		}
	}
	return out
}
