package opencode

import (
	"bytes"
	"encoding/json"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

// localServer is an MCP server in opencode.json.
type localServer struct {
	Type    string   `json:"type"`
	Command []string `json:"command"`
	Enabled bool     `json:"enabled"`
}

// config asks for the entries of opencode.json: the instructions file, and
// the MCP servers the project declares.
func config(s *surface.Surface) (pluginsdk.Merge, error) {
	m := pluginsdk.Merge{
		Path:       configPath,
		Alternates: []string{"opencode.jsonc"},
	}
	instructions, err := literal(instructionsPath)
	if err != nil {
		return m, err
	}
	m.Ops = append(m.Ops,
		expect("array", "instructions"),
		pluginsdk.Op{Kind: pluginsdk.OpEnsureString, Path: []string{"instructions"}, Value: instructions},
		expect("object", "mcp"),
	)
	for _, server := range s.MCPServers {
		if !portable(server) {
			continue
		}
		value, err := literal(localServer{
			Type:    "local",
			Command: append([]string{server.Command}, server.Args...),
			Enabled: true,
		})
		if err != nil {
			return m, err
		}
		m.Ops = append(m.Ops, pluginsdk.Op{Kind: pluginsdk.OpSetKey, Path: []string{"mcp", server.Name}, Value: value})
		m.Sources = []string{".mcp.json"}
	}
	return m, nil
}

// portable reports whether a server can be written into opencode.json whole:
// the project declares it, and it needs no environment of its own.
func portable(m surface.MCPServer) bool { return m.Declared && !m.HasEnv }

func expect(kind string, path ...string) pluginsdk.Op {
	return pluginsdk.Op{Kind: pluginsdk.OpExpect, Path: path, Value: json.RawMessage(`"` + kind + `"`)}
}

// literal is v as JSON, with `<`, `>` and `&` left readable.
func literal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}
