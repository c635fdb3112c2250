package sync

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestProjectLife lets a team and grimoire take turns in one project: hosts come
// and go, personas too, people write files by hand, also where ours should be,
// and delete ours. Nothing of theirs ever changes, every sync is settled by one
// run, and once the hosts are removed only what is theirs is left.
func TestProjectLife(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		root, err := os.MkdirTemp("", "project-life")
		if err != nil {
			r.Fatal(err)
		}
		defer os.RemoveAll(root)

		theirs := map[string]string{".one/settings.json": "{\n\t\"a\": [1, 2,], // theirs\r\n}"}
		write(t, root, ".one/settings.json", theirs[".one/settings.json"])
		paths := []string{".one/agents/a.md", ".one/agents/b/c.md", ".two/a.md", ".two/x/y.md", "shared/s.md", "ONE.md", "other.md"}

		personas := map[string]bool{}
		version := 0
		plan := func() []HostPlan {
			a, b := one(), two()
			a.Profile.Owns = append(a.Profile.Owns, "shared/")
			for _, p := range slices.Sorted(maps.Keys(personas)) {
				f := ours(p, fmt.Sprintf("persona, version %d\n", version))
				switch {
				case p == "ONE.md":
					f.Entry = true
					a.Plan.Files = append(a.Plan.Files, f)
				case p == "shared/s.md":
					a.Plan.Files = append(a.Plan.Files, f)
					b.Plan.Files = append(b.Plan.Files, f)
				case p[:4] == ".two":
					b.Plan.Files = append(b.Plan.Files, f)
				default:
					a.Plan.Files = append(a.Plan.Files, f)
				}
			}
			return []HostPlan{a, b}
		}
		enabled := Options{Enabled: []string{"host-one", "host-two"}}
		personaPaths := paths[:len(paths)-1]

		r.Repeat(map[string]func(*rapid.T){
			"persona": func(r *rapid.T) {
				p := rapid.SampledFrom(personaPaths).Draw(r, "path")
				personas[p] = !personas[p]
				if !personas[p] {
					delete(personas, p)
				}
			},
			"upgrade": func(*rapid.T) { version++ },
			"sync": func(r *rapid.T) {
				plans := plan()
				run(t, root, enabled, plans...)
				for _, c := range prepare(t, root, enabled, plans...).Changes {
					if c.Action == Write || c.Action == Delete {
						r.Fatalf("a second sync would %s %s", c.Action, c.Path)
					}
				}
			},
			"sync one host": func(r *rapid.T) {
				run(t, root, enabled, plan()[rapid.IntRange(0, 1).Draw(r, "host")])
			},
			"remove one host": func(r *rapid.T) {
				plans := plan()
				i := rapid.IntRange(0, 1).Draw(r, "host")
				remove(t, root, enabled, plans[i], plans[1-i])
			},
			"prune stale": func(*rapid.T) {
				plans := plan()
				stale, err := Stale(root, plans)
				if err != nil {
					r.Fatal(err)
				}
				set, err := Prune(root, stale, plans, Options{})
				if err != nil {
					r.Fatal(err)
				}
				apply(t, set)
			},
			"write by hand": func(r *rapid.T) {
				p := rapid.SampledFrom(paths).Draw(r, "path")
				theirs[p] = fmt.Sprintf("by hand %d", rapid.IntRange(0, 3).Draw(r, "text"))
				write(t, root, p, theirs[p])
			},
			"delete ours": func(r *rapid.T) {
				p := rapid.SampledFrom(paths).Draw(r, "path")
				if _, mine := theirs[p]; !mine {
					_ = os.Remove(filepath.Join(root, p))
				}
			},
			"": func(r *rapid.T) {
				for p, want := range theirs {
					if p == ".one/settings.json" {
						continue // holds ours too
					}
					if got := read(t, root, p); got != want {
						r.Fatalf("%s is %q, they wrote %q", p, got, want)
					}
				}
			},
		})

		plans := plan()
		remove(t, root, Options{}, plans[0])
		remove(t, root, Options{}, plans[1])
		for p, line := range snapshot(t, root, false) {
			want, mine := theirs[p]
			switch {
			case line[0] == 'd':
			case !mine:
				r.Errorf("left %s: %s", p, line)
			case read(t, root, p) != want:
				r.Errorf("%s is %q, they wrote %q", p, line, want)
			}
		}
		if !exists(root, ".one") {
			r.Error("their directory is gone")
		}
	})
}
