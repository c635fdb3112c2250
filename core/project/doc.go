// Package project reads a project from disk and builds the surface every host
// sees: personas, skills, commands, hooks, permissions and MCP servers.
//
// Its input is what a team wrote by hand, or what somebody else's repository
// brought along. So every file is confined to the project and bounded in size,
// a file that cannot become what it stands for is listed with its reason, and a
// mistake that would change what an agent may do is an error that names file,
// line and key.
//
// It writes nothing, starts nothing and names no host: what tells hosts apart
// is passed in. Core and the commands import it; the hook does not.
package project
