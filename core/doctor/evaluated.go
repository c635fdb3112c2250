package doctor

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/grimoire-kit/grimoire/core/host"
	"github.com/grimoire-kit/grimoire/governance/trace"
	"github.com/grimoire-kit/grimoire/surface"
)

// blindDays is how far back it is looked for calls that nothing judged: an old
// failure that was repaired is no news.
const blindDays = 30

// nothingToJudge are the causes at which no call went unguarded: an event that
// has no decision.
var nothingToJudge = []string{"no_decider", "unknown_event", "other_host"}

// evaluated counts what the hook was asked and did not judge, as its trace has
// it: a layer that panicked, a deadline, a payload that could not be read.
func (e *examination) evaluated() []Check {
	const name = "not_evaluated"
	report, err := trace.Summarize(e.root, time.Now().AddDate(0, 0, -blindDays), trace.ByDay)
	if err != nil {
		return []Check{conclude(name, []finding{{warning, host.TextOf(err)}}, surface.Text{})}
	}
	var causes []string
	s, count := note, 0
	for _, c := range report.Causes {
		if !slices.Contains(nothingToJudge, c.Cause) {
			s = warning
		}
		count += c.Count
		causes = append(causes, fmt.Sprintf("%s: %d", printable(c.Cause), c.Count))
	}
	if report.Total.Calls == 0 && count == 0 {
		return nil // no session yet
	}
	var found []finding
	if count > 0 {
		why := strings.Join(causes, ", ")
		found = []finding{{s, surface.Text{
			FR: fmt.Sprintf("%d événement(s) sans décision en %d jours (%s) ; `grimoire trace report` les situe, %s remplace un programme fautif", count, blindDays, why, hookRemedy),
			EN: fmt.Sprintf("%d event(s) without a decision in %d days (%s); `grimoire trace report` places them, %s replaces a faulty program", count, blindDays, why, hookRemedy)}}}
	}
	return []Check{conclude(name, found, surface.Text{
		FR: fmt.Sprintf("%d appel(s) en %d jours, tous jugés", report.Total.Calls, blindDays),
		EN: fmt.Sprintf("%d call(s) in %d days, all judged", report.Total.Calls, blindDays)})}
}
