// Package decide is the decider: it takes one call of a host's hook from its
// payload to its answer.
//
// A dialect turns the payload into neutral words; layers of decisions, each
// with its own recover, look at them; the dialect puts the outcome into the
// host's words. Nothing here knows a host by name, and nothing can let a tool
// run: the strongest thing said in a call's favour is nothing at all.
//
// It is linked into grimoire-hook and lives on its hot path: a read-only call
// in a project without temporal rules is answered before any file is read.
// What needs the mission ledger comes in through the Ledger interface; where
// none is given those decisions are absent. cmd and core import it.
package decide
