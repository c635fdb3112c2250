package failpoint

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestMain(m *testing.M) {
	if as := os.Getenv("FAILPOINT_CHILD"); as != "" {
		if as == "armed" {
			Arm()
		}
		for range 3 {
			Hit("other")
			Hit("step")
			_, _ = os.Stdout.WriteString("x")
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestHitKillsTheProcess(t *testing.T) {
	tests := []struct {
		value, out string
		killed     bool
	}{
		{"", "xxx", false},
		{"step", "", true},
		{"step:1", "", true},
		{"step:3", "xx", true},
		{"step:4", "xxx", false},
		{"nowhere", "xxx", false},
		{"step:nonsense", "", true},
	}
	for _, tt := range tests {
		t.Run(tt.value, func(t *testing.T) {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), "FAILPOINT_CHILD=armed", Variable+"="+tt.value)
			var out strings.Builder
			cmd.Stdout = &out
			err := cmd.Run()
			if killed := err != nil; killed != tt.killed || out.String() != tt.out {
				t.Fatalf("killed %v, wrote %q; want killed %v, %q", killed, out.String(), tt.killed, tt.out)
			}
		})
	}
}

// grimoire-hook is such a program.
func TestAProgramThatDoesNotArmCannotBeKilled(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "FAILPOINT_CHILD=unarmed", Variable+"=step")
	if out, err := cmd.Output(); err != nil || string(out) != "xxx" {
		t.Fatalf("%q, %v", out, err)
	}
}

func BenchmarkHitUnarmed(b *testing.B) {
	for b.Loop() {
		Hit("step")
	}
}
