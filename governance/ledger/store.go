package ledger

import (
	"context"

	"github.com/grimoire-kit/grimoire/surface"
)

// Store keeps the lines of a log and knows nothing of what they say. A file is
// one; a stream whose publications expect a sequence number would be another.
type Store interface {
	// Lock gives the sole right to append, until release is called or the
	// process ends. It waits until ctx ends, then fails with ErrBusy; with
	// ErrNoLock where nothing can be locked.
	Lock(ctx context.Context) (release func(), err error)
	// Read calls visit with every line after a version, the zero Version being
	// the beginning, and returns the version reached. It fails with ErrMoved if
	// the log does not go through that version, or was cut while it was read.
	Read(from Version, visit func(Line)) (Version, error)
	// Append adds lines, without their ends, after a version, in one write, and
	// returns once they are on the disk. It fails with ErrMoved, and adds
	// nothing, if the log does not end there. After any other error a line may
	// be in the log or not.
	Append(at Version, lines ...[]byte) (Version, error)
}

// Version is a point of a log. Two logs that go through the same version have
// said the same up to there.
type Version struct {
	// Offset is where it is, in bytes.
	Offset int64
	// Tail is the hash of what lies before it, up to 4 KiB; First the id of
	// the log's first event. Both are "" at the beginning.
	Tail, First string
}

// Line is a line of a log.
type Line struct {
	Offset int64
	// Text is the line without white space around it; of one that is longer
	// than MaxLine, enough to see that it is. It is only valid during the call
	// that was given it.
	Text []byte
	// Torn is the length of a last line that was cut short, and so says
	// nothing; 0 for all others.
	Torn int64
}

// read is what the line says: an event, a fault, or nothing.
func (l Line) read() (e Event, fault FaultKind, ok bool) {
	if l.Torn > 0 || len(l.Text) == 0 {
		return Event{}, "", false
	}
	e, fault = decode(string(l.Text))
	return e, fault, fault == ""
}

// FaultKind says why a line is no event.
type FaultKind string

const (
	FaultTooLong   FaultKind = "too_long"
	FaultNotText   FaultKind = "not_utf8"
	FaultTooDeep   FaultKind = "too_deep"
	FaultNotJSON   FaultKind = "not_json"
	FaultNotObject FaultKind = "not_object"
	FaultNotEvent  FaultKind = "not_event"
	FaultSchema    FaultKind = "unknown_schema"
	// FaultCut is a line cut short by a crash and closed off since. Nothing
	// was reported as written, so nothing is lost.
	FaultCut FaultKind = "cut_short"
	// FaultGlued is an event written onto a line that was cut short, by a
	// writer that does not look: it is lost.
	FaultGlued FaultKind = "glued"
)

// Text is the reason for people, empty for a kind that is none.
func (k FaultKind) Text() surface.Text {
	switch k {
	case FaultTooLong:
		return surface.Text{FR: "ligne de plus de 1 Mio", EN: "a line of more than 1 MiB"}
	case FaultNotText:
		return surface.Text{FR: "octets qui ne sont pas de l'UTF-8", EN: "bytes that are not UTF-8"}
	case FaultTooDeep:
		return surface.Text{FR: "imbrication de plus de 500 niveaux", EN: "nesting of more than 500 levels"}
	case FaultNotJSON:
		return surface.Text{FR: "pas du JSON", EN: "not JSON"}
	case FaultNotObject:
		return surface.Text{FR: "pas un objet JSON", EN: "not a JSON object"}
	case FaultNotEvent:
		return surface.Text{FR: "il manque une clé de l'enveloppe, ou elle n'est pas du type attendu (id, schema_version, event_type, entity_id, entity_kind, actor_id, created_at, payload)",
			EN: "a key of the envelope is missing or not of the type expected (id, schema_version, event_type, entity_id, entity_kind, actor_id, created_at, payload)"}
	case FaultCut:
		return surface.Text{FR: "ligne coupée par un arrêt brutal, refermée depuis ; rien n'est perdu", EN: "a line cut short by a crash and closed off since; nothing is lost"}
	case FaultGlued:
		return surface.Text{FR: "un événement collé à une ligne coupée : il est perdu", EN: "an event glued onto a line that was cut short: it is lost"}
	case FaultSchema:
		return surface.Text{FR: "schema_version inconnu (attendu : " + Schema + ")", EN: "unknown schema_version (expected " + Schema + ")"}
	}
	return surface.Text{}
}

// Fault is a line of the log that is no event. It is skipped, and hides
// nothing after it.
type Fault struct {
	Line   int // from 1
	Offset int64
	Kind   FaultKind
}
