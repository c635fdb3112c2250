package command

import "testing"

func TestNames(t *testing.T) {
	const list names = "jshell awk rm"
	for name, in := range map[string]bool{"jshell": true, "awk": true, "rm": true, "l": false, "shell": false, "r": false, "": false, "awk rm": true} {
		if list.has(name) != in {
			t.Errorf("%q: %v", name, !in)
		}
	}
}
