//go:build !linux

package main

// stdoutClosed is known on Linux alone.
func stdoutClosed() bool { return false }
