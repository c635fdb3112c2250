package codex

import "github.com/grimoire-kit/grimoire/surface"

// tools says what a verb covers. Codex has a shell and a patch tool, and no
// tool of its own to read or search (Codex CLI, observed 0.171.0).
var tools = map[surface.ToolVerb]surface.Text{
	surface.Read: {
		FR: "afficher un fichier dans le shell, sans rien changer",
		EN: "printing a file in the shell, changing nothing",
	},
	surface.Search: {
		FR: "lister et chercher dans le shell, sans rien changer",
		EN: "listing and searching in the shell, changing nothing",
	},
	surface.Edit: {
		FR: "`apply_patch`, et toute commande du shell qui écrit un fichier",
		EN: "`apply_patch`, and any shell command that writes a file",
	},
	surface.Execute: {
		FR: "toute autre commande du shell",
		EN: "any other shell command",
	},
	surface.Web: {
		FR: "la recherche et la lecture de pages du web",
		EN: "searching and reading web pages",
	},
}
