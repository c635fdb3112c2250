package failpoint

import (
	"os"
	"runtime"
	"syscall"
)

// stop stops the process until it is sent SIGCONT. The signal is for this very
// thread: taken by another, it may come after this one has gone on.
func stop() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	_ = syscall.Tgkill(os.Getpid(), syscall.Gettid(), syscall.SIGSTOP)
}
