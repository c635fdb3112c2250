package plugin

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/grimoire-kit/grimoire/emitters/bundled"
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

// The test binary is to these tests what grimoire is to its users: it holds the
// bundled emitters and starts itself again to serve one.
func TestMain(m *testing.M) {
	if Main(append(trees(), bundled.Emitters()...)) {
		return
	}
	code := m.Run()
	if fixtures.dir != "" {
		_ = os.RemoveAll(fixtures.dir)
	}
	os.Exit(code)
}

// note is a bundled emitter that writes a file for each persona, the size of a
// real one.
type note struct{ alias string }

func trees() []pluginsdk.Emitter {
	var list []pluginsdk.Emitter
	for _, alias := range []string{"alder", "birch", "cedar", "elm", "fir", "hazel"} {
		list = append(list, note{alias})
	}
	return list
}

func (n note) Profile() pluginsdk.Profile {
	return pluginsdk.Profile{
		ID:          "host-" + n.alias,
		Aliases:     []string{n.alias, n.alias + "-tree"},
		DisplayName: strings.ToUpper(n.alias[:1]) + n.alias[1:],
		Owns:        []string{"." + n.alias + "/"},
	}
}

func (n note) Emit(_ context.Context, s *surface.Surface) (*pluginsdk.Plan, error) {
	plan := &pluginsdk.Plan{}
	for _, a := range s.Agents {
		path := "." + n.alias + "/" + a.Name + ".md"
		body := fmt.Sprintf("# %s\n\n%s\n\n%s", a.Name, a.Description, strings.Repeat("A line of instructions.\n", 40))
		plan.Files = append(plan.Files, pluginsdk.File{
			Path:      path,
			Content:   pluginsdk.Managed(path, []byte(body)),
			Ownership: pluginsdk.OwnedByMarker,
		})
	}
	return plan, nil
}

func sampleProject(personas int) *surface.Surface {
	s := &surface.Surface{ProjectName: "sample", Language: surface.English, Profile: surface.ProfileStarter}
	for i := range personas {
		s.Agents = append(s.Agents, surface.Agent{
			Name:          fmt.Sprintf("persona-%d", i),
			Description:   "Does what it is asked to do.",
			DefinitionRef: fmt.Sprintf("_grimoire/kit/agents/persona-%d.md", i),
			Tools:         []surface.ToolVerb{surface.Read, surface.Search},
		})
	}
	return s
}

// onlyHook stands in for managed.RunsHookArgs.
func onlyHook(command string, args []string) bool {
	return strings.HasPrefix(command, "grimoire-hook")
}

// fixtures are the third parties of these tests, built once, when a test first
// wants one.
var fixtures struct {
	once sync.Once
	dir  string
	err  error
}

// fixture is the built program of testdata/plugins/<name>, or the example.
func fixture(t testing.TB, name string) string {
	t.Helper()
	fixtures.once.Do(func() {
		if fixtures.dir, fixtures.err = os.MkdirTemp("", "grimoire-fixtures-"); fixtures.err != nil {
			return
		}
		sources, err := filepath.Glob("testdata/plugins/*")
		if err != nil {
			fixtures.err = err
			return
		}
		args := []string{"build", "-ldflags=-s -w", "-o", fixtures.dir, "../../pluginsdk/examples/lantern"}
		for _, source := range sources {
			args = append(args, "./"+filepath.ToSlash(source))
		}
		if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			fixtures.err = fmt.Errorf("build the fixtures: %w\n%s", err, bytes.TrimSpace(out))
		}
	})
	if fixtures.err != nil {
		t.Fatal(fixtures.err)
	}
	return filepath.Join(fixtures.dir, name)
}

// trusted is the host of a fixture as it stands after the user trusted it.
func trusted(t testing.TB, name string) Host {
	t.Helper()
	store := StoreAt(filepath.Join(t.TempDir(), "plugins"))
	digest, err := store.keep(fixture(t, name))
	if err != nil {
		t.Fatal(err)
	}
	host := Host{
		Profile: pluginsdk.Profile{ID: "host-" + name, Aliases: []string{name}, Owns: []string{name + "/"}},
		SHA256:  digest,
		program: store.program(digest),
		origin:  fixture(t, name),
	}
	return host
}

func bundledHosts(t testing.TB) []Host {
	t.Helper()
	c, err := NewCatalog(trees())
	if err != nil {
		t.Fatal(err)
	}
	return c.Hosts()
}

// waitForPids reads the numbers in a file once it is there.
func waitForPids(t testing.TB, file string) []int {
	t.Helper()
	for range 3000 {
		if f, err := os.Open(file); err == nil {
			defer func() { _ = f.Close() }()
			var pids []int
			for lines := bufio.NewScanner(f); lines.Scan(); {
				pid, err := strconv.Atoi(lines.Text())
				if err != nil {
					t.Fatal(err)
				}
				pids = append(pids, pid)
			}
			return pids
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s was not written", file)
	return nil
}
