package plugin

import "io/fs"

// checkPrivate wants a regular file. Its rights come from the folder of the
// user's profile, where Windows gives others none.
func checkPrivate(info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return problemf("n'est pas un fichier", "not a file")
	}
	return nil
}
