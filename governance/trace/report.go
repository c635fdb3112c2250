package trace

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Period is how a report groups times.
type Period string

const (
	ByDay   Period = "day"
	ByMonth Period = "month"
)

// Share counts tool calls and how they were judged.
type Share struct {
	Calls        int `json:"calls"` // all that were recorded
	Blocked      int `json:"blocked"`
	Asked        int `json:"asked"`
	NotEvaluated int `json:"not_evaluated"`
	// Rate is Blocked over the calls that were evaluated, 0 where none was.
	Rate float64 `json:"block_rate"`
}

func (s *Share) add(verdict string) {
	s.Calls++
	switch verdict {
	case VerdictBlock:
		s.Blocked++
	case VerdictAsk:
		s.Asked++
	case VerdictNone:
		s.NotEvaluated++
	}
	if evaluated := s.Calls - s.NotEvaluated; evaluated > 0 {
		s.Rate = float64(s.Blocked) / float64(evaluated)
	}
}

// Row is a share under a name.
type Row struct {
	Name string `json:"name"`
	Share
}

// Report is what the trace ledger says about enforcement. Rows are sorted by
// number of calls, then by name; periods by name.
type Report struct {
	Total   Share `json:"total"`
	Tools   []Row `json:"tools"`
	Rules   []Row `json:"rules"` // a call counts for every rule that spoke
	Hosts   []Row `json:"hosts"`
	Periods []Row `json:"periods"`
	// Causes says why events were not evaluated, tool calls or not.
	Causes []Cause `json:"not_evaluated_causes"`
	// Skipped is how many lines could not be read.
	Skipped int `json:"skipped_lines"`
}

// Cause is one reason for which events were not evaluated.
type Cause struct {
	Cause string `json:"cause"`
	Count int    `json:"count"`
}

// Unnamed stands in a report where a line names no tool, host, rule or cause.
const Unnamed = "?"

// maxRows bounds each table of a report; the rest is summed under Others. The
// names come from a file that anyone may have written.
const (
	maxRows = 1000
	Others  = "…"
)

// Summarize reads the trace ledger of a project, lines that started at or
// after since (a zero time is all of them), and groups their times.
func Summarize(root string, since time.Time, by Period) (Report, error) {
	var rep Report
	tools, rules, hosts, periods := shares{}, shares{}, shares{}, shares{}
	causes := map[string]*Cause{}
	skipped, err := Read(root, func(e *Entry) {
		if !since.IsZero() && e.At.Before(since) {
			return
		}
		if e.Has(VerdictNone) {
			cause, _ := e.Tag(tagCause)
			row(causes, cause, func(name string) *Cause { return &Cause{Cause: named(name)} }).Count++
		}
		for _, c := range e.Calls {
			verdict := normalVerdict(c.Verdict)
			rep.Total.add(verdict)
			tools.add(c.Tool, verdict)
			hosts.add(hostName(e.Host), verdict)
			periods.add(periodOf(e.At, by), verdict)
			for _, t := range e.Tags {
				if id, ok := strings.CutPrefix(t, tagRule); ok {
					rules.add(id, verdict)
				}
			}
		}
	})
	rep.Skipped = skipped
	rep.Tools, rep.Rules, rep.Hosts = tools.rows(byCalls), rules.rows(byCalls), hosts.rows(byCalls)
	rep.Periods = periods.rows(byName)
	rep.Causes = []Cause{}
	for _, c := range causes {
		rep.Causes = append(rep.Causes, *c)
	}
	slices.SortFunc(rep.Causes, func(a, b Cause) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Cause, b.Cause))
	})
	return rep, err
}

type shares map[string]*Share

func (s shares) add(name, verdict string) {
	row(s, name, func(string) *Share { return &Share{} }).add(verdict)
}

func (s shares) rows(order func(a, b Row) int) []Row {
	out := []Row{}
	for name, share := range s {
		out = append(out, Row{named(name), *share})
	}
	slices.SortFunc(out, order)
	return out
}

func byCalls(a, b Row) int {
	return cmp.Or(cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Name, b.Name))
}

func byName(a, b Row) int { return cmp.Compare(a.Name, b.Name) }

func named(s string) string {
	if s == "" {
		return Unnamed
	}
	return s
}

// normalVerdict: older files say deny where newer ones say block.
func normalVerdict(v string) string {
	if v == "deny" {
		return VerdictBlock
	}
	return v
}

// hostName: some of the existing kit's files name a host without its prefix.
func hostName(h string) string {
	if h == "" || strings.HasPrefix(h, "host-") {
		return h
	}
	return "host-" + h
}

func periodOf(t time.Time, by Period) string {
	switch {
	case t.IsZero():
		return ""
	case by == ByMonth:
		return t.Format("2006-01")
	}
	return t.Format(time.DateOnly)
}
