// Package pluginsdk is what the author of an emitter plugin imports: the
// Emitter interface, the data an emitter returns, helpers for templates and
// frontmatter, and Serve.
//
// An emitter is a pure function from a surface to a plan. It reads nothing
// and writes nothing: core confines every path it returns, decides what is
// owned, and touches the disk. The bundled emitters are served by the same
// Serve and have no other way in.
//
// It imports surface and nothing else of grimoire.
package pluginsdk
