package plugin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/grimoire-kit/grimoire/pluginsdk"
)

// RunsHook reports whether a command line runs grimoire-hook and nothing else.
// With nil args it is a shell's line, else the program that a host starts with
// them. It is managed.RunsHookArgs everywhere but in tests.
type RunsHook func(command string, args []string) bool

// Keys of a hook handler under which a host finds something to run: Claude
// Code's and Codex's command, Copilot's per shell and per system.
var commandKeys = []string{"command", "exec", "bash", "powershell", "linux", "osx", "windows"}

// Keys of a hook handler that run nothing. Any other is refused: an `env` can
// put another grimoire-hook first on the PATH.
var harmlessKeys = []string{"type", "args", "timeout", "timeoutSec", "timeout_ms", "name", "description", "comment", "statusMessage", "matcher", "async", "once"}

// checkHooks says why a hook handler, or a document that holds some, would run
// anything but grimoire's hook.
func checkHooks(document []byte, runsHook RunsHook) error {
	value, err := decodeJSON(document)
	if err != nil {
		return problemf("n'est pas du JSON : %s", "not JSON: %s", err)
	}
	n, err := checkHandlers(value, runsHook)
	if err == nil && n == 0 {
		err = problemf("ne lance aucun hook", "runs no hook")
	}
	return err
}

// checkHandlers counts the commands under value and checks each.
func checkHandlers(value any, runsHook RunsHook) (int, error) {
	count := 0
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			n, err := checkHandlers(item, runsHook)
			if err != nil {
				return 0, err
			}
			count += n
		}
	case map[string]any:
		if isHandler(value) {
			return checkHandler(value, runsHook)
		}
		for _, key := range slices.Sorted(maps.Keys(value)) {
			n, err := checkHandlers(value[key], runsHook)
			if err != nil {
				return 0, err
			}
			count += n
		}
	}
	return count, nil
}

// isHandler tells a handler from the objects around it, whose keys are events.
func isHandler(object map[string]any) bool {
	if _, ok := object["type"]; ok {
		return true
	}
	return slices.ContainsFunc(commandKeys, func(key string) bool {
		_, ok := object[key]
		return ok
	})
}

func checkHandler(handler map[string]any, runsHook RunsHook) (int, error) {
	if kind, ok := handler["type"]; ok && kind != "command" {
		return 0, problemf("un hook de type %v", "a hook of type %v", kind)
	}
	args, err := handlerArgs(handler)
	if err != nil {
		return 0, err
	}
	count := 0
	for _, key := range slices.Sorted(maps.Keys(handler)) {
		if slices.Contains(harmlessKeys, key) {
			continue
		}
		if !slices.Contains(commandKeys, key) {
			return 0, problemf("un hook avec une clé %q", "a hook with a key %q", key)
		}
		command, ok := handler[key].(string)
		if !ok || !runsHook(command, args) {
			return 0, problemf("un hook qui lance autre chose que grimoire-hook : %v", "a hook that runs something other than grimoire-hook: %v", handler[key])
		}
		count++
	}
	return count, nil
}

// handlerArgs is nil where the handler has none: its command is then a line for
// a shell.
func handlerArgs(handler map[string]any) ([]string, error) {
	value, ok := handler["args"]
	if !ok {
		return nil, nil
	}
	list, ok := value.([]any)
	if !ok {
		return nil, problemf("un hook dont args n'est pas une liste", "a hook whose args is not a list")
	}
	args := make([]string, len(list))
	for i, item := range list {
		if args[i], ok = item.(string); !ok {
			return nil, problemf("un hook dont args n'est pas une liste de chaînes", "a hook whose args is not a list of strings")
		}
	}
	return args, nil
}

// checkSetKey keeps hooks to the operation made for them.
func checkSetKey(op pluginsdk.Op) error {
	value, err := decodeJSON(op.Value)
	if err != nil {
		return problemf("n'est pas du JSON : %s", "not JSON: %s", err)
	}
	if slices.Contains(op.Path, "hooks") || holdsKey(value, "hooks") {
		return problemf("un hook se demande par %s", "a hook is asked for with %s", pluginsdk.OpEnsureHook)
	}
	return nil
}

func holdsKey(value any, key string) bool {
	switch value := value.(type) {
	case []any:
		return slices.ContainsFunc(value, func(item any) bool { return holdsKey(item, key) })
	case map[string]any:
		for k, item := range value {
			if k == key || holdsKey(item, key) {
				return true
			}
		}
	}
	return false
}

// maxJSONDepth is well past any host's files, and short of any reader's stack.
const maxJSONDepth = 100

// decodeJSON reads one JSON value and refuses an object that names a key twice:
// readers do not agree on which of the two counts.
func decodeJSON(data []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	value, err := decodeValue(decoder, 0)
	if err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one value")
	}
	return value, nil
}

func decodeValue(decoder *json.Decoder, depth int) (any, error) {
	if depth > maxJSONDepth {
		return nil, fmt.Errorf("more than %d levels", maxJSONDepth)
	}
	token, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('['):
		list := []any{}
		for decoder.More() {
			item, err := decodeValue(decoder, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, item)
		}
		_, err := decoder.Token()
		return list, err
	case json.Delim('{'):
		object := map[string]any{}
		for decoder.More() {
			key, err := decoder.Token()
			if err != nil {
				return nil, err
			}
			name := key.(string)
			if _, twice := object[name]; twice {
				return nil, fmt.Errorf("the key %q twice", name)
			}
			if object[name], err = decodeValue(decoder, depth+1); err != nil {
				return nil, err
			}
		}
		_, err := decoder.Token()
		return object, err
	}
	return token, nil
}
