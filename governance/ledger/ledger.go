package ledger

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/tidwall/gjson"

	"github.com/grimoire-kit/grimoire/governance/failpoint"
)

// Ledger is a project's mission ledger. It may be used by several goroutines.
type Ledger struct {
	// Now is the clock that dates events; nil is the machine's.
	Now func() time.Time

	store  Store
	images *images // nil where nothing is kept beside the log

	mu     sync.Mutex
	all    memory
	held   memory // of the held tasks alone
	closed int    // see ClosedOff
}

// memory is a state with the version of the log that it stands at.
type memory struct {
	state *State // nil before it is read
	at    Version
	file  string // in an image: the identity of the log that ended there
}

// Open is the ledger of a project, in dir, see NewFile. It touches nothing.
func Open(project, dir string) *Ledger {
	f := NewFile(project, dir)
	return &Ledger{store: f, images: &images{file: f, minGrowth: minGrowth}}
}

// OpenReader is Open for a project that is only looked at: reading writes
// nothing beside the log either.
func OpenReader(project, dir string) *Ledger {
	l := Open(project, dir)
	l.images.readOnly = true
	return l
}

// OpenStore is the ledger that a store holds. Nothing is kept beside it.
func OpenStore(s Store) *Ledger { return &Ledger{store: s} }

// View calls read with the state as it is now, without a lock. The state is
// only valid during the call. A log that does not exist has an empty one.
func (l *Ledger) View(read func(*State) error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.catchUp(); err != nil {
		return err
	}
	switch i := l.images; {
	case i == nil:
	case i.doubt:
		i.ifFree(func() {
			i.saveHeld(l.all)
			i.save(l.all)
		})
	case i.stale(l.all):
		i.saveIfFree(l.all)
	}
	return read(l.all.state)
}

// ViewHeld is View with a state of the tasks that Held lists, and no others.
// Its cost depends on their number alone, not on the ledger's: it is what a
// hook calls.
func (l *Ledger) ViewHeld(read func(*State) error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	fresh, err := l.catchUpHeld()
	if err != nil {
		return err
	}
	if !fresh && l.images != nil {
		l.images.ifFree(func() {
			if _, err = l.catchUpHeld(); err == nil { // others may have written a newer one meanwhile
				l.images.saveHeld(l.held)
			}
		})
		if err != nil {
			return err
		}
	}
	return read(l.held.state)
}

// Update calls change with a transaction under the lock, and appends what it
// recorded. When change fails, nothing is written. When Update returns nil,
// the events are on the disk; on an error other than a Refusal or change's own
// they may be in the log or not, as after a crash. Several events are one write,
// of which a crash may keep the first ones: order them so that this is a state
// to go on from. change is called again when a writer that ignores the lock got
// between.
//
// It waits for the lock as long as ctx lets it, 30 s where ctx has no end.
func (l *Ledger) Update(ctx context.Context, change func(*Tx) error) error {
	return l.update(ctx, &l.all, change)
}

// UpdateHeld is Update with a state of the tasks that Held lists, at the cost
// of ViewHeld.
func (l *Ledger) UpdateHeld(ctx context.Context, change func(*Tx) error) error {
	return l.update(ctx, &l.held, change)
}

func (l *Ledger) update(ctx context.Context, m *memory, change func(*Tx) error) error {
	if _, ends := ctx.Deadline(); !ends {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, CommandWait)
		defer cancel()
	}
	unlock, err := l.store.Lock(ctx)
	var noLock error
	if errors.Is(err, ErrNoLock) {
		noLock, unlock = err, func() {}
	} else if err != nil {
		return err
	}
	defer unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	// Under the lock only a writer that ignores it can move the log.
	for tries := 0; ; tries++ {
		if err := l.load(m); err != nil {
			return err
		}
		err := l.try(m, noLock, change)
		if !errors.Is(err, ErrMoved) || tries == 3 {
			return err
		}
	}
}

func (l *Ledger) load(m *memory) error {
	if m == &l.all {
		return l.catchUp()
	}
	_, err := l.catchUpHeld()
	return err
}

// try is one attempt at a change, from the state that was loaded.
func (l *Ledger) try(m *memory, noLock error, change func(*Tx) error) error {
	clean := false
	defer func() {
		if !clean { // the state has seen what will not be; also when change panics
			*m = memory{}
		}
	}()
	tx := &Tx{state: m.state, now: l.now()}
	err := change(tx)
	switch {
	case len(tx.events) == 0:
		clean = true
		return err
	case err != nil:
		return err
	case noLock != nil && slices.ContainsFunc(tx.events, decides):
		return noLock
	}
	lines := make([][]byte, len(tx.events))
	for i := range tx.events {
		if lines[i], err = tx.events[i].encode(); err != nil {
			return err
		}
	}
	at, err := l.store.Append(m.at, lines...)
	if err != nil {
		return err
	}
	clean = true
	if m.state.Log.Torn > 0 {
		l.closed = m.state.Log.Lines + 1
		*m = memory{} // reading it again names the line that was closed off
	} else {
		m.state.Log.Lines += len(lines)
		m.at = at
	}
	l.keep(m)
	return nil
}

// keep writes what is kept beside the log after an append. Failing to costs
// time later, no more.
func (l *Ledger) keep(m *memory) {
	failpoint.Hit("ledger.before-projection")
	if l.images == nil || m.state == nil && l.load(m) != nil {
		return
	}
	l.images.saveHeld(*m)
	failpoint.Hit("ledger.projected")
	if m == &l.all && l.images.stale(*m) {
		l.images.save(*m)
	}
}

// decides reports whether an event gives a task to one and not to another.
// Such an event is never written without a lock; facts may be.
func decides(e Event) bool {
	switch e.Type {
	case TaskTransitioned, TaskSessionAttached, TaskLeaseRenewed, MissionTransitioned:
		return true
	}
	return false
}

func (l *Ledger) now() time.Time {
	now := time.Now
	if l.Now != nil {
		now = l.Now
	}
	return now().UTC().Truncate(time.Microsecond) // as the log keeps it
}

// catchUp reads what the log has more than the memory of it, or all of it
// where the log is another.
func (l *Ledger) catchUp() error {
	if l.all.state == nil && l.images != nil {
		l.all = l.images.load()
	}
	if l.all.state != nil {
		err := l.advance(&l.all)
		if !errors.Is(err, ErrMoved) {
			return err
		}
	}
	l.all = memory{state: newState()}
	return l.advance(&l.all)
}

// catchUpHeld is catchUp for the held tasks; fresh reports that nothing had to
// be read to be up to date.
func (l *Ledger) catchUpHeld() (fresh bool, err error) {
	if l.held.state == nil && l.images != nil {
		l.held = l.images.loadHeld()
	}
	if l.held.state != nil {
		before := l.held.at
		err := l.advance(&l.held)
		switch {
		case err == nil && !l.held.state.incomplete:
			return before == l.held.at, nil
		case err != nil && !errors.Is(err, ErrMoved):
			return false, err
		}
	}
	if err := l.catchUp(); err != nil {
		l.held = memory{}
		return false, err
	}
	l.held = memory{state: l.all.state.onlyHeld(), at: l.all.at}
	return false, nil
}

// advance reads on from the memory's version.
func (l *Ledger) advance(m *memory) error {
	s := m.state
	s.Log.Torn = 0
	at, err := l.store.Read(m.at, func(line Line) {
		if line.Torn > 0 {
			s.Log.Torn = line.Torn
			return
		}
		e, fault, ok := line.read()
		if ok {
			s.apply(e)
		}
		s.Log.count(line, fault)
	})
	if err != nil {
		*m = memory{} // it may be half read
		return err
	}
	m.at = at
	return nil
}

// ClosedOff is the line, from 1, that a crash had cut short and that a change
// made here has closed off; 0 for none.
func (l *Ledger) ClosedOff() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.closed
}

// Events calls visit with every event of the log, in its order.
func (l *Ledger) Events(visit func(Event)) error {
	_, err := l.store.Read(Version{}, func(line Line) {
		if e, _, ok := line.read(); ok {
			visit(e)
		}
	})
	return err
}

// History calls visit with every event about one mission or task, in their
// order. Lines that do not hold its id are passed over unread.
func (l *Ledger) History(id string, visit func(Event)) error {
	return l.Histories([]string{id}, visit)
}

// Histories is History of several at once, in one reading.
func (l *Ledger) Histories(ids []string, visit func(Event)) error {
	var quoted [][]byte
	for _, id := range ids {
		quoted = append(quoted, appendText(nil, id))
	}
	_, err := l.store.Read(Version{}, func(line Line) {
		if !slices.ContainsFunc(quoted, func(id []byte) bool { return bytes.Contains(line.Text, id) }) {
			return
		}
		e, _, ok := line.read()
		if ok && (slices.Contains(ids, e.Entity) || slices.Contains(ids, text(get(gjson.Parse(e.Payload), "task_id")))) {
			visit(e)
		}
	})
	return err
}
