package doctor

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/grimoire-kit/grimoire/governance/trace"
	"github.com/grimoire-kit/grimoire/pluginsdk/dialect"
)

// What nothing judged is counted by cause, as long as it is recent.
func TestNotEvaluated(t *testing.T) {
	recent, old := time.Now().Add(-time.Hour), time.Now().AddDate(0, 0, -blindDays-1)
	line := func(at time.Time, cause string) string {
		tags := `"pre_tool_use"`
		verdict := "allow"
		if cause != "" {
			verdict = trace.VerdictNone
			tags += fmt.Sprintf(`,"%s","cause:%s"`, trace.VerdictNone, cause)
		}
		return fmt.Sprintf(`{"run_id":"s","recipe":"r","agent":"a","host":"host-claude-code-cli","outcome":"ok","tool_calls":[{"tool":"Bash","governance_verdict":"%s"}],"tags":[%s],"started_at":"%s"}`+"\n",
			verdict, tags, at.UTC().Format(time.RFC3339Nano))
	}
	for name, tt := range map[string]struct {
		text  string
		none  bool
		level Level
		want  string
	}{
		"no trace":         {none: true},
		"all judged":       {line(recent, "") + line(recent, ""), false, "", "2 call(s) in 30 days, all judged"},
		"a panic":          {line(recent, "panic") + line(recent, "panic") + line(recent, "deadline") + line(recent, ""), false, Warn, "3 event(s) without a decision in 30 days (panic: 2, deadline: 1)"},
		"bad payloads":     {line(recent, string(dialect.NotJSON)), false, Warn, "(payload_not_json: 1)"},
		"nothing to judge": {line(recent, "no_decider"), false, Info, "(no_decider: 1)"},
		"long ago":         {line(old, "panic") + line(recent, ""), false, "", "all judged"},
		"hostile":          {line(recent, `x\u001b[2Jy`), false, Warn, "(x\ufffd[2Jy: 1)"},
	} {
		files := map[string]string{"project-context.yaml": ""}
		if tt.text != "" {
			files[trace.File] = tt.text
		}
		checks := (&examination{root: write(t, files)}).evaluated()
		if tt.none != (len(checks) == 0) {
			t.Errorf("%s: %+v", name, checks)
			continue
		}
		for _, c := range checks {
			if !c.Passed || c.Level != tt.level || !strings.Contains(c.Detail.EN, tt.want) {
				t.Errorf("%s: %+v", name, c)
			}
		}
	}
}
