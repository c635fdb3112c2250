package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// floorProgram is built on the spot, as the hook is.
func floorProgram(tb testing.TB) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "floor")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	if out, err := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", path, "./testdata/floor").CombinedOutput(); err != nil {
		tb.Fatalf("build the floor program: %v\n%s", err, out)
	}
	return path
}

// cost is what one process took, fork to exit.
type cost struct{ wall, cpu time.Duration }

func measure(tb testing.TB, root, program, payload string, args ...string) cost {
	tb.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Stdin = root, strings.NewReader(payload)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	start := time.Now()
	if err := cmd.Run(); err != nil {
		tb.Fatal(err)
	}
	wall := time.Since(start)
	return cost{wall, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
}

// A refusal as it costs most: rules, session, profile, language and trace.
var governed = map[string]string{
	"project-context.yaml":                     "project: {name: demo}\nuser: {language: Français}\n",
	"_grimoire/standard/standard-profile.yaml": "profile: governed\n",
	"_grimoire/standard/policies.yaml": `rules:
  - id: rm-requires-approval
    verdict_on_match: warn
    tool_pattern: "Bash(rm:*)"
    require_approval: true
    cooldown_after: {pattern: "Bash(rm:*)", count: 5, minutes: 10}
  - id: session-write-budget
    verdict_on_match: warn
    per_session: {max_writes: 1000000, max_tool_calls: 2000000}
  - id: no-push-to-main
    verdict_on_match: block
    tool_pattern: "Bash(git push:*)"
    action_kinds: [tool_use]
    reason_template: "Push goes through a review"
`,
}

type bench struct {
	name   string
	files  map[string]string
	line   string
	traces int
	// event is the one called, with its payload; "" is a tool call of line.
	event, payload string
	// events fill a ledger of which the session holds one task.
	events int
}

var benches = []bench{
	{name: "read-only", line: "git status && cat README.md | grep -n x"},
	{name: "read-only/enrolled", files: map[string]string{"_grimoire/standard/standard-profile.yaml": "profile: governed\n"}, line: "git status && cat README.md | grep -n x"},
	{name: "refused", files: governed, line: "touch PROOF && rm -rf build"},
	{name: "refused/traces=10000", files: governed, line: "touch PROOF && rm -rf build", traces: 10_000},
	{name: "refused/traces=100000", files: governed, line: "touch PROOF && rm -rf build", traces: 100_000},
}

func init() {
	only := map[string]string{"_grimoire/standard/standard-profile.yaml": "profile: governed\n"}
	for _, n := range []int{1000, 100_000} {
		for _, event := range []string{"PreToolUse", "SessionStart", "UserPromptSubmit", "PostToolUse", "Stop"} {
			bm := bench{name: fmt.Sprintf("%s/events=%d", event, n), files: only, event: event, events: n}
			if bm.payload = events("s")["claude"][event]; event == "PreToolUse" {
				bm.payload = bash("s", "touch x")
			}
			benches = append(benches, bm)
		}
	}
}

// BenchmarkProcess prints what a call costs, fork to exit, beside the floor:
// pairs run by turns, medians of each, in milliseconds. It fails on no time:
// a machine may be slow.
func BenchmarkProcess(b *testing.B) {
	floor := floorProgram(b)
	for _, bm := range benches {
		b.Run(bm.name, func(b *testing.B) {
			root := repo(b, bm.files)
			grow(b, root, bm.traces)
			event, payload := "PreToolUse", bash("s", bm.line)
			if bm.event != "" {
				event, payload = bm.event, bm.payload
				fillLedger(b, root, bm.events)
			}
			var low, high, lowCPU, highCPU []time.Duration
			pair := func() {
				f := measure(b, root, floor, payload)
				h := measure(b, root, hook, payload, "--host", "claude", "--event", event)
				low, high = append(low, f.wall), append(high, h.wall)
				lowCPU, highCPU = append(lowCPU, f.cpu), append(highCPU, h.cpu)
			}
			pair()
			low, high, lowCPU, highCPU = nil, nil, nil, nil
			for b.Loop() {
				pair()
			}
			report := func(d time.Duration, unit string) { b.ReportMetric(float64(d)/1e6, unit) }
			report(median(low), "floor-ms")
			report(median(high), "hook-ms")
			report(median(high)-median(low), "over-ms")
			report(median(highCPU)-median(lowCPU), "over-cpu-ms")
			b.ReportMetric(float64(median(high))/float64(median(low)), "ratio")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

// grow gives a project a trace of n lines, each as the hook writes them.
func grow(tb testing.TB, root string, n int) {
	tb.Helper()
	run(tb, root, bash("s", "touch PROOF && rm -rf build"), nil, "--host", "claude", "--event", "PreToolUse")
	if n == 0 {
		return
	}
	path := filepath.Join(root, "_grimoire-output", "traces", "traces.jsonl")
	line, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Repeat(string(line), n)), 0o644); err != nil {
		tb.Fatal(err)
	}
}
