package main

import (
	"os"
	"strings"
	"testing"
	"time"
)

// peer is the command line of another guard that reads Claude Code's payloads,
// to be measured beside ours: "node …/cc-safety-net.js hook --claude-code".
const peer = "GRIMOIRE_PEER"

// BenchmarkPeer prints the CPU time of both, pairs run by turns, medians, on
// the same payloads.
func BenchmarkPeer(b *testing.B) {
	command := strings.Fields(os.Getenv(peer))
	if len(command) == 0 {
		b.Skip("set " + peer + " to the command line of another guard")
	}
	b.Setenv("HOME", b.TempDir())
	for _, line := range []string{"git status && cat README.md", "touch PROOF && rm -rf build", `git commit -m "rm -rf /"`} {
		b.Run(line, func(b *testing.B) {
			root := repo(b, nil)
			payload := bash("s", line)
			var ours, theirs []time.Duration
			for b.Loop() {
				theirs = append(theirs, measure(b, root, command[0], payload, command[1:]...).cpu)
				ours = append(ours, measure(b, root, hook, payload, "--host", "claude", "--event", "PreToolUse").cpu)
			}
			b.ReportMetric(float64(median(theirs))/1e6, "theirs-cpu-ms")
			b.ReportMetric(float64(median(ours))/1e6, "ours-cpu-ms")
			b.ReportMetric(float64(median(theirs))/float64(median(ours)), "ratio")
			b.ReportMetric(0, "ns/op")
		})
	}
}
