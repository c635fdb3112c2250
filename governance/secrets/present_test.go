package secrets

import (
	"path"
	"testing"

	"github.com/grimoire-kit/grimoire/governance/command"
)

// A pattern that spells little of the name reaches a folder of secrets where there is one, and only there.
func TestPresent(t *testing.T) {
	there := func(name string) bool {
		for _, file := range []string{"secrets", "secrets/token", "secrets/vault.go", "app/secret", "app/secret/key"} {
			if ok, err := path.Match(name, file); ok && err == nil {
				return true
			}
		}
		return false
	}
	for line, want := range map[string]bool{
		"cd s*s && cat token":             true,
		"cat s*s/token":                   true,
		"cat s*/t*":                       true,
		"cat app/s*/key":                  true,
		"cp -r s*s /tmp":                  true,
		"cat s?????s/token":               true,
		"for f in s*s/*; do cat $f; done": true,

		"cat s*s/absent":      false,
		"cat s*s/vault.go":    false,
		"cat src/*.go":        false,
		"cat */token":         false,
		"grep -r x *":         false,
		"cd s*c && cat token": false,
		"ls s*s/token":        false,
		"rm s*s/token":        false,
		"cat 's*s/token'":     false,
	} {
		_, ok := Present(command.Analyze(line, command.Options{}), "", there)
		if ok != want {
			t.Errorf("%s: %v", line, ok)
		}
	}
	if _, ok := Present(command.Analyze("cat s*/key", command.Options{Dir: "app"}), "app", there); !ok {
		t.Error("from a folder: not seen")
	}
	if _, ok := Present(command.Analyze("cat s*s/token", command.Options{}), "", func(string) bool { return false }); ok {
		t.Error("no such folder")
	}
}
