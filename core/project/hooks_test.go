package project

import (
	"fmt"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/surface"
)

const policies = "_grimoire/standard/policies.yaml"

func TestHooks(t *testing.T) {
	enrolled := map[string]string{"_grimoire/standard/standard-profile.yaml": "profile: governed\n"}
	with := func(files map[string]string, rules string) map[string]string {
		out := map[string]string{policies: rules}
		for k, v := range files {
			out[k] = v
		}
		return out
	}
	const (
		rule     = "rules:\n  - id: a\n    verdict_on_match: block\n"
		reads    = rule + "    tool_pattern: Read\n    per_session: {max_tool_calls: 3}\n"
		web      = rule + "    tool_pattern: WebFetch\n"
		all      = rule + "    per_session: {max_tool_calls: 3}\n"
		gates    = "user_prompt_submit subagent_stop pre_compact stop "
		everyone = "[execute write secret read network delegation mcp other]"
	)
	for name, tt := range map[string]struct {
		files     map[string]string
		gates     bool
		pre, post string
		warnings  int
	}{
		"bare":               {nil, false, "[execute write secret mcp]", "", 0},
		"enrolled":           {enrolled, true, "[execute write secret mcp]", "[execute write delegation mcp]", 0},
		"reads counted":      {with(nil, reads), false, "[execute write secret read mcp]", "[execute write read delegation mcp]", 0},
		"reads, enrolled":    {with(enrolled, reads), true, "[execute write secret read mcp]", "[execute write read delegation mcp]", 0},
		"network, by itself": {with(nil, web), false, "[execute write secret network mcp]", "", 0},
		"everything counted": {with(nil, all), false, everyone, everyone, 0},
		"no rules":           {with(nil, "rules: []\n"), false, "[execute write secret mcp]", "", 0},
		"malformed":          {with(nil, rule+"    tool_patern: Read\n"), false, everyone, everyone, 1},
		"not YAML":           {with(nil, "rules: [\n"), false, everyone, everyone, 1},
		"a folder":           {map[string]string{policies + "/": ""}, false, everyone, everyone, 1},
	} {
		t.Run(name, func(t *testing.T) {
			p := load(t, tt.files)
			var events string
			for _, h := range p.Surface.Hooks {
				if strings.Contains(gates, string(h.Event)+" ") {
					events += string(h.Event) + " "
					if len(h.Matcher) > 0 {
						t.Errorf("%s has the matcher %v", h.Event, h.Matcher)
					}
				}
				if h.Rationale == "" || h.Matcher == nil || h.OnFailure != p.Profile.OnFailure() {
					t.Errorf("%+v", h)
				}
			}
			if got := events == gates; got != tt.gates || !tt.gates && events != "" {
				t.Errorf("gates %q", events)
			}
			pre, ok := p.Surface.Hook(surface.PreToolUse)
			if got := fmt.Sprint(pre.Matcher); !ok || got != tt.pre || pre.Enforcement != surface.Blocking || pre.Timeout != 10 {
				t.Errorf("pre_tool_use %+v, want %s", pre, tt.pre)
			}
			post, ok := p.Surface.Hook(surface.PostToolUse)
			if got := fmt.Sprint(post.Matcher); ok != (tt.post != "") || ok && got != tt.post {
				t.Errorf("post_tool_use %+v, want %s", post, tt.post)
			}
			if _, failures := p.Surface.Hook(surface.PostToolUseFailure); failures != ok {
				t.Errorf("post_tool_use_failure %v: approvals of what failed are recorded where those of what passed are", failures)
			}
			if start, ok := p.Surface.Hook(surface.SessionStart); !ok || start.Timeout != 30 || start.Decision != "grimoire.activation" {
				t.Errorf("session_start %+v", start)
			}
			if len(p.Warnings) != tt.warnings {
				t.Errorf("warnings %+v", p.Warnings)
			}
			for _, w := range p.Warnings {
				if w.Path != policies || !strings.Contains(w.Text.EN, "GR-POL-002") || strings.Contains(w.Text.EN, policies) {
					t.Errorf("warning %+v", w)
				}
			}
		})
	}
}

func TestPermissions(t *testing.T) {
	s := load(t, nil).Surface
	if got := len(s.Permissions.Deny); got != 19 || s.Permissions.Deny[0] != "read:**/.env" || s.Permissions.Deny[18] != "read:**/service-account*.json" {
		t.Errorf("deny %v", s.Permissions.Deny)
	}
	if got, want := fmt.Sprint(s.Permissions.Ask), "[execute:rm -rf * execute:git push --force * execute:git reset --hard * execute:terraform destroy * execute:kubectl delete *]"; got != want {
		t.Errorf("ask %s", got)
	}
	if got, want := fmt.Sprint(s.Permissions.Allow), "[execute:grimoire * execute:git status * execute:git diff * execute:git log *]"; got != want {
		t.Errorf("allow %s", got)
	}
	s = load(t, map[string]string{"_grimoire/standard/standard-profile.yaml": "profile: production\n"}).Surface
	if got, want := fmt.Sprint(s.Permissions.Allow), "[execute:grimoire standard *]"; got != want || len(s.Permissions.Deny) != 19 {
		t.Errorf("production allows %s", got)
	}
}

func TestMCPServers(t *testing.T) {
	const own = "[{grimoire grimoire-mcp [] false false}]"
	for text, want := range map[string]struct {
		servers string
		warning string
	}{
		`{}`:                  {own, ""},
		`{"mcpServers": {}}`:  {own, ""},
		`{"mcpServers": { }}`: {own, ""},
		"\ufeff" + `{"mcpServers":{"z":{"command":"z"},"a":{"command":"a","args":["-x","y"],"env":{"K":"v"}}}}`: {
			"[{z z [] true false} {a a [-x y] true true}]", ""},
		`{"mcpServers":{"a.b":{"command":"a","env":{}}}}`:                                {"[{a.b a [] true false}]", ""},
		`{"mcpServers":{"a":{"type":"http","url":"https://x"}}}`:                         {"[]", `the server "a" has no command`},
		`{"mcpServers":{"a":{"command":"a","args":"x"},"b":{"command":"b","args":[1]}}}`: {"[]", "args must be a list"},
		`{"mcpServers":{"a\nb":{"command":"a"}}}`:                                        {"[]", `the server name "a\nb" cannot be used`},
		`{"mcpServers":{"a":{"command":"x"},"b":{"command":"b"},"a":{"command":"y"}}}`:   {"[{b b [] true false} {a y [] true false}]", ""},
		`{"mcpServers":[]}`:         {own, "mcpServers: an object was expected"},
		`[]`:                        {own, ""},
		"// c\n{}":                  {own, "this is not valid JSON"},
		strings.Repeat("[", 100000): {own, "this is not valid JSON"},
		"\xff":                      {own, "not UTF-8"},
	} {
		p := load(t, map[string]string{".mcp.json": text})
		var warnings string
		for _, w := range p.Warnings {
			warnings += w.In(surface.English) + "\n"
		}
		if got := fmt.Sprint(p.Surface.MCPServers); got != want.servers || (warnings == "") != (want.warning == "") || !strings.Contains(warnings, want.warning) {
			t.Errorf("%.60q: %s, %s", text, got, warnings)
		}
	}
}

func TestSameBundle(t *testing.T) {
	files := map[string]string{
		"_grimoire/overrides/agents/a.md": "---\ntools: [read, edit]\n---\n",
		"_grimoire/kit/agents/b.md":       "---\ntools: [edit, read]\n---\n",
		"_grimoire/kit/agents/c.md":       "---\ntools: [edit, read]\nskills: grimoire-memory\n---\n",
	}
	p := load(t, files)
	if n := p.Surface.Notes; len(n) != 1 || !strings.Contains(n[0].EN, "a == b.") || !strings.Contains(n[0].FR, "a == b.") {
		t.Errorf("notes %v", n)
	}
	delete(files, "_grimoire/kit/agents/b.md")
	if n := load(t, files).Surface.Notes; len(n) != 0 {
		t.Errorf("notes %v", n)
	}
	for i := range 500 {
		files[fmt.Sprintf("_grimoire/agents/p%03d.md", i)] = "Same."
	}
	if n := load(t, files).Surface.Notes; len(n) != 1 || len(n[0].EN) > 1000 || !strings.Contains(n[0].EN, "and 479 more") {
		t.Errorf("notes %v", n)
	}
}

func TestBundledTexts(t *testing.T) {
	slugs := func(s *surface.Surface) string {
		var out []string
		for _, k := range s.Skills {
			out = append(out, k.Slug)
		}
		for _, c := range s.Commands {
			out = append(out, c.Slug+":"+string(c.Source))
		}
		return strings.Join(out, " ")
	}
	plain := slugs(load(t, nil).Surface)
	enrolled := slugs(load(t, map[string]string{"_grimoire/standard/task-board.yaml": ""}).Surface)
	for _, only := range []string{"grimoire-evidence ", "grimoire-gate:host ", "grimoire-proof:host ", "grimoire-verify:host"} {
		if strings.Contains(plain, only) || !strings.Contains(enrolled, only) {
			t.Errorf("%s\nplain:    %s\nenrolled: %s", only, plain, enrolled)
		}
	}
	for _, always := range []string{"grimoire-memory ", "grimoire-agent-dispatch ", "grimoire-doctor:host ", "grimoire-status:workflow"} {
		if !strings.Contains(plain, always) {
			t.Errorf("%s is missing in %s", always, plain)
		}
	}
	for _, lang := range []string{"English", "Français"} {
		s := load(t, map[string]string{"project-context.yaml": "user: {language: " + lang + "}"}).Surface
		for _, k := range s.Skills {
			if k.Body == "\n" || k.Description == k.Slug || !strings.HasSuffix(k.Body, "\n") || strings.HasPrefix(k.Ref, Folder) {
				t.Errorf("%s: %+v", lang, k)
			}
		}
	}
}
