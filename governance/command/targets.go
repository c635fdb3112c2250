package command

import (
	"slices"
	"strings"
)

// syntax of a program's arguments, as far as it tells files from data.
type arguments struct {
	// data is how many leading operands are data (a pattern, a filter, a script).
	data int
	// pattern are options that give that data instead, so that every operand is a file.
	pattern names
	// text are options whose value is data, skip those whose value names what is left out.
	text, skip names
	// file are options whose value is a file, or a pattern of files.
	file names
	// out are options whose value is written.
	out names
	// inPlace are options that make the program write the files it is given.
	inPlace names
	// last says that the last of several operands is written.
	last bool
	// all is what the operands are used for; Read unless set.
	all Access
	// folder lists options with which whole folders are taken; "*" means always.
	folder names
	// filter are options whose value says which files of a folder are taken.
	filter names
	// none says that no argument names a file.
	none bool
}

var grepArguments = &arguments{
	data: 1, pattern: "-e --regexp -f --file",
	text: "-e --regexp -m -A -B -C --max-count --context --color -t -T --type --type-not -r --replace -M -j " +
		"--threads --label -d --sort",
	skip: "--exclude --exclude-dir --exclude-from --ignore-file --ignore",
	file: "-g -G --glob --iglob --include -f --file", filter: "-g -G --glob --iglob --include -t --type", folder: "*",
}

// grepFlags differ from those of rg: -r is no option with a value there.
var grepFlags = &arguments{
	data: 1, pattern: grepArguments.pattern,
	text: "-e --regexp -m -A -B -C --max-count --context --color --label -d",
	skip: grepArguments.skip,
	file: "--include -f --file", filter: "--include", folder: "-r -R --recursive --dereference-recursive",
}

var (
	noFiles    = &arguments{none: true}
	touching   = &arguments{all: Touch}
	copying    = &arguments{last: true, skip: "--exclude --exclude-from -e --rsh --backup -S --suffix -m --mode -o --owner -g --group", out: "-t --target-directory", folder: "-r -R -a --recursive --archive"}
	secureCopy = &arguments{last: true, text: "-o -P -l -c -i -F -J", folder: "-r"}
	moving     = &arguments{last: true, skip: "--backup -S --suffix", out: "-t --target-directory", folder: "*"}
	archiving  = &arguments{skip: "--exclude -x -X --exclude-from --exclude-vcs", text: "--transform -C --directory", folder: "*"}
)

// argumentsOf lists the programs whose arguments are not all files to read.
var argumentsOf = []struct {
	programs names
	*arguments
}{
	{"grep egrep fgrep zgrep ggrep ugrep", grepFlags},
	{"rg ag ack", grepArguments},
	{"sed gsed", &arguments{data: 1, pattern: "-e --expression -f --file", text: "-e --expression", inPlace: "-i --in-place"}},
	{"jq", &arguments{data: 1, pattern: "-f --from-file", text: "--arg --argjson"}},
	{"yq", &arguments{data: 1, inPlace: "-i --inplace"}},
	{"tr echo printf man which kill help tldr logger notify-send say export unset set shift " +
		"return exit sleep date true false : whatis apropos printenv seq expr ssh-agent crontab " +
		"vault make claude codex gemini ssh-add", noFiles},
	{"ls stat test [ touch chmod chown chgrp rm unlink rmdir mkdir mktemp du basename dirname " +
		"realpath readlink file tree cd pushd shred df del erase rd remove-item test-path new-item " +
		"get-childitem dir trash chattr setfacl getfacl lsof icacls " +
		"eslint pytest jest vitest mocha tsc mypy ruff flake8 pylint golangci-lint staticcheck gofmt goimports", touching},
	{"cp install ln copy xcopy copy-item", copying},
	{"mv move move-item", moving},
	{"scp sftp", secureCopy},
	{"rsync", &arguments{last: true, skip: "--exclude --exclude-from --filter -f", text: "-e --rsh --bwlimit --timeout", folder: "-r -a --recursive --archive"}},
	{"tar gtar bsdtar zip 7z 7za cpio", archiving},
	{"tee sponge truncate", &arguments{all: Write}},
	{"openssl", &arguments{out: "-out -keyout", text: "-subj -days -newkey"}},
	{"ssh-keygen", &arguments{out: "-f", text: "-t -b -C -N -P"}},
	{"sort", &arguments{out: "-o --output", text: "-k -t"}},
	{"wget", &arguments{out: "-O --output-document", text: "--header -U"}},
}

// argumentsFor returns how the arguments of a program are read; without a row, every one may be a file.
func argumentsFor(name string) *arguments {
	for _, row := range argumentsOf {
		if row.programs.has(name) {
			return row.arguments
		}
	}
	return &arguments{}
}

// targets records the files that a program is given.
func (a *analysis) targets(sc *scope, name string, args []Word) {
	if sc.quiet {
		return
	}
	switch name {
	case "git":
		a.gitTargets(sc, args)
		return
	case "gh", "glab", "hub":
		a.forgeTargets(sc, name, args)
		return
	case "curl", "http", "https", "xh", "curlie", "httpie":
		a.curlTargets(sc, name, args)
		return
	case "find", "gfind", "fd", "fdfind":
		a.findTargets(sc, name, args, false)
		return
	case "grimoire":
		a.boardTargets(sc, args)
	}
	spec := argumentsFor(name)
	switch {
	case name == "openssl" && len(args) > 0 && hasFlag(args, "-noout", "-pubout") && (args[0].Text == "x509" || args[0].Text == "req" || args[0].Text == "crl"):
		return // a certificate is public, and this shows what it says about itself
	case name == "go" && len(args) > 0 && goVerbs.has(args[0].Text):
		spec = touching
	default:
		if verb, lists := sends(name, args); lists {
			spec = touching
		} else if verb > 0 {
			spec = &arguments{data: verb, last: true, skip: "--exclude --filter --include", text: "--profile --region -n --namespace -c --container", folder: "*"}
		}
	}
	if !spec.none {
		a.argumentTargets(sc, name, spec, args)
	}
}

// goVerbs are the go commands whose operands name packages.
const goVerbs names = "test vet build install list fmt generate doc fix"

// shows are the programs that show, copy or send what they read, so that a word after "cd" that names a file is one.
const shows names = "cat head tail less more bat tac nl od xxd hexdump strings base64 grep egrep fgrep rg ag sed awk gawk cut sort " +
	"uniq rev paste fold cp mv tar zip scp rsync source . <"

func (a *analysis) argumentTargets(sc *scope, name string, spec *arguments, args []Word) {
	access, folder := spec.all, spec.folder.has("*")
	if access == "" {
		access = Read
	}
	data := spec.data
	var files, filters []Word
	options := true
	for i := 0; i < len(args); i++ {
		w := args[i]
		t := w.Text
		if options && t == "--" {
			options = false
			continue
		}
		if !options || len(t) < 2 || t[0] != '-' {
			if data > 0 {
				data--
				continue
			}
			files = append(files, w)
			continue
		}
		option, val, glued := strings.Cut(t, "=")
		if spec.pattern.has(option) {
			data = 0
		}
		folder = folder || spec.folder.has(option) || t[1] != '-' && spec.folder.has("-r") && strings.ContainsAny(t, "rRa")
		if spec.filter.has(option) {
			of := val
			if !glued && i+1 < len(args) {
				of = args[i+1].Text
			}
			if option == "-t" || option == "--type" {
				of = "*." + of
			}
			filters = append(filters, part(w, of))
		}
		switch {
		case spec.inPlace.has(option) || spec.inPlace != "" && strings.HasPrefix(t, "-i"):
			access = Write
		case spec.file.has(option):
			if !glued && i+1 < len(args) {
				i++
				val = args[i].Text
			}
			a.target(sc, Target{Word: part(w, val), Access: Read, Program: name})
		case spec.text.has(option) || spec.skip.has(option):
			if !glued {
				i++
			}
		case spec.out.has(option):
			if glued {
				a.target(sc, Target{Word: part(w, val), Access: Write, Program: name})
			} else if i+1 < len(args) {
				i++
				a.target(sc, Target{Word: args[i], Access: Write, Program: name})
			}
		case glued:
			files = append(files, part(w, val))
		case t[1] != '-' && len(t) > 3:
			a.target(sc, Target{Word: part(w, t[2:]), Access: access, Program: name})
		}
	}
	if spec.all == Write {
		for _, w := range files {
			a.written(sc, w, name)
		}
		return
	}
	for i, w := range files {
		use := access
		if spec.last && i > 0 && i == len(files)-1 {
			use = Write
			if blockDevice(w.Text) {
				a.destructive(RawDeviceWrite, name+" "+join(args))
			}
		}
		filtered := folder && len(filters) > 0
		if filtered {
			a.below(sc, name, w, filters)
			w.Text = strings.TrimRight(w.Text, "/")
		}
		a.target(sc, Target{Word: w, Access: use, Program: name, Folder: folder && !filtered && (use == Read || spec != moving)})
	}
}

// below records the files of a folder that a filter picks.
func (a *analysis) below(sc *scope, name string, folder Word, filters []Word) {
	for _, f := range filters {
		if !a.step() {
			return
		}
		w := part(folder, strings.TrimRight(folder.Text, "/")+"/"+f.Text)
		w.Glob = true
		if !strings.HasPrefix(f.Text, "!") {
			a.target(sc, Target{Word: w, Access: Read, Program: name})
		}
	}
}

// part is a piece of a word.
func part(w Word, text string) Word {
	w.Text = text
	return w
}

// boardTargets are the file that `grimoire task board export` is told to write:
// the only one that grimoire takes from its command line. It is typed in the
// folder that -C or the operand names, if any; `-o json` and `-o text` name the
// form of the answer.
func (a *analysis) boardTargets(sc *scope, args []Word) {
	if !slices.ContainsFunc(args, func(w Word) bool { return w.Text == "board" }) {
		return
	}
	var files []Word
	folders := []string{""}
	take := func(i int, option, val string, glued bool) int {
		if !glued {
			if i++; i >= len(args) {
				return i
			}
			val = args[i].Text
		}
		w := part(args[i], val)
		switch option {
		case "--project-root", "C":
			folders = append(folders, val)
		case "--to":
			files = append(files, w)
		case "--output", "o":
			if val != "json" && val != "text" {
				files = append(files, w)
			}
		}
		return i
	}
	exports := false
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		switch {
		case strings.HasPrefix(t, "--"):
			option, val, glued := strings.Cut(t, "=")
			if boardOptions.has(option) {
				i = take(i, option, val, glued)
			}
		case len(t) > 1 && t[0] == '-':
			if at := strings.IndexAny(t, "oC"); at > 0 { // letters before it are switches
				rest := t[at+1:]
				i = take(i, t[at:at+1], strings.TrimPrefix(rest, "="), rest != "")
			}
		case exports:
			folders = append(folders, t)
		default:
			exports = t == "export"
		}
	}
	for _, w := range files {
		for _, folder := range folders {
			if folder != "" && !strings.HasPrefix(w.Text, "/") {
				folder = strings.TrimRight(folder, "/") + "/"
			} else if folder != "" {
				continue
			}
			a.target(sc, Target{Word: part(w, folder+w.Text), Access: Write, Program: "grimoire"})
		}
	}
}

// boardOptions are its long options that take a value.
const boardOptions names = "--to --output --project-root --mission --ledger-root --actor"

// forgeTargets knows the options of gh and glab that read files; all else is text.
func (a *analysis) forgeTargets(sc *scope, name string, args []Word) {
	for i, w := range args {
		t := w.Text
		option, val, glued := strings.Cut(t, "=")
		switch option {
		case "--body-file", "--input", "--env-file", "--notes-file", "--template":
			if glued {
				a.target(sc, Target{Word: part(w, val), Access: Read, Program: name})
			} else if i+1 < len(args) {
				a.target(sc, Target{Word: args[i+1], Access: Read, Program: name})
			}
			continue
		case "-F", "-f", "--field":
			if i+1 < len(args) {
				_, file, at := strings.Cut(args[i+1].Text, "@")
				if !at && args[0].Text != "api" {
					file = args[i+1].Text
				}
				a.target(sc, Target{Word: part(args[i+1], file), Access: Read, Program: name})
			}
			continue
		}
		if (args[0].Text == "gist" || args[0].Text == "release" || args[0].Text == "snippet") && i > 1 && !strings.HasPrefix(t, "-") {
			switch args[i-1].Text {
			case "-t", "--title", "-n", "--notes", "-d", "--desc", "--target":
			default:
				a.target(sc, Target{Word: w, Access: Read, Program: name})
			}
		}
	}
}

// curlTargets knows where curl and HTTPie take files from.
func (a *analysis) curlTargets(sc *scope, name string, args []Word) {
	read := func(w Word, text string) {
		a.target(sc, Target{Word: part(w, text), Access: Read, Program: name})
	}
	for i, w := range args {
		t := w.Text
		if strings.HasPrefix(strings.ToLower(t), "file:") {
			read(w, t)
			continue
		}
		option, val, glued := strings.Cut(t, "=")
		if !strings.HasPrefix(option, "--") {
			glued = false
			if len(t) > 2 && t[0] == '-' && strings.IndexByte("dFTKE", t[1]) >= 0 {
				option, val, glued = t[:2], t[2:], true
			}
		}
		if !glued && i+1 < len(args) {
			val = args[i+1].Text
		}
		switch option {
		case "-T", "--upload-file", "-K", "--config", "-E", "--cert", "--key", "--netrc-file":
			read(w, val)
		case "-d", "--data", "--data-binary", "--data-ascii", "--data-urlencode", "--json", "-H", "--header", "-b", "--cookie":
			if _, file, at := strings.Cut(val, "@"); at && (val[0] == '@' || option == "--data-urlencode") {
				read(w, file)
			} else if option == "-b" || option == "--cookie" {
				read(w, val)
			}
		case "-F", "--form":
			for _, mark := range []string{"=@", "=<"} {
				if _, files, ok := strings.Cut(val, mark); ok {
					for file := range strings.SplitSeq(files, ",") {
						file, _, _ = strings.Cut(file, ";")
						read(w, file)
					}
				}
			}
		case "-o", "--output":
			if i+1 < len(args) {
				a.target(sc, Target{Word: part(w, val), Access: Write, Program: name})
			}
		}
		if name != "curl" && t != "" && t[0] != '-' {
			if _, file, ok := strings.Cut(t, "@"); ok {
				read(w, file)
			}
		}
	}
}

// findTargets takes the names that a search looks for, but for those it leaves out; the folders too where what is found
// is shown.
func (a *analysis) findTargets(sc *scope, name string, args []Word, shown bool) {
	fd := strings.HasPrefix(name, "fd")
	shown = shown || !fd && shownByFind(args)
	var filters, folders []Word
	leading := true // the folders stand before the first test
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		leading = leading && (!strings.HasPrefix(t, "-") || t == "-H" || t == "-L" || t == "-P")
		switch {
		case fd && (t == "-E" || t == "--exclude" || t == "-t" || t == "--type" || t == "-d"):
			i++
		case fd && (t == "-x" || t == "-X" || t == "--exec" || t == "--exec-batch"):
			return
		case fd && !strings.HasPrefix(t, "-"):
			// fd takes regular expressions: an anchored one is a name.
			a.target(sc, Target{Word: part(args[i], strings.NewReplacer("^", "", "$", "", `\`, "").Replace(t)), Access: Read, Program: name})
		case t == "-exec" || t == "-execdir" || t == "-ok" || t == "-okdir":
			for i < len(args) && args[i].Text != ";" && args[i].Text != "+" {
				i++
			}
		case t == "-name" || t == "-iname" || t == "-path" || t == "-ipath" || t == "-wholename" || t == "-regex":
			if i+1 == len(args) {
				return
			}
			i++
			negated := i >= 2 && (args[i-2].Text == "!" || args[i-2].Text == "-not")
			pruned := i+1 < len(args) && args[i+1].Text == "-prune"
			if negated || pruned {
				continue
			}
			w := args[i]
			w.Glob = true
			filters = append(filters, w)
			access := Read
			if strings.Trim(w.Text, ".*?") == "" && !shown {
				access = Touch // a list of hidden files
			}
			a.target(sc, Target{Word: w, Access: access, Program: name})
		case !strings.HasPrefix(t, "-"):
			if leading {
				folders = append(folders, args[i])
			}
			a.target(sc, Target{Word: args[i], Access: Touch, Program: name})
		}
	}
	if !shown {
		return
	}
	for _, w := range folders {
		if len(filters) > 0 {
			a.below(sc, name, w, filters)
		} else {
			a.target(sc, Target{Word: w, Access: Read, Program: name, Folder: true})
		}
	}
}

// shownByFind says that find gives the files it finds to a program that reads them.
func shownByFind(args []Word) bool {
	for i, w := range args {
		switch w.Text {
		case "-exec", "-execdir", "-ok", "-okdir":
			if i+1 == len(args) {
				return false
			}
			name := programName(args[i+1].Text)
			if spec := argumentsFor(name); !spec.none && spec.all != Touch {
				return true
			}
		}
	}
	return false
}

// senders are the programs that copy files to somewhere else, with the words of theirs that do. A folder goes whole.
var senders = []struct{ programs, verbs names }{
	{"rclone", "copy copyto sync move moveto bisync cat archive"},
	{"aws s3cmd s5cmd gsutil mc", "cp sync mv put rsync mirror"},
	{"gcloud azcopy", "cp rsync scp copy sync"},
	{"docker podman nerdctl kubectl oc", "cp"},
	{"croc wormhole magic-wormhole", "send"},
}

// lists are the words with which such a program shows names only.
const lists names = "ls lsf lsd lsl lsjson tree size du stat"

// sends says after how many operands the files stand that a program copies to somewhere else, 0 if it copies none; and
// whether it only lists names.
func sends(name string, args []Word) (operands int, listed bool) {
	for _, s := range senders {
		if !s.programs.has(name) {
			continue
		}
		n := 0
		for _, w := range args {
			if strings.HasPrefix(w.Text, "-") {
				continue
			}
			if n++; s.verbs.has(w.Text) {
				return n, false
			}
			if n == 3 || lists.has(w.Text) {
				return 0, n < 3
			}
		}
	}
	return 0, false
}

// wrapperTargets takes the files that a wrapper itself reads.
func (a *analysis) wrapperTargets(sc *scope, name string, words []Word) {
	for i, w := range words {
		option, val, glued := strings.Cut(w.Text, "=")
		mounts := name == "docker" || name == "podman" || name == "nerdctl"
		switch {
		case option == "--env-file":
		case name == "dotenv" && (option == "-e" || option == "-f"):
		case name == "dotenvx" && option == "-f":
		case mounts && (option == "-v" || option == "--volume" || option == "--mount"):
			if !glued && i+1 < len(words) {
				val = words[i+1].Text
			}
			if folder := mounted(val); folder != "" {
				a.target(sc, Target{Word: part(w, folder), Access: Read, Program: name, Folder: true})
			}
		default:
			continue
		}
		if !glued && i+1 < len(words) {
			val = words[i+1].Text
		}
		a.target(sc, Target{Word: part(w, val), Access: Read, Program: name})
	}
}

// mounted is the folder of the host that a container is given; a name alone is a volume.
func mounted(spec string) string {
	for field := range strings.SplitSeq(spec, ",") {
		key, val, ok := strings.Cut(field, "=")
		if ok && (key == "source" || key == "src") {
			return val
		}
	}
	host, _, ok := strings.Cut(spec, ":")
	if !ok || !strings.Contains(host, "/") {
		return ""
	}
	return host
}
