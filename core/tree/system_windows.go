package tree

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/windows"
)

// openNoFollow is empty: a resolved path is opened as it is.
const openNoFollow = 0

// foreign is always false: a rename on Windows goes by the directory's access
// list, not by an owner that grimoire could change.
func foreign(fs.FileInfo) bool { return false }

func isDiskFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL) ||
		errors.Is(err, syscall.ENOSPC)
}

// syncDir does nothing: Windows has no flush of a directory.
func syncDir(*os.File) error { return nil }
