package plugin

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/pluginsdk"
)

// What is started by core alone says so to a person who starts it.
func TestRunByHand(t *testing.T) {
	runs := filepath.Join(t.TempDir(), runDirPrefix+"1")
	if err := os.MkdirAll(runs, 0o700); err != nil {
		t.Fatal(err)
	}
	cookie := handshakeVariable()
	for name, c := range map[string]struct {
		args []string
		env  []string
		says string
	}{
		"plugin":                  {[]string{fixture(t, "lantern")}, nil, "lantern is a grimoire plugin: it is not run by hand"},
		"plugin in French":        {[]string{fixture(t, "lantern")}, []string{"LC_ALL=fr_FR.UTF-8"}, "grimoire plugin trust <chemin>"},
		"bundled emitter":         {[]string{os.Args[0], emitterArg, "host-fir"}, nil, "it is not run by hand"},
		"unknown emitter":         {[]string{os.Args[0], emitterArg, "host-oak"}, nil, `no bundled emitter "host-oak"`},
		"supervisor":              {[]string{os.Args[0], superviseArg, runs}, nil, "it is not run by hand"},
		"supervisor of any place": {[]string{os.Args[0], superviseArg, filepath.Dir(runs)}, []string{cookie}, "it is not run by hand"},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(c.args[0], c.args[1:]...)
			cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool {
				return strings.HasPrefix(v, pluginsdk.Handshake.MagicCookieKey) || strings.HasPrefix(v, "LC_") || strings.HasPrefix(v, "LANG")
			}), c.env...)
			out, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.Contains(string(out), c.says) {
				t.Errorf("%v: %s", err, out)
			}
			if _, err := os.Stat(runs); err != nil {
				t.Error(err)
			}
		})
	}
}
