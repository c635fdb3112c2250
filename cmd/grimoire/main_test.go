package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// The scripts under testdata/script are what grimoire's command line promises,
// each readable as a terminal session. In them, `grimoire` is this very
// program: the test binary stands on PATH under that name, and starts itself
// again to serve its bundled emitters as the installed program does.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"grimoire": main})
}

func TestScripts(t *testing.T) {
	hookDir = t.TempDir()
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               newMachine,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"emitter":   emitter,
			"await":     await,
			"gone":      gone,
			"host":      hostCall,
			"snapshot":  snapshot,
			"unchanged": unchanged,
		},
	})
}

// newMachine gives every script a machine of its own: an empty home, an
// English locale, no colour, and none of the variables by which a host shows
// that it started us. /repo is the project.
func newMachine(env *testscript.Env) error {
	home := filepath.Join(env.WorkDir, "home")
	for _, dir := range []string{home, filepath.Join(env.WorkDir, "repo")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	env.Cd = filepath.Join(env.WorkDir, "repo")
	env.Setenv("HOME", home)
	env.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
	env.Setenv("LANG", "en_US.UTF-8")
	env.Setenv("REPO", env.Cd)
	return nil
}
