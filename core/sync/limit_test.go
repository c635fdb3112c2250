package sync

import (
	"strings"
	"testing"
)

// A section behind a long text of the user's is not read by a host that cuts its
// file, at no sync.
func TestSectionBeyondWhatTheHostReads(t *testing.T) {
	const limit = 400
	for name, tt := range map[string]struct {
		have string
		warn bool
	}{
		"absent":         {"", false},
		"short":          {"# Mine\n", false},
		"long":           {strings.Repeat("mine\n", limit/5), true},
		"nearly as long": {strings.Repeat("mine\n", limit/5-20), true},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			if tt.have != "" {
				write(t, root, "ONE.md", tt.have)
			}
			file := entry("ONE.md", "ours\n")
			file.Limit = limit
			plan := one(file)
			plan.Profile.DisplayName = "Host One"
			opt := Options{EntrySections: true}
			for _, round := range []string{"first", "second"} {
				set := prepare(t, root, opt, plan)
				if got := len(set.Warnings) == 1; got != tt.warn {
					t.Fatalf("%s: warnings %v, want one: %v", round, set.Warnings, tt.warn)
				}
				for _, w := range set.Warnings {
					if !strings.Contains(w.EN, "ONE.md: ") || !strings.Contains(w.EN, "Host One reads the first 400 only") || !strings.Contains(w.FR, "Host One n'en lit que les 400 premiers") {
						t.Errorf("%s: %v", round, w)
					}
				}
				apply(t, set)
			}
			// What the host reads of a file that is not ours at all is not our affair.
			if set := prepare(t, root, Options{}, one(entry("ONE.md", "ours\n"))); len(set.Warnings) != 0 {
				t.Errorf("no limit: %v", set.Warnings)
			}
		})
	}
}
