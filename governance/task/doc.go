// Package task is what a team does with the tasks of the mission ledger: add
// them, claim them, move them, prove and close them. The ledger knows which
// moves are legal; this package knows what a move requires: evidence, a free
// place, a free file, a person.
//
// A command judges first and writes last. Gates and git are looked at before
// the ledger's lock, limits and reserved files under it, and a refusal writes
// nothing. What a refusal asks for, it names with the command that provides it.
//
// After each change the board (_grimoire/standard/task-board.yaml) is written
// anew: it is a projection, and nothing is read back from it. The package
// answers `grimoire task` and the MCP tools alike; texts of commands and exit
// codes are theirs. governance, core and cmd may import it.
package task
