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

// next is where each status may lead. Those from and to waiting, and back to
// ready from running, came with leases; a task that needs verification cannot
// be cancelled, as in the existing kit.
var next = map[Status][]Status{
	Proposed:          {Ready, Cancelled},
	Ready:             {Claimed, Blocked, Cancelled},
	Claimed:           {Running, Ready, Waiting, Cancelled},
	Running:           {NeedsVerification, Waiting, Blocked, Failed, Ready, Cancelled},
	Waiting:           {Running, Ready, Waiting, Failed, Cancelled},
	Blocked:           {Ready, Cancelled},
	NeedsVerification: {Closed, Running, Failed},
	Failed:            {Ready, Cancelled},
	Closed:            nil,
	Cancelled:         nil,
}

// Known reports whether s is a status of the table.
func (s Status) Known() bool { _, ok := next[s]; return ok }

// Next are the statuses that s may lead to.
func (s Status) Next() []Status { return slices.Clone(next[s]) }

// MayBecome reports whether the table has that move.
func (s Status) MayBecome(to Status) bool { return slices.Contains(next[s], to) }

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

var nextMission = map[MissionStatus][]MissionStatus{
	MissionDraft:     {MissionOpen, MissionCancelled},
	MissionOpen:      {MissionBlocked, MissionVerifying, MissionClosed, MissionCancelled},
	MissionBlocked:   {MissionOpen, MissionCancelled},
	MissionVerifying: {MissionOpen, MissionClosed, MissionCancelled},
	MissionClosed:    nil,
	MissionCancelled: nil,
}

// MayBecome reports whether the table has that move.
func (s MissionStatus) MayBecome(to MissionStatus) bool { return slices.Contains(nextMission[s], to) }
