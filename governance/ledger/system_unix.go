//go:build !windows

package ledger

import (
	"errors"
	"os"
	"syscall"
)

// syncDirectory puts the names in a folder on the disk.
func syncDirectory(d *os.File) error { return d.Sync() }

func isReadOnly(err error) bool { return errors.Is(err, syscall.EROFS) }

func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}
