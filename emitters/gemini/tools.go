package gemini

import "github.com/grimoire-kit/grimoire/surface"

// tools says what a verb covers, in the tool names Gemini CLI gives its model
// (read_file, write_file, replace and run_shell_command observed 0.61.0).
var tools = map[surface.ToolVerb]surface.Text{
	surface.Read: {
		FR: "`read_file` et les autres outils qui affichent un fichier",
		EN: "`read_file` and the other tools that show a file",
	},
	surface.Search: {
		FR: "les outils qui listent et cherchent des fichiers",
		EN: "the tools that list and search files",
	},
	surface.Edit: {
		FR: "`write_file`, `replace`, et toute commande du shell qui écrit un fichier",
		EN: "`write_file`, `replace`, and any shell command that writes a file",
	},
	surface.Execute: {
		FR: "`run_shell_command`",
		EN: "`run_shell_command`",
	},
	surface.Web: {
		FR: "les outils qui cherchent et lisent des pages du web",
		EN: "the tools that search and read web pages",
	},
}
