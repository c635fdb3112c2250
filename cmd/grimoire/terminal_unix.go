//go:build unix

package main

import (
	"io"
	"os"
)

// openTerminal opens the terminal of whoever started the process, whatever its
// stdin is.
func openTerminal() (io.ReadWriteCloser, error) { return os.OpenFile("/dev/tty", os.O_RDWR, 0) }
