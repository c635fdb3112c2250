// Package observe is the journal of what the hook saw while a task was worked
// on: checks that ran, with their outcome as far as the host tells it, and
// writes, in their order. It stands beside what an agent declares: a gate may
// ask for a check that passed after the last write (observed_check).
//
// The hook alone writes it, and the guard refuses every tool that would. What
// it does not prove: that the check was a good one, that what it ran had not
// been prepared to pass, that nobody wrote outside of a host with hooks, or
// that whoever runs as the same user left the file alone.
//
// It is linked into grimoire-hook; governance, core and cmd may import it.
package observe
