package tree

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

func (t *Tree) canSyncWhole() bool { return true }

// syncWhole writes everything of the project's file system to the disk.
func (t *Tree) syncWhole() error {
	d, err := t.root.Open(".")
	if err != nil {
		return err
	}
	defer d.Close()
	if err := unix.Syncfs(int(d.Fd())); err != nil {
		return os.NewSyscallError("syncfs", err)
	}
	return nil
}

// syncedWhole reports whether syncWhole covers the file: a link inside the
// project may lead to a folder on which another file system is mounted.
func (t *Tree) syncedWhole(h *os.File) bool {
	info, err := h.Stat()
	if err != nil {
		return false
	}
	root, err := t.root.Lstat(".")
	if err != nil {
		return false
	}
	a, okA := info.Sys().(*syscall.Stat_t)
	b, okB := root.Sys().(*syscall.Stat_t)
	return okA && okB && a.Dev == b.Dev
}
