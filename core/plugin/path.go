package plugin

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ownershipRecord is written by core alone: what stands in it leads to removals.
const ownershipRecord = "_grimoire/hosts/ownership.json"

// Bounds of every common file system.
const (
	maxPathBytes = 1024
	maxNameBytes = 255
)

// checkPath says why a path that a plugin returned cannot be written, on any
// system a colleague may use: a project is shared between them. It does not look
// at the disk; links are core/sync's business.
func checkPath(p string) error {
	switch {
	case p == "":
		return problemf("le chemin est vide", "the path is empty")
	case len(p) > maxPathBytes:
		return problemf("%.60q… : plus de %d octets", "%.60q…: more than %d bytes", p, maxPathBytes)
	case !utf8.ValidString(p):
		return problemf("%q : n'est pas de l'UTF-8", "%q: not UTF-8", p)
	case strings.ContainsFunc(p, unicode.IsControl):
		return problemf("%q : contient un caractère de contrôle", "%q: holds a control character", p)
	case strings.ContainsRune(p, '\\'):
		return problemf("%q : le séparateur est « / »", "%q: the separator is \"/\"", p)
	case strings.HasPrefix(p, "/"):
		return problemf("%q : doit être relatif au projet", "%q: must be relative to the project", p)
	case strings.ContainsAny(p, `:<>"|?*`):
		return problemf("%q : contient un caractère que Windows interdit", "%q: holds a character that Windows forbids", p)
	case p == ".." || strings.HasPrefix(p, "../") || strings.Contains(p, "/../") || strings.HasSuffix(p, "/.."):
		return problemf("%q : sort de son dossier", "%q: leaves its folder", p)
	case p == "." || path.Clean(p) != p:
		return problemf("%q : s'écrit %q", "%q: is written %q", p, path.Clean(p))
	case strings.EqualFold(p, ownershipRecord):
		return problemf("%q : le registre de propriété n'est écrit que par grimoire", "%q: the ownership record is written by grimoire alone", p)
	}
	for _, name := range strings.Split(p, "/") {
		if err := checkName(p, name); err != nil {
			return err
		}
	}
	return nil
}

func checkName(p, name string) error {
	switch {
	case len(name) > maxNameBytes:
		return problemf("%q : un nom de plus de %d octets", "%q: a name of more than %d bytes", p, maxNameBytes)
	case strings.HasSuffix(name, ".") || strings.HasSuffix(name, " "):
		return problemf("%q : Windows efface le point ou l'espace final de %q", "%q: Windows drops the last dot or space of %q", p, name)
	case isGitDir(name):
		return problemf("%q : .git n'appartient qu'à git", "%q: .git is git's alone", p)
	case isReserved(name):
		return problemf("%q : %q est réservé sous Windows", "%q: %q is reserved on Windows", p, name)
	}
	return nil
}

// isGitDir knows the spellings that some file system takes for .git: another
// case, the short name that NTFS gives it, and the invisible characters that
// HFS+ ignores.
func isGitDir(name string) bool {
	visible := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, name)
	return strings.EqualFold(visible, ".git") || strings.EqualFold(visible, "git~1")
}

// isReserved knows the device names of Windows, which an extension does not
// make ordinary.
func isReserved(name string) bool {
	base, _, _ := strings.Cut(name, ".")
	base = strings.ToUpper(strings.TrimRight(base, " "))
	switch base {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	device, isCOM := strings.CutPrefix(base, "COM")
	if !isCOM {
		var isLPT bool
		if device, isLPT = strings.CutPrefix(base, "LPT"); !isLPT {
			return false
		}
	}
	return utf8.RuneCountInString(device) == 1 && strings.ContainsAny(device, "0123456789¹²³")
}

// under reports whether one of the prefixes, each a file or a folder ending in
// "/", covers p.
func under(p string, prefixes []string) bool {
	for _, prefix := range prefixes {
		if p == prefix || strings.HasSuffix(prefix, "/") && strings.HasPrefix(p, prefix) {
			return true
		}
	}
	return false
}
