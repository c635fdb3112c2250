package command

import (
	"slices"
	"strings"
)

// rules says, for each program that can destroy, which calls of it do.
var rules = map[string]func([]Word) (Label, bool){
	"rm":          rm,
	"grm":         rm,
	"rimraf":      always(RecursiveDelete),
	"del-cli":     always(RecursiveDelete),
	"rmdir":       removeFolder,
	"rd":          removeFolder,
	"del":         deleteFiles,
	"erase":       deleteFiles,
	"ri":          removeItem,
	"remove-item": removeItem,

	"dd":            dd,
	"format":        formatDrive,
	"mke2fs":        always(FilesystemFormat),
	"newfs":         always(FilesystemFormat),
	"mkdosfs":       always(FilesystemFormat),
	"mkntfs":        always(FilesystemFormat),
	"wipefs":        wipefs,
	"blkdiscard":    onDevice(RawDeviceWrite, ""),
	"shred":         onDevice(RawDeviceWrite, ""),
	"hdparm":        onDevice(RawDeviceWrite, "--security-erase --security-erase-enhanced --trim-sector-ranges --write-sector"),
	"nvme":          onDevice(FilesystemFormat, "format sanitize"),
	"sgdisk":        onDevice(FilesystemFormat, "-Z --zap-all -z --zap -o --clear"),
	"sfdisk":        onDevice(FilesystemFormat, "--delete"),
	"parted":        onDevice(FilesystemFormat, "mklabel mktable rm"),
	"cryptsetup":    onDevice(FilesystemFormat, "luksFormat luksErase erase"),
	"mdadm":         onDevice(FilesystemFormat, "--zero-superblock"),
	"diskutil":      diskutil,
	"format-volume": always(FilesystemFormat),
	"clear-disk":    always(FilesystemFormat),

	"chmod":  chmod,
	"gchmod": chmod,

	"terraform":  destroy,
	"tofu":       destroy,
	"terragrunt": destroy,
	"pulumi":     destroy,
	"cdk":        destroy,
	"cdktf":      destroy,

	"kubectl":   clusterDelete,
	"oc":        clusterDelete,
	"kubecolor": clusterDelete,

	"docker": prune,
	"podman": prune,

	"dropdb":     always(SchemaDrop),
	"mysqladmin": mysqladmin,
}

// ruleFor returns the rule for a program, if it can destroy.
func ruleFor(name string) func([]Word) (Label, bool) {
	if rule := rules[name]; rule != nil {
		return rule
	}
	if name == "mkfs" || strings.HasPrefix(name, "mkfs.") || strings.HasPrefix(name, "newfs_") {
		return always(FilesystemFormat)
	}
	return nil
}

// asksHelp says that a call only prints how to use the program. After an operand, some systems take "--help" for one
// more operand.
func asksHelp(args []Word) bool {
	for _, w := range args {
		switch {
		case w.Text == "--help" || w.Text == "--version":
			return true
		case len(w.Text) < 2 || w.Text[0] != '-':
			return false
		}
	}
	return false
}

func always(l Label) func([]Word) (Label, bool) {
	return func(args []Word) (Label, bool) {
		if len(args) == 1 {
			switch args[0].Text {
			case "-h", "-V", "-v":
				return "", false
			}
		}
		return l, len(args) > 0 && !asksHelp(args)
	}
}

// flags looks at each option of args up to "--": long ones whole, without their value, short ones letter by letter.
// Letters in valued take the rest of their word as a value.
func flags(args []Word, valued string, long func(string) bool, short func(byte) bool) bool {
	for _, w := range args {
		t := w.Text
		switch {
		case t == "--":
			return false
		case len(t) < 2 || t[0] != '-':
		case t[1] == '-':
			name, _, _ := strings.Cut(t[2:], "=")
			if long != nil && long(name) {
				return true
			}
		default:
			for i := 1; i < len(t); i++ {
				if short != nil && short(t[i]) {
					return true
				}
				if strings.IndexByte(valued, t[i]) >= 0 {
					break
				}
			}
		}
	}
	return false
}

// prefixOf says that s abbreviates full, as getopt_long allows, with at least n letters.
func prefixOf(s, full string, n int) bool { return len(s) >= n && strings.HasPrefix(full, s) }

func rm(args []Word) (Label, bool) {
	if asksHelp(args) {
		return "", false
	}
	return RecursiveDelete, flags(args, "",
		func(long string) bool { return prefixOf(long, "recursive", 1) || prefixOf(long, "force", 1) },
		func(c byte) bool { return c == 'r' || c == 'R' || c == 'f' || c == 'F' })
}

// slash says that args hold a cmd.exe switch with one of the letters.
func slash(args []Word, letters string) bool {
	return slices.ContainsFunc(args, func(w Word) bool {
		for part := range strings.SplitSeq(strings.ToLower(w.Text), "/") {
			if len(part) == 1 && strings.Contains(letters, part) && strings.HasPrefix(w.Text, "/") {
				return true
			}
		}
		return false
	})
}

func removeFolder(args []Word) (Label, bool) {
	if slash(args, "s") {
		return RecursiveDelete, true
	}
	return removeItem(args)
}

func deleteFiles(args []Word) (Label, bool) {
	several := slices.ContainsFunc(args, func(w Word) bool { return strings.ContainsAny(w.Text, "*?") })
	if slash(args, "sf") || several && slash(args, "q") {
		return RecursiveDelete, true
	}
	return removeItem(args)
}

// removeItem knows the parameters of PowerShell's Remove-Item, which may be cut short.
func removeItem(args []Word) (Label, bool) {
	found := false
	for _, w := range args {
		t := strings.ToLower(w.Text)
		if len(t) < 2 || t[0] != '-' && !strings.HasPrefix(t, "–") {
			continue
		}
		name, val, _ := strings.Cut(strings.TrimLeft(t, "-–"), ":")
		switch {
		case prefixOf(name, "whatif", 1) || name == "wi":
			return RecursiveDelete, false
		case val == "$false":
		case prefixOf(name, "recurse", 1) || prefixOf(name, "force", 2):
			found = true
		}
	}
	return RecursiveDelete, found
}

func dd(args []Word) (Label, bool) {
	return RawDeviceWrite, slices.ContainsFunc(args, func(w Word) bool {
		of, ok := strings.CutPrefix(w.Text, "of=")
		return strings.HasPrefix(w.Text, "if=") || ok && strings.HasPrefix(of, "/dev/") && !harmlessDevice(of)
	})
}

func formatDrive(args []Word) (Label, bool) {
	return FilesystemFormat, slices.ContainsFunc(args, func(w Word) bool {
		t := w.Text
		return len(t) == 2 && t[1] == ':' && (t[0]|0x20) >= 'a' && (t[0]|0x20) <= 'z'
	})
}

func wipefs(args []Word) (Label, bool) {
	return FilesystemFormat, flags(args, "to", func(l string) bool { return l == "all" || l == "force" }, func(c byte) bool { return c == 'a' || c == 'f' })
}

// onDevice is about a disk that is named, with one of the words that destroy what is on it; without words, any call does.
func onDevice(l Label, words names) func([]Word) (Label, bool) {
	return func(args []Word) (Label, bool) {
		device := slices.ContainsFunc(args, func(w Word) bool { return blockDevice(w.Text) })
		verb := words == "" || slices.ContainsFunc(args, func(w Word) bool {
			name, _, _ := strings.Cut(w.Text, "=")
			return words.has(name)
		})
		return l, device && verb && !asksHelp(args)
	}
}

func diskutil(args []Word) (Label, bool) {
	if len(args) == 0 {
		return "", false
	}
	verb := strings.ToLower(args[0].Text)
	return FilesystemFormat, strings.HasPrefix(verb, "erase") || strings.HasPrefix(verb, "zerodisk") ||
		strings.HasPrefix(verb, "partitiondisk") || strings.HasPrefix(verb, "reformat")
}

func chmod(args []Word) (Label, bool) {
	recursive := flags(args, "", func(l string) bool { return prefixOf(l, "recursive", 3) }, func(c byte) bool { return c == 'R' })
	return WorldWritable, recursive && slices.ContainsFunc(args, func(w Word) bool { return worldWritable(w.Text) })
}

// worldWritable says that a mode lets everybody write.
func worldWritable(mode string) bool {
	if len(mode) >= 3 && len(mode) <= 5 && strings.Trim(mode, "01234567") == "" {
		return (mode[len(mode)-1]-'0')&2 != 0
	}
	for clause := range strings.SplitSeq(mode, ",") {
		at := strings.IndexAny(clause, "+=")
		if at < 0 || strings.Trim(clause[:at], "ugoa") != "" || strings.Trim(clause[at+1:], "rwxXst") != "" {
			continue
		}
		if strings.ContainsAny(clause[:at], "oa") && strings.Contains(clause[at+1:], "w") {
			return true
		}
	}
	return false
}

// operands returns the words that are no options; short and long name the options that take a value.
func operands(args []Word, short string, long names) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		switch {
		case t == "--":
			for _, w := range args[i+1:] {
				out = append(out, w.Text)
			}
			return out
		case strings.HasPrefix(t, "--"):
			if !strings.Contains(t, "=") && long.has(t[2:]) {
				i++
			}
		case len(t) > 1 && t[0] == '-':
			if len(t) == 2 && strings.Contains(short, t[1:]) {
				i++
			}
		default:
			out = append(out, t)
		}
	}
	return out
}

func hasFlag(args []Word, names ...string) bool {
	return slices.ContainsFunc(args, func(w Word) bool {
		name, _, _ := strings.Cut(w.Text, "=")
		return slices.Contains(names, name)
	})
}

func destroy(args []Word) (Label, bool) {
	if hasFlag(args, "-help", "--help", "-h") {
		return "", false
	}
	verbs := operands(args, "Cs", "cwd stack app profile terragrunt-working-dir working-dir")
	if len(verbs) == 0 {
		return "", false
	}
	switch verb := strings.ToLower(verbs[0]); verb {
	case "destroy", "destroy-all":
		return InfraDestroy, true
	case "run-all", "run", "stack":
		return InfraDestroy, slices.Contains(verbs[1:min(2, len(verbs))], "destroy")
	case "apply":
		return InfraDestroy, hasFlag(args, "-destroy", "--destroy")
	}
	return "", false
}

func clusterDelete(args []Word) (Label, bool) {
	if hasFlag(args, "--help", "-h") {
		return "", false
	}
	for _, w := range args {
		if mode, ok := strings.CutPrefix(w.Text, "--dry-run"); ok && mode != "=none" {
			return "", false
		}
	}
	verbs := operands(args, "ns", clusterGlobals)
	return ClusterDelete, len(verbs) > 0 && strings.EqualFold(verbs[0], "delete")
}

func prune(args []Word) (Label, bool) {
	verbs := operands(args, "Hcl", container.long)
	if len(verbs) < 2 || verbs[0] != "system" || verbs[1] != "prune" || hasFlag(args, "--help") {
		return "", false
	}
	return DockerPrune, flags(args, "Hcl", func(l string) bool { return l == "all" }, func(c byte) bool { return c == 'a' })
}

func mysqladmin(args []Word) (Label, bool) {
	return SchemaDrop, slices.Contains(operands(args, "uhPS", "user host port"), "drop")
}
