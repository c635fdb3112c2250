package pluginsdk

import (
	"context"
	"encoding/json"

	"github.com/grimoire-kit/grimoire/surface"
)

// Emitter renders a surface for one host.
type Emitter interface {
	// Profile describes the host. It is constant.
	Profile() Profile
	// Emit returns what the host's files should be. It must depend on the
	// surface alone: same surface, same plan, byte for byte.
	Emit(ctx context.Context, s *surface.Surface) (*Plan, error)
}

// Profile is what grimoire knows about a host before anything is emitted.
type Profile struct {
	// ID is the stable identifier written in records and traces
	// ("host-claude-code-cli").
	ID string
	// Aliases are the names people type; the first is the one used in
	// `hosts.enabled`.
	Aliases     []string
	DisplayName string
	// Capabilities are those the host is known to run natively.
	Capabilities []surface.Capability
	// HookEvents are the events the host calls the hook for.
	HookEvents []surface.HookEvent
	// Entrypoint is the instruction file the host reads at start.
	Entrypoint string
	// Detect lists marks of the host in a repository: it is detected when
	// one mark is wholly present.
	Detect []Mark
	// Env are names of environment variables that the host sets in the
	// processes it starts; one that is set and not empty means we run under it.
	Env []string
	// Owns are the path prefixes the emitter may write under, each a file or
	// a directory ending in "/".
	Owns []string
	// Merges are the user's files the emitter may ask entries in.
	Merges []string
	Notes  surface.Text
}

// Alias is the host's short name.
func (p Profile) Alias() string {
	if len(p.Aliases) == 0 {
		return p.ID
	}
	return p.Aliases[0]
}

// Can reports whether the host runs c natively.
func (p Profile) Can(c surface.Capability) bool {
	for _, have := range p.Capabilities {
		if have == c {
			return true
		}
	}
	return false
}

// Supports reports whether the host calls the hook for e.
func (p Profile) Supports(e surface.HookEvent) bool {
	for _, have := range p.HookEvents {
		if have == e {
			return true
		}
	}
	return false
}

// Mark is a set of paths that must all exist. A path ending in "/" must be a
// directory; another may be anything.
type Mark struct {
	All []string
}

// Plan is everything an emitter wants on disk. It is data: nothing in it has
// been checked against a project yet.
type Plan struct {
	Files        []File
	Merges       []Merge
	Degradations []surface.Degradation
}

// Ownership says how core recognises a file it wrote before.
type Ownership string

const (
	// OwnedByMarker is a file that carries the grimoire:managed comment.
	OwnedByMarker Ownership = "marker"
	// OwnedByHooks is a JSON file that cannot carry a comment: it is ours
	// when every hook command in it runs grimoire-hook.
	OwnedByHooks Ownership = "hooks"
)

// File is one whole file.
type File struct {
	Path      string // project-relative, slash-separated
	Content   []byte // with its marker, where Ownership is OwnedByMarker
	Ownership Ownership
	// Entry is true for the host's instruction file, which a team may have
	// written by hand: core can then keep a marked section inside it.
	Entry bool
	// Limit is how many bytes of the file at Path the host reads, 0 where it
	// reads the whole or no limit is known. The file can be longer than
	// Content: a team's own text may stand around ours.
	Limit int
	// Sources are the project files the content comes from (definition_ref
	// of a persona, ref of a skill), for `grimoire host why`.
	Sources []string
}

// Merge is a set of entries wanted inside a file that belongs to the user.
type Merge struct {
	Path string
	// Alternates are other spellings of the same file, in order of
	// preference; the first that exists is edited instead of Path
	// (opencode.jsonc instead of opencode.json).
	Alternates []string
	// Plain is true where the host reads plain JSON: a comment or a trailing
	// comma, which core keeps, makes it ignore the whole file.
	Plain bool
	// Ops is the complete set of what the emitter wants there: an entry of
	// ours that no operation asks for is removed.
	Ops     []Op
	Sources []string
}

// OpKind names a merge operation.
type OpKind string

const (
	// OpEnsureString: the array of strings at Path holds Value.
	OpEnsureString OpKind = "ensure_string"
	// OpEnsureHook: the hook group array at Path holds a group with Matcher
	// (absent when nil) whose hooks hold Value, a handler object that runs
	// grimoire-hook (Claude Code's shape).
	OpEnsureHook OpKind = "ensure_hook"
	// OpSetKey: the key at Path is ours and has Value.
	OpSetKey OpKind = "set_key"
	// OpExpect: the value at Path, when there is one, has JSON type Value
	// ("object", "array", "string"); otherwise the file is left alone.
	OpExpect OpKind = "expect"
)

// Op is one merge operation. Core translates it and splices the user's bytes.
type Op struct {
	Kind    OpKind
	Path    []string // object keys from the root
	Matcher *string
	Value   json.RawMessage
}
