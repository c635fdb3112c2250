package cursor

import "github.com/grimoire-kit/grimoire/surface"

// tools says what a verb covers. Cursor names its tools differently in its
// editor, its CLI and its hooks, so these are descriptions.
var tools = map[surface.ToolVerb]surface.Text{
	surface.Read: {
		FR: "les outils qui affichent un fichier",
		EN: "the tools that show a file",
	},
	surface.Search: {
		FR: "les outils qui listent et cherchent des fichiers",
		EN: "the tools that list and search files",
	},
	surface.Edit: {
		FR: "les outils qui écrivent un fichier, et toute commande du terminal qui le fait",
		EN: "the tools that write a file, and any terminal command that does",
	},
	surface.Execute: {
		FR: "le terminal",
		EN: "the terminal",
	},
	surface.Web: {
		FR: "les outils qui cherchent et lisent des pages du web",
		EN: "the tools that search and read web pages",
	},
}
