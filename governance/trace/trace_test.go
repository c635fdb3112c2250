package trace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// In a copy of the test binary started by TestConcurrentAppends this appends
// as hook processes do.
func TestMain(m *testing.M) {
	if root := os.Getenv("TRACE_TEST_ROOT"); root != "" {
		for i := range 20 {
			if err := Append(root, Decision("same-session", "grimoire.tool-policy", "pre_tool_use", VerdictBlock,
				&Call{Tool: strings.Repeat("x", i)}, []string{"rule"})); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

func ledgerPath(root string) string { return filepath.Join(root, filepath.FromSlash(File)) }

func lines(t *testing.T, root string) []string {
	t.Helper()
	data, err := os.ReadFile(ledgerPath(root))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

func appendAll(t testing.TB, root string, rs ...Record) {
	t.Helper()
	for _, r := range rs {
		if err := Append(root, r); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAppendWritesTheExistingKitsLine(t *testing.T) {
	root := t.TempDir()
	r := Decision("sess-1", "grimoire.tool-policy", "pre_tool_use", VerdictBlock,
		&Call{Tool: "Bash", Args: HashArgs([]byte(`{"command":"x"}`)), ID: "toolu_1"}, []string{"no-destructive-without-strict"})
	r.Task, r.Host, r.Took, r.At = "bootstrap", "host-claude-code-cli", 3100*time.Microsecond, noon
	r.Evidence = []string{"_grimoire-output/evidence/bootstrap"}
	appendAll(t, root, r)

	line := lines(t, root)[0]
	var got map[string]any
	if err := json.Unmarshal([]byte(line), &got); err != nil {
		t.Fatal(err)
	}
	id := got["id"].(string)
	if !strings.HasPrefix(id, "TRC-sess-1-") {
		t.Errorf("id %s", id)
	}
	line = strings.Replace(line, id, "ID", 1)
	want := `{"id":"ID","schema_version":"grimoire.trace.v1","run_id":"sess-1","workflow_instance_id":"","mission_id":"","task_id":"bootstrap","recipe_id":"grimoire.tool-policy",` +
		`"agent":{"agent_id":"","host_id":"host-claude-code-cli","model":""},"outcome":"failure",` +
		`"tool_calls":[{"tool":"Bash","verdict":"block","args_hash":"` + HashArgs([]byte(`{ "command" : "x" }`)) + `","policy_verdict_id":"","latency_ms":3.1,"timestamp":"2026-01-01T12:00:00.000000+00:00","call_id":"toolu_1"}],` +
		`"policy_verdicts":[],"evidence_refs":["_grimoire-output/evidence/bootstrap"],"stats":{"error_count":0,"retry_count":0,"quality_score":0.0,"latency_ms":3.1},` +
		`"token_usage":{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0,"estimated_cost_usd":0.0},` +
		`"tags":["pre_tool_use","block","rule:no-destructive-without-strict"],"started_at":"2026-01-01T12:00:00.000000+00:00","completed_at":"2026-01-01T12:00:00.003100+00:00"}`
	if line != want {
		t.Errorf("got\n%s\nwant\n%s", line, want)
	}
}

func TestHashArgs(t *testing.T) {
	a, b := HashArgs([]byte(`{"a":1,"b":2}`)), HashArgs([]byte(` {"b":2, "a":1} `))
	if a != b || len(a) != 16 || a == HashArgs([]byte(`{"a":1,"b":3}`)) || len(HashArgs([]byte(`not json`))) != 16 {
		t.Errorf("got %s, %s", a, b)
	}
}

func TestFacts(t *testing.T) {
	root := t.TempDir()
	appendAll(t, root,
		Dispatch("concierge", "T-1"),
		Miss("infra", "terraform", "backend-engineer", "aucun agent\nterraform  déclaré"),
		Miss("tests", "", "", ""),
		NotEvaluated("", "grimoire.tool-policy", "pre_tool_use", "deadline", &Call{Tool: "Bash"}),
		Approval("s", "3fa9c1d2e8b0", []string{"rm"}))
	var got []string
	skipped, err := Read(root, func(e *Entry) {
		got = append(got, fmt.Sprintf("%s|%s|%s|%s|%s", strings.TrimRight(e.Run, "0123456789abcdef"), e.Recipe, e.Outcome, e.Agent, strings.Join(e.Tags, ",")))
	})
	want := []string{
		"entry-persona-|grimoire.entry-persona|success|concierge|agent.dispatch",
		"concierge-miss-|grimoire.entry-persona.miss|failure|backend-engineer|agent.miss,category:infra,specialty:terraform,reason:aucun agent terraform déclaré",
		"concierge-miss-|grimoire.entry-persona.miss|failure||agent.miss,category:tests",
		"session-unknown|grimoire.tool-policy|aborted||pre_tool_use,not_evaluated,cause:deadline",
		"s|grimoire.policies.approve|success||policy.approval,action:3fa9c1d2e8b0,rule:rm",
	}
	if err != nil || skipped != 0 || !slices.Equal(got, want) {
		t.Errorf("skipped %d, %v, got\n%s", skipped, err, strings.Join(got, "\n"))
	}
}

func TestHostileTextsStayOnOneShortLine(t *testing.T) {
	root := t.TempDir()
	r := Decision("run\n\x00\xff", "d", "pre_tool_use", VerdictAllow, &Call{Tool: strings.Repeat("é\n", 1<<16)}, slices.Repeat([]string{strings.Repeat("\x01", 1000)}, 1000))
	r.Evidence = slices.Repeat([]string{"x"}, 1000)
	appendAll(t, root, r)
	got := lines(t, root)
	if len(got) != 1 || !json.Valid([]byte(got[0])) || len(got[0]) > maxLine {
		t.Fatalf("%d lines of %d bytes", len(got), len(got[0]))
	}
	if skipped, _ := Read(root, func(*Entry) {}); skipped != 0 {
		t.Error("not read back")
	}
}

func TestConcurrentAppends(t *testing.T) {
	root := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			cmd := exec.Command(self)
			cmd.Env = append(os.Environ(), "TRACE_TEST_ROOT="+root)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	wg.Wait()
	ids := map[string]bool{}
	for _, l := range lines(t, root) {
		var v struct{ ID string }
		if err := json.Unmarshal([]byte(l), &v); err != nil {
			t.Fatalf("%v: %s", err, l)
		}
		ids[v.ID] = true
	}
	if len(ids) != 16*20 {
		t.Errorf("%d distinct ids", len(ids))
	}
}

func TestAppendReportsWhatItCannotWrite(t *testing.T) {
	if err := Append(filepath.Join(t.TempDir(), "absent"), Dispatch("a", "")); err == nil {
		t.Error("no project: no error")
	}
	root := t.TempDir()
	if err := os.MkdirAll(ledgerPath(root), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Append(root, Dispatch("a", "")); err == nil {
		t.Error("a folder in its place: no error")
	}
	if _, err := Read(root, func(*Entry) {}); err == nil {
		t.Error("a folder in its place: read")
	}

	root, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(root, "_grimoire-output")); err != nil {
		t.Skip(err)
	}
	if err := Append(root, Dispatch("a", "")); err == nil {
		t.Error("wrote through a link that leaves the project")
	}
}

func TestReadSkipsBadLines(t *testing.T) {
	good := `{"run_id":"r","tags":["x"]}`
	text := strings.Join([]string{good, "", "  ", "{", "null", "[]", `"a"`, good + good, strings.Repeat("[", 1<<15), `{"tags":3,"tool_calls":[1,{"tool":2}],"agent":[]}`,
		`{"a":"` + strings.Repeat("x", 2*maxLine) + `"}`, "\xff\xfe", good}, "\n")
	n := 0
	skipped, err := read(strings.NewReader(text), func(e *Entry) { n++ })
	if err != nil || n != 3 || skipped != 8 {
		t.Errorf("read %d, skipped %d, %v", n, skipped, err)
	}
	if _, err := Read(t.TempDir(), func(*Entry) { t.Error("a line in no file") }); err != nil {
		t.Error(err)
	}
}

func TestSummarize(t *testing.T) {
	root := t.TempDir()
	at := func(r Record, day int, host string) Record {
		r.At, r.Host = noon.AddDate(0, 0, day), host
		return r
	}
	appendAll(t, root,
		at(Decision("s", "d", "pre_tool_use", VerdictBlock, &Call{Tool: "Bash"}, []string{"rm", "budget"}), 0, "host-claude-code-cli"),
		at(Decision("s", "d", "pre_tool_use", VerdictAsk, &Call{Tool: "Bash"}, []string{"rm"}), 0, "claude-code-cli"),
		at(Decision("s", "d", "pre_tool_use", VerdictAllow, &Call{Tool: "Write"}, nil), 31, ""),
		at(NotEvaluated("s", "d", "pre_tool_use", "deadline", &Call{Tool: "Bash"}), 31, "host-codex-cli"),
		at(NotEvaluated("s", "d", "stop", "panic", nil), 31, "host-codex-cli"),
		at(NotEvaluated("s", "d", "pre_tool_use", "deadline", nil), 31, "host-codex-cli"),
		at(Decision("s", "gate", "stop", VerdictBlock, nil, nil), 31, "host-codex-cli"),
	)
	f, _ := os.OpenFile(ledgerPath(root), os.O_APPEND|os.O_WRONLY, 0)
	fmt.Fprint(f, "broken\n", `{"tool_calls":[{"tool":"Read","verdict":"deny"}]}`)
	f.Close()

	rep, err := Summarize(root, time.Time{}, ByMonth)
	if err != nil {
		t.Fatal(err)
	}
	show := func(rows []Row) string {
		var out []string
		for _, r := range rows {
			out = append(out, fmt.Sprintf("%s %d/%d/%d/%d %.2f", r.Name, r.Calls, r.Blocked, r.Asked, r.NotEvaluated, r.Rate))
		}
		return strings.Join(out, "; ")
	}
	for _, tt := range []struct{ name, got, want string }{
		{"total", show([]Row{{"", rep.Total}}), " 5/2/1/1 0.50"},
		{"tools", show(rep.Tools), "Bash 3/1/1/1 0.50; Read 1/1/0/0 1.00; Write 1/0/0/0 0.00"},
		{"rules", show(rep.Rules), "rm 2/1/1/0 0.50; budget 1/1/0/0 1.00"},
		{"hosts", show(rep.Hosts), "? 2/1/0/0 0.50; host-claude-code-cli 2/1/1/0 0.50; host-codex-cli 1/0/0/1 0.00"},
		{"periods", show(rep.Periods), "2026-01 2/1/1/0 0.50; 2026-02 2/0/0/1 0.00; ? 1/1/0/0 1.00"},
		{"causes", fmt.Sprint(rep.Causes, rep.Skipped), "[{deadline 2} {panic 1}] 1"},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, tt.got, tt.want)
		}
	}
	since, err := Summarize(root, noon.AddDate(0, 0, 30), ByDay)
	if err != nil || since.Total.Calls != 2 || len(since.Periods) != 1 || since.Periods[0].Name != "2026-02-01" {
		t.Errorf("since: %+v, %v", since, err)
	}
	empty, err := Summarize(t.TempDir(), time.Time{}, ByDay)
	if out, _ := json.Marshal(empty); err != nil || empty.Total.Rate != 0 || bytes.Contains(out, []byte("null")) {
		t.Errorf("empty: %s, %v", out, err)
	}
}

func TestDispatches(t *testing.T) {
	root := t.TempDir()
	miss := func(day int, r Record) Record { r.At = noon.AddDate(0, 0, day); return r }
	appendAll(t, root,
		miss(0, Dispatch("concierge", "")), miss(5, Dispatch("concierge", "")), miss(1, Dispatch("scribe", "")), Dispatch("", ""),
		miss(3, Miss("infra", "terraform", "backend", "")), miss(1, Miss("other", "terraform", "scribe", "")), miss(2, Miss("tests", "", "", "")))
	f, _ := os.OpenFile(ledgerPath(root), os.O_APPEND|os.O_WRONLY, 0)
	for _, l := range []string{
		`{"started_at":"tomorrow","agent":{"agent_id":"scribe"},"tags":["agent.dispatch"]}`,
		`{"started_at":"2999-01-01T00:00:00","agent":{"agent_id":""},"tags":["agent.miss","category:c","specialty:a","specialty:b"]}`,
		`{"tags":["agent.miss","specialty:"]}`,
	} {
		fmt.Fprintln(f, l)
	}
	f.Close()
	chosen, missed, err := Dispatches(root)
	if err != nil {
		t.Fatal(err)
	}
	want := []Chosen{{"concierge", 2, "2026-01-06T12:00:00.000000+00:00"}, {"scribe", 2, "tomorrow"}}
	if !slices.Equal(chosen, want) {
		t.Errorf("chosen: %+v", chosen)
	}
	wantMissed := []Missed{
		{Unspecified, 2, "2026-01-03T12:00:00.000000+00:00", "tests", ""},
		{"terraform", 2, "2026-01-04T12:00:00.000000+00:00", "infra", "backend"},
		{"b", 1, "2999-01-01T00:00:00", "c", ""},
	}
	if !slices.Equal(missed, wantMissed) {
		t.Errorf("missed: %+v", missed)
	}
}

// A long ledger is read in bounded memory, and appended to without a look.
func TestLongLedger(t *testing.T) {
	root := t.TempDir()
	appendAll(t, root, Decision("s", "d", "pre_tool_use", VerdictBlock, &Call{Tool: "Bash"}, []string{"rm"}))
	line, err := os.ReadFile(ledgerPath(root))
	if err != nil {
		t.Fatal(err)
	}
	const n = 100_000
	if err := os.WriteFile(ledgerPath(root), bytes.Repeat(line, n), 0o644); err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	peak := uint64(0)
	count := 0
	if _, err := Read(root, func(*Entry) {
		if count++; count%20_000 == 0 {
			runtime.GC()
			runtime.ReadMemStats(&after)
			peak = max(peak, after.HeapAlloc)
		}
	}); err != nil {
		t.Fatal(err)
	}
	if count != n || peak > before.HeapAlloc+4<<20 {
		t.Errorf("read %d lines, heap grew by %d bytes over a file of %d", count, peak-before.HeapAlloc, n*len(line))
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"id":"x","tags":["agent.miss","specialty:a"],"tool_calls":[{"tool":"Bash","verdict":"block"}]}` + "\n{"))
	f.Add([]byte("\n\n\xff\n[[[["))
	f.Fuzz(func(t *testing.T, data []byte) {
		n := 0
		skipped, err := read(bytes.NewReader(data), func(*Entry) { n++ })
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		for _, l := range bytes.Split(data, []byte("\n")) {
			if len(bytes.TrimSpace(l)) > 0 {
				want++
			}
		}
		if n+skipped != want {
			t.Errorf("%d read, %d skipped, of %d", n, skipped, want)
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	root := b.TempDir()
	r := Decision("s", "d", "pre_tool_use", VerdictBlock, &Call{Tool: "Bash", Args: "0123456789abcdef"}, []string{"rm"})
	for b.Loop() {
		if err := Append(root, r); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSummarize(b *testing.B) {
	root := b.TempDir()
	for range 1000 {
		appendAll(b, root, Decision("s", "d", "pre_tool_use", VerdictBlock, &Call{Tool: "Bash"}, []string{"rm"}))
	}
	for b.Loop() {
		if _, err := Summarize(root, time.Time{}, ByDay); err != nil {
			b.Fatal(err)
		}
	}
}
