package ledger

import (
	"io/fs"
	"strconv"
	"syscall"
)

// identity changes whenever a file is replaced or written to, also by one who
// puts its size and date back; "" where the system does not tell.
func identity(info fs.FileInfo) string {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return strconv.FormatUint(uint64(s.Ino), 36) + "." + strconv.FormatInt(int64(s.Ctim.Sec), 36) + "." + strconv.FormatInt(int64(s.Ctim.Nsec), 36)
}
