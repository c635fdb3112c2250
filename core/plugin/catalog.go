package plugin

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// Host is one host that can be asked for: its emitter and where that comes from.
type Host struct {
	// Profile is what the emitter says of itself. Of a declared host whose
	// program may not run, only the id is known: the one it is declared with.
	Profile pluginsdk.Profile
	Bundled bool
	// SHA256 is the pinned digest of a third party's program, in hex.
	SHA256 string

	program string   // the trusted copy that is run
	origin  string   // where the user knows the program to be
	barred  *Failure // why the program may not run
}

// Name is what people call the host.
func (h Host) Name() string { return cmp.Or(h.Profile.DisplayName, h.Profile.Alias()) }

// Barred is the failure with which the host ends when it is asked for, nil for
// one that can run.
func (h Host) Barred() *Failure { return h.barred }

// Declared is an entry of `hosts.plugins` in project-context.yaml.
type Declared struct {
	ID   string // host id or alias
	Path string // of the program; relative to the project
	// Where is the place of the entry, `file:line`.
	Where string
}

// Catalog holds the hosts known in one project, bundled ones first.
type Catalog struct {
	hosts []Host
	names map[string]int // lower-case id or alias → place in hosts
}

// NewCatalog holds the bundled emitters. Two with one name are an error.
func NewCatalog(bundled []pluginsdk.Emitter) (*Catalog, error) {
	c := &Catalog{names: map[string]int{}}
	for _, e := range bundled {
		if err := c.add(Host{Profile: e.Profile(), Bundled: true}); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// AddThirdParty adds the hosts that the project declares, those that the user trusts
// in it all the same (it declared them once, and their files may be there) and those
// installed for every project. A declared host whose program may not run is
// added all the same: asked for, it fails and says why.
//
// It returns an error for a host that cannot be added, beside those that are:
// one that takes the name of another.
func (c *Catalog) AddThirdParty(declared []Declared, store *Store, project Project) error {
	// The folder comes from the environment, which a project can have a hand in.
	if inside(project.Root, store.dir) {
		return problemf("%s est dans le projet : il s'accorderait sa confiance lui-même", "%s is inside the project: it would grant its own trust", store.dir)
	}
	grants, err := store.Grants()
	if err != nil {
		return err
	}
	var problems []error
	for _, d := range declared {
		host, err := store.resolve(d, grants, project)
		if err == nil {
			err = c.add(host)
		}
		if err != nil {
			problems = append(problems, problemf("%s : hosts.plugins, %q : %s", "%s: hosts.plugins, %q: %s", d.Where, d.ID, err))
		}
	}
	for _, here := range []bool{true, false} { // what is trusted here goes before what is everywhere
		for _, g := range grants {
			if here != (g.Project != nil) || !g.in(project) || c.declares(g) {
				continue
			}
			if err := c.add(store.host(g)); err != nil {
				problems = append(problems, problemf("plugin installé %q : %s", "installed plugin %q: %s", g.Profile.ID, err))
			}
		}
	}
	return joinProblems(problems)
}

// joinProblems is one error, a line for each.
func joinProblems(problems []error) error {
	if len(problems) == 0 {
		return nil
	}
	var all problem
	for _, p := range problems {
		t := fault.Text(p)
		all.FR, all.EN = all.FR+"\n"+t.FR, all.EN+"\n"+t.EN
	}
	return problem{FR: all.FR[1:], EN: all.EN[1:]}
}

func (c *Catalog) add(host Host) error {
	names := append([]string{host.Profile.ID}, host.Profile.Aliases...)
	for _, name := range names {
		if i, taken := c.names[strings.ToLower(name)]; taken {
			return problemf("le nom %q est celui de %s", "the name %q is that of %s", name, c.hosts[i].Name())
		}
	}
	for _, name := range names {
		c.names[strings.ToLower(name)] = len(c.hosts)
	}
	c.hosts = append(c.hosts, host)
	return nil
}

// declares reports whether the project already has a host of the grant's name:
// what the project says goes before what is installed.
func (c *Catalog) declares(g Grant) bool {
	return slices.ContainsFunc(c.hosts, func(h Host) bool { return !h.Bundled && g.answersTo(h.Profile.ID) })
}

// Hosts lists every host, the bundled first, each kind in a constant order.
func (c *Catalog) Hosts() []Host { return slices.Clone(c.hosts) }

// Resolve finds a host by its id or an alias, in any letter case. The error is
// an *UnknownHost.
func (c *Catalog) Resolve(name string) (Host, error) {
	if i, ok := c.names[strings.ToLower(strings.TrimSpace(name))]; ok {
		return c.hosts[i], nil
	}
	unknown := &UnknownHost{Name: name}
	for _, h := range c.hosts {
		unknown.Known = append(unknown.Known, h.Profile.Alias())
	}
	return Host{}, unknown
}

// UnknownHost is a name that no host has.
type UnknownHost struct {
	Name  string
	Known []string // the names there are
}

func (e *UnknownHost) Error() string { return e.Text().EN }

// Text is the error in both languages.
func (e *UnknownHost) Text() surface.Text {
	known := strings.Join(e.Known, ", ")
	return surface.Text{
		FR: fmt.Sprintf("Hôte %q inconnu ; connus : %s.", e.Name, known),
		EN: fmt.Sprintf("Unknown host %q; known: %s.", e.Name, known),
	}
}
