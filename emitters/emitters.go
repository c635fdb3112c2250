// Package emitters carries the dialect of every bundled host: how its hook
// payloads read and how it is answered. The emitters themselves are the
// packages below it, one a host; this package imports none of them, so that
// grimoire-hook can link it and stay small. Any package may import it.
package emitters

import (
	"embed"
	"io/fs"
	"path"
)

//go:embed */dialect.json
var dialects embed.FS

const dialectFile = "dialect.json"

// Dialect returns the dialect document of a host by its short name, that of
// its folder here ("claude"). It reports false for a host that has none.
func Dialect(host string) ([]byte, bool) {
	data, err := dialects.ReadFile(host + "/" + dialectFile)
	return data, err == nil
}

// Dialects lists the hosts that have a dialect, sorted.
func Dialects() []string {
	files, err := fs.Glob(dialects, "*/"+dialectFile)
	if err != nil {
		return nil // the pattern is constant and well formed
	}
	hosts := make([]string, len(files))
	for i, f := range files {
		hosts[i] = path.Dir(f)
	}
	return hosts
}
