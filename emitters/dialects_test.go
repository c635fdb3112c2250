package emitters_test

import (
	"slices"
	"testing"

	"github.com/grimoire-kit/grimoire/emitters"
	"github.com/grimoire-kit/grimoire/pluginsdk/dialect"
)

func TestDialectsParse(t *testing.T) {
	hosts := emitters.Dialects()
	if want := []string{"claude", "codex", "copilot", "gemini", "opencode"}; !slices.Equal(hosts, want) {
		t.Fatalf("Dialects = %v, want %v", hosts, want)
	}
	for _, host := range hosts {
		data, ok := emitters.Dialect(host)
		if !ok {
			t.Fatalf("%s has no dialect", host)
		}
		d, err := dialect.Parse(data)
		if err != nil {
			t.Errorf("%s: %v", host, err)
		} else if d.Host != host {
			t.Errorf("the dialect in folder %s is of host %s", host, d.Host)
		}
	}
}

func TestDialectOfAnotherFolder(t *testing.T) {
	for _, host := range []string{"", ".", "..", "cursor", "zork", "claude/dialect.json", "claude/templates", "../emitters/claude", "./claude"} {
		if _, ok := emitters.Dialect(host); ok {
			t.Errorf("Dialect(%q) found a document", host)
		}
	}
}
