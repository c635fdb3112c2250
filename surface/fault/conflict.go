package fault

import "bytes"

// Conflict is the line, from 1, of the first mark that git leaves around what
// it could not merge; 0 without any.
func Conflict(text []byte) int {
	n := 0
	for row := range bytes.Lines(text) {
		if n++; bytes.HasPrefix(row, []byte("<<<<<<< ")) {
			return n
		}
	}
	return 0
}
