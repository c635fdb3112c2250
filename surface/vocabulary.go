package surface

// ToolVerb is what a persona may do, in words every emitter translates into
// its host's tool names.
type ToolVerb string

const (
	Read    ToolVerb = "read"
	Search  ToolVerb = "search"
	Edit    ToolVerb = "edit"
	Execute ToolVerb = "execute"
	Web     ToolVerb = "web"
)

// ToolVerbs lists every verb in the order they are written.
var ToolVerbs = []ToolVerb{Read, Search, Edit, Execute, Web}

// ToolFamily is the neutral class of a tool call. Hooks select calls by
// family; an emitter turns families into its host's matcher.
type ToolFamily string

const (
	FamilyRead       ToolFamily = "read"
	FamilyWrite      ToolFamily = "write"
	FamilyExecute    ToolFamily = "execute"
	FamilySecret     ToolFamily = "secret"
	FamilyNetwork    ToolFamily = "network"
	FamilyDelegation ToolFamily = "delegation"
	FamilyMCP        ToolFamily = "mcp"
	// FamilyOther is a tool of the host that fits no other family (a to-do
	// list, a question to the user). A hook that lists it wants every call.
	FamilyOther ToolFamily = "other"
)

// ToolFamilies lists every family in the order matchers are built.
var ToolFamilies = []ToolFamily{
	FamilyExecute, FamilyWrite, FamilySecret, FamilyRead, FamilyNetwork,
	FamilyDelegation, FamilyMCP, FamilyOther,
}

// HookEvent is a moment of a session at which a host may call the hook.
type HookEvent string

const (
	SessionStart       HookEvent = "session_start"
	UserPromptSubmit   HookEvent = "user_prompt_submit"
	PreToolUse         HookEvent = "pre_tool_use"
	PostToolUse        HookEvent = "post_tool_use"
	PostToolUseFailure HookEvent = "post_tool_use_failure"
	SubagentStart      HookEvent = "subagent_start"
	SubagentStop       HookEvent = "subagent_stop"
	PreCompact         HookEvent = "pre_compact"
	Stop               HookEvent = "stop"
	// PermissionRequest is decoded and traced; no kit hook is emitted for it.
	PermissionRequest HookEvent = "permission_request"
)

// HookEvents lists the events a surface may wire, in session order.
var HookEvents = []HookEvent{
	SessionStart, UserPromptSubmit, PreToolUse, PostToolUse,
	PostToolUseFailure, SubagentStart, SubagentStop, PreCompact, Stop,
}

// Enforcement says whether a hook's refusal stops the host.
type Enforcement string

const (
	Blocking Enforcement = "blocking"
	Advisory Enforcement = "advisory"
)

// FailureMode is what a hook's command line does when the hook's program is
// missing or crashes.
type FailureMode string

const (
	// FailRefuse stops the tool and names the remedy.
	FailRefuse FailureMode = "refuse"
	// FailAllow lets the tool run; the session is told once.
	FailAllow FailureMode = "allow"
)

// Capability is something a host can run natively. The words are those of
// the JSON of `grimoire host list` and of degradations.
type Capability string

const (
	Subagents       Capability = "subagents"
	Skills          Capability = "skills"
	Commands        Capability = "commands"
	BlockingHooks   Capability = "blocking_hooks"
	PermissionTable Capability = "permissions"
	MCP             Capability = "mcp"
	PluginPackaging Capability = "plugin_packaging"
	AgentAutostart  Capability = "agent_autostart"
)

// Profile is the strictness a project enrolled at. The zero value is not a
// profile; ProfileStarter is what an unenrolled project has.
type Profile string

const (
	ProfileStarter      Profile = "starter"
	ProfileControlled   Profile = "controlled"
	ProfileOrchestrated Profile = "orchestrated"
	ProfileGoverned     Profile = "governed"
	ProfileProduction   Profile = "production"
)

// Profiles lists the profiles from weakest to strongest.
var Profiles = []Profile{
	ProfileStarter, ProfileControlled, ProfileOrchestrated,
	ProfileGoverned, ProfileProduction,
}

// Rank is the profile's place in Profiles, or -1 for an unknown word.
func (p Profile) Rank() int {
	for i, q := range Profiles {
		if p == q {
			return i
		}
	}
	return -1
}

// Blocks reports whether red gates and a missing hook refuse under p.
func (p Profile) Blocks() bool {
	return p == ProfileGoverned || p == ProfileProduction
}

// OnFailure is what a hook that cannot run does under p.
func (p Profile) OnFailure() FailureMode {
	if p.Blocks() {
		return FailRefuse
	}
	return FailAllow
}
