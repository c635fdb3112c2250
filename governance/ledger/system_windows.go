package ledger

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// syncDirectory does nothing: Windows cannot sync a folder.
func syncDirectory(*os.File) error { return nil }

func isReadOnly(err error) bool { return errors.Is(err, windows.ERROR_WRITE_PROTECT) }

func isFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}
