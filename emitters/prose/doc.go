// Package prose renders a surface for hosts that read instructions and run
// nothing of grimoire: one entry file that holds the whole catalogue, and one
// copy of each skill beside it.
//
// The hosts differ in the name of the entry file, in what they call their
// tools and in what may honestly be said about enforcement; those parts are
// theirs. The copies of the skills are shared: every prose host returns the
// same bytes for the same path, and the files go with the last of them.
//
// It knows no host, and only emitters import it: those of prose hosts, and
// any that writes descriptions into a Markdown table.
package prose
