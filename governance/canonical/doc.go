// Package canonical writes JSON in one spelling per value, so that equal
// values have equal bytes: keys sorted, no spaces, nothing escaped that does
// not have to be.
//
// The spelling is byte for byte that of Python's
// json.dumps(v, sort_keys=True, separators=(",", ":"), ensure_ascii=False),
// because the existing kit hashes and stores JSON in it and both read each
// other's files. It is not for output that a host reads.
//
// It imports the standard library alone; packages of governance import it.
package canonical
