package task

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/observe"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// TestRun is what the hook saw of a task's tests, in the shape of the existing
// kit. grimoire runs none itself.
type TestRun struct {
	Ran     bool    `json:"ran"` // by this command: never
	Reason  string  `json:"reason"`
	Command *string `json:"command"` // what was seen, else what to run
	OK      *bool   `json:"ok"`      // null where nothing was seen, or the host does not tell
	Exit    *int    `json:"exit_code"`
	Path    *string `json:"path"` // the journal, null where it holds no run
}

// The reasons. The first three are the existing kit's words.
const (
	RunNotOwed   = "state_owes_no_run" // the column asks for none
	RunNoCommand = "no_test_command"   // none was seen, and the project's files name no test
	RunFresh     = "fresh_run"         // nothing has changed since the run
	RunStale     = "stale_run"         // something has
	RunUnseen    = "no_run_seen"
)

// TestRun looks for the last run of the tests that was seen for a task in a
// column. The id must have passed standard.CheckTask.
func (d *Desk) TestRun(ctx context.Context, id, state string) (*TestRun, error) {
	r := &TestRun{Reason: RunNotOwed}
	if !standard.OwesRun(state) {
		return r, nil
	}
	seen, err := observe.Read(d.Root, id, d.ownChecks())
	if err != nil {
		return nil, &fileError{observe.Path(id), withoutPath(err)}
	}
	c := seen.Check
	if c == nil {
		r.Reason = RunNoCommand
		if command := d.testCommand(); command != "" {
			r.Reason, r.Command = RunUnseen, &command
		}
		return r, nil
	}
	command, path := observe.Line(c.Command), observe.Path(id)
	r.Reason, r.Command, r.Exit, r.Path = RunFresh, &command, c.Exit, &path
	switch ok := c.Outcome == observe.Passed; {
	case c.Outcome == observe.Passed, c.Outcome == observe.Failed:
		r.OK = &ok
	case c.Outcome == "" && c.Exit != nil: // an older journal has the code alone
		ok = *c.Exit == 0
		r.OK = &ok
	}
	if seen.Write != nil {
		r.Reason = RunStale
		return r, nil
	}
	// What cannot be compared is not known to be the same.
	dir, err := d.place(c.Tree)
	if err != nil {
		r.Reason = RunStale
	} else if c.Files != nil && c.Files.Unknown == "" {
		if changed, err := observe.ChangedSince(ctx, dir, c.Files); err != nil || changed != "" {
			r.Reason = RunStale
		}
	}
	return r, nil
}

// withoutPath is an error of the system without this machine's paths.
func withoutPath(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// resolveScore wants a score of the task that passed, under the profile that
// the project has now.
func (d *Desk) resolveScore(t *ledger.Task) *Missing {
	path := standard.ScorePath(t.ID)
	again := both("`grimoire standard score --task-id " + t.ID + "`")
	var doc struct {
		Profile   string `yaml:"profile"`
		OK        *bool  `yaml:"ok"`
		Score     int    `yaml:"score"`
		Threshold int    `yaml:"threshold"`
	}
	err := d.readYAML(path, &doc)
	profile, _ := d.profile()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &Missing{Reason: surface.Text{FR: path + " manque", EN: path + " is missing"}, Remedy: again}
	case err != nil:
		return &Missing{Reason: fault.Text(err), Remedy: again}
	case doc.OK == nil:
		return &Missing{Reason: surface.Text{FR: path + " ne dit pas si le score suffit (ok)", EN: path + " does not say whether the score is enough (ok)"}, Remedy: again}
	case doc.Profile != profile:
		shown := surface.Quoted(doc.Profile)
		return &Missing{Reason: surface.Text{
			FR: path + " est celui du profil " + shown + ", le projet suit " + profile,
			EN: path + " is that of the profile " + shown + "; the project follows " + profile}, Remedy: again}
	case !*doc.OK:
		return &Missing{Reason: surface.Text{
			FR: fmt.Sprintf("score %d, seuil %d : ce n'est pas assez, ou une erreur reste", doc.Score, doc.Threshold),
			EN: fmt.Sprintf("score %d, threshold %d: it is not enough, or an error is left", doc.Score, doc.Threshold)},
			Remedy: surface.Text{
				FR: "`grimoire standard audit --task-id " + t.ID + "` dit quoi corriger, puis " + again.FR,
				EN: "`grimoire standard audit --task-id " + t.ID + "` says what to mend, then " + again.EN}}
	}
	return nil
}
