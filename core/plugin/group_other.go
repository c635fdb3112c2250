//go:build unix && !linux

package plugin

import "syscall"

// endWithParent has nothing to ask of a kernel that knows no death signal: the
// supervisor alone ends plugins whose core was killed.
func endWithParent(*syscall.SysProcAttr) {}
