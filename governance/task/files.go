package task

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/surface"
)

// reserve spells the paths of a claim in one way: relative to the project,
// with slashes, without detours or links, in Unicode's composed form.
func (d *Desk) reserve(files []string) ([]string, error) {
	var out []string
	for _, f := range files {
		p, ok := d.projectPath(f)
		if !ok {
			return nil, say("%s n'est pas un chemin du projet : `--file` réserve des fichiers et dossiers du projet.",
				"%s is no path of the project: `--file` reserves files and folders of the project.", surface.Quoted(f))
		}
		if folder, ok := pattern(p, d.tree()); ok {
			return nil, say("%s est un motif, et `--file` réserve un fichier ou un dossier entier : `--file %s`.",
				"%s is a pattern, and `--file` reserves a file or a whole folder: `--file %s`.", surface.Quoted(f), argument(folder))
		}
		out = append(out, norm.NFC.String(p))
	}
	return out, nil
}

// projectPath is a path that a person typed where they stand, relative to the
// project there and with its links followed; ok is false for one that leads out.
func (d *Desk) projectPath(f string) (p string, ok bool) {
	if strings.TrimSpace(f) == "" || strings.ContainsRune(f, 0) {
		return "", false
	}
	base := d.Dir
	if base == "" {
		base = d.tree()
	}
	return within(d.tree(), base, strings.ReplaceAll(f, `\`, "/"))
}

// within is the path f, typed in the folder base, relative to the project at
// root.
func within(root, base, f string) (p string, ok bool) {
	if !filepath.IsAbs(f) {
		f = base + "/" + f
	}
	root, ok = follow(root)
	at, fine := follow(f)
	if !ok || !fine {
		return "", false
	}
	rel, err := filepath.Rel(root, at)
	if err != nil {
		return "", false
	}
	p = filepath.ToSlash(rel)
	return p, p != ".." && !strings.HasPrefix(p, "../")
}

// maxLinks is how many links a path may have on its way, as on Linux.
const maxLinks = 40

// follow is a path as the system walks it: each link on the way taken, also one
// whose end is yet to be made. ok is false where links lead in circles.
func follow(name string) (at string, ok bool) {
	abs := name
	if !filepath.IsAbs(name) {
		wd, err := os.Getwd()
		if err != nil {
			return "", false
		}
		abs = wd + "/" + name
	}
	top := filepath.VolumeName(abs) + string(filepath.Separator)
	split := func(s string) []string { return strings.Split(filepath.ToSlash(s), "/") }
	at, rest := top, split(abs[len(filepath.VolumeName(abs)):])
	for links := 0; len(rest) > 0; {
		part := rest[0]
		rest = rest[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			at = filepath.Dir(at)
			continue
		}
		next := filepath.Join(at, part)
		if info, err := os.Lstat(next); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			to, err := os.Readlink(next)
			if links++; err != nil || links > maxLinks {
				return "", false
			}
			if filepath.IsAbs(to) {
				at, to = filepath.VolumeName(to)+string(filepath.Separator), to[len(filepath.VolumeName(to)):]
			}
			rest = append(split(to), rest...)
			continue
		}
		at = next
	}
	return at, true
}

// pattern reports whether a path of the project is a pattern rather than a
// name, and the folder before it. A part that is there is a name, whatever its
// characters: app/[id]/page.tsx is a file of the web.
func pattern(p string, roots ...string) (folder string, ok bool) {
	at := ""
	for _, part := range strings.Split(p, "/") {
		next := path.Join(at, part)
		if strings.ContainsAny(part, "*?[{") && !slices.ContainsFunc(roots, func(root string) bool {
			_, err := os.Lstat(filepath.Join(root, filepath.FromSlash(next)))
			return err == nil
		}) {
			return path.Join(".", at), true
		}
		at = next
	}
	return "", false
}

// reserved is a path of a claim as it is compared. Claims of older kits hold
// paths as they were typed: links, and patterns, which reserve their folder.
func (d *Desk) reserved(f string) string {
	p := path.Clean(strings.ReplaceAll(f, `\`, "/"))
	if followed, ok := within(d.Root, d.Root, p); ok {
		p = followed
	}
	if folder, ok := pattern(p, d.Root, d.tree()); ok {
		p = folder
	}
	return fold(p)
}

// conflict refuses files that a task under way has reserved: the same file, or
// a folder that one of them lies in.
func (d *Desk) conflict(tx *ledger.Tx, t *ledger.Task, files []string) *Refusal {
	if len(files) == 0 {
		return nil
	}
	ours := make([]string, len(files))
	for i, f := range files {
		ours[i] = d.reserved(f)
	}
	var at string
	var by ledger.Task
	for _, other := range tx.State().Held() {
		if other.ID == t.ID || !other.Status.Active() {
			continue
		}
		if expired, _ := other.Claim.Expired(tx.Now()); expired {
			continue
		}
		for _, f := range other.Claim.Files {
			theirs := d.reserved(f)
			for i, mine := range files {
				if overlap(ours[i], theirs) && (at == "" || mine < at) {
					at, by = mine, other
				}
			}
		}
	}
	if at == "" {
		return nil
	}
	holder := surface.Shown(by.Claim.Actor)
	return refuse(t.ID, "exclusive_files", at,
		surface.Text{
			FR: surface.Shown(at) + " est réservé par la tâche " + by.ID + " (" + holder + ")",
			EN: surface.Shown(at) + " is reserved by task " + by.ID + " (" + holder + ")"},
		surface.Text{
			FR: "attends la fin de " + by.ID + " (`grimoire task show " + by.ID + "`), ou prends la tâche sans ce fichier",
			EN: "wait for the end of " + by.ID + " (`grimoire task show " + by.ID + "`), or claim the task without that file"})
}

// fold is a path as it is compared. Letters of either case, and accents spelled
// in either way, may be one file on macOS and Windows, so they are one here.
func fold(p string) string { return strings.ToLower(norm.NFC.String(p)) }

func overlap(a, b string) bool {
	return a == b || a == "." || b == "." || strings.HasPrefix(a, b+"/") || strings.HasPrefix(b, a+"/")
}
