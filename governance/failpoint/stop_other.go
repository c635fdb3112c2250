//go:build !linux

package failpoint

func stop() { kill() }
