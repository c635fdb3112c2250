package doctor

import (
	"github.com/grimoire-kit/grimoire/core/host"
	"github.com/grimoire-kit/grimoire/core/managed"
	"github.com/grimoire-kit/grimoire/core/sync"
	"github.com/grimoire-kit/grimoire/surface"
)

// record checks that it is known which entries in the user's files are ours:
// without that no sync touches those.
func (e *examination) record() []Check {
	if f, err := e.tree.Stat(managed.RecordPath); err == nil && !f.Exists() {
		return nil
	}
	var found []finding
	if err := sync.CheckRecord(e.root); err != nil {
		found = append(found, finding{failure, host.TextOf(err)})
	}
	return []Check{conclude("host_record", found, surface.Text{
		FR: managed.RecordPath + " dit quelles entrées sont à nous",
		EN: managed.RecordPath + " says which entries are ours",
	})}
}
