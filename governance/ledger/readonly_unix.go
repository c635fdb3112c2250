//go:build !windows

package ledger

import (
	"errors"
	"syscall"
)

func readOnly(err error) bool { return errors.Is(err, syscall.EROFS) }
