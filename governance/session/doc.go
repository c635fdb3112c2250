// Package session keeps what one agent session has done so far: the counters
// of temporal rules, the approvals given, the writes observed, the task it
// works on. It stores counts, times and hashes, never what a tool was given.
//
// One file per session, _grimoire-output/.runs/session-<id>.json, in the
// format of the existing kit, so that both can read it. A host runs many hook
// processes at once: Update reads, changes and replaces the file under a lock,
// and no count is lost. Nothing is synced to the disk; after a power cut the
// session starts anew.
//
// Facts that must survive belong to the ledger, not here. The package judges
// nothing; policy does. It is linked into grimoire-hook and stays light;
// governance, core and cmd import it.
package session
