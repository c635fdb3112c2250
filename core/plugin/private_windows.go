package plugin

import "io/fs"

// checkPrivate has nothing to look at: rights come from the folder of the user's
// profile, where Windows gives others none.
func checkPrivate(fs.FileInfo) error { return nil }
