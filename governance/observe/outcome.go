package observe

import (
	"regexp"
	"strconv"
	"sync"

	"github.com/tidwall/gjson"
)

// Outcome is how a check ended.
type Outcome string

const (
	Passed  Outcome = "passed"
	Failed  Outcome = "failed"
	Unknown Outcome = "unknown" // the host does not tell
)

// NoRun reports the exit codes by which a shell says that it found no program,
// or none that it may run (POSIX, Shell Command Language, 2.8.2): what was to be
// checked is then not known to be wrong.
func NoRun(exit *int) bool { return exit != nil && (*exit == 126 || *exit == 127) }

// exitText is how a host spells the exit code in a tool's text (Copilot CLI,
// observed 1.0.102). What stands last is the host's own. Most calls of the hook
// never ask: neither this nor the next is compiled before it is used.
var exitText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`completed with exit code (-?\d+)>?\s*$`) })

// errorText is how a host that has an event for failures spells the exit code
// in its error (Claude Code, observed 2.1.332).
var errorText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^Exit code (\d+)\b`) })

// OutcomeOf reads a tool's response. failed is a host's event for a tool that
// failed; failures says that the host has such an event, so that the other one
// means success. Copilot CLI has one too, but a command that fails is a
// success there (observed 1.0.102): only its text tells.
func OutcomeOf(response []byte, failed, failures bool) (o Outcome, exit *int) {
	r := gjson.ParseBytes(response)
	if failed {
		if m := errorText().FindStringSubmatch(r.Str); m != nil {
			if n, err := strconv.Atoi(m[1]); err == nil {
				return Failed, &n
			}
		}
		return Failed, nil
	}
	code, known, speaks := 0, false, false
	for _, key := range []string{"exit_code", "exitCode", "returncode", "return_code", "code", "exit", "metadata.exit"} {
		if v := r.Get(key); v.Type == gjson.Number && !known {
			code, known = int(v.Num), true
		}
	}
	for _, key := range []string{"text_result_for_llm", "textResultForLlm"} {
		speaks = speaks || r.Get(key).Exists()
		if m := exitText().FindStringSubmatch(r.Get(key).Str); m != nil && !known {
			if n, err := strconv.Atoi(m[1]); err == nil {
				code, known = n, true
			}
		}
	}
	switch {
	case known && code == 0:
		return Passed, &code
	case known:
		return Failed, &code
	case r.Get("interrupted").Bool() || r.Get("backgroundTaskId").Exists():
		return Unknown, nil // it has not ended
	case failures && r.IsObject() && !speaks:
		return Passed, nil
	}
	return Unknown, nil
}
