// Package observe is the journal of what the hook saw while a task was worked
// on: checks that ran, with their outcome as far as the host tells it, and
// writes, in their order. It stands beside what an agent declares: a gate may
// ask for a check that passed after the last write (observed_check).
//
// With a check it keeps what the project's files were at that moment: the
// commit and the contents of what differs from it, so that a gate can tell
// that they are others now, whoever changed them, and name one.
//
// The hook alone writes it, and the guard refuses every tool that would. What
// it does not prove: that the check was a good one, that what it ran had not
// been prepared to pass, that nothing changed between the check's start and its
// end, or that whoever runs as the same user left the file alone, a script that
// a tool ran included. What counts as a check is a list, see checkers. Files that
// git ignores are not looked at, nor are those marked assume-unchanged or
// skip-worktree, nor the inside of submodules. Where git is absent or too slow,
// or where more has changed since the last commit than the journal holds, the
// entry says so and only the order of what the hook saw is left.
//
// It is linked into grimoire-hook; governance, core and cmd may import it.
package observe
