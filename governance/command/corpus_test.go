package command_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/governance/command"
	"github.com/grimoire-kit/grimoire/governance/secrets"
)

// entry is one line of testdata/corpus: a call and what must be known about it.
type entry struct {
	Call string `json:"call"`
	// Expect is destructive, secret, opaque, interactive or unjudged for what must be caught; quiet, read-only, mutation
	// or no-secret for what must raise no alarm.
	Expect string `json:"expect"`
	// Shell is the shell that gets the call; empty for sh, bash and zsh.
	Shell command.Shell `json:"shell"`
	Label command.Label `json:"label"`
	Why   string        `json:"why"`
}

// corpus reads every class of testdata/corpus.
func corpus(t testing.TB) map[string][]entry {
	t.Helper()
	files, err := filepath.Glob("testdata/corpus/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	classes := map[string][]entry{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		class := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		lines := bufio.NewScanner(bytes.NewReader(data))
		for n := 1; lines.Scan(); n++ {
			var e entry
			dec := json.NewDecoder(bytes.NewReader(lines.Bytes()))
			dec.DisallowUnknownFields()
			if err := dec.Decode(&e); err != nil {
				t.Fatalf("%s:%d: %v", file, n, err)
			}
			classes[class] = append(classes[class], e)
		}
	}
	return classes
}

// judge says whether the facts are as the entry wants them, and whether the entry is one that must be caught.
func judge(t *testing.T, e entry) (ok, alarm bool) {
	t.Helper()
	f := command.Analyze(e.Call, command.Options{Shell: e.Shell})
	_, secret := secrets.InCommand(f)
	quiet := len(f.Destructive) == 0 && len(f.Opaque) == 0 && f.Unjudged == ""
	switch e.Expect {
	case "destructive":
		return slices.ContainsFunc(f.Destructive, func(d command.Finding) bool { return d.Label == e.Label }), true
	case "secret":
		return secret, true
	case "opaque":
		return len(f.Opaque) > 0, true
	case "interactive":
		return f.Interactive != "", true
	case "unjudged":
		return f.Unjudged != "", true
	case "quiet":
		return quiet && !secret && f.Interactive == "", false
	case "no-secret":
		return quiet && !secret, false
	case "read-only":
		return quiet && f.ReadOnly, false
	case "mutation":
		return !f.ReadOnly, true
	}
	t.Fatalf("%q: unknown expectation %q", e.Call, e.Expect)
	return false, false
}

// TestCorpus prints how much of each class is caught and how often it raises a false alarm.
func TestCorpus(t *testing.T) {
	var total, caught, alarms, quiets, falseAlarms int
	classes := corpus(t)
	names := make([]string, 0, len(classes))
	for name := range classes {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		var a, c, q, f int
		for _, e := range classes[name] {
			total++
			ok, alarm := judge(t, e)
			switch {
			case alarm && ok:
				a, c = a+1, c+1
			case alarm:
				a++
			case ok:
				q++
			default:
				q, f = q+1, f+1
			}
			if !ok {
				facts := command.Analyze(e.Call, command.Options{Shell: e.Shell})
				t.Logf("%s: %s: %q wants %s %s, got %s", name, e.Why, e.Call, e.Expect, e.Label, summary(facts))
			}
		}
		t.Logf("%-12s caught %3d of %3d, false alarms %d of %3d", name, c, a, f, q)
		alarms, caught, quiets, falseAlarms = alarms+a, caught+c, quiets+q, falseAlarms+f
	}
	t.Logf("%-12s caught %3d of %3d, false alarms %d of %3d", "all", caught, alarms, falseAlarms, quiets)
	if total < 400 {
		t.Errorf("the corpus has %d calls, want at least 400", total)
	}
	if caught*100 < alarms*98 {
		t.Errorf("caught %d of %d, want at least 98 %%", caught, alarms)
	}
	if falseAlarms*100 > quiets {
		t.Errorf("%d false alarms of %d, want at most 1 %%", falseAlarms, quiets)
	}
}

func summary(f command.Facts) string {
	out, err := json.Marshal(struct {
		Destructive []command.Finding
		Opaque      []string
		ReadOnly    bool
		Mutation    string
		Interactive string
		Unjudged    command.Reason
		Detail      string
	}{f.Destructive, f.Opaque, f.ReadOnly, f.Mutation, f.Interactive, f.Unjudged, f.Detail})
	if err != nil {
		return err.Error()
	}
	return string(out)
}
