package plugin

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/grimoire-kit/grimoire/pluginsdk"
)

// machine is a user's store and a project, in which the example plugin was built
// at tools/lantern.
type machine struct {
	store   *Store
	project Project
	plugin  string
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	m := &machine{
		store:   StoreAt(filepath.Join(t.TempDir(), "grimoire", "plugins")),
		project: Project{Root: root},
		plugin:  filepath.Join(root, "tools", "lantern"),
	}
	m.build(t, "lantern")
	return m
}

// build puts a fixture where the project has its plugin.
func (m *machine) build(t *testing.T, name string) {
	t.Helper()
	program, err := os.ReadFile(fixture(t, name))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(m.plugin), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := writeProgram(m.plugin, program, 0o755); err != nil {
		t.Fatal(err)
	}
}

func (m *machine) trust(t *testing.T, project *Project) Grant {
	t.Helper()
	grant, err := (&Launcher{}).Trust(context.Background(), m.store, m.plugin, project, func(Grant) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	return grant
}

// ask declares tools/lantern as id in project and asks it for its plan.
func (m *machine) ask(t *testing.T, id string, project Project) Outcome {
	t.Helper()
	c, err := NewCatalog(trees())
	if err != nil {
		t.Fatal(err)
	}
	path, err := filepath.Rel(m.project.Root, m.plugin)
	if err != nil {
		t.Fatal(err)
	}
	if project.Root != m.project.Root {
		path = m.plugin
	}
	if err := c.AddThirdParty([]Declared{{ID: id, Path: filepath.ToSlash(path)}}, m.store, project); err != nil {
		t.Fatal(err)
	}
	host, err := c.Resolve(id)
	if err != nil {
		t.Fatal(err)
	}
	return (&Launcher{RunsHook: onlyHook}).Run(context.Background(), []Host{host}, sampleProject(2))[0]
}

func (m *machine) wantFailure(t *testing.T, project Project, cause Cause, says string) {
	t.Helper()
	f := m.ask(t, "lantern", project).Failure
	if f == nil || f.Cause != cause || f.Phase != PhaseLaunch || !strings.Contains(f.Text.EN, says) {
		t.Errorf("got %v, want %s", f, cause)
	}
}

func TestTrustedPluginIsAsked(t *testing.T) {
	m := newMachine(t)
	m.wantFailure(t, m.project, NotTrusted, "grimoire plugin trust "+m.plugin)

	grant := m.trust(t, &m.project)
	if grant.ID != "host-lantern" || grant.Origin != m.plugin || !slices.Equal(grant.Profile.Owns, []string{".lantern/"}) {
		t.Errorf("%+v", grant)
	}
	for _, id := range []string{"lantern", "Lantern", "host-lantern"} {
		out := m.ask(t, id, m.project)
		if out.Failure != nil {
			t.Fatalf("%v\n%v", out.Failure, out.Failure.Stderr)
		}
		if f := out.Plan.Files[0]; f.Path != ".lantern/rules.md" || !strings.Contains(string(f.Content), "## persona-1") {
			t.Errorf("%s:\n%s", f.Path, f.Content)
		}
	}
}

func TestTrustIsOfOneProject(t *testing.T) {
	m := newMachine(t)
	m.trust(t, &m.project)
	m.wantFailure(t, Project{Root: t.TempDir()}, NotTrusted, "not trusted")
	m.wantFailure(t, Project{Root: m.project.Root, FirstCommit: "abc"}, NotTrusted, "not trusted")

	m.trust(t, nil)
	if out := m.ask(t, "lantern", Project{Root: t.TempDir()}); out.Failure != nil {
		t.Errorf("trusted in every project: %v", out.Failure)
	}
}

func TestChangedProgramIsNotRun(t *testing.T) {
	m := newMachine(t)
	grant := m.trust(t, &m.project)

	m.build(t, "noplugin")
	m.wantFailure(t, m.project, DigestChanged, grant.SHA256[:12])

	if err := os.Remove(m.plugin); err != nil {
		t.Fatal(err)
	}
	m.wantFailure(t, m.project, NotFound, "does not exist")

	// The copy itself: changed, then gone.
	m.build(t, "lantern")
	copied := m.store.program(grant.SHA256)
	if err := os.Chmod(copied, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := writeProgram(copied, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	m.wantFailure(t, m.project, DigestChanged, grant.SHA256[:12])
	if err := os.RemoveAll(filepath.Dir(copied)); err != nil {
		t.Fatal(err)
	}
	m.wantFailure(t, m.project, NotTrusted, "copy")
}

func TestTrustAsksFirst(t *testing.T) {
	m := newMachine(t)
	var shown Grant
	_, err := (&Launcher{}).Trust(context.Background(), m.store, m.plugin, nil, func(g Grant) bool { shown = g; return false })
	if err == nil || shown.ID != "host-lantern" {
		t.Errorf("%v, shown %+v", err, shown)
	}
	grants, err := m.store.Grants()
	if err != nil || len(grants) != 0 {
		t.Errorf("%v, %v", grants, err)
	}
	if _, err := os.Stat(m.store.program(shown.SHA256)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the copy is left: %v", err)
	}
}

func TestTrustRefusesWhatIsNoPlugin(t *testing.T) {
	m := newMachine(t)
	trust := func(path string) error {
		_, err := (&Launcher{}).Trust(context.Background(), m.store, path, nil, func(Grant) bool { return true })
		return err
	}
	for name, cause := range map[string]Cause{"noplugin": NotAPlugin, "incompatible": ProtocolTooNew} {
		var f *Failure
		if err := trust(fixture(t, name)); !errors.As(err, &f) || f.Cause != cause {
			t.Errorf("%s: %v", name, err)
		}
	}
	var f *Failure
	if err := trust(filepath.Join(m.project.Root, "nowhere")); !errors.As(err, &f) || f.Cause != NotFound {
		t.Errorf("nowhere: %v", err)
	}
	if err := trust(m.project.Root); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a folder: %v", err)
	}
}

func TestStoreIsPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no mode bits")
	}
	m := newMachine(t)
	grant := m.trust(t, nil)
	for path, want := range map[string]os.FileMode{
		m.store.dir:    0o700 | os.ModeDir,
		m.store.file(): 0o600,
		filepath.Dir(m.store.program(grant.SHA256)): 0o700 | os.ModeDir,
		m.store.program(grant.SHA256):               0o500,
	} {
		if info, err := os.Stat(path); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v; want %v", path, info.Mode(), err, want)
		}
	}
	for path, mode := range map[string]os.FileMode{m.store.file(): 0o620, m.store.dir: 0o770} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := m.store.Grants(); err == nil || !strings.Contains(err.Error(), "chmod go-w") {
			t.Errorf("others can write %s: %v", path, err)
		}
		if err := os.Chmod(path, info.Mode().Perm()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestStoreInsideTheProjectIsRefused(t *testing.T) {
	m := newMachine(t)
	c, err := NewCatalog(nil)
	if err != nil {
		t.Fatal(err)
	}
	inside := StoreAt(filepath.Join(m.project.Root, "share", "grimoire", "plugins"))
	if err := c.AddThirdParty(nil, inside, m.project); err == nil || !strings.Contains(err.Error(), "inside the project") {
		t.Errorf("%v", err)
	}
}

func TestBrokenTrustFileIsAnError(t *testing.T) {
	store := StoreAt(t.TempDir())
	for _, content := range []string{"", "{", `{"version": 2}`, `[]`} {
		if err := os.WriteFile(store.file(), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := store.Grants(); err == nil {
			t.Errorf("%q is accepted", content)
		}
	}
}

func TestTrustAgainReplacesAndRevokeForgets(t *testing.T) {
	m := newMachine(t)
	first := m.trust(t, &m.project)
	program, err := os.ReadFile(m.plugin)
	if err != nil {
		t.Fatal(err)
	}
	// Another build of the same plugin: bytes behind a program's end are ignored.
	if err := writeProgram(m.plugin, append(program, '\n'), 0o755); err != nil {
		t.Fatal(err)
	}
	second := m.trust(t, &m.project)
	grants, err := m.store.Grants()
	if err != nil || len(grants) != 1 || grants[0].SHA256 != second.SHA256 {
		t.Fatalf("%v, %v", grants, err)
	}
	if _, err := os.Stat(m.store.program(first.SHA256)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the old copy is left: %v", err)
	}
	if host, ok, err := m.store.Trusted("LANTERN", m.project); err != nil || !ok || host.SHA256 != second.SHA256 {
		t.Errorf("trusted: %+v, %v, %v", host, ok, err)
	}
	if _, ok, err := m.store.Trusted("lantern", Project{Root: "/elsewhere"}); err != nil || ok {
		t.Errorf("trusted in another project: %v, %v", ok, err)
	}
	found, err := m.store.Revoke("Lantern") // an alias, as everywhere else
	if err != nil || len(found) != 1 {
		t.Errorf("%v, %v", found, err)
	}
	if found, err = m.store.Revoke("host-lantern"); err != nil || len(found) != 0 {
		t.Errorf("twice: %v, %v", found, err)
	}
	m.wantFailure(t, m.project, NotTrusted, "not trusted")
}

func TestNobodyTakesTheNameOfAnother(t *testing.T) {
	m := newMachine(t)
	for _, id := range []string{"alder", "ALDER", "host-alder", "alder-tree"} {
		c, err := NewCatalog(trees())
		if err != nil {
			t.Fatal(err)
		}
		err = c.AddThirdParty([]Declared{{ID: id, Path: "tools/lantern"}}, m.store, m.project)
		if err == nil || !strings.Contains(err.Error(), "is that of Alder") {
			t.Errorf("%s: %v", id, err)
		}
		if host, err := c.Resolve(id); err != nil || !host.Bundled {
			t.Errorf("%s is %+v, %v", id, host, err)
		}
	}
	// A trusted program cannot be declared under the name of another host.
	m.trust(t, &m.project)
	c, err := NewCatalog(trees())
	if err != nil {
		t.Fatal(err)
	}
	err = c.AddThirdParty([]Declared{{ID: "willow", Path: "tools/lantern"}}, m.store, m.project)
	if err == nil || !strings.Contains(err.Error(), `"host-lantern"`) {
		t.Errorf("%v", err)
	}
}

func TestResolve(t *testing.T) {
	c, err := NewCatalog(trees())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"fir", "FIR", "host-fir", "Host-Fir", " fir ", "fir-tree"} {
		if host, err := c.Resolve(name); err != nil || host.Profile.ID != "host-fir" {
			t.Errorf("%q is %v, %v", name, host.Profile.ID, err)
		}
	}
	var unknown *UnknownHost
	if _, err := c.Resolve("oak"); !errors.As(err, &unknown) || !strings.Contains(unknown.Text().FR, "connus : alder, birch") {
		t.Errorf("%v", err)
	}
	if _, err := NewCatalog(append(trees(), note{"fir"})); err == nil {
		t.Error("two bundled emitters have one name")
	}
}

func TestInstalledPluginIsKnownEverywhere(t *testing.T) {
	m := newMachine(t)
	m.trust(t, nil)
	c, err := NewCatalog(trees())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.AddThirdParty(nil, m.store, Project{Root: t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	hosts := c.Hosts()
	last := hosts[len(hosts)-1]
	if last.Profile.ID != "host-lantern" || last.Bundled || last.Barred() != nil {
		t.Fatalf("%+v", last)
	}
	if out := (&Launcher{}).Run(context.Background(), []Host{last}, sampleProject(2))[0]; out.Failure != nil {
		t.Error(out.Failure)
	}
}

// A project that declares an installed plugin gets what it declares: here, a
// program that was never trusted.
func TestDeclaredGoesBeforeInstalled(t *testing.T) {
	m := newMachine(t)
	m.trust(t, nil)
	m.build(t, "noplugin")
	m.wantFailure(t, m.project, DigestChanged, "changed since you trusted it")
}

// A program that describes itself otherwise than on the day it was trusted is
// not asked for a plan.
func TestOtherProfileIsRefused(t *testing.T) {
	host := trusted(t, "lantern")
	f := (&Launcher{}).Run(context.Background(), []Host{host}, sampleProject(2))[0].Failure
	if f == nil || f.Cause != OtherProfile || f.Phase != PhaseDescribe {
		t.Errorf("%v", f)
	}
}

func TestCheckProfile(t *testing.T) {
	good := func() pluginsdk.Profile {
		return pluginsdk.Profile{ID: "host-a", Aliases: []string{"a"}, Owns: []string{".a/", "A.md"}, Merges: []string{"a.json"}}
	}
	if err := checkProfile(good()); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*pluginsdk.Profile){
		"no alias":           func(p *pluginsdk.Profile) { p.Aliases = nil },
		"id with a path":     func(p *pluginsdk.Profile) { p.ID = "../a" },
		"alias with spaces":  func(p *pluginsdk.Profile) { p.Aliases = []string{"a b"} },
		"alias of all hosts": func(p *pluginsdk.Profile) { p.Aliases = []string{"all"} },
		"capital":            func(p *pluginsdk.Profile) { p.ID = "Host" },
		"everything":         func(p *pluginsdk.Profile) { p.Owns = []string{"/"} },
		"nothing":            func(p *pluginsdk.Profile) { p.Owns = []string{""} },
		"git":                func(p *pluginsdk.Profile) { p.Owns = []string{".git/"} },
		"above":              func(p *pluginsdk.Profile) { p.Owns = []string{"../"} },
		"grimoire's input":   func(p *pluginsdk.Profile) { p.Owns = []string{"_grimoire/"} },
		"part of the input":  func(p *pluginsdk.Profile) { p.Owns = []string{"_grimoire/kit/agents/"} },
		"the context":        func(p *pluginsdk.Profile) { p.Merges = []string{"project-context.yaml"} },
		"git's settings":     func(p *pluginsdk.Profile) { p.Merges = []string{".git/config"} },
	} {
		p := good()
		spoil(&p)
		if err := checkProfile(p); err == nil {
			t.Errorf("%s: %+v is accepted", name, p)
		}
	}
}

func TestIdentifyProject(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	if p, err := IdentifyProject(ctx, root); err != nil || p != (Project{Root: root}) {
		t.Errorf("outside git: %+v, %v", p, err)
	}
	if _, err := IdentifyProject(ctx, filepath.Join(root, "nowhere")); err == nil {
		t.Error("a folder that is not there has an identity")
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", root, "-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	if p, err := IdentifyProject(ctx, root); err != nil || p.FirstCommit != "" {
		t.Errorf("before the first commit: %+v, %v", p, err)
	}
	git("commit", "-q", "--allow-empty", "-m", "first")
	first, err := IdentifyProject(ctx, root)
	if err != nil || len(first.FirstCommit) != 40 {
		t.Fatalf("%+v, %v", first, err)
	}
	git("commit", "-q", "--allow-empty", "-m", "second")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(root, link); err != nil {
		t.Skip(err)
	}
	if p, err := IdentifyProject(ctx, link); err != nil || p != first {
		t.Errorf("by a link, a commit later: %+v, %v; want %+v", p, err, first)
	}
}

// writeProgram writes a file that is about to be run. No child of this process
// may be started meanwhile: it would inherit the descriptor, and the program
// could not be run ("text file busy").
func writeProgram(path string, content []byte, mode os.FileMode) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return os.WriteFile(path, content, mode)
}
