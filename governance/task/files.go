package task

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/surface"
)

// reserve spells the paths of a claim in one way: relative to the project,
// with slashes, without detours.
func (d *Desk) reserve(files []string) ([]string, error) {
	var out []string
	for _, f := range files {
		p, ok := d.projectPath(f)
		if !ok {
			return nil, say("%s n'est pas un chemin du projet : `--file` réserve des fichiers et dossiers du projet.",
				"%s is no path of the project: `--file` reserves files and folders of the project.", surface.Quoted(f))
		}
		out = append(out, p)
	}
	return out, nil
}

func (d *Desk) projectPath(f string) (string, bool) {
	if strings.TrimSpace(f) == "" {
		return "", false
	}
	if filepath.IsAbs(f) {
		rel, err := filepath.Rel(d.Root, f)
		if err != nil {
			return "", false
		}
		f = rel
	}
	p := path.Clean(strings.ReplaceAll(f, `\`, "/"))
	return p, p != ".." && !strings.HasPrefix(p, "../") && !path.IsAbs(p)
}

// conflict refuses files that a task under way has reserved: the same file, or
// a folder that one of them lies in. Old claims spell paths as they were typed.
func conflict(tx *ledger.Tx, t *ledger.Task, files []string) *Refusal {
	var at string
	var by ledger.Task
	for _, other := range tx.State().Held() {
		if other.ID == t.ID || !other.Status.Active() {
			continue
		}
		if expired, _ := other.Claim.Expired(tx.Now()); expired {
			continue
		}
		for _, theirs := range other.Claim.Files {
			for _, mine := range files {
				if overlap(fold(mine), fold(theirs)) && (at == "" || mine < at) {
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

// fold is a path as it is compared. Letters of either case may be one file on
// macOS and Windows, so they are one here.
func fold(p string) string {
	return strings.ToLower(path.Clean(strings.ReplaceAll(p, `\`, "/")))
}

func overlap(a, b string) bool {
	return a == b || a == "." || b == "." || strings.HasPrefix(a, b+"/") || strings.HasPrefix(b, a+"/")
}
