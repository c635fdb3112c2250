//go:build !windows

package ledger

import "os"

// syncDirectory puts the names in a folder on the disk.
func syncDirectory(d *os.File) error { return d.Sync() }
