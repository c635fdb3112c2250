package session

import (
	"os"

	"golang.org/x/sys/unix"
)

// swap puts the file tmp in place of path in one step. On ext4 a plain rename
// over a file first sends the new one's data to the disk, which costs more
// than all the rest of an update; exchanging the two names does not, and
// counters need no such care.
func swap(tmp, path string) error {
	if unix.Renameat2(unix.AT_FDCWD, tmp, unix.AT_FDCWD, path, unix.RENAME_EXCHANGE) == nil {
		_ = os.Remove(tmp) // the file that was replaced
		return nil
	}
	return os.Rename(tmp, path) // nothing to replace, or a file system that cannot
}
