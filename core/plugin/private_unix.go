//go:build unix

package plugin

import (
	"io/fs"
	"os"
	"syscall"
)

// checkPrivate wants a file or folder that nobody but its owner, who runs us,
// can write.
func checkPrivate(info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case info.Mode().Perm()&0o022 != 0:
		return problemf("d'autres peuvent y écrire (mode %s) ; chmod go-w", "others can write it (mode %s); chmod go-w", info.Mode().Perm())
	case ok && int(stat.Uid) != os.Getuid():
		return problemf("appartient à un autre utilisateur (uid %d)", "belongs to another user (uid %d)", stat.Uid)
	}
	return nil
}
