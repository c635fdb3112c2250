//go:build !windows

package ledger

import (
	"errors"
	"os"
	"syscall"
)

// syncDirectory puts the names in a folder on the disk, where the file system
// can do so apart from the files.
func syncDirectory(d *os.File) error {
	err := d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		return nil
	}
	return err
}

func isReadOnly(err error) bool { return errors.Is(err, syscall.EROFS) }

func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}
