package main

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/core/host"
	"github.com/grimoire-kit/grimoire/emitters/bundled"
	"github.com/grimoire-kit/grimoire/pluginsdk"
)

// hostPrograms are the programs of hosts whose children are an agent's. Editors
// are not among them: the terminal in one is the person's own.
var hostPrograms = []string{"claude", "codex", "copilot", "gemini", "opencode", "cursor-agent"}

// interpreters run some of those programs, which are then their first argument.
var interpreters = []string{"node", "nodejs", "bun", "deno"}

// process is what is known of a running program.
type process struct {
	args []string
	env  []string // as it was started, name=value
}

// heldBy names the host that one of the programs below which grimoire runs
// belongs to, "" where none is known to. A program that let go of its parent
// and of its environment is not found: this keeps an agent from approving by
// the way, not one that sets out to.
func heldBy(profiles []pluginsdk.Profile, ancestors []process) string {
	for _, p := range ancestors {
		getenv := func(name string) string {
			for _, e := range p.env {
				if v, ok := strings.CutPrefix(e, name+"="); ok {
					return v
				}
			}
			return ""
		}
		if id := host.Running(profiles, getenv); id != host.UnknownHost {
			return id
		}
		for i, arg := range p.args[:min(len(p.args), 2)] {
			name := strings.TrimSuffix(filepath.Base(arg), filepath.Ext(arg))
			if slices.Contains(hostPrograms, name) {
				return name
			}
			if i == 0 && !slices.Contains(interpreters, name) {
				break
			}
		}
	}
	return ""
}

// heldBy names the host below which this command runs, "" where none is known.
// Every gesture of a person asks for it.
func (a *app) heldBy() string {
	var profiles []pluginsdk.Profile
	for _, e := range bundled.Emitters() {
		profiles = append(profiles, e.Profile())
	}
	if by := host.Running(profiles, a.environ); by != host.UnknownHost {
		return by
	}
	return heldBy(profiles, ancestors())
}

// fields takes apart what the kernel gives as texts that end in NUL.
func fields(data []byte) []string {
	var out []string
	for part := range bytes.SplitSeq(data, []byte{0}) {
		if len(part) > 0 {
			out = append(out, string(part))
		}
	}
	return out
}
