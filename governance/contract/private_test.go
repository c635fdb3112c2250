package contract

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// private is what a capture must not tell of the machine and of the person
// that made it.
//
// Codex calls its sub-agents /root/<name>.
var private = map[string]*regexp.Regexp{
	"a home folder":     regexp.MustCompile(`/(home|Users)/[A-Za-z0-9]|/root/[^"/\\]+/|[A-Z]:\\+Users\\`),
	"a temporary place": regexp.MustCompile(`/tmp/[A-Za-z0-9.-]*(run|lab|capture)|/var/folders/`),
	"an e-mail address": regexp.MustCompile(`[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+\.[A-Za-z]{2,}`),
	"a token": regexp.MustCompile(`\b(sk-[A-Za-z0-9-]{12,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|xox[bap]-[0-9A-Za-z-]{10,}|` +
		`AKIA[0-9A-Z]{16}|eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,})|[Bb]earer [A-Za-z0-9._-]{12,}`),
	"an id of a session": uuid,
	"an id of an event":  eventID,
}

func TestCapturesTellNothingOfTheirMaker(t *testing.T) {
	n := 0
	err := filepath.WalkDir(filepath.Join("testdata", "captures"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".json" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		n++
		for what, pattern := range private {
			if found := pattern.Find(data); found != nil {
				t.Errorf("%s: %s: %s", path, what, found)
			}
		}
		return nil
	})
	if err != nil || n == 0 {
		t.Errorf("%d captures, %v", n, err)
	}
}

// The test can fail: each pattern knows what it is about.
func TestPrivatePatterns(t *testing.T) {
	for what, text := range map[string]string{
		"a home folder":      `{"cwd": "/home/ada/shelf"}`,
		"a temporary place":  `{"cwd": "/tmp/grimoire-run12/shelf"}`,
		"an e-mail address":  `ada@lovelace.example`,
		"a token":            `Authorization: Bearer abcdefghijklmnop`,
		"an id of a session": `ses_0123456789abcdefghijABCD`,
		"an id of an event":  `dir-0123456789ab`,
	} {
		if !private[what].MatchString(text) {
			t.Errorf("%s is not found in %s", what, text)
		}
	}
	s := NewScrubber("/home/ada/shelf", "<PROJECT>")
	one, two := "11111111-2222-3333-4444-555555555555", "21111111-2222-3333-4444-555555555555"
	got := s.Scrub(one + " " + two + " " + one + " /home/ada/shelf/x dir-0123456789ab 2026-01-02T03:04:05Z a0123456789abcdef")
	if want := "<SESSION_ID> <SESSION_ID_2> <SESSION_ID> <PROJECT>/x dir-<ID> <TIME> <AGENT_ID>"; got != want {
		t.Errorf("scrubbed to %s", got)
	}
}
