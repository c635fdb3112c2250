package command

import (
	"slices"
	"strings"
)

// readers are the programs that only read, whatever their arguments but for those that writes names.
const readers names = ("cat head tail less more grep egrep fgrep rg ag find ls wc diff file stat pwd whoami printenv which " +
	"type date ps df du tree od hexdump xxd sha256sum sha1sum md5sum echo printf true false basename dirname readlink " +
	"realpath nproc uptime id uname cd : test [ sleep")

// talks are the programs whose arguments are names or texts of their own, so that a word that looks like a destructive
// program is none.
const talks names = ("git gh glab npm pnpm yarn bun cargo go pip pip3 brew apt apt-get dnf yum apk pacman snap flatpak man " +
	"tldr help whatis apropos whence where docker podman docker-compose nerdctl kubectl helm jq yq sed awk tee export set " +
	"unset logger notify-send say wall write mail claude codex gemini opencode copilot grimoire svn hg jj dvc bd " +
	"systemctl service make just task history complete compgen hash return exit shift local declare gcc rustc gem " +
	"composer mvn gradle vim vi nano emacs code open touch mkdir mv cp ln chown sort uniq cut tr comm paste column")

// ReadsOnly says that the program, by itself, is known to only read: what it runs, and what its output goes to, is said by
// the other facts.
func (p Program) ReadsOnly() bool { return readOnly(p.Name, p.Args) }

// readOnly says that a call is known to only read.
func readOnly(name string, args []Word) bool {
	text := func(i int) string {
		if i < len(args) {
			return args[i].Text
		}
		return ""
	}
	switch name {
	case "git":
		if hasFlag(args, "--output", "--ext-diff", "--textconv") {
			return false
		}
		switch text(0) {
		case "status", "diff", "log", "show", "blame", "ls-files", "rev-parse", "describe", "shortlog":
			return true
		}
		return false
	case "gh":
		for _, verb := range args[:min(2, len(args))] {
			switch verb.Text {
			case "view", "list", "status", "diff", "show":
				return true
			}
		}
		return false
	}
	if !readers.has(name) {
		return false
	}
	switch name {
	case "date":
		return !hasFlag(args, "-s", "--set") && !slices.ContainsFunc(args, func(w Word) bool {
			return len(w.Text) >= 8 && strings.Trim(w.Text, "0123456789.") == ""
		})
	case "tree":
		return !hasFlag(args, "-o", "--output")
	case "rg":
		return !hasFlag(args, "--pre")
	case "ag":
		return !hasFlag(args, "--pager")
	case "file":
		return !hasFlag(args, "-C", "--compile")
	case "xxd":
		return len(operands(args, "clos", "")) < 2 && !hasFlag(args, "-r", "-revert")
	case "less", "more":
		return !slices.ContainsFunc(args, func(w Word) bool {
			return strings.HasPrefix(w.Text, "+") || strings.HasPrefix(w.Text, "-o") || strings.HasPrefix(w.Text, "-O")
		})
	case "printf":
		return text(0) != "-v"
	}
	return true
}
