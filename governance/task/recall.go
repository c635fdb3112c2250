package task

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/surface"
)

// RecallBudget is how much of a recall's text is given, in tokens of
// runesPerToken characters.
const (
	RecallBudget  = 400
	runesPerToken = 4
	maxSiblings   = 5
)

// Recall is what earlier work says about a task.
type Recall struct {
	ID         string             `json:"task_id"`
	Task       ledger.Task        `json:"task"`
	Own        []string           `json:"own_history"`
	Siblings   []Sibling          `json:"siblings"`
	Memory     []Hit              `json:"memory_hits"`
	Directives []ledger.Directive `json:"directives"`
	Text       string             `json:"text"`
	Budget     int                `json:"token_budget"`
	Has        bool               `json:"has_content"`
}

// Sibling is another task that has to do with this one.
type Sibling struct {
	ID         string   `json:"task_id"`
	Title      string   `json:"title"`
	Relation   string   `json:"relation"` // the existing kit's French words
	Status     string   `json:"status"`
	Causes     []string `json:"causes"`
	Resolution string   `json:"resolution"` // of a closed one
	rank       int
}

// stopWords say nothing about what a title is about.
var stopWords = strings.Fields("avec dans pour sans sous leur leurs cette plus tout tous toute toutes elle elles nous vous " +
	"with from into that this these those their them when then than each have has")

// titleWords are the words of a title that say what it is about.
func titleWords(title string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if utf8.RuneCountInString(w) > 3 && !slices.Contains(stopWords, w) && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// Recall looks for what earlier work says about a task.
func (d *Desk) Recall(id string, l surface.Language) (*Recall, error) {
	t, err := d.Find(id)
	if err != nil {
		return nil, err
	}
	r := &Recall{ID: t.ID, Task: t, Directives: append([]ledger.Directive{}, t.Directives...), Budget: RecallBudget}
	incidents, err := d.incidents()
	if err != nil {
		return nil, err
	}
	if r.Siblings, err = d.siblings(&t); err != nil {
		return nil, err
	}
	if err := d.past(r, incidents, l); err != nil {
		return nil, err
	}
	r.Memory = d.hits(t.Title, r.Siblings)
	r.Has = len(r.Own)+len(r.Siblings)+len(r.Memory)+len(r.Directives) > 0
	r.Text = cut(r.draw(l), RecallBudget*runesPerToken, l.Text("[…] coupé au budget de tokens", "[…] cut to the budget of tokens"))
	return r, nil
}

// RecallPath is where the recall of a task stands for the hook, which shows it
// when a session starts: the hook itself reads no log.
func RecallPath(task string) string { return "_grimoire-output/context/" + task + "/task-recall.md" }

// keepRecall writes what the hook shows of a task that is now under way. What
// is learnt of other tasks later is not in it: `grimoire task context` and the
// next claim bring it up to date.
func (d *Desk) keepRecall(t *ledger.Task, l surface.Language) error {
	if ledger.CheckID(t.ID) != nil {
		return nil // a log comes with a repository
	}
	r, err := d.Recall(t.ID, l)
	if err != nil {
		return err
	}
	if !r.Has && !d.isFile(RecallPath(t.ID)) {
		return nil
	}
	if err := d.write(RecallPath(t.ID), []byte(r.Text+"\n")); err != nil {
		return fmt.Errorf("write %s: %w", RecallPath(t.ID), err)
	}
	return nil
}

// past fills in what stopped the task and its siblings before: failures and
// blockages with their reasons, and incidents; of the task itself those that
// are not open any more, since an open one is no history.
func (d *Desk) past(r *Recall, incidents []incident, l surface.Language) error {
	r.Own = []string{}
	colon := l.Text(" : ", ": ")
	near := map[string]*Sibling{}
	ids := []string{r.ID}
	for i := range r.Siblings {
		near[r.Siblings[i].ID] = &r.Siblings[i]
		ids = append(ids, r.Siblings[i].ID)
	}
	err := d.Ledger.Histories(ids, func(e ledger.Event) {
		to := gjson.Get(e.Payload, "to_state").Str
		reason := gjson.Get(e.Payload, "reason").Str
		if e.Type != ledger.TaskTransitioned || reason == "" || to != string(ledger.Failed) && to != string(ledger.Blocked) {
			return
		}
		if e.Entity == r.ID {
			r.Own = append(r.Own, to+" ("+ledger.FormatTime(e.At)+")"+colon+reason)
		} else if s := near[e.Entity]; s != nil {
			s.cause(reason)
		}
	})
	for _, i := range incidents {
		if i.Task == r.ID && i.Status != "open" {
			r.Own = append(r.Own, "incident "+i.Kind+" ("+i.Status+")"+colon+i.why())
		} else if s := near[i.Task]; s != nil {
			s.cause(i.why())
		}
	}
	return err
}

func (s *Sibling) cause(why string) {
	if why != "" && !slices.Contains(s.Causes, why) {
		s.Causes = append(s.Causes, why)
	}
}

// incident is a line of the ledger's incidents.
type incident struct {
	ID       string   `json:"id"`
	Task     string   `json:"task_id"`
	Kind     string   `json:"kind"`
	Severity string   `json:"severity"`
	Status   string   `json:"status"`
	Summary  string   `json:"summary"`
	Causes   []string `json:"causes"`
	Actions  []string `json:"recommended_actions"`
	At       string   `json:"created_at"`
}

// why is what an incident teaches: its causes, else what it was.
func (i *incident) why() string {
	if len(i.Causes) > 0 {
		return strings.Join(i.Causes, "; ")
	}
	return i.Summary
}

func (d *Desk) incidents() ([]incident, error) {
	var out []incident
	_, err := d.eachLine(d.ledgerDir, "incidents.jsonl", func(line gjson.Result) {
		var i incident
		if json.Unmarshal([]byte(line.Raw), &i) == nil && i.Task != "" {
			out = append(out, i)
		}
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return out, err
}

func (d *Desk) siblings(t *ledger.Task) ([]Sibling, error) {
	mine := titleWords(t.Title)
	out := []Sibling{}
	err := d.Ledger.View(func(s *ledger.State) error {
		for row := range s.Rows() {
			if row.ID == t.ID {
				continue
			}
			shared := 0
			for _, w := range titleWords(row.Title) {
				if slices.Contains(mine, w) {
					shared++
				}
			}
			declared := slices.ContainsFunc(t.DependsOn, func(dep ledger.Dependency) bool { return dep.Target == row.ID })
			sib := Sibling{ID: row.ID, Title: row.Title, Status: string(row.Status), Causes: []string{}, rank: shared}
			switch {
			case declared:
				sib.Relation, sib.rank = "lien déclaré", 1<<20+shared
			case shared > 0 && row.Mission == t.Mission:
				sib.Relation = "même mission"
			case shared > 1:
				sib.Relation = "titre proche"
			default:
				continue
			}
			out = append(out, sib)
		}
		slices.SortStableFunc(out, func(a, b Sibling) int { return b.rank - a.rank })
		out = out[:min(len(out), maxSiblings)]
		for i := range out {
			other, _ := s.Task(out[i].ID)
			if other.Status != ledger.Closed {
				continue
			}
			if out[i].Resolution = other.Reason; out[i].Resolution == "" {
				out[i].Resolution = string(ledger.Closed)
			}
		}
		return nil
	})
	return out, err
}

// relationIn is a relation in words: its key is the existing kit's, in French.
func relationIn(relation string, l surface.Language) string {
	switch relation {
	case "lien déclaré":
		return l.Text(relation, "declared link")
	case "même mission":
		return l.Text(relation, "same mission")
	case "titre proche":
		return l.Text(relation, "close title")
	}
	return relation
}

func (r *Recall) draw(l surface.Language) string {
	var b strings.Builder
	line := func(parts ...string) {
		b.WriteString(strings.Join(strings.Fields(strings.Join(parts, " ")), " ") + "\n")
	}
	for _, x := range r.Directives {
		line("-", x.Kind, x.Author+":", x.Text)
	}
	for _, p := range r.Own {
		line("-", l.Text("déjà", "before:"), p)
	}
	for _, s := range r.Siblings {
		said := strings.Join(s.Causes, "; ")
		if s.Resolution != "" {
			said = strings.Trim(said+"; "+s.Resolution, "; ")
		}
		line("-", s.ID, s.Title, "("+relationIn(s.Relation, l)+", "+s.Status+")", said)
	}
	for _, h := range r.Memory {
		line("-", l.Text("mémoire", "memory"), "["+h.Type+"]", short(strings.TrimSpace(h.Text), maxHitLine))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// cut keeps a text to a number of characters, by whole lines, and says so.
func cut(text string, most int, note string) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	short := string([]rune(text)[:most])
	if i := strings.LastIndexByte(short, '\n'); i >= 0 {
		short = short[:i]
	}
	return short + "\n" + note
}
