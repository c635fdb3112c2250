package project

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// maxFile bounds every file of a project, in bytes. The largest persona seen in
// public repositories is a tenth of it.
const maxFile = 1 << 20

// A refusal is why a file of the project was not read.
type refusal struct {
	text surface.Text
	err  error // what the system said, nil where we decided
}

func (r *refusal) Error() string { return r.text.EN }
func (r *refusal) Unwrap() error { return r.err }

// Text is the refusal in both languages.
func (r *refusal) Text() surface.Text { return r.text }

func refuse(fr, en string) error {
	return &refusal{text: surface.Text{FR: fr, EN: en}}
}

// tree is a project's folder. Nothing is read through it that lies outside,
// whatever links a repository brings along.
type tree struct {
	root *os.Root
	dir  string // physical path of the folder
}

func openTree(dir string) (*tree, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &tree{root: root, dir: dir}, nil
}

func (t *tree) close() { _ = t.root.Close() }

// locate returns the path under which os.Root reaches rel. It differs from rel
// only for an absolute link that stays inside the project, which os.Root refuses
// to follow.
func (t *tree) locate(rel string) (string, error) {
	local := filepath.FromSlash(rel)
	if !filepath.IsLocal(local) {
		return "", refuse("le chemin sort du projet", "the path leaves the project")
	}
	_, err := t.root.Stat(local)
	if err == nil {
		return local, nil
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return "", system(err)
	}
	target, linkErr := filepath.EvalSymlinks(filepath.Join(t.dir, local))
	if linkErr != nil {
		return "", system(linkErr)
	}
	inside, relErr := filepath.Rel(t.dir, target)
	if relErr != nil || !filepath.IsLocal(inside) {
		return "", refuse("le lien mène hors du projet", "the link leads out of the project")
	}
	if _, err := t.root.Stat(inside); err != nil {
		return "", system(err)
	}
	return inside, nil
}

// exists reports whether rel is there and inside the project.
func (t *tree) exists(rel string) error {
	_, err := t.locate(rel)
	return err
}

// read returns the text of a file, without its byte order mark. Errors match
// fs.ErrNotExist where there is none.
func (t *tree) read(rel string) (string, error) {
	text, err := t.prose(rel)
	if err == nil && !utf8.ValidString(text) {
		return "", notUTF8()
	}
	return text, err
}

// notText says why bytes are no text that could be read as UTF-8, stray bytes
// aside: its two reasons have two remedies.
func notText(data []byte) error {
	if bytes.HasPrefix(data, []byte("\xFE\xFF")) || bytes.HasPrefix(data, []byte("\xFF\xFE")) {
		return refuse("le fichier est en UTF-16 ; enregistre-le en UTF-8", "the file is UTF-16; save it as UTF-8")
	}
	if at := bytes.IndexByte(data, 0); at >= 0 {
		line := 1 + bytes.Count(data[:at], []byte("\n"))
		return refuse(fmt.Sprintf("ce n'est pas un fichier texte (octet nul, ligne %d)", line),
			fmt.Sprintf("it is not a text file (NUL byte on line %d)", line))
	}
	return nil
}

func notUTF8() error { return refuse("le fichier n'est pas en UTF-8", "the file is not UTF-8") }

// prose is read for what people write: stray bytes of another encoding are left
// for its reader to replace. A file that is no text at all, or UTF-16, is
// refused.
func (t *tree) prose(rel string) (string, error) {
	// A pipe in place of a file must not hold us: it opens at once this way,
	// and is turned down below.
	f, err := t.root.OpenFile(filepath.FromSlash(rel), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		local, why := t.locate(rel)
		if why != nil {
			return "", why
		}
		if f, err = t.root.OpenFile(local, os.O_RDONLY|syscall.O_NONBLOCK, 0); err != nil {
			return "", system(err)
		}
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	switch {
	case err != nil:
		return "", system(err)
	case info.IsDir():
		return "", refuse("c'est un dossier, pas un fichier", "it is a folder, not a file")
	case !info.Mode().IsRegular():
		return "", refuse("ce n'est pas un fichier ordinaire", "it is not a regular file")
	}
	// One byte more than there should be shows a file that is too large, or
	// that grows under our hands.
	buf := make([]byte, min(info.Size(), maxFile)+1)
	n, err := io.ReadFull(f, buf)
	switch {
	case err == nil && n > maxFile:
		return "", refuse("le fichier dépasse 1 Mio", "the file is larger than 1 MiB")
	case err == nil:
		return "", refuse("le fichier change pendant sa lecture", "the file changes while it is read")
	case err != io.EOF && err != io.ErrUnexpectedEOF:
		return "", system(err)
	}
	if err := notText(buf[:n]); err != nil {
		return "", err
	}
	return strings.TrimPrefix(string(buf[:n]), "\ufeff"), nil
}

// system turns an error of the system into words; paths in it would be those of
// this machine.
func system(err error) error {
	text := fault.Cause(err)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		text = surface.Text{FR: "introuvable", EN: "not found"}
	case errors.Is(err, fs.ErrPermission):
		text = surface.Text{FR: "lecture refusée par le système", EN: "the system refuses to read it"}
	}
	return &refusal{text: text, err: err}
}

// markdown lists what a tier folder holds: its Markdown files sorted by name,
// and everything that looks like one and cannot be.
func (t *tree) markdown(folder string) (files []mdFile, skipped []Skipped) {
	entries, err := t.readDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, []Skipped{{Path: folder + "/", Reason: fault.Text(err)}}
	}
	skip := func(path, fr, en string) {
		skipped = append(skipped, Skipped{Path: path, Reason: surface.Text{FR: fr, EN: en}})
	}
	for _, e := range entries {
		name := e.Name()
		path := folder + "/" + name
		stem, isMD := cutMD(name)
		switch {
		case isMD && !surface.Printable(name):
			skip(path, "le nom du fichier contient des caractères de contrôle ou n'est pas en UTF-8",
				"the file name holds control characters or is not UTF-8")
		case e.IsDir() && isMD:
			skip(path+"/", "c'est un dossier, pas un fichier", "it is a folder, not a file")
		case e.IsDir():
			if t.holdsMarkdown(path) {
				skip(path+"/", "seuls les fichiers placés directement dans "+folder+" sont lus",
					"only files directly in "+folder+" are read")
			}
		case !isMD:
		case strings.HasSuffix(stem, ".tpl"):
			skip(path, "c'est un modèle (.tpl.md)", "it is a template (.tpl.md)")
		case strings.HasPrefix(name, "."):
			skip(path, "c'est un fichier caché", "it is a hidden file")
		default:
			files = append(files, mdFile{path: path, stem: stem})
		}
	}
	return files, skipped
}

// mdFile is a Markdown file of a tier folder, not read yet.
type mdFile struct {
	path string // project-relative
	stem string // its name without .md
}

func (t *tree) holdsMarkdown(folder string) bool {
	entries, err := t.readDir(folder)
	if err != nil {
		return false
	}
	for _, e := range entries {
		if _, ok := cutMD(e.Name()); ok && !e.IsDir() {
			return true
		}
	}
	return false
}

func (t *tree) readDir(folder string) ([]fs.DirEntry, error) {
	local, err := t.locate(folder)
	if err != nil {
		return nil, err
	}
	f, err := t.root.Open(local)
	if err != nil {
		return nil, system(err)
	}
	defer func() { _ = f.Close() }()
	entries, err := f.ReadDir(-1)
	if err != nil {
		return nil, system(err)
	}
	sort.Slice(entries, func(i, j int) bool { return entries[i].Name() < entries[j].Name() })
	return entries, nil
}

func cutMD(name string) (stem string, ok bool) {
	if len(name) <= len(".md") || !strings.EqualFold(name[len(name)-len(".md"):], ".md") {
		return "", false
	}
	return name[:len(name)-len(".md")], true
}
