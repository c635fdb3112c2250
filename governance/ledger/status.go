package ledger

import "slices"

// Status is where a task stands.
type Status string

const (
	Proposed          Status = "proposed"
	Ready             Status = "ready"
	Claimed           Status = "claimed"
	Running           Status = "running"
	Waiting           Status = "waiting" // see Wait; the existing kit's oldest versions lack it
	Blocked           Status = "blocked"
	NeedsVerification Status = "needs_verification"
	Failed            Status = "failed"
	Closed            Status = "closed"
	Cancelled         Status = "cancelled"
)

// Statuses are all of them, in the order of a task's life.
var Statuses = []Status{Proposed, Ready, Claimed, Running, Waiting, Blocked, NeedsVerification, Failed, Closed, Cancelled}

// Next is where a status may lead. The moves from and to waiting, and back to
// ready from running, came with leases; a task that needs verification cannot
// be cancelled, as in the existing kit.
func (s Status) Next() []Status {
	switch s {
	case Proposed:
		return []Status{Ready, Cancelled}
	case Ready:
		return []Status{Claimed, Blocked, Cancelled}
	case Claimed:
		return []Status{Running, Ready, Waiting, Cancelled}
	case Running:
		return []Status{NeedsVerification, Waiting, Blocked, Failed, Ready, Cancelled}
	case Waiting:
		return []Status{Running, Ready, Waiting, Failed, Cancelled}
	case Blocked:
		return []Status{Ready, Cancelled}
	case NeedsVerification:
		return []Status{Closed, Running, Failed}
	case Failed:
		return []Status{Ready, Cancelled}
	}
	return nil
}

// Known reports whether s is a status of the table.
func (s Status) Known() bool { return slices.Contains(Statuses, s) }

// MayBecome reports whether the table has that move.
func (s Status) MayBecome(to Status) bool { return slices.Contains(s.Next(), to) }

// Ended reports whether nothing follows.
func (s Status) Ended() bool { return s == Closed || s == Cancelled }

// Active reports whether someone is at work: the claim of such a task counts
// for limits and reserves its files.
func (s Status) Active() bool { return s == Claimed || s == Running }

// WaitReason is what a waiting task waits for.
type WaitReason string

const (
	WaitCI     WaitReason = "ci"
	WaitQuota  WaitReason = "quota"
	WaitPaused WaitReason = "paused"
	WaitHuman  WaitReason = "human"
)

// WaitReasons are all of them.
var WaitReasons = []WaitReason{WaitCI, WaitQuota, WaitPaused, WaitHuman}

// MissionStatus is where a mission stands. It gates no task.
type MissionStatus string

const (
	MissionDraft     MissionStatus = "draft"
	MissionOpen      MissionStatus = "open"
	MissionBlocked   MissionStatus = "blocked"
	MissionVerifying MissionStatus = "verifying"
	MissionClosed    MissionStatus = "closed"
	MissionCancelled MissionStatus = "cancelled"
)

func (s MissionStatus) next() []MissionStatus {
	switch s {
	case MissionDraft:
		return []MissionStatus{MissionOpen, MissionCancelled}
	case MissionOpen:
		return []MissionStatus{MissionBlocked, MissionVerifying, MissionClosed, MissionCancelled}
	case MissionBlocked:
		return []MissionStatus{MissionOpen, MissionCancelled}
	case MissionVerifying:
		return []MissionStatus{MissionOpen, MissionClosed, MissionCancelled}
	}
	return nil
}

// MayBecome reports whether the table has that move.
func (s MissionStatus) MayBecome(to MissionStatus) bool { return slices.Contains(s.next(), to) }
