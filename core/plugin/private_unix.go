//go:build unix

package plugin

import (
	"io/fs"
	"os"
	"syscall"
)

// checkPrivate wants a regular file that its owner, who runs us, alone can read
// and write.
func checkPrivate(info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !info.Mode().IsRegular():
		return problemf("n'est pas un fichier", "not a file")
	case info.Mode().Perm()&0o077 != 0:
		return problemf("ouvert à d'autres (mode %s) ; chmod 600", "open to others (mode %s); chmod 600", info.Mode().Perm())
	case ok && int(stat.Uid) != os.Getuid():
		return problemf("appartient à un autre utilisateur (uid %d)", "belongs to another user (uid %d)", stat.Uid)
	}
	return nil
}
