package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// shellNames are the programs that open /dev/null for what they redirect to it in
// one direction only.
var shellNames = []string{"sh", "ash", "bash", "busybox", "dash", "fish", "ksh", "ksh93", "mksh", "zsh"}

// stdoutClosed reports whether this program was started with its standard output
// closed (`>&-`). By the time any code of ours runs, Go has opened /dev/null in its
// place, for reading and writing. A parent that wants no answer may do the very same
// (Node's "ignore", Python's DEVNULL), so that it counts only below a shell, which
// opens it for writing, and only where that shell did not hand it down. What cannot
// be told counts as open.
func stdoutClosed() bool {
	if flags, err := unix.FcntlInt(1, unix.F_GETFL, 0); err != nil || flags&unix.O_ACCMODE != unix.O_RDWR {
		return err != nil
	}
	var own unix.Stat_t
	if unix.Fstat(1, &own) != nil || !isNull(&own) {
		return false
	}
	parent := os.Getppid()
	if parent <= 1 { // ours is gone, and this one only adopted us
		return false
	}
	name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", parent))
	if err != nil || !slices.Contains(shellNames, strings.TrimSpace(string(name))) {
		return false
	}
	var theirs unix.Stat_t
	if err := unix.Stat(fmt.Sprintf("/proc/%d/fd/1", parent), &theirs); err != nil {
		return errors.Is(err, fs.ErrNotExist) // closed for the shell too
	}
	return !isNull(&theirs)
}

// isNull reports /dev/null: device 1, 3 on every Linux.
func isNull(st *unix.Stat_t) bool {
	return st.Mode&unix.S_IFMT == unix.S_IFCHR && st.Rdev == unix.Mkdev(1, 3)
}
