package scaffold

import (
	"bytes"
	"path/filepath"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/grimoire-kit/grimoire/core/project"
	"github.com/grimoire-kit/grimoire/core/schema"
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

// context decides for project-context.yaml. It is created once; later only a
// hosts section is added to one that never had any.
func (p *Plan) context(cfg project.Config, o Options, l surface.Language, starters bool) error {
	f, err := p.tree.Read(project.ConfigFile)
	if err != nil {
		return err
	}
	file := File{Path: project.ConfigFile, Action: Current, target: f}
	switch {
	case !f.Exists():
		entry := ""
		if starters || p.hasEntry() {
			entry = entryPersona
		}
		file.Action, file.Why, file.content = Create, missing, p.newContext(o.Hosts, entry, l)
	case !cfg.Hosts.Declared:
		file.Action, file.Why, file.content = Extend, noHosts, withHosts(f.Data, hostsSection(p.Hosts, o.Hosts, l))
		if file.content == nil {
			file.Action, file.Why = Keep, surface.Text{
				FR: "sa forme ne permet pas d'ajouter une section à la fin ; ajoute toi-même hosts.enabled: [" + strings.Join(p.Hosts, ", ") + "]",
				EN: "its form takes no section at its end; add hosts.enabled: [" + strings.Join(p.Hosts, ", ") + "] yourself"}
		}
	}
	p.Files = append(p.Files, file)
	return nil
}

// newContext is a project's first project-context.yaml.
func (p *Plan) newContext(hosts []pluginsdk.Profile, entry string, l surface.Language) []byte {
	quoted := make([]string, len(p.Stack))
	for i, s := range p.Stack {
		quoted[i] = pluginsdk.Quote(s)
	}
	return []byte("# yaml-language-server: $schema=" + schema.URL("project-context") + "\n" + l.Text(
		"# Ce que grimoire sait de ce projet. Après un changement : grimoire host sync\n",
		"# What grimoire knows of this project. After a change: grimoire host sync\n") +
		"project:\n" +
		"  name: " + pluginsdk.Quote(filepath.Base(p.Root)) + "\n" +
		"  type: " + pluginsdk.Quote(kind(p.tree, p.Stack)) + "\n" +
		"  stack: [" + strings.Join(quoted, ", ") + "]\n" +
		"user:\n" +
		"  language: " + pluginsdk.Quote(l.Text("Français", "English")) + "\n" +
		"agents:\n" +
		l.Text("  # La persona qui répond quand une demande ne désigne aucun rôle ; \"\" pour aucune.\n",
			"  # The persona that answers when a request names no role; \"\" for none.\n") +
		"  entry: \"" + entry + "\"\n" +
		hostsSection(p.Hosts, hosts, l))
}

// hostsSection declares the enabled hosts.
func hostsSection(enabled []string, hosts []pluginsdk.Profile, l surface.Language) string {
	known := make([]string, len(hosts))
	for i, h := range hosts {
		known[i] = h.Alias()
	}
	list := strings.Join(known, ", ")
	return "hosts:\n" +
		l.Text("  # Parmi : "+list+".\n", "  # Any of: "+list+".\n") +
		"  enabled: [" + strings.Join(enabled, ", ") + "]\n"
}

// withHosts adds the section at the end of a project-context.yaml; every byte
// that is there stays. It gives nil where the file would not be the same
// mapping with one more key: a flow mapping, an indented one, a second document.
func withHosts(text []byte, section string) []byte {
	eol := "\n"
	if bytes.Contains(text, []byte("\r\n")) {
		eol = "\r\n"
	}
	out := bytes.Clone(text)
	if len(out) > 0 && out[len(out)-1] != '\n' {
		out = append(out, eol...)
	}
	out = append(out, strings.ReplaceAll(section, "\n", eol)...)

	var before, after, added map[string]any
	if yaml.Unmarshal(text, &before) != nil || yaml.Unmarshal(out, &after) != nil || yaml.Unmarshal([]byte(section), &added) != nil {
		return nil
	}
	hosts, ok := after["hosts"]
	delete(after, "hosts")
	if !ok || !reflect.DeepEqual(hosts, added["hosts"]) || len(before)+len(after) > 0 && !reflect.DeepEqual(before, after) {
		return nil
	}
	return out
}
