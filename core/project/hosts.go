package project

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/slug"
)

// Detect returns the aliases of the hosts whose files are in the project at
// root, in the order of hosts; without any, the first host's.
func Detect(root string, hosts []pluginsdk.Profile) []string {
	found := []string{}
	for _, h := range hosts {
		if slices.ContainsFunc(h.Detect, func(m pluginsdk.Mark) bool { return present(root, m) }) {
			found = append(found, h.Alias())
		}
	}
	if len(found) == 0 && len(hosts) > 0 {
		found = append(found, hosts[0].Alias())
	}
	return found
}

func present(root string, m pluginsdk.Mark) bool {
	for _, p := range m.All {
		info, err := os.Stat(filepath.Join(root, filepath.FromSlash(p)))
		if err != nil || strings.HasSuffix(p, "/") && !info.IsDir() {
			return false
		}
	}
	return len(m.All) > 0
}

// enable settles which hosts the project wants: what it declares, else what is
// detected. Declared names come back as aliases, in the order of hosts, then of
// the project's plugins that are not among them.
func (l *loader) enable(hosts []pluginsdk.Profile) {
	p := l.project
	declared := p.Config.Hosts
	p.EnabledDeclared = declared.EnabledDeclared
	if !declared.EnabledDeclared {
		p.Enabled = Detect(l.tree.dir, hosts)
		return
	}
	aliases := make([]string, 0, len(hosts)+len(declared.Plugins))
	byName := map[string]string{}
	for _, h := range hosts {
		aliases = append(aliases, h.Alias())
		for _, name := range append([]string{h.ID}, h.Aliases...) {
			byName[slug.Fold(name)] = h.Alias()
		}
	}
	for _, plugin := range declared.Plugins {
		// A trusted plugin is among hosts already; one that asks for the name
		// of another host is turned down where plugins are found.
		if _, known := byName[slug.Fold(plugin.ID)]; !known {
			aliases = append(aliases, plugin.ID)
			byName[slug.Fold(plugin.ID)] = plugin.ID
		}
	}
	wanted := map[string]bool{}
	for _, h := range declared.Enabled {
		if alias, ok := byName[slug.Fold(h.Name)]; ok {
			wanted[alias] = true
		} else {
			p.UnknownHosts = append(p.UnknownHosts, h)
		}
	}
	p.Enabled = []string{}
	for _, alias := range aliases {
		if wanted[alias] {
			p.Enabled = append(p.Enabled, alias)
		}
	}
	if len(p.Enabled) == 0 && len(p.UnknownHosts) > 0 {
		p.NoKnownHost = noKnownHost(p.UnknownHosts, aliases)
	}
}

func noKnownHost(unknown []HostName, aliases []string) *Error {
	names := make([]string, len(unknown))
	for i, u := range unknown {
		names[i] = surface.Quoted(u.Name)
	}
	list, known := strings.Join(names, ", "), strings.Join(aliases, ", ")
	return &Error{Code: CodeWrongValue, Path: ConfigFile, Line: unknown[0].Line, Key: "hosts.enabled", Text: surface.Text{
		FR: "aucun hôte ne s'appelle " + list + " ; connus : " + known + " ([] pour aucun)",
		EN: "no host is called " + list + "; known: " + known + " ([] for none)"}}
}

// entryDocs lists the instruction files that a team wrote by hand where a host
// looks for them. Those we emit say nothing that the hosts' own files do not.
func (l *loader) entryDocs(hosts []pluginsdk.Profile) []string {
	docs := []string{}
	for _, h := range hosts {
		if h.Entrypoint == "" || slices.Contains(docs, h.Entrypoint) || l.tree.exists(h.Entrypoint) != nil {
			continue
		}
		text, err := l.tree.prose(h.Entrypoint)
		if err != nil {
			continue // the sync says what is wrong with it
		}
		if _, ours := pluginsdk.FindMarker(h.Entrypoint, []byte(text)); !ours {
			docs = append(docs, h.Entrypoint)
		}
	}
	return docs
}
