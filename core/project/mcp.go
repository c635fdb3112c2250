package project

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

const mcpFile = ".mcp.json"

// ownServer is the server grimoire would register for itself.
var ownServer = surface.MCPServer{Name: "grimoire", Command: "grimoire-mcp", Args: []string{}}

// mcpServers lists the servers of .mcp.json in file order; without any,
// grimoire's own. What is wrong there is the hosts' business as much as ours,
// so it is named and passed over.
func (l *loader) mcpServers() []surface.MCPServer {
	out := []surface.MCPServer{}
	declared := false
	l.mcpDeclarations().ForEach(func(key, value gjson.Result) bool {
		declared = true
		// A name written twice is the last one's, as in every JSON reader.
		out = slices.DeleteFunc(out, func(s surface.MCPServer) bool { return s.Name == key.Str })
		if s, ok := l.mcpServer(key.Str, value); ok {
			out = append(out, s)
		}
		return true
	})
	if !declared {
		out = append(out, ownServer)
	}
	return out
}

// mcpDeclarations is the mcpServers object, or nothing.
func (l *loader) mcpDeclarations() gjson.Result {
	text, err := l.tree.read(mcpFile)
	if errors.Is(err, fs.ErrNotExist) {
		return gjson.Result{}
	}
	if err != nil {
		l.mcpWarn(fault.Text(err).FR, fault.Text(err).EN)
		return gjson.Result{}
	}
	if err := json.Unmarshal([]byte(text), new(json.RawMessage)); err != nil {
		why := fault.JSON(err)
		line, column := fault.JSONPlace([]byte(text), err)
		l.warn(Warning{Path: mcpFile, Line: line, Text: surface.Text{
			FR: fmt.Sprintf("ce n'est pas du JSON valide (colonne %d : %s) : ses serveurs sont laissés de côté", column, why.FR),
			EN: fmt.Sprintf("this is not valid JSON (column %d: %s): its servers are left out", column, why.EN)}})
		return gjson.Result{}
	}
	servers := gjson.Get(text, "mcpServers")
	if servers.Exists() && !servers.IsObject() {
		l.mcpWarn("mcpServers : un objet était attendu", "mcpServers: an object was expected")
		return gjson.Result{}
	}
	return servers
}

// mcpServer reads one declaration. The surface carries servers a host starts
// itself; one reached over the network stays in the file, where hosts read it.
func (l *loader) mcpServer(name string, v gjson.Result) (surface.MCPServer, bool) {
	s := surface.MCPServer{Name: name, Args: []string{}, Declared: true}
	command, args := v.Get("command"), v.Get("args")
	switch {
	case !surface.Printable(name) || strings.TrimSpace(name) == "":
		l.mcpWarn("le nom de serveur "+surface.Quoted(name)+" est inutilisable", "the server name "+surface.Quoted(name)+" cannot be used")
		return s, false
	case command.Type != gjson.String || strings.TrimSpace(command.Str) == "":
		l.mcpWarn("le serveur "+surface.Quoted(name)+" n'a pas de command : les hôtes sans lecture de ce fichier ne le verront pas",
			"the server "+surface.Quoted(name)+" has no command: hosts that do not read this file will not see it")
		return s, false
	case args.Exists() && !args.IsArray():
		l.mcpWarn("le serveur "+surface.Quoted(name)+" : args doit être une liste de textes", "the server "+surface.Quoted(name)+": args must be a list of texts")
		return s, false
	}
	s.Command = command.Str
	for _, a := range args.Array() {
		if a.Type != gjson.String {
			l.mcpWarn("le serveur "+surface.Quoted(name)+" : args doit être une liste de textes", "the server "+surface.Quoted(name)+": args must be a list of texts")
			return s, false
		}
		s.Args = append(s.Args, a.Str)
	}
	env := v.Get("env")
	s.HasEnv = env.IsObject() && len(env.Map()) > 0
	return s, true
}

func (l *loader) mcpWarn(fr, en string) {
	l.warn(Warning{Path: mcpFile, Text: surface.Text{FR: fr, EN: en}})
}
