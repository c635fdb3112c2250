// Package managed knows what grimoire wrote before: whole files by their marker
// or by the hooks they run, single hook entries by the command they hold, and
// the rest by a small record committed with the project.
//
// It reads bytes and gives answers; it writes nothing and decides nothing about
// what should be on disk, which is package sync's. Packages under core and cmd
// may import it.
package managed
