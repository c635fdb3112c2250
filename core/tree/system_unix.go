//go:build unix

package tree

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// openNoFollow opens what a resolved path names and nothing else, and does not
// wait for the other end of a FIFO.
const openNoFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// foreign reports a file whose owner is not the user running grimoire.
func foreign(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) != os.Geteuid()
}

func isDiskFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EFBIG) || errors.Is(err, syscall.EDQUOT)
}

// syncDir makes renames in a directory survive a power cut.
func syncDir(d *os.File) error {
	err := d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		return nil // a file system that does not sync directories
	}
	return err
}
