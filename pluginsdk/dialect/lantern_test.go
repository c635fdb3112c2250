package dialect_test

import (
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/pluginsdk/dialect"
)

// lantern is the dialect of a host that does not exist, with one of
// everything.
const lantern = `{
  "version": 1,
  "host": "lantern",
  "host_id": "host-lantern",
  "observed": ["3.2.0"],
  "asks": true,
  "limits": {"context_chars": 40, "timeout_s": 30, "on_timeout": "run", "on_crash": "refuse"},
  "root": ["env:LANTERN", "payload", "process"],
  "tools": {
    "sh": {"as": "Bash", "family": "execute", "args": {"line": "command"}},
    "put": {"family": "write", "args": {"to": "path", "body": "content"}},
    "tool_*": {"family": "mcp"},
    "tool_x_*": {"family": "network", "args": {}},
    "*": {"family": "other", "args": {"command": "command", "path": "path", "edits.#.path": "path"}}
  },
  "variants": [
    {"id": "guest", "when": [{"path": "guest.name", "is": "string"}], "belongs_to": "other", "silent_if": "hooks/{event}.json"},
    {"id": "dead", "when": [{"path": "ended", "is": "present"}, {"path": "alive", "is": "absent"}], "ignored": "it is over"},
    {"id": "short", "when": [{"path": "v", "is": "string", "equals": "2"}, {"path": "t", "is": "object"}],
     "event": {"paths": ["e"], "names": {"before": "pre_tool_use"}},
     "fields": {"session": ["s"], "tool": ["t.n"], "tool_input": ["t.a"]},
     "tools": {"sh": {"family": "read", "args": {"line": "path"}}},
     "answers": {"pre_tool_use": {"refuse": {"stdout": {"no": "{reason}"}}}}},
    {"id": "long",
     "event": {"paths": ["event"], "names": {"BeforeTool": "pre_tool_use", "Done": "stop", "Asked": "permission_request", "Told": "session_start"}, "ignored": {"Tick": "a clock"}},
     "fields": {"session": ["session.id", "sid"], "tool": ["tool"], "tool_input": ["args"], "stop_active": ["again"], "cwd": ["cwd"]}}
  ],
  "answers": {
    "*": {"no_opinion": {"stdout": {}}, "context": {"stdout": {"event": "{event}", "text": "{context}", "n": 1}}},
    "pre_tool_use": {"refuse": {"stderr": "{reason}", "exit": 3}},
    "stop": {"block_stop": {"stdout": {"deep": {"why": "{reason}", "more": "{context}"}, "end": true}}},
    "permission_request": {"refuse": {"stdout": {"ok": false, "why": "{reason}"}}, "ask": {}, "grant": {"stdout": {"allow": true}}}
  }
}`

func parse(t testing.TB, doc string) *dialect.Dialect {
	t.Helper()
	d, err := dialect.Parse([]byte(doc))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// with returns lantern with one thing changed.
func with(t testing.TB, old, new string) string {
	t.Helper()
	if strings.Count(lantern, old) != 1 {
		t.Fatalf("%q stands %d times in the document", old, strings.Count(lantern, old))
	}
	return strings.Replace(lantern, old, new, 1)
}
