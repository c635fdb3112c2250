// Package tree reads and replaces files inside one project without ever leaving
// it and without ever leaving a file half-written.
//
// Every path is resolved by hand, component by component: a symlink that stays
// inside the project is followed and kept, one that leads outside is a named
// fault. A file is replaced by a synced temporary beside it and a rename, after
// one last look that it still is what the decision was made on.
//
// It knows nothing of hosts, plans or ownership: it does what core decides. Only
// core may import it.
package tree
