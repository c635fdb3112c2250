// Package plugin finds the emitters of a project's hosts, decides which programs
// may run, starts them, asks each for its plan, and ends them.
//
// Every emitter runs in a process of its own and is spoken to over gRPC. The
// bundled ones are this very executable, started again with a hidden argument,
// so that there is one path into an emitter and not two; Main takes that
// argument before anything else of the program runs. A third party's program
// runs only after the machine's user pinned its digest: a project may ask, it
// cannot grant.
//
// A plan is checked here for what any plan must obey (paths, bounds, hooks).
// What it means for the files of a project is core/sync's business: this package
// neither reads nor writes a project.
//
// core and cmd may import it.
package plugin
