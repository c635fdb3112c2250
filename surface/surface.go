package surface

// Surface is one project as every host should see it. Core builds it once;
// emitters receive it whole. Its JSON form is what `grimoire host surface`
// prints: bodies, notes and the fields an emitter alone needs are left out.
type Surface struct {
	// ProjectName is project.name, else the folder's name. Emitters get it
	// empty in the second case: folders differ between clones.
	ProjectName string      `json:"project_name"`
	Governed    bool        `json:"governed"` // enrolled in the standard, whatever the profile
	Agents      []Agent     `json:"agents"`
	Skills      []Skill     `json:"skills"`
	Commands    []Command   `json:"commands"`
	Hooks       []Hook      `json:"hooks"`
	Permissions Permissions `json:"permissions"`
	MCPServers  []MCPServer `json:"mcp_servers"`

	// Profile decides what a hook that cannot run does.
	Profile Profile `json:"-"`
	// Language is the one emitted texts are written in. It comes from the
	// project alone, never from a locale: two people must emit the same bytes.
	Language Language `json:"-"`
	// EntryDocs are the instruction files (AGENTS.md, …) that the team wrote by
	// hand, slash-separated: a host that stops reading one because of a file we
	// emit has to be pointed at it.
	EntryDocs []string `json:"-"`
	// Notes are remarks for `grimoire host status`.
	Notes []Text `json:"-"`
}

// Entry returns the entry persona: the one that answers when a request names
// no role.
func (s *Surface) Entry() (Agent, bool) {
	for _, a := range s.Agents {
		if a.EntryPoint {
			return a, true
		}
	}
	return Agent{}, false
}

// Hook returns the hook wired to event e.
func (s *Surface) Hook(e HookEvent) (Hook, bool) {
	for _, h := range s.Hooks {
		if h.Event == e {
			return h, true
		}
	}
	return Hook{}, false
}

// ToolsOrigin says where an agent's tool boundary comes from.
type ToolsOrigin string

const (
	ToolsDeclared ToolsOrigin = "declared" // its `tools:` key
	ToolsInferred ToolsOrigin = "inferred" // signals in its text
)

// OverrideKind says how an override persona relates to the kit's.
type OverrideKind string

const (
	OverrideFull    OverrideKind = "full"
	OverridePartial OverrideKind = "partial"
)

// Agent is a persona. Paths are project-relative and slash-separated.
type Agent struct {
	// Name is the slug hosts know the persona by: letters, digits, `.`, `_`, `-`.
	Name          string        `json:"name"`
	Description   string        `json:"description"`
	DefinitionRef string        `json:"definition_ref"`
	Tools         []ToolVerb    `json:"tools"`
	ToolsOrigin   ToolsOrigin   `json:"tools_origin"`
	Affinity      Affinity      `json:"affinity"`
	EntryPoint    bool          `json:"entry_point"`
	MaxTurns      *int          `json:"max_turns"`
	Skills        []string      `json:"skills"`
	Context       []string      `json:"context"`
	OverrideRef   *string       `json:"override_ref"`
	OverrideKind  *OverrideKind `json:"override_kind"`
}

// Affinity is the kind of model a persona wants, in free words; "medium"
// where nothing is said.
type Affinity struct {
	Reasoning     string `json:"reasoning"`
	ContextWindow string `json:"context_window"`
	Speed         string `json:"speed"`
	Cost          string `json:"cost"`
}

// Skill is a body of instructions loaded on demand.
type Skill struct {
	Slug        string     `json:"slug"`
	Name        string     `json:"name"`
	Description string     `json:"description"`
	Tools       []ToolVerb `json:"tools"`
	Body        string     `json:"-"`
	// Ref is the file the skill comes from, or "grimoire:skills/<slug>" for
	// one that ships with grimoire.
	Ref string `json:"-"`
}

// CommandSource says who a command belongs to.
type CommandSource string

const (
	CommandHost     CommandSource = "host"     // emitted for every host
	CommandWorkflow CommandSource = "workflow" // a workflow prompt of the kit
)

// Command is something the user types.
type Command struct {
	Slug         string        `json:"slug"`
	Description  string        `json:"description"`
	ArgumentHint string        `json:"argument_hint"`
	Tools        []ToolVerb    `json:"tools"`
	Source       CommandSource `json:"source"`
	Body         string        `json:"-"`
	Ref          string        `json:"-"`
}

// Hook is a decision wired to an event.
type Hook struct {
	Event       HookEvent   `json:"event"`
	Decision    string      `json:"decision"`
	Enforcement Enforcement `json:"enforcement"`
	// Matcher lists the families of tool calls the hook wants to see; empty
	// where the event has no tool.
	Matcher   []ToolFamily `json:"matcher"`
	Timeout   int          `json:"timeout"` // seconds the host is told to wait
	Rationale string       `json:"rationale"`
	// OnFailure is what the command line does when the hook cannot run.
	OnFailure FailureMode `json:"-"`
}

// Permissions is the neutral permission table. A rule is `<verb>:<what>`:
// `read:**/.env`, `execute:rm -rf *`.
type Permissions struct {
	Deny  []string `json:"deny"`
	Ask   []string `json:"ask"`
	Allow []string `json:"allow"`
}

// Empty reports whether the table has no rule.
func (p Permissions) Empty() bool {
	return len(p.Deny)+len(p.Ask)+len(p.Allow) == 0
}

// MCPServer is a Model Context Protocol server started over stdio.
type MCPServer struct {
	Name    string   `json:"name"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
	// Declared is true for a server of the project's .mcp.json, false for
	// the one grimoire would register itself.
	Declared bool `json:"-"`
	// HasEnv is true when the declaration sets environment variables, which
	// the surface does not carry: they may be secrets.
	HasEnv bool `json:"-"`
}

// Degradation is something a host cannot do, with what stands in for it.
// Nothing is dropped in silence.
type Degradation struct {
	Surface  string `json:"surface"` // "permissions", "hook matchers", "subagents", …
	Reason   Text   `json:"reason"`
	Fallback Text   `json:"fallback"`
}
