// Package ledger is the mission ledger: what was asked, who claimed it, how it
// moved and how it ended, as an append-only log of events. The state of every
// task is what the events say when they are replayed in the order of the log;
// dates never order anything.
//
// The log is _grimoire-runtime-output/ledger/events.jsonl, in the format of the
// existing kit, and both may work on one project in turns. It is never
// rewritten: an event is one line, added by one write under the lock that the
// existing kit takes too, and on the disk before success is reported. Beside it
// lie two files that may be deleted at any time, a snapshot of the state and
// the claims that are held; each says up to where in the log it is right, and
// is put aside when the log says otherwise.
//
// View and Update are the way in. A change is judged against the state under
// the lock and then appended, so that of two sessions one gets a task.
//
// The package knows what a legal move is. What a move requires (evidence,
// capacity, a free file, a person) is for task, and the texts of commands are
// for cmd. It is linked into grimoire-hook and stays light; governance, core
// and cmd import it.
package ledger
