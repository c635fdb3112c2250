package scaffold

import (
	"path/filepath"
	"strings"

	"github.com/grimoire-kit/grimoire/core/project"
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

// contextFile writes a project's first project-context.yaml.
func contextFile(root string, hosts []string, l surface.Language) []byte {
	stack := Stack(root)
	quoted := make([]string, len(stack))
	for i, s := range stack {
		quoted[i] = pluginsdk.Quote(s)
	}
	language := surface.Text{FR: "Français", EN: "English"}.In(l)
	return []byte(l.Text(
		"# Ce que grimoire sait de ce projet. Après un changement : grimoire host sync\n",
		"# What grimoire knows of this project. After a change: grimoire host sync\n") +
		"project:\n" +
		"  name: " + pluginsdk.Quote(filepath.Base(root)) + "\n" +
		"  type: " + pluginsdk.Quote(kind(root, stack)) + "\n" +
		"  stack: [" + strings.Join(quoted, ", ") + "]\n" +
		"user:\n" +
		"  language: " + pluginsdk.Quote(language) + "\n" +
		"agents:\n" +
		l.Text("  # La persona qui répond quand une demande ne désigne aucun rôle ; \"\" pour aucune.\n",
			"  # The persona that answers when a request names no role; \"\" for none.\n") +
		"  entry: 'concierge'\n" +
		string(hostsSection(hosts, l)))
}

// hostsSection declares the enabled hosts.
func hostsSection(hosts []string, l surface.Language) []byte {
	return []byte("hosts:\n" +
		l.Text("  # Parmi : claude, copilot, opencode, codex, cursor, gemini.\n",
			"  # Any of: claude, copilot, opencode, codex, cursor, gemini.\n") +
		"  enabled: [" + strings.Join(hosts, ", ") + "]\n")
}

// withHosts adds the hosts section to a project-context.yaml that never had
// one; every byte of the team's stays. It returns nil when there is nothing
// to add.
func withHosts(text []byte, cfg project.Config, hosts []string, l surface.Language) []byte {
	if !cfg.Declared || cfg.Hosts.Declared {
		return nil
	}
	eol := "\n"
	if strings.Contains(string(text), "\r\n") {
		eol = "\r\n"
	}
	out := append([]byte(nil), text...)
	if len(out) > 0 && out[len(out)-1] != '\n' {
		out = append(out, eol...)
	}
	return append(out, strings.ReplaceAll(string(hostsSection(hosts, l)), "\n", eol)...)
}
