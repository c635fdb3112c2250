package task

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

const (
	capacityFile      = standard.CapacityFile
	orchestrationFile = standard.Dir + "/orchestration-policy.yaml"
)

// limits are how many tasks may be under way at once; 0 is no limit.
type limits struct {
	all, perOwner int
	file          string // that declares them
}

// limits reads the declared ones: capacity.yaml's, else those of the
// orchestration policy. A limit that cannot be read refuses, it is never no
// limit.
func (d *Desk) limits() (limits, error) {
	for _, file := range []string{capacityFile, orchestrationFile} {
		var doc struct {
			Version yaml.Node `yaml:"version"`
			WIP     yaml.Node `yaml:"wip"`
		}
		err := d.readYAML(file, &doc)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return limits{}, err
		case file == capacityFile && doc.Version.Value != "1":
			return limits{}, &fileError{file, say("version : 1 attendu", "version: expected 1")}
		case doc.WIP.IsZero():
			continue
		}
		l, err := decodeLimits(&doc.WIP, file == capacityFile)
		if err != nil {
			return limits{}, &fileError{file, err}
		}
		l.file = file
		return l, nil
	}
	return limits{}, nil
}

// decodeLimits reads wip. In a file that is ours alone every key is known; the
// orchestration policy of the existing kit says more there than limits.
func decodeLimits(n *yaml.Node, ours bool) (l limits, err error) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind != yaml.MappingNode {
		return l, say("ligne %d : wip : une table de clés était attendue", "line %d: wip: a mapping was expected", n.Line)
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, v := n.Content[i].Value, n.Content[i+1]
		var to *int
		switch key {
		case "limit_global":
			to = &l.all
		case "limit_per_role":
			to = &l.perOwner
		default:
			if !ours && !strings.HasPrefix(key, "limit") {
				continue
			}
			return l, say("ligne %d : wip.%s : clé inconnue (attendu : limit_global, limit_per_role)", "line %d: wip.%s: unknown key (expected limit_global, limit_per_role)",
				v.Line, surface.Shown(key))
		}
		if v.Decode(to) != nil || *to < 1 || v.Tag != "!!int" {
			return l, say("ligne %d : wip.%s : un entier d'au moins 1 était attendu", "line %d: wip.%s: a whole number of at least 1 was expected", v.Line, key)
		}
	}
	return l, nil
}

// limitsRefusal is the refusal where the limits cannot be read.
func limitsRefusal(task string, err error) error {
	var at *fileError
	if !errors.As(err, &at) {
		return err
	}
	return refuse(task, "wip", at.path, fault.Text(err), surface.Text{
		FR: "corrige " + at.path + " (`grimoire schema " + strings.TrimSuffix(path.Base(at.path), ".yaml") + "` donne son schéma), ou retire-le",
		EN: "mend " + at.path + " (`grimoire schema " + strings.TrimSuffix(path.Base(at.path), ".yaml") + "` gives its schema), or remove it"})
}

// refuse refuses one more task under way where there is no place. Only claimed
// and running tasks count, a lost lease among them until it is reaped.
func (l limits) refuse(s *ledger.State, t *ledger.Task, resumed bool) *Refusal {
	all, owned := 0, 0
	for _, other := range s.Held() {
		if other.ID == t.ID || !other.Status.Active() {
			continue
		}
		all++
		if other.Owner == t.Owner {
			owned++
		}
	}
	var what surface.Text
	switch {
	case l.all > 0 && all >= l.all:
		what = surface.Text{
			FR: fmt.Sprintf("%d tâche(s) en cours, la limite est %d", all, l.all),
			EN: fmt.Sprintf("%d task(s) under way, the limit is %d", all, l.all)}
	case l.perOwner > 0 && t.Owner != "" && owned >= l.perOwner:
		owner := surface.Shown(t.Owner)
		what = surface.Text{
			FR: fmt.Sprintf("%d tâche(s) de %s en cours, la limite est %d", owned, owner, l.perOwner),
			EN: fmt.Sprintf("%d task(s) of %s under way, the limit is %d", owned, owner, l.perOwner)}
	default:
		return nil
	}
	if resumed {
		what = surface.Text{
			FR: "Reprise refusée : " + what.FR + " ; elle attend une place",
			EN: "Resume refused: " + what.EN + "; it waits for a place"}
	}
	return refuse(t.ID, "wip", "wip_limit", what, surface.Text{
		FR: "termine ou pose une tâche (`grimoire task list --status running`), rends les baux perdus (`grimoire task reap`), ou relève wip dans " + l.file,
		EN: "finish or park a task (`grimoire task list --status running`), free lost leases (`grimoire task reap`), or raise wip in " + l.file})
}

// agingDefault is how long a ready task waits for one notch of priority.
const agingDefault = 24 * time.Hour

// aging is how long that is in this project. A declaration that cannot be read
// leaves the default: it only orders a list.
func (d *Desk) aging() time.Duration {
	var doc struct {
		Queue struct {
			Hours float64 `yaml:"aging_hours"`
		} `yaml:"queue"`
	}
	if d.readYAML(capacityFile, &doc) != nil || doc.Queue.Hours <= 0 || doc.Queue.Hours > 1e6 {
		return agingDefault
	}
	return time.Duration(doc.Queue.Hours * float64(time.Hour))
}
