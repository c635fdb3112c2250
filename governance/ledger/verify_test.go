package ledger

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// event spells one event of a log written by hand.
func event(id int, t Type, entity, payload string) string {
	e := Event{ID: fmt.Sprintf("evt-%012d", id), Type: t, Entity: entity, Kind: KindTask, Actor: "x", At: morning, Payload: payload}
	if strings.HasPrefix(string(t), "mission.") {
		e.Kind = KindMission
	}
	line, err := e.encode()
	if err != nil {
		panic(err)
	}
	return string(line) + "\n"
}

func move(id int, from, to Status, more string) string {
	return event(id, TaskTransitioned, "GAO-a-001", fmt.Sprintf(`{"task_id": "GAO-a-001", "from_state": %q, "to_state": %q%s}`, from, to, more))
}

func TestVerifyNamesWhatIsWrong(t *testing.T) {
	log := event(1, MissionCreated, "MIS-m-001", `{"id": "MIS-m-001", "status": "draft"}`) +
		event(2, TaskCreated, "GAO-a-001", `{"id": "GAO-a-001", "mission_id": "MIS-m-001", "status": "proposed"}`) +
		move(3, Proposed, Ready, "") + move(4, Ready, Claimed, `, "claim": {"actor_id": "a", "epoch": 3}`)
	tests := []struct {
		name, more, kind string
	}{
		{"nothing", "", ""},
		{"an illegal move", move(5, Claimed, Closed, ""), ProblemIllegal},
		{"a status nobody knows", move(5, Claimed, "asleep", ""), ProblemIllegal},
		{"two claims, of two branches", move(5, Ready, Claimed, `, "claim": {"actor_id": "b", "epoch": 3}`), ProblemStale},
		{"a lease given twice", move(5, Claimed, Ready, "") + move(6, Ready, Claimed, `, "claim": {"actor_id": "b", "epoch": 3}`), ProblemEpoch},
		{"a lease of an older kit", move(5, Claimed, Ready, "") + move(6, Ready, Claimed, `, "claim": {"actor_id": "b"}`), ""},
		{"an id used twice", move(4, Claimed, Running, ""), ProblemDuplicate},
		{"a task made twice", event(5, TaskCreated, "GAO-a-001", `{"id": "GAO-a-001", "mission_id": "MIS-m-001"}`), ProblemExists},
		{"a mission made twice", event(5, MissionCreated, "MIS-m-001", `{"id": "MIS-m-001"}`), ProblemExists},
		{"a task of no mission", event(5, TaskCreated, "GAO-b-001", `{"id": "GAO-b-001", "mission_id": "MIS-x-001"}`), ProblemUnknown},
		{"a move of no task", event(5, TaskLinked, "GAO-b-001", `{"depends_on": "GAO-a-001"}`), ProblemUnknown},
		{"a move of no mission", event(5, MissionTransitioned, "MIS-x-001", `{"from_state": "draft", "to_state": "open"}`), ProblemUnknown},
		{"a mission's illegal move", event(5, MissionTransitioned, "MIS-m-001", `{"from_state": "draft", "to_state": "closed"}`), ProblemIllegal},
		{"a mission's stale move", event(5, MissionTransitioned, "MIS-m-001", `{"from_state": "open", "to_state": "closed"}`), ProblemStale},
		{"a session on nobody's task", event(5, TaskCreated, "GAO-b-001", `{"id": "GAO-b-001", "mission_id": "MIS-m-001"}`) +
			event(6, TaskSessionAttached, "GAO-b-001", `{"session_id": "s"}`), ProblemUnclaimed},
		{"an id that leads elsewhere", strings.ReplaceAll(event(5, TaskCreated, "PWN", `{"id": "PWN", "mission_id": "MIS-m-001"}`), "PWN", "../../pwn"), ProblemID},
		{"an id that leads elsewhere, in the payload alone", event(5, TaskCreated, "GAO-b-001", `{"id": "b/../c", "mission_id": "MIS-m-001"}`), ProblemID},
		{"an id of an event alone", strings.ReplaceAll(event(5, TaskCreated, "PWN", `{"mission_id": "MIS-m-001"}`), "PWN", "../../pwn"), ProblemID},
		{"a task made in a state that nobody knows", event(5, TaskCreated, "GAO-b-001", `{"id": "GAO-b-001", "mission_id": "MIS-m-001", "status": "flying"}`), ProblemStatus},
		{"no date", strings.Replace(event(5, "moon.rose", "GAO-a-001", `{}`), "2026-09-28T10", "tomorrow", 1), ProblemDate},
		{"a bad line", "{}\n", string(FaultNotEvent)},
	}
	for _, tt := range tests {
		_, path := open(t, log+tt.more)
		r, err := Verify(project(path), "")
		if err != nil {
			t.Fatal(err)
		}
		var kinds []string
		for _, p := range r.Problems {
			kinds = append(kinds, p.Kind)
			if p.Reason.FR == "" || p.Reason.EN == "" || p.Line != strings.Count(log+tt.more, "\n") {
				t.Errorf("%s: %+v", tt.name, p)
			}
		}
		if want := tt.kind == ""; r.Sound() != want || !want && !slices.Equal(kinds, []string{tt.kind}) {
			t.Errorf("%s: %v, want %q", tt.name, kinds, tt.kind)
		}
		if read(t, path) != log+tt.more {
			t.Errorf("%s: the log was changed", tt.name)
		}
		statuses(t, again(path)) // wrong or not, it replays
	}
}

// From a state that a later version made, no move leads, and it is said so.
func TestAStateThatNobodyKnows(t *testing.T) {
	l, _ := open(t, event(1, TaskCreated, "GAO-a-001", `{"id": "GAO-a-001", "status": "flying"}`))
	err := l.Update(t.Context(), func(tx *Tx) error { return tx.Move("GAO-a-001", Move{To: Ready}) })
	if !errors.Is(err, ErrIllegal) || !strings.Contains(err.Error(), "a state that this version does not know (flying)") || strings.Contains(err.Error(), "possible") {
		t.Fatal(err)
	}
}

func TestVerifyOfNothing(t *testing.T) {
	_, path := open(t, "")
	r, err := Verify(project(path), "")
	if err != nil || r.Exists || !r.Sound() || r.Snapshot != snapshotAbsent {
		t.Fatalf("%+v %v", r, err)
	}
	if _, err := Verify(project(path)+"/no/such/project", ""); err != nil {
		t.Fatal(err)
	}
}

// The digest is that of the bytes, so that anything can compute it again.
func TestVerifyDigestsTheWholeLog(t *testing.T) {
	_, path := open(t, "\n")
	r, err := Verify(project(path), "")
	if err != nil || r.Digest != "sha256-01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b" {
		t.Fatalf("%+v %v", r, err)
	}
	write(t, path, "\n{\"id\": \"evt")
	if torn, err := Verify(project(path), ""); err != nil || torn.Digest == r.Digest || torn.Bytes != 12 {
		t.Fatalf("%+v %v", torn, err)
	}
}

func TestHistory(t *testing.T) {
	l, path, _ := started(t)
	update(t, l, func(tx *Tx) error { return addTask(tx, "GAO-a-0012") })
	update(t, l, func(tx *Tx) error {
		return tx.Note(TaskDispatched, KindTask, "GAO-a-001", "x", `{"model": "m", "of": "GAO-a-0012"}`)
	})
	var got []Type
	if err := again(path).History("GAO-a-001", func(e Event) { got = append(got, e.Type) }); err != nil {
		t.Fatal(err)
	}
	if want := []Type{TaskCreated, TaskTransitioned, TaskTransitioned, TaskDispatched}; !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	if err := l.Update(t.Context(), func(tx *Tx) error { return tx.Note(Handoff, KindTask, "GAO-a-001", "x", `[]`) }); err == nil {
		t.Error("a payload that is a list was recorded")
	}
}
