package plugin

import "syscall"

// endWithParent closes the gap between the start of a plugin and the moment the
// supervisor knows its group: the kernel ends it with us.
func endWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
