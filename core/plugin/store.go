package plugin

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/gofrs/flock"

	"github.com/grimoire-kit/grimoire/surface/fault"
)

// Store is where this machine's user keeps what he trusts: a copy of each
// program, in a folder named after its digest, and trust.json, which says what
// each may do. Nobody else may write there.
type Store struct {
	dir string
}

// trustFile is the form of trust.json.
type trustFile struct {
	Version int     `json:"version"`
	Grants  []Grant `json:"grants"`
}

const trustVersion = 1

// OpenStore is the store of the user who runs the process:
// $XDG_DATA_HOME/grimoire/plugins, by default under ~/.local/share, and
// %LocalAppData%\grimoire\plugins on Windows.
func OpenStore() (*Store, error) {
	if runtime.GOOS == "windows" {
		base, err := os.UserCacheDir()
		if err != nil {
			return nil, fmt.Errorf("find the folder of trusted plugins: %w", err)
		}
		return StoreAt(filepath.Join(base, "grimoire", "plugins")), nil
	}
	base := os.Getenv("XDG_DATA_HOME")
	if !filepath.IsAbs(base) {
		home, err := os.UserHomeDir()
		if err != nil {
			return nil, fmt.Errorf("find the folder of trusted plugins: %w", err)
		}
		base = filepath.Join(home, ".local", "share")
	}
	return StoreAt(filepath.Join(base, "grimoire", "plugins")), nil
}

// StoreAt is the store in a folder, which need not exist.
func StoreAt(dir string) *Store { return &Store{dir: dir} }

func (s *Store) file() string { return filepath.Join(s.dir, "trust.json") }

// makeDir makes the folder, or takes it from others.
func (s *Store) makeDir() error {
	return errors.Join(os.MkdirAll(s.dir, 0o700), os.Chmod(s.dir, 0o700))
}

// Grants lists what the user trusts. A trust file that somebody else can write,
// or whose folder somebody else can, is refused.
func (s *Store) Grants() ([]Grant, error) {
	for _, path := range []string{s.dir, s.file()} {
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		if err != nil {
			return nil, problemf("%s ne peut être lu : %s", "%s cannot be read: %s", path, fault.Cause(err))
		}
		if err := checkPrivate(info); err != nil {
			return nil, problemf("%s : %s", "%s: %s", path, err)
		}
	}
	data, err := os.ReadFile(s.file())
	if err != nil {
		return nil, problemf("%s ne peut être lu : %s", "%s cannot be read: %s", s.file(), fault.Cause(err))
	}
	var content trustFile
	if err := json.Unmarshal(data, &content); err != nil {
		return nil, problemf("%s n'est pas un fichier de confiance (%s) ; rétablis-le, ou supprime-le et refais confiance à tes plugins", "%s is no trust file (%s); restore it, or delete it and trust your plugins again", s.file(), err)
	}
	if content.Version != trustVersion {
		return nil, problemf("%s : version %d, ce grimoire connaît la %d", "%s: version %d, this grimoire knows %d", s.file(), content.Version, trustVersion)
	}
	sortGrants(content.Grants)
	return content.Grants, nil
}

// record adds a grant. It replaces the one for the same host and project: a
// program that was updated takes the place of the old one.
func (s *Store) record(grant Grant) error {
	_, err := s.replace(func(g Grant) bool { return g.ID == grant.ID && sameProject(g, grant) }, grant)
	return err
}

// Trusts reports whether some plugin is trusted in the project at root and not
// everywhere.
func (s *Store) Trusts(root string) bool {
	grants, err := s.Grants()
	place, placeErr := realPlace(root)
	return err == nil && placeErr == nil &&
		slices.ContainsFunc(grants, func(g Grant) bool { return g.Project != nil && g.Project.Root == place })
}

// Revoke withdraws every grant of the host that has this id or alias, and returns
// them.
func (s *Store) Revoke(name string) ([]Grant, error) {
	return s.replace(func(g Grant) bool { return g.answersTo(name) })
}

// GrantsOf lists the grants of the host that has this id or alias.
func (s *Store) GrantsOf(name string) ([]Grant, error) {
	grants, err := s.Grants()
	return slices.DeleteFunc(grants, func(g Grant) bool { return !g.answersTo(name) }), err
}

// replace withdraws the grants that match, adds others, and removes the programs
// that no grant is left for.
func (s *Store) replace(match func(Grant) bool, added ...Grant) (withdrawn []Grant, err error) {
	err = s.change(func(grants []Grant) []Grant {
		kept := added
		for _, g := range grants {
			if match(g) {
				withdrawn = append(withdrawn, g)
			} else {
				kept = append(kept, g)
			}
		}
		return kept
	})
	for _, g := range withdrawn {
		err = errors.Join(err, s.drop(g.SHA256))
	}
	return withdrawn, err
}

func sameProject(a, b Grant) bool {
	if a.Project == nil || b.Project == nil {
		return a.Project == b.Project
	}
	return *a.Project == *b.Project
}

// change rewrites the trust file under a lock, in one step.
func (s *Store) change(edit func([]Grant) []Grant) error {
	if err := s.makeDir(); err != nil {
		return fmt.Errorf("record the trusted plugins: %w", err)
	}
	lock := flock.New(s.file()+".lock", flock.SetPermissions(0o600))
	if err := lock.Lock(); err != nil {
		return fmt.Errorf("record the trusted plugins: %w", err)
	}
	defer func() { _ = lock.Unlock() }()
	grants, err := s.Grants()
	if err != nil {
		return err
	}
	grants = edit(grants)
	sortGrants(grants)
	data, err := json.MarshalIndent(trustFile{Version: trustVersion, Grants: grants}, "", "  ")
	if err != nil {
		return fmt.Errorf("record the trusted plugins: %w", err)
	}
	if err := replaceFile(s.file(), append(data, '\n')); err != nil {
		return fmt.Errorf("record the trusted plugins: %w", err)
	}
	return nil
}

// replaceFile writes a file beside its place and moves it there. The file is
// the user's alone.
func replaceFile(path string, data []byte) (err error) {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".new-") // 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	_, err = file.Write(data)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

// inside reports whether path is root or lies below it, links resolved.
func inside(root, path string) bool {
	for parent := path; ; parent = filepath.Dir(parent) {
		if real, err := filepath.EvalSymlinks(parent); err == nil {
			relative, err := filepath.Rel(root, real)
			return err == nil && filepath.IsLocal(relative)
		}
		if parent == filepath.Dir(parent) {
			return false
		}
	}
}
