// Package current tells which task a session works on, and answers what the
// hook asks of the mission ledger.
//
// A session's task is found from the tasks that are held, at a cost that does
// not grow with the ledger. Nothing here waits for the ledger's lock longer
// than a hook may, and nothing here runs another program. It is linked into
// grimoire-hook; cmd and core import it.
package current
