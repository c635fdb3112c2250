package decide

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/grimoire-kit/grimoire/governance/command"
)

// ownerCalls reports whether the host that a payload comes from, and which
// also ran another host's hook file, calls grimoire-hook for this event by its
// own one too. This call then keeps silent: one event is decided, counted and
// traced once.
func (x *decision) ownerCalls(hookFile string, settings []string) bool {
	if hookFile == "" {
		return false
	}
	text, err := x.project.readFile(hookFile)
	if err != nil || !gjson.ValidBytes(text) || off(text) {
		return false // a file that the host cannot read calls nobody
	}
	if v := gjson.GetBytes(text, "version"); v.Exists() && (v.Type != gjson.Number || v.Num != hookFileVersion) {
		return false
	}
	for _, name := range settings {
		if text, err := x.project.readFile(name); err == nil && off(text) {
			return false
		}
	}
	calls := false
	gjson.GetBytes(text, "hooks").ForEach(func(event, handlers gjson.Result) bool {
		if x.dialect.Event(event.Str) == x.call.Event && x.call.Event != "" {
			handlers.ForEach(func(_, handler gjson.Result) bool {
				calls = calls || x.callsUs(handler)
				return !calls
			})
		}
		return !calls
	})
	return calls
}

// hookFileVersion is the version of hook files that hosts read: Copilot CLI
// 1.0.102 drops a file of any other.
const hookFileVersion = 1

// off reports whether a hook file or a file of settings switches hooks off. One
// with comments counts, as some hosts read it.
func off(text []byte) bool { return gjson.GetBytes(text, "disableAllHooks").Bool() }

// callsUs reports whether a handler of a hook file runs grimoire-hook for the
// event and the host of this call.
func (x *decision) callsUs(handler gjson.Result) bool {
	for _, key := range []string{"command", "bash"} {
		line := handler.Get(key)
		if line.Type != gjson.String {
			continue
		}
		for _, p := range command.Analyze(line.Str, command.Options{}).Programs {
			if p.Name != "grimoire-hook" {
				continue
			}
			args := make([]string, len(p.Args))
			for i, w := range p.Args {
				args[i] = w.Text
			}
			if option(args, "--host") == x.dialect.Host && x.dialect.Event(option(args, "--event")) == x.call.Event {
				return true
			}
		}
	}
	return false
}

// option is the value of an option on a command line, "" where it is not given.
func option(args []string, name string) string {
	for i, a := range args {
		if v, ok := strings.CutPrefix(a, name+"="); ok {
			return v
		}
		if a == name && i+1 < len(args) {
			return args[i+1]
		}
	}
	return ""
}
