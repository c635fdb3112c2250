// Package surface holds the host-neutral description of a project: its
// personas, skills, commands, hooks, permissions and MCP servers, and the
// closed vocabularies that describe them.
//
// It is the one vocabulary shared by the two flows of grimoire: core hands a
// Surface to emitter plugins, and governance judges tool calls in the same
// words. It does no I/O and names no host. Every other package may import it;
// it imports none of them.
package surface
