package plugin

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

// Every third party below is a real program. Beside it a bundled host is asked,
// which must have its plan whatever becomes of the other.
func TestEveryFailureIsNamed(t *testing.T) {
	for name, c := range map[string]struct {
		phase  Phase
		cause  Cause
		says   string // in the English text
		stderr string // a line of it
	}{
		"crash":        {PhaseEmit, Crashed, "exit status 3", "line 29"},
		"garbage":      {PhaseHandshake, Garbage, "Loading configuration", ""},
		"hang":         {PhaseEmit, Slow, "did not return its plan within 4s", ""},
		"illegal":      {PhaseValidate, IllegalPlan, `"../outside": leaves its folder`, ""},
		"incompatible": {PhaseHandshake, ProtocolTooNew, "protocol 99, which is too new: this grimoire speaks 1", ""},
		"noplugin":     {PhaseHandshake, NotAPlugin, "exit status 64", "usage: noplugin <file>"},
		"refuse":       {PhaseEmit, EmitterError, "no persona is an entry point", ""},
	} {
		t.Run(name, func(t *testing.T) {
			host := trusted(t, name)
			s := sampleProject(2)
			s.ProjectName = "../outside"
			l := &Launcher{RunsHook: onlyHook, Start: time.Minute, Call: time.Minute}
			if name == "hang" {
				s.ProjectName = t.TempDir() + "/pids"
				l.Call = 4 * time.Second
			}
			outcomes := l.Run(context.Background(), []Host{host, bundledHosts(t)[0]}, s)
			if bundled := outcomes[1]; bundled.Plan == nil {
				t.Errorf("the other host has no plan: %v", bundled.Failure)
			}
			f := outcomes[0].Failure
			if f == nil {
				t.Fatal("no failure")
			}
			if f.Host != "host-"+name || f.Phase != c.phase || f.Cause != c.cause || !strings.Contains(f.Text.EN, c.says) {
				t.Errorf("got %s, cause %s\n%s", f, f.Cause, strings.Join(f.Stderr, "\n"))
			}
			if c.stderr != "" && !slices.Contains(f.Stderr, c.stderr) {
				t.Errorf("stderr lacks %q: %q", c.stderr, f.Stderr)
			}
			if f.Text.FR == "" || f.Text.FR == f.Text.EN {
				t.Errorf("no French: %q", f.Text.FR)
			}
			if strings.ContainsRune(f.Text.EN, '\x1b') {
				t.Errorf("the text drives the terminal: %q", f.Text.EN)
			}
		})
	}
}

// A plugin's last words arrive, in order, whichever way it said them.
func TestCrashKeepsTheLastLines(t *testing.T) {
	l := &Launcher{RunsHook: onlyHook}
	f := l.Run(context.Background(), []Host{trusted(t, "crash")}, sampleProject(1))[0].Failure
	if f == nil || len(f.Stderr) != stderrLines {
		t.Fatalf("%v", f)
	}
	want := []string{"line 29", "printed on stdout", "[WARN]  crash: logged"}
	if got := f.Stderr[stderrLines-3:]; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestDeadlines(t *testing.T) {
	if StartDeadline != 10*time.Second || CallDeadline != 10*time.Second {
		t.Errorf("start %s, call %s", StartDeadline, CallDeadline)
	}
	r, err := (&Launcher{}).begin()
	if err != nil {
		t.Fatal(err)
	}
	defer r.end()
	if r.start != StartDeadline || r.call != CallDeadline || r.maxMessage != pluginsdk.MaxMessage {
		t.Errorf("start %s, call %s, message %d", r.start, r.call, r.maxMessage)
	}
}

func TestCanceledRunReturns(t *testing.T) {
	s := sampleProject(1)
	s.ProjectName = t.TempDir() + "/pids"
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	hosts, outcomes := []Host{trusted(t, "hang")}, make(chan []Outcome)
	go func() { outcomes <- (&Launcher{RunsHook: onlyHook, Call: time.Minute}).Run(ctx, hosts, s) }()
	waitForPids(t, s.ProjectName)
	cancel()
	f := (<-outcomes)[0].Failure
	if f == nil || f.Cause != Canceled || f.Phase != PhaseEmit {
		t.Errorf("%v", f)
	}

	f = (&Launcher{RunsHook: onlyHook}).Run(ctx, bundledHosts(t)[:1], s)[0].Failure
	if f == nil || f.Cause != Canceled {
		t.Errorf("a run given up before it began: %v", f)
	}
}

// gRPC's own limit, 4 MiB, is less than a large project.
func TestLargeMessages(t *testing.T) {
	s := sampleProject(2000)
	for i := range s.Agents {
		s.Agents[i].Description = strings.Repeat("é", 1500)
	}
	hosts := bundledHosts(t)[:1]
	out := (&Launcher{RunsHook: onlyHook}).Run(context.Background(), hosts, s)[0]
	if out.Failure != nil || len(out.Plan.Files) != 2000 {
		t.Fatalf("%v", out.Failure)
	}
	f := (&Launcher{RunsHook: onlyHook, MaxMessage: 1 << 20}).Run(context.Background(), hosts, s)[0].Failure
	if f == nil || f.Cause != TooLarge || f.Phase != PhaseEmit || !strings.Contains(f.Text.EN, "1 MiB") {
		t.Errorf("%v", f)
	}
}

func TestSurfaceThatIsNotUTF8(t *testing.T) {
	s := sampleProject(1)
	s.Skills = []surface.Skill{{Slug: "a", Body: "\xff"}}
	for _, out := range (&Launcher{RunsHook: onlyHook}).Run(context.Background(), bundledHosts(t), s) {
		if out.Failure == nil || !strings.Contains(out.Failure.Text.EN, "UTF-8") {
			t.Errorf("%v", out.Failure)
		}
	}
}

func TestMissingExecutable(t *testing.T) {
	l := &Launcher{RunsHook: onlyHook, Self: t.TempDir() + "/gone"}
	for _, out := range l.Run(context.Background(), bundledHosts(t), sampleProject(1)) {
		if out.Failure == nil || out.Failure.Cause != System || out.Failure.Phase != PhaseLaunch {
			t.Errorf("%v", out.Failure)
		}
	}
}

func TestProtocolTooOld(t *testing.T) {
	f := protocol(Host{Profile: pluginsdk.Profile{ID: "host-old", Aliases: []string{"old"}}}, 0)
	if f.Cause != ProtocolTooOld || !strings.Contains(f.Text.EN, "protocol 0, which is too old: this grimoire speaks 1") || !strings.Contains(f.Text.FR, "protocole 0, trop ancien") {
		t.Errorf("%v", f)
	}
}

// A project chooses the path in the line that its user will paste.
func TestRemedyIsQuoted(t *testing.T) {
	host := Host{origin: "/tmp/a $(touch evil)'/b"}
	f := failure(host, PhaseLaunch, NotTrusted, textf("non", "no"))
	if !strings.HasSuffix(f.Text.EN, `grimoire plugin trust "/tmp/a \$(touch evil)'/b"`) {
		t.Errorf("%s", f.Text.EN)
	}
}

func TestEveryCauseHasARemedy(t *testing.T) {
	for _, cause := range []Cause{NotFound, NotTrusted, DigestChanged, NotAPlugin, ProtocolTooOld, ProtocolTooNew, Crashed, Slow, Garbage, TooLarge, IllegalPlan, PathTaken, IllegalProfile, OtherProfile} {
		if r := remedies[cause]; r.FR == "" || r.EN == "" {
			t.Errorf("%s has none", cause)
		}
	}
}

func TestTail(t *testing.T) {
	var lines tail
	for i := range 50 {
		fmt.Fprintf(&lines, "a %d\nb", i)
	}
	fmt.Fprintf(&lines, "%s\n\n\x1b[2Jc\r\n%s", strings.Repeat("x", 5000), "no newline")
	got := lines.last()
	if len(got) != stderrLines {
		t.Fatalf("%d lines", len(got))
	}
	if last := got[stderrLines-3:]; last[0] != ("b" + strings.Repeat("x", 5000))[:stderrLineBytes] || last[1] != "[2Jc" || last[2] != "no newline" {
		t.Errorf("%q", last)
	}
}
