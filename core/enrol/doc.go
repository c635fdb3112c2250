// Package enrol writes what a project has of the standard: the files of its
// profile, the record of those that nobody changed, the score, and the journal
// of what grimoire did about them.
//
// It never replaces what a person wrote, unless that is asked for, and never
// touches a board of tasks that is there: that is the ledger's. What the files
// must say, and what is wrong with them, is for governance/standard. Only core
// and cmd import it.
package enrol
