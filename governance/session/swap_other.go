//go:build !linux

package session

import "os"

// swap puts the file tmp in place of path in one step.
func swap(tmp, path string) error { return os.Rename(tmp, path) }
