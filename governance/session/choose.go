package session

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Choose is the session a person means at the command line: the one they
// name, else the one of GRIMOIRE_SESSION_ID (env), else the one whose file
// changed last. A sub-agent's id stands for the session it counts for. It
// reports false where there is none.
func Choose(root, named, env string) (string, bool) {
	for _, id := range []string{named, env} {
		if strings.TrimSpace(id) != "" {
			return Root(root, id), true
		}
	}
	dir := filepath.Join(root, filepath.FromSlash(Dir))
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", false
	}
	var newest string
	var at time.Time
	for _, e := range entries { // sorted by name, so that a tie has one outcome
		name := e.Name()
		if !strings.HasPrefix(name, "session-") || !strings.HasSuffix(name, ".json") {
			continue
		}
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if newest == "" || !info.ModTime().Before(at) {
			newest, at = name, info.ModTime()
		}
	}
	if newest == "" {
		return "", false
	}
	// A hashed name does not give the id back; the file does.
	if s, _ := load(filepath.Join(dir, newest)); s != nil && FileName(s.ID) == newest {
		return s.ID, true
	}
	return strings.TrimSuffix(strings.TrimPrefix(newest, "session-"), ".json"), true
}
