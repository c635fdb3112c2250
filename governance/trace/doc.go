// Package trace records what governance decided, one JSON object per line in
// _grimoire-output/traces/traces.jsonl, and reads it back: how often each tool
// and rule was refused, what was not evaluated and why, which persona was
// chosen, which one was missing.
//
// It never stores what a tool was given, only hashes of it: the file is
// exported and outlives the session. It never fails a session either: a line
// that cannot be written is lost, and the caller may say so or not.
//
// Writing costs the same whatever the file's length: ids are made without
// reading it. Readers stream. A fact that something depends on belongs to the
// ledger, not here. Package governance, core and cmd import it; it imports
// surface and governance/canonical.
package trace
