package contract

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Capture is one payload of a host.
type Capture struct {
	File  string // below the folder that was read
	Event string // the event the hook was called for, where the payload has none
	Stdin json.RawMessage
}

// Captures reads every payload below dir.
func Captures(dir string) ([]Capture, error) {
	var all []Capture
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".json" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		collect(data, func(c Capture) {
			c.File = filepath.ToSlash(name)
			all = append(all, c)
		})
		return nil
	})
	return all, err
}

// collect finds the payloads in a recording: what stands under "stdin", and
// objects that look like one. "hook" beside it names the event.
func collect(data json.RawMessage, found func(Capture)) {
	var list []json.RawMessage
	if json.Unmarshal(data, &list) == nil {
		for _, item := range list {
			collect(item, found)
		}
		return
	}
	var doc map[string]json.RawMessage
	if json.Unmarshal(data, &doc) != nil {
		return
	}
	hook := text(doc["hook"])
	switch {
	case strings.HasPrefix(hook, "tool.execute."):
		found(throughGuard(doc, hook))
		return
	case doc["stdin"] != nil:
		if hook == "first" || hook == "second" { // two hooks of one event, told apart by the recorder
			hook = "preToolUse"
		}
		found(Capture{Event: hook, Stdin: doc["stdin"]})
		return
	case text(doc["hook_event_name"]) != "" && (doc["session_id"] != nil || doc["sessionId"] != nil):
		found(Capture{Stdin: data})
		return
	}
	for _, v := range doc {
		collect(v, found)
	}
}

// throughGuard is the payload that our plugin makes of what opencode calls it
// with.
func throughGuard(doc map[string]json.RawMessage, hook string) Capture {
	var in struct {
		Tool, SessionID, CallID string
		Args                    json.RawMessage
	}
	var out struct {
		Args     json.RawMessage
		Metadata struct{ Exit *int }
	}
	output := doc["output"]
	if output == nil {
		output = doc["output_before_mutation"]
	}
	if json.Unmarshal(doc["input"], &in) != nil || json.Unmarshal(output, &out) != nil {
		return Capture{}
	}
	payload := map[string]any{"session_id": in.SessionID, "tool_use_id": in.CallID, "tool_name": in.Tool, "cwd": "<PROJECT>"}
	event := "pre_tool_use"
	payload["tool_input"] = out.Args
	if hook == "tool.execute.after" {
		event = "post_tool_use"
		payload["tool_input"] = in.Args
		payload["tool_response"] = map[string]any{"exit": out.Metadata.Exit}
	}
	stdin, err := json.Marshal(payload)
	if err != nil {
		return Capture{}
	}
	return Capture{Event: event, Stdin: stdin}
}

func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}
