package sync

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/core/managed"
	"github.com/grimoire-kit/grimoire/core/tree"
	"github.com/grimoire-kit/grimoire/governance/failpoint"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// Apply does what was decided, under the project's lock. The report is complete
// whatever fails: a path that fails leaves the others alone, and is left as it
// was itself. The error is about what belongs to no path: the lock, the record,
// the disk at large.
//
// progress, when not nil, is told after each path how many of all are done; it is
// called from one goroutine at a time. When ctx ends, what was not begun is
// reported as failed and what was done stays, consistent.
func (c *ChangeSet) Apply(ctx context.Context, l *Lock, progress func(done, total int)) (*Report, error) {
	t, err := tree.Open(c.root)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	if l == nil || l.dir != t.Dir() {
		return nil, fmt.Errorf("sync %s: the project's lock is not held", c.root)
	}
	a := &application{set: c, tree: t, progress: progress, outcomes: make([]outcome, len(c.Changes))}
	err = a.run(ctx)
	return c.report(a.outcomes), err
}

// application is one Apply under way.
type application struct {
	set      *ChangeSet
	tree     *tree.Tree
	progress func(done, total int)
	unread   bool      // the record cannot be believed
	outcomes []outcome // by change
	done     int
	total    int
}

// run makes the changes in the order in which a kill hurts least: the record
// first learns what may come, then files, then the user's files that refer to
// them, then deletions, and the record last.
func (a *application) run(ctx context.Context) error {
	a.sweep()
	_, record, err := readRecord(a.tree)
	a.unread = err != nil // warned of; no merge was decided, and it is not written

	var files, merges, deletions []int
	for i, c := range a.set.Changes {
		switch {
		case c.Action == Delete:
			deletions = append(deletions, i)
		case c.Action == Write && c.Kind == Merged:
			merges = append(merges, i)
		case c.Action == Write:
			files = append(files, i)
		}
	}
	a.total = len(files) + len(merges) + len(deletions)
	if a.total > 0 {
		// What is planned may have moved on since a run was killed.
		for _, dir := range record.Directories {
			a.tree.SweepBelow(dir)
		}
	}

	record, announceErr := a.announce(record, merges)
	a.write(ctx, files)
	failpoint.Hit("sync.before-merges")
	if announceErr == nil {
		a.write(ctx, merges)
	} else {
		for _, i := range merges {
			a.finish(i, outcome{err: announceErr})
		}
	}
	failpoint.Hit("sync.before-deletions")
	for _, i := range deletions {
		a.delete(ctx, i)
	}
	a.removeDirs(record, deletions)
	if a.set.retired != nil {
		a.removeOwned(record, a.set.retired.prefixes)
	}
	failpoint.Hit("sync.before-disk")
	err = a.tree.Sync()
	failpoint.Hit("sync.before-record")
	if announceErr == nil && !a.unread {
		err = errors.Join(err, a.conclude(record))
	}
	failpoint.Hit("sync.after-record")
	return errors.Join(announceErr, err, a.tree.Sync())
}

// sweep removes the temporaries of a run that was killed, from every directory
// this one looks at. The lock says that no other run is alive.
func (a *application) sweep() {
	dirs := map[string]bool{path.Dir(managed.RecordPath): true}
	for _, c := range a.set.Changes {
		if c.file != nil {
			dirs[path.Dir(c.file.Path)] = true
			dirs[path.Dir(c.file.Real)] = true
		}
	}
	for dir := range dirs {
		a.tree.SweepTemporaries(dir)
	}
}

// announce writes into the record what is about to happen to the user's files,
// and which directories are about to be created. A run that is killed after it
// leaves nothing that the next one would take for the user's.
func (a *application) announce(record managed.Record, merges []int) (managed.Record, error) {
	next := record.Clone()
	if a.unread {
		if len(merges) > 0 { // it broke since they were decided
			return next, errRecordBroke
		}
		return next, nil
	}
	for _, i := range merges {
		c := &a.set.Changes[i]
		entry := next.Merges[c.Path].Settle(c.file.Data)
		entry.Pending = &managed.Pending{Before: managed.Digest(c.file.Data), Hosts: c.entry.Hosts, Values: c.entry.Values, Empty: c.entry.Empty, Written: c.entry.Written}
		next.Merges[c.Path] = entry
	}
	next.Directories = a.newDirs(next)
	if len(merges) == 0 && len(next.Directories) == len(record.Directories) {
		return next, nil
	}
	failpoint.Hit("sync.before-announce")
	if _, err := writeRecord(a.tree, next); err != nil {
		reason := fault.Text(err)
		return next, spoken{
			FR: managed.RecordPath + ", où ces entrées doivent être notées, n'a pas pu être écrit : " + reason.FR,
			EN: managed.RecordPath + ", where these entries have to be noted, could not be written: " + reason.EN,
		}
	}
	failpoint.Hit("sync.after-announce")
	return next, nil
}

// errRecordBroke is about a record that was fine when the merges were decided.
var errRecordBroke = spoken{
	FR: managed.RecordPath + " a changé pendant la synchronisation et ne peut plus être lu ; rien n'est fusionné",
	EN: managed.RecordPath + " changed while syncing and cannot be read any more; nothing is merged",
}

// newDirs adds to the record's directories the outermost of those that this run
// will create.
func (a *application) newDirs(record managed.Record) []string {
	seen := map[string]bool{}
	add := func(f *tree.File) {
		if dir := path.Dir(f.Real); !seen[dir] {
			seen[dir] = true
			if missing := a.tree.Missing(f); len(missing) > 0 && !record.Created(missing[0]) {
				record.Directories = append(record.Directories, missing[0])
			}
		}
	}
	for _, c := range a.set.Changes {
		if c.Action == Write {
			add(c.file)
		}
	}
	if !record.Empty() {
		if f, err := a.tree.Stat(managed.RecordPath); err == nil {
			add(f)
		}
	}
	return record.Directories
}

// conclude writes the record of what was done.
func (a *application) conclude(record managed.Record) error {
	for i, c := range a.set.Changes {
		if c.entry == nil || c.Action == Refused {
			continue
		}
		entry, known := record.Merges[c.Path]
		switch {
		case a.outcomes[i].err == nil:
			entry = *c.entry
		case known:
			entry.Pending = nil
		}
		if len(entry.Hosts) == 0 {
			delete(record.Merges, c.Path)
		} else {
			record.Merges[c.Path] = entry
		}
	}
	if r := a.set.retired; r != nil {
		record.Directories = slices.DeleteFunc(record.Directories, func(d string) bool {
			return !a.tree.HasDir(d) || r.concerns(d) && !r.remaining.below(d) && !strings.HasPrefix(managed.RecordPath, d+"/")
		})
	}
	if a.lastOne(record) {
		if _, err := writeRecord(a.tree, managed.Record{}); err != nil {
			return fmt.Errorf("remove the record: %w", err)
		}
		a.removeEmpty(record, path.Dir(managed.RecordPath))
		return nil
	}
	if _, err := writeRecord(a.tree, record); err != nil {
		return fmt.Errorf("record the changes: %w", err)
	}
	return nil
}

// lastOne reports whether nothing is left to remember but the record's own
// directory.
func (a *application) lastOne(record managed.Record) bool {
	if len(record.Merges) > 0 {
		return false
	}
	for _, d := range record.Directories {
		if !strings.HasPrefix(managed.RecordPath, d+"/") {
			return false
		}
	}
	names := a.tree.Names(path.Dir(managed.RecordPath))
	return len(names) == 0 || len(names) == 1 && names[0] == path.Base(managed.RecordPath)
}

// removeDirs removes the directories that the deletions left empty, as far up as
// grimoire created them.
func (a *application) removeDirs(record managed.Record, deletions []int) {
	for _, i := range deletions {
		if a.outcomes[i].err == nil {
			a.removeEmpty(record, path.Dir(a.set.Changes[i].file.Real))
		}
	}
	for _, i := range deletions { // init writes down no directories
		c := a.set.Changes[i]
		for dir := path.Dir(c.file.Real); c.emptied && a.outcomes[i].err == nil && dir != "." && a.tree.RemoveDir(dir); {
			dir = path.Dir(dir)
		}
	}
}

// removeOwned removes the empty directories that grimoire created under the
// prefixes of a host that is being removed.
func (a *application) removeOwned(record managed.Record, prefixes []string) {
	for _, prefix := range prefixes {
		dir, ok := strings.CutSuffix(prefix, "/")
		if !ok {
			continue
		}
		if record.Created(dir) {
			a.tree.RemoveEmpty(dir)
			a.removeEmpty(record, path.Dir(dir))
			continue
		}
		for _, d := range record.Directories {
			if strings.HasPrefix(d, prefix) {
				a.tree.RemoveEmpty(d)
			}
		}
	}
}

func (a *application) removeEmpty(record managed.Record, dir string) {
	for dir != "." && record.Created(dir) && a.tree.RemoveDir(dir) {
		dir = path.Dir(dir)
	}
}

// write makes changes of files that do not depend on each other.
func (a *application) write(ctx context.Context, changes []int) {
	list := make([]tree.Replacement, len(changes))
	for i, c := range changes {
		list[i] = tree.Replacement{File: a.set.Changes[c].file, Data: a.set.Changes[c].After}
	}
	a.tree.ReplaceAll(ctx, list, func(i int, changed bool, err error) {
		if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			err = errInterrupted
		}
		a.finish(changes[i], outcome{err: err, same: err == nil && !changed})
	})
}

// errInterrupted is the reason of what was not begun when the run was stopped.
var errInterrupted = spoken{
	FR: "pas commencé : la synchronisation a été interrompue",
	EN: "not begun: the sync was interrupted",
}

func (a *application) delete(ctx context.Context, i int) {
	if ctx.Err() != nil {
		a.finish(i, outcome{err: errInterrupted})
		return
	}
	a.finish(i, outcome{err: a.tree.Delete(a.set.Changes[i].file)})
}

func (a *application) finish(i int, o outcome) {
	a.outcomes[i] = o
	a.done++
	if a.progress != nil {
		a.progress(a.done, a.total)
	}
}
