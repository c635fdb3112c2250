// Package contract holds what hosts were observed to do: payloads captured
// from real versions, which the dialects are replayed on. It is evidence, not
// behaviour: nothing at run time reads it. Tests and diagnostics may import
// it.
package contract
