package plugin

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/pluginsdk"
)

// maxProgramBytes bounds the program that is copied into the store.
const maxProgramBytes = 1 << 30

// Grant is one decision of the machine's user: this program, told by its digest,
// may run as this host.
type Grant struct {
	ID      string            `json:"id"` // host id
	SHA256  string            `json:"sha256"`
	Profile pluginsdk.Profile `json:"profile"` // what the user saw and approved
	Origin  string            `json:"origin"`  // where the program was, absolute
	// Project is the one project it may run in; nil for every project.
	Project *Project `json:"project,omitempty"`
}

// in reports whether the grant holds in project.
func (g Grant) in(project Project) bool { return g.Project == nil || *g.Project == project }

// answersTo reports whether name is the host's id or an alias of it.
func (g Grant) answersTo(name string) bool {
	return strings.EqualFold(g.ID, name) ||
		slices.ContainsFunc(g.Profile.Aliases, func(a string) bool { return strings.EqualFold(a, name) })
}

// Trust pins the program at path as a plugin. It copies the program into the
// store, starts the copy to ask which host it is, shows the grant to approve,
// and records it when approve says yes. With a project the grant holds there
// alone, else in every project.
//
// A plugin is one file, and the copy stands alone: the digest covers all that is
// run but a script's interpreter. An interpreted plugin of several files comes
// as one (a Python zipapp, a bundled script).
//
// An error is a *Failure where the program is no usable plugin.
func (l *Launcher) Trust(ctx context.Context, store *Store, path string, project *Project, approve func(Grant) bool) (Grant, error) {
	origin, err := filepath.Abs(path)
	if err != nil {
		return Grant{}, fmt.Errorf("trust %s: %w", path, err)
	}
	host := Host{origin: origin, Profile: pluginsdk.Profile{ID: filepath.Base(origin)}}
	if host.SHA256, err = store.keep(origin); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return Grant{}, failure(host, PhaseLaunch, NotFound, textf("%s n'existe pas.", "%s does not exist.", origin))
		}
		return Grant{}, fmt.Errorf("trust %s: %w", path, err)
	}
	host.program = store.program(host.SHA256)
	grant, err := l.examine(ctx, host, project)
	if err == nil && !approve(grant) {
		err = problemf("la confiance n'a pas été accordée à %s", "%s was not trusted", origin)
	}
	if err == nil {
		err = store.record(grant)
	}
	if err != nil {
		return Grant{}, errors.Join(err, store.drop(host.SHA256))
	}
	return grant, nil
}

// examine asks the copy which host it is.
func (l *Launcher) examine(ctx context.Context, host Host, project *Project) (Grant, error) {
	profile, failed := l.Describe(ctx, host)
	if failed != nil {
		return Grant{}, failed
	}
	if err := checkProfile(profile); err != nil {
		return Grant{}, failure(host, PhaseDescribe, IllegalProfile, textf("Le profil de %s est refusé : %s.", "The profile of %s is refused: %s.", host.Name(), err))
	}
	return Grant{ID: profile.ID, SHA256: host.SHA256, Profile: profile, Origin: host.origin, Project: project}, nil
}

// resolve is the host that a project declares: runnable where the program at its
// path is one that the user trusts in this project, else barred.
func (s *Store) resolve(d Declared, grants []Grant, project Project) (Host, error) {
	if !hostName.MatchString(strings.ToLower(d.ID)) {
		return Host{}, problemf("le nom ne convient pas (%s)", "the name will not do (%s)", hostName)
	}
	host := Host{Profile: pluginsdk.Profile{ID: strings.ToLower(d.ID)}, origin: d.Path}
	if !filepath.IsAbs(host.origin) {
		host.origin = filepath.Join(project.Root, filepath.FromSlash(d.Path))
	}
	bar := func(cause Cause, fr, en string, args ...any) (Host, error) {
		host.barred = failure(host, PhaseLaunch, cause, textf(fr, en, args...))
		return host, nil
	}
	if _, err := os.Stat(host.origin); errors.Is(err, fs.ErrNotExist) {
		return bar(NotFound, "Le plugin %s n'existe pas : %s.", "The plugin %s does not exist: %s.", d.ID, host.origin)
	}
	candidates := slices.DeleteFunc(slices.Clone(grants), func(g Grant) bool {
		return !g.in(project) || !g.answersTo(d.ID) && g.Origin != host.origin
	})
	if len(candidates) == 0 { // nothing is read for a project that its user never trusted
		return bar(NotTrusted, "Le plugin %s (%s) n'a pas ta confiance sur cette machine.", "The plugin %s (%s) is not trusted on this machine.", d.ID, host.origin)
	}
	digest, err := digestFile(host.origin)
	if err != nil {
		return bar(System, "Le plugin %s ne peut être lu : %s.", "The plugin %s cannot be read: %s.", d.ID, err)
	}
	for _, g := range candidates {
		switch {
		case g.SHA256 == digest && g.answersTo(d.ID):
			return s.host(g), nil
		case g.SHA256 == digest:
			return Host{}, problemf("ce programme est l'hôte %q", "this program is the host %q", g.ID)
		}
	}
	host.barred = failure(host, PhaseLaunch, DigestChanged, changed(d.ID, candidates[0].SHA256, digest))
	return host, nil
}

// Trusted is the host that answers to name by a grant which holds in project, be it
// declared there or not; false for none.
func (s *Store) Trusted(name string, project Project) (Host, bool, error) {
	grants, err := s.Grants()
	if err != nil {
		return Host{}, false, err
	}
	for _, g := range grants {
		if g.in(project) && g.answersTo(name) {
			return s.host(g), true, nil
		}
	}
	return Host{}, false, nil
}

// host is the host of a grant.
func (s *Store) host(g Grant) Host {
	return Host{Profile: g.Profile, SHA256: g.SHA256, program: s.program(g.SHA256), origin: g.Origin}
}

// program is the copy of the program with this digest.
func (s *Store) program(digest string) string {
	name := "emitter"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(s.dir, digest, name)
}

// keep copies a program into the store, under the digest of what it copied, and
// returns the digest.
func (s *Store) keep(origin string) (digest string, err error) {
	source, err := openProgram(origin)
	if err != nil {
		return "", err
	}
	defer func() { _ = source.Close() }()
	if err := s.makeDir(); err != nil {
		return "", err
	}
	incoming, err := os.MkdirTemp(s.dir, "incoming-")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(incoming)) }()
	copied := filepath.Join(incoming, filepath.Base(s.program("")))
	if digest, err = copyProgram(copied, source); err != nil {
		return "", fmt.Errorf("copy %s: %w", origin, err)
	}
	// A copy that is already there may be broken: it is replaced.
	kept := filepath.Join(s.dir, digest)
	if err := os.RemoveAll(kept); err != nil {
		return "", err
	}
	return digest, os.Rename(incoming, kept)
}

// drop removes the copy of a program that no grant speaks of.
func (s *Store) drop(digest string) error {
	grants, err := s.Grants()
	if err != nil || slices.ContainsFunc(grants, func(g Grant) bool { return g.SHA256 == digest }) {
		return err
	}
	return os.RemoveAll(filepath.Join(s.dir, digest))
}

func copyProgram(to string, source io.Reader) (digest string, err error) {
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o500)
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	_, err = io.Copy(io.MultiWriter(out, hash), source)
	err = errors.Join(err, out.Sync(), out.Close())
	return hex.EncodeToString(hash.Sum(nil)), err
}

// digestFile is the SHA-256 of a program, in hex.
func digestFile(path string) (string, error) {
	file, err := openProgram(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// openProgram opens a regular file. Anything else could keep us waiting, or
// never end.
func openProgram(path string) (*os.File, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, problemf("%s n'est pas un fichier ordinaire", "%s is not a regular file", path)
	case info.Size() > maxProgramBytes:
		return nil, problemf("%s dépasse %d Mio", "%s is larger than %d MiB", path, maxProgramBytes>>20)
	}
	return os.Open(path)
}

// sortGrants puts grants in the order they are written and listed in.
func sortGrants(grants []Grant) {
	slices.SortStableFunc(grants, func(a, b Grant) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Origin, b.Origin), cmp.Compare(a.SHA256, b.SHA256))
	})
}
