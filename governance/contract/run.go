package contract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/surface"
)

// Run is what a real host did, step by step, with a project that the product
// made and whose hook was the product's, while its model followed a script.
type Run struct {
	Proves  string          `json:"proves"`
	Profile surface.Profile `json:"profile"`
	Hook    HookState       `json:"grimoire_hook"`
	From    string          `json:"asked_from"` // session, sub-agent, or session in a sub-folder
	// Reworded says that the words of the answers, and of what was read, are
	// the product's of today; the host was told the same thing in others.
	Reworded bool   `json:"reworded,omitempty"`
	Steps    []Step `json:"steps"`
	// ToolRan says whether the tool that the run is about had an effect.
	ToolRan bool `json:"tool_ran"`
	// Ledger says how many events of each type the mission ledger holds at the
	// end.
	Ledger map[string]int `json:"ledger,omitempty"`
}

// HookState is how the product's program was when the host called it.
type HookState string

const (
	Works        HookState = "works"
	Missing      HookState = "missing"
	Crashes      HookState = "crashes"
	CrashesLater HookState = "crashes after the session started"
)

// HalfAnswer is what a program that crashes has written before it does.
const HalfAnswer = `{"hookSpecificOutput":{"hookEventNa`

// Step is one thing that happened: the field that is set says which.
type Step struct {
	// Person is a line that somebody typed in the project.
	Person string `json:"person,omitempty"`
	// Directive is what a person said to the session at work.
	Directive *Directive `json:"directive,omitempty"`
	// Prompt started the host, the second and later ones with its --continue.
	Prompt string `json:"prompt,omitempty"`
	// Call is the hook's.
	*Call
	// Read is a text of the product that the model had not read before.
	Read *Reading `json:"read,omitempty"`
	// Asks is a tool that the model asked for, Says what it said instead.
	Asks *Ask   `json:"asks,omitempty"`
	Says string `json:"says,omitempty"`
}

// Directive is said to whoever works on a task.
type Directive struct {
	Task string `json:"task"`
	Text string `json:"text"`
	From string `json:"from"`
}

// Call is one call of the hook and its answer.
type Call struct {
	Event  string          `json:"hook"`
	Stdin  json.RawMessage `json:"stdin"`
	Stdout string          `json:"stdout"`
	Exit   int             `json:"exit"`
}

// Reading is a text with the words that the host put before it.
type Reading struct {
	By   string `json:"by,omitempty"` // "sub-agent", or the session's own model
	As   string `json:"as"`
	Text string `json:"text"`
}

// Ask is a tool call and what came back to the model.
type Ask struct {
	By     string          `json:"by,omitempty"`
	Tool   string          `json:"tool"`
	Input  json.RawMessage `json:"input"`
	Does   Effect          `json:"does"`
	Result string          `json:"result"`
}

// Effect is what a tool does to the project when it runs: at most one of them.
type Effect struct {
	Runs   string `json:"runs,omitempty"`
	Writes string `json:"writes,omitempty"`
	Text   string `json:"text,omitempty"`
}

// Read is the texts that the model read, in order.
func (r *Run) Read() []string {
	var all []string
	for _, s := range r.Steps {
		if s.Read != nil {
			all = append(all, s.Read.Text)
		}
	}
	return all
}

// spoken are the keys under which an answer holds a text for somebody to read.
var spoken = []string{"additionalContext", "permissionDecisionReason", "reason", "systemMessage", "context", "message"}

// Texts are what an answer of the hook says, in order; one that is no JSON says
// all of itself.
func Texts(stdout string) []string {
	said, _ := apart(stdout)
	return said
}

// Form is an answer with another text in the place of each that it says.
func Form(stdout string) string {
	_, form := apart(stdout)
	return form
}

func apart(stdout string) (said []string, form string) {
	if !gjson.Valid(stdout) {
		if strings.TrimSpace(stdout) == "" || stdout == HalfAnswer {
			return nil, stdout
		}
		return []string{strings.TrimSpace(stdout)}, "…"
	}
	form = stdout
	var walk func(key string, v gjson.Result)
	walk = func(key string, v gjson.Result) {
		switch {
		case v.IsObject():
			v.ForEach(func(key, inner gjson.Result) bool {
				walk(key.String(), inner)
				return true
			})
		case v.Type == gjson.String && v.String() != "" && slices.Contains(spoken, key):
			said = append(said, v.String())
			form = strings.Replace(form, v.Raw, `"…"`, 1)
		}
	}
	walk("", gjson.Parse(stdout))
	return said, form
}

// Ledger counts the events of a project's mission ledger by type; nil where it
// has none.
func Ledger(root string) (map[string]int, error) {
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(ledger.Dir), ledger.LogName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	count := map[string]int{}
	for line := range strings.Lines(string(data)) {
		count[gjson.Get(line, "event_type").String()]++
	}
	return count, nil
}

var (
	uuid      = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\bses_[0-9A-Za-z]{20,}`)
	agentID   = regexp.MustCompile(`\ba[0-9a-f]{16}\b`)
	eventID   = regexp.MustCompile(`\b(evt|dir)-[0-9a-f]{12}\b`)
	timestamp = regexp.MustCompile(`\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?`)
	digest    = regexp.MustCompile(`\b(sha256[:-])?[0-9a-f]{40,64}\b`)
	shortHash = regexp.MustCompile(`(root-commit\) |main )[0-9a-f]{7}\b`)
)

// Scrubber replaces what differs from one run to the next by placeholders: the
// same one for the same value.
type Scrubber struct {
	places *strings.Replacer
	ids    map[string]string
	counts map[string]int
}

// NewScrubber takes pairs of a place and its placeholder, the longest place
// first where one contains another.
func NewScrubber(places ...string) *Scrubber {
	return &Scrubber{places: strings.NewReplacer(places...), ids: map[string]string{}, counts: map[string]int{}}
}

// Scrub is for text and JSON alike.
func (s *Scrubber) Scrub(text string) string {
	text = s.places.Replace(text)
	number := func(kind string) func(string) string {
		return func(value string) string {
			if s.ids[value] == "" {
				s.counts[kind]++
				s.ids[value] = "<" + kind + ">"
				if n := s.counts[kind]; n > 1 {
					s.ids[value] = fmt.Sprintf("<%s_%d>", kind, n)
				}
			}
			return s.ids[value]
		}
	}
	text = uuid.ReplaceAllStringFunc(text, number("SESSION_ID"))
	text = agentID.ReplaceAllStringFunc(text, number("AGENT_ID"))
	text = eventID.ReplaceAllString(text, "$1-<ID>")
	text = timestamp.ReplaceAllString(text, "<TIME>")
	text = digest.ReplaceAllString(text, "<DIGEST>")
	return shortHash.ReplaceAllString(text, "$1<HASH>")
}

// Bytes is the run as it stands in its file.
func (r *Run) Bytes() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // placeholders stay readable
	enc.SetIndent("", " ")
	err := enc.Encode(r)
	return b.Bytes(), err
}

// MadeBy is the lines by which a person makes the project of a run.
func MadeBy(host string, profile surface.Profile) []string {
	return []string{
		"git init -q -b main && git config user.name ada && git config user.email ada && git config commit.gpgsign false",
		"mkdir build sub && echo x >build/out && echo KEY=1 >.env && echo KEY=1 >sub/.env && echo _grimoire-output/ >.gitignore",
		"grimoire init --yes --host " + host,
		"grimoire standard init --profile " + string(profile) + " --provider local --project-name shelf",
		"git add -A && git commit -q -m 'The shelf'",
	}
}
