//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/governance/standard"
)

// A refusal that is provoked, and what leads out of it.
type refused struct {
	name  string
	files map[string]string
	first []string // lines that pass
	line  string   // the one that is refused, or the event that speaks
	// person is what the text asks of a person beside its commands, "" for
	// nothing.
	person string
	// then is the line that must pass afterwards, "" for line.
	then string
	// looks says that the text only names where to look: the refusal is right.
	looks bool
}

const (
	one      = "GAO-the-one-001"
	gatesAt  = "_grimoire/standard/evidence-gates.yaml"
	addOne   = "grimoire task add 'The one' -a 'tests pass' -a \"it's written\" --owner ada --ready"
	claimOne = "grimoire task claim " + one + " --actor \"O'Neil\""
	waitCI   = "grimoire task wait " + one + " --reason ci --actor \"O'Neil\""
)

// event is a line that sends a host's event for a session.
func event(name, session, more string) string {
	doc := `{"session_id":"` + session + `","permission_mode":"default","hook_event_name":"` + name + `"` + more + `}`
	return "printf '%s' '" + doc + "' | grimoire host hook --host claude --event " + name
}

func shellEvent(name, session, command string) string {
	quoted, _ := json.Marshal(command)
	return event(name, session, `,"tool_name":"Bash","tool_input":{"command":`+strings.ReplaceAll(string(quoted), "'", `'\''`)+`},"tool_response":{"stdout":"","interrupted":false}`)
}

func gateOf(from, to, evidence string) map[string]string {
	return map[string]string{
		"_grimoire/standard/standard-profile.yaml": "profile: governed\n",
		gatesAt: "transitions: [{id: g, from: " + from + ", to: " + to + ", required_evidence: [" + evidence + "]}]\n"}
}

func taskRefusals() []refused {
	governed := map[string]string{"_grimoire/standard/standard-profile.yaml": "profile: governed\n"}
	running := []string{addOne, claimOne, "grimoire task move " + one + " --to running"}
	parked := append(slices.Clone(running), waitCI)
	expire := "sed -i.old -E 's/(\"expires_at\": ?\")20[0-9][0-9]/\\12020/g' _grimoire-runtime-output/ledger/events.jsonl"
	session := func(lines ...string) []string {
		return append(append(slices.Clone(running), event("UserPromptSubmit", "s-1", `,"prompt":"x"`)), lines...)
	}
	mend := "printf 'transitions: [{id: g, from: ready, to: in_progress, required_evidence: [acceptance_criteria]}]\\n' > " + gatesAt
	proposed := []string{"grimoire task add 'The one' -a x"}
	toReady := "grimoire task move " + one + " --to ready"
	wait := func(options string) string { return "grimoire task wait " + one + " " + options }

	list := []refused{
		{name: "nobody's", files: gateOf("proposed", "ready", "owner_or_agent_role"), first: proposed, line: toReady},
		{name: "broken gates", files: map[string]string{gatesAt: "transitions: ["}, first: proposed, line: toReady, person: mend},
		{name: "a gates file misspelt", files: map[string]string{gatesAt: "transition: []\n"}, first: proposed, line: toReady, person: mend},
		{name: "broken providers", files: with(gateOf("ready", "in_progress", "provider_policy"), "_grimoire/standard/llm-provider-registry.yaml", "providers: ["), first: []string{addOne}, line: claimOne,
			person: "echo 'providers: [{id: a, enabled: true}]' > _grimoire/standard/llm-provider-registry.yaml"},
		{name: "unreadable limit", files: map[string]string{"_grimoire/standard/capacity.yaml": "version: 2\n"}, first: []string{addOne}, line: claimOne, person: "rm _grimoire/standard/capacity.yaml"},
		{name: "no place", files: map[string]string{"_grimoire/standard/capacity.yaml": "version: 1\nwip: {limit_global: 1}\n"}, first: []string{addOne, claimOne, "grimoire task add Two -a x --ready"},
			line: "grimoire task claim GAO-two-001", person: waitCI},
		{name: "a reserved file", first: []string{addOne, claimOne + " --file a", "grimoire task add Two -a x --ready"}, line: "grimoire task claim GAO-two-001 --file a", then: "grimoire task claim GAO-two-001"},
		{name: "another's wait", first: parked, line: "grimoire task resume " + one + " --actor eve"},
		{name: "another's lease", first: running, line: "grimoire task renew " + one + " --actor eve"},
		{name: "another's task", first: running, line: "grimoire task cancel " + one + " --reason x --actor eve"},
		{name: "another's move", first: running, line: "grimoire task move " + one + " --to ready --actor eve"},
		{name: "another's block", first: running, line: "grimoire task block " + one + " --reason x --actor eve"},
		{name: "another's park", first: running, line: wait("--reason human --question \"it's what?\" --actor eve")},
		{name: "no reason", first: running, line: "grimoire task block " + one + " --reason ''"},
		{name: "no reason to cancel", first: proposed, line: "grimoire task cancel " + one + " --reason ''"},
		{name: "a person's gesture", first: running, line: "grimoire task comment " + one + " \"it's late\" --kind directive", looks: true},
		{name: "proposed", first: proposed, line: claimOne},
		{name: "nobody has it", first: []string{addOne}, line: "grimoire task attach " + one + " --session-id s"},
		{name: "nobody's lease", first: []string{addOne}, line: "grimoire task renew " + one + " --actor ada"},
		{name: "a wait needs no sign of life", first: parked, line: "grimoire task renew " + one + " --epoch 1", looks: true},
		{name: "a wait resumed by another name", first: parked, line: "grimoire task move " + one + " --to running", looks: true},
		{name: "a wait by another name", first: running, line: "grimoire task move " + one + " --to waiting --actor \"O'Neil\"", looks: true},
		{name: "unknown", first: []string{addOne}, line: "grimoire task show GAO-none-001", then: "grimoire task show " + one},
		{name: "no such directive", first: running, line: "grimoire task ack " + one + " dir-1", looks: true},
		{name: "no proof", first: running, line: "grimoire task prove " + one},
		{name: "no ledger", line: "grimoire task move " + one + " --to ready", then: "grimoire task list"},
		{name: "an expired lease", first: append(slices.Clone(running), expire, "grimoire task add Two -a x --ready"), line: "grimoire task claim " + one + " --actor eve"},

		{name: "no task at stop", files: governed, first: []string{event("PostToolUse", "s-1", `,"tool_name":"Write","tool_input":{"file_path":"a.go","content":"x"},"tool_response":{"type":"create"}`)},
			line: event("Stop", "s-1", `,"stop_hook_active":false`)},
		{name: "no task at the start", files: governed, line: event("SessionStart", "s-1", `,"source":"startup"`)},
		{name: "several tasks", files: governed, first: append(slices.Clone(running), "grimoire task add Two -a x --ready", "grimoire task claim GAO-two-001 --actor ada"), line: event("UserPromptSubmit", "s-1", `,"prompt":"x"`)},
		{name: "a lost lease", files: governed, first: session(expire), line: event("UserPromptSubmit", "s-1", `,"prompt":"x"`)},
		{name: "a parked task", files: governed, first: session(waitCI), line: event("SessionStart", "s-1", `,"source":"startup"`)},
		{name: "a parked task whose lease is past", files: governed, first: session(waitCI, expire), line: shellEvent("PreToolUse", "s-1", "touch x")},
		{name: "a cancelled task", files: governed, first: session("grimoire task cancel " + one + " --reason x --force"), line: event("UserPromptSubmit", "s-1", `,"prompt":"x"`), looks: true},
		{name: "red gates", files: governed, first: append([]string{"grimoire standard init --profile governed --provider claude", addOne, "grimoire task context " + one},
			claimOne, "grimoire task move "+one+" --to running", event("UserPromptSubmit", "s-1", `,"prompt":"x"`), "rm -r _grimoire-output/context _grimoire-output/evidence "+gatesAt),
			line: event("Stop", "s-1", `,"stop_hook_active":false`)},

		{name: "red gates, asked for", files: governed, first: []string{"grimoire standard init --profile governed", addOne}, line: "grimoire standard gate check --task-id " + one + " --target-state review"},
		{name: "a gate of nobody's task", first: []string{"grimoire standard init --profile governed", addOne}, line: "grimoire standard gate check --task-id GAO-none-001", then: "grimoire standard gate check --task-id " + one + " --target-state proposed"},
		{name: "several tasks to judge", first: []string{"grimoire standard init --profile starter", addOne, claimOne, "grimoire task add Two -a x --ready", "grimoire task claim GAO-two-001"}, line: "grimoire standard gate check", then: "grimoire standard gate check --task-id " + one},
		{name: "no score", first: []string{"grimoire standard init --profile starter",
			"printf 'transitions: [{id: g, from: ready, to: in_progress, required_evidence: [compliance_score]}]\\n' > " + gatesAt, addOne}, line: claimOne, looks: true},
	}
	starter := map[string]string{"_grimoire/standard/standard-profile.yaml": "profile: starter\n"}
	board := "_grimoire/standard/task-board.yaml"
	score := []string{"grimoire standard init --profile starter", "printf 'transitions: [{id: g, from: ready, to: in_progress, required_evidence: [compliance_score]}]\n' > " + gatesAt, addOne, "grimoire standard score --task-id " + one + " || true"}
	prompt := event("UserPromptSubmit", "s-1", `,"prompt":"x"`)
	list = append(list, []refused{
		{name: "the board of another ledger", files: starter, first: []string{addOne, "grimoire task add Two -a x --ledger-root other"}, line: "grimoire task board export --ledger-root other"},
		{name: "a state of another version", first: append(slices.Clone(running), "sed -i.old 's/\"running\"/\"zzz\"/g' _grimoire-runtime-output/ledger/events.jsonl"), line: "grimoire task move " + one + " --to ready", looks: true},
		{name: "a board with other cards", files: starter, first: append(slices.Clone(running), "echo 'tasks: [{task_id: GAO-old-009, title: x, status: ready}]' > "+board), line: "grimoire task renew " + one + " --actor \"O'Neil\""},
		{name: "a board whose ledger is lost", files: starter, first: append(slices.Clone(running), "rm -r _grimoire-runtime-output"), line: "grimoire task list"},
		{name: "no ledger to export", line: "grimoire task board export"},
		{name: "no ledger in a portfolio", line: "grimoire task list --all-projects", looks: true},
		{name: "a lease given back", first: append(slices.Clone(running), "grimoire task move "+one+" --to ready --actor \"O'Neil\""), line: "grimoire task move " + one + " --to blocked --epoch 1", looks: true},
		{name: "a lease given anew", first: append(slices.Clone(running), "grimoire task move "+one+" --to ready --actor \"O'Neil\"", "grimoire task claim "+one+" --actor eve"), line: "grimoire task move " + one + " --to running --epoch 1", looks: true},
		{name: "local work of a lost lease", first: append([]string{"git init -q && git -c user.name=a -c user.email=a@example.org commit -q --allow-empty -m x && git branch task/" + one}, append(slices.Clone(running), expire)...), line: "grimoire task reap"},
		{name: "no criterion", files: gateOf("proposed", "ready", "acceptance_criteria"), first: append(slices.Clone(proposed), "sed -i.old -E 's/\"acceptance\": ?\\[[^]]*\\]/\"acceptance\": []/' _grimoire-runtime-output/ledger/events.jsonl"),
			line: toReady, then: "grimoire task move GAO-the-one-002 --to ready"},
		{name: "a low score", first: score, line: claimOne, looks: true},
		{name: "a task that is ready again", files: governed, first: session("grimoire task move " + one + " --to ready --actor \"O'Neil\""), line: prompt},
		{name: "a task that is blocked", files: governed, first: session("grimoire task block " + one + " --reason x --actor \"O'Neil\""), line: prompt},
		{name: "several tasks of one session", files: governed, first: []string{addOne, "GRIMOIRE_SESSION_ID=s-1 " + claimOne, "grimoire task add Two -a x --ready", "GRIMOIRE_SESSION_ID=s-1 grimoire task claim GAO-two-001 --actor ada"}, line: prompt},
		{name: "a task another parked", files: governed, first: session("grimoire task move "+one+" --to ready --actor \"O'Neil\"", "grimoire task claim "+one+" --actor eve", "grimoire task move "+one+" --to running --actor eve", "grimoire task wait "+one+" --reason ci --actor eve"), line: prompt, looks: true},
		{name: "an unreadable ledger", files: governed, first: session("rm -r _grimoire-runtime-output/ledger/* && mkdir _grimoire-runtime-output/ledger/events.jsonl"), line: event("Stop", "s-1", `,"stop_hook_active":false`), looks: true},
		{name: "a missing file", first: []string{"grimoire standard init --profile governed", "rm " + gatesAt}, line: "grimoire standard audit"},
		{name: "a file that is none", first: []string{"grimoire standard init --profile governed", "rm " + gatesAt + " && mkdir " + gatesAt}, line: "grimoire standard audit", person: "rmdir " + gatesAt},
		{name: "files behind a link that leads out", first: []string{"grimoire standard init --profile governed",
			"mv _grimoire-output/evidence \"$HOME/evidence\" && ln -s \"$HOME/evidence\" _grimoire-output/evidence"}, line: "grimoire standard audit", person: "rm _grimoire-output/evidence"},
		{name: "a pattern that is gone", first: []string{"grimoire standard init --profile governed --pattern merge-lane", "rm _grimoire/standard/merge-lane.yaml"}, line: "grimoire standard audit"},
		{name: "no provider", first: []string{"grimoire standard init --profile governed"}, line: "grimoire standard audit"},
		{name: "no tasks", first: []string{"grimoire standard init --profile governed", "rm -r _grimoire-runtime-output && sed -i.old '/^tasks:/,$d' " + board + " && echo 'tasks: []' >> " + board}, line: "grimoire standard audit", looks: true},
		{name: "a gate of a task the ledger has not", files: starter, first: []string{addOne, "rm " + board}, line: "grimoire standard gate check --task-id GAO-none-001", then: "grimoire standard gate check --task-id " + one + " --target-state proposed"},
		{name: "no task to judge", files: starter, first: []string{addOne}, line: "grimoire standard gate check", then: "grimoire standard gate check --task-id " + one + " --target-state proposed"},
		{name: "no hooks to play", first: []string{"grimoire standard init --profile starter"}, line: "grimoire standard hooks simulate"},
		{name: "no profile file", line: "grimoire standard upstream"},
		{name: "a pattern of another kit's choice", first: []string{"grimoire standard init --profile starter", "printf '$schema: other/v1\\npatterns: [merge-lane]\\n' > " + standard.SelectionFile}, line: "grimoire standard verify", looks: true},
		{name: "no ledger, but a board", files: with(starter, "_grimoire/standard/task-board.yaml", "tasks: [{task_id: GAO-old-009, title: x, status: ready}]\n"), line: "grimoire task board export"},
	}...)
	// Every kind of evidence a gate can ask for. No task is without criteria,
	// and a score is won by work: it stands above.
	for _, name := range standard.Evidence {
		if name == "acceptance_criteria" || name == "compliance_score" {
			continue
		}
		r := refused{name: "evidence " + name, files: gateOf("in_progress", "review", name), first: running, line: "grimoire task move " + one + " --to needs_verification"}
		switch name {
		case "owner_or_agent_role": // a claim is one
			continue
		case "release_authorization":
			r.person = "printf 'transitions: [{id: g, from: in_progress, to: review, required_evidence: [owner_or_agent_role]}]\\n' > " + gatesAt
		case "observed_check":
			r.first = append(slices.Clone(running), event("UserPromptSubmit", "s-1", `,"prompt":"x"`))
		}
		list = append(list, r)
	}
	own := refused{name: "evidence observed_check, of a kind the hook does not know", files: with(gateOf("in_progress", "review", "observed_check"), "project-context.yaml", ""),
		first: session(), line: "grimoire task move " + one + " --to needs_verification"}
	failed := own
	failed.name, failed.first = "evidence observed_check that failed", session(strings.Replace(shellEvent("PostToolUseFailure", "s-1", "go vet ./..."), `"tool_response":`, `"error":"Exit code 1","x":`, 1))
	known := own
	known.name, known.files = "evidence observed_check, of a language", with(own.files, "go.mod", "module x\n")
	unknown := refused{name: "evidence of nobody's making", files: gateOf("ready", "in_progress", "of nobodys making"), first: []string{addOne}, line: claimOne, person: mend}
	return append(list, own, failed, known, unknown)
}

func with(files map[string]string, name, text string) map[string]string {
	out := map[string]string{name: text}
	for k, v := range files {
		out[k] = v
	}
	return out
}

// A task command that is refused, or a session that is held, is told how to go
// on. Each refusal is provoked, what its text names is typed into a shell word
// for word with its blanks filled in, none of it is stopped by the guard, and
// the refusal is gone.
func TestTaskRemediesAreFollowed(t *testing.T) {
	var seen answers
	t.Run("each", func(t *testing.T) { followEach(t, &seen) })
	if seen.cases.Load() < int32(2*len(taskRefusals())) {
		return // some were left out with -run
	}
	for at, text := range remedyTexts(t) {
		if _, known := elsewhere[text.short]; !known && !seen.have(text.re) {
			t.Errorf("%s: no refusal above shows %q: add it", at, text.short)
		} else if known && seen.have(text.re) {
			t.Errorf("%s: %q is shown above: take it out of elsewhere", at, text.short)
		}
	}
}

func followEach(t *testing.T, seen *answers) {
	for _, tt := range taskRefusals() {
		for _, lang := range []string{"fr", "en"} {
			t.Run(tt.name+" "+lang, func(t *testing.T) {
				t.Parallel()
				seen.cases.Add(1)
				s := newScratch(t, lang, tt.files)
				s.seen = seen
				for _, line := range tt.first {
					if out, err := s.run(line); err != nil {
						t.Fatalf("%s: %s", line, out)
					}
				}
				before := s.answer(tt.line)
				if len(before.why) == 0 {
					t.Fatalf("%s is not refused: %s", tt.line, before.text)
				}
				commands := s.commands(before.text)
				if len(commands) == 0 {
					t.Fatalf("no command in %s", before.text)
				}
				if tt.person != "" {
					if out, err := s.run(tt.person); err != nil {
						t.Fatalf("%s: %s", tt.person, out)
					}
				}
				same := false
				for _, line := range commands {
					same = s.follow(line) && sameVerb(line, tt.line) || same
				}
				if tt.looks || same { // what was meant is done
					return
				}
				then := tt.then
				if then == "" {
					then = tt.line
				}
				after := s.answer(then)
				for _, why := range after.why {
					if tt.then != "" || slices.Contains(before.why, why) {
						t.Errorf("after %q, %q still is refused: %s", commands, then, why)
					}
				}
			})
		}
	}
}

// scratch is a project that lines are typed in.
type scratch struct {
	t          *testing.T
	root, home string
	last       string // the task that a remedy added
	seen       *answers
}

func newScratch(t *testing.T, lang string, files map[string]string) *scratch {
	s := &scratch{t: t, root: t.TempDir(), home: t.TempDir(), last: one}
	for name, text := range files {
		write(t, s.root, name, text)
	}
	write(t, s.root, "project-context.yaml", "project: {name: demo}\nuser: {language: "+lang+"}\n"+files["project-context.yaml"])
	write(t, s.root, "out.txt", "ok\n")
	return s
}

func (s *scratch) run(line string) (string, error) {
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = s.root
	cmd.Env = append(os.Environ(), "HOME="+s.home, "USER=ada", "CLAUDE_CODE_SESSION_ID=", "GRIMOIRE_SESSION_ID=", "GRIMOIRE_TASK_ID=")
	out, err := cmd.CombinedOutput()
	s.seen.add(string(out))
	return string(out), err
}

// said is what a line answered: why it is refused, a reason each, and all of it.
type said struct {
	why  []string
	text string
}

func (s *scratch) answer(line string) said {
	hook := strings.Contains(line, "grimoire host hook")
	if !hook {
		line = strings.Replace(line, "grimoire ", "grimoire -o json ", 1) + " 2>err.txt"
	}
	out, err := s.run(line)
	var doc struct {
		Refusals []struct{ Evidence, Reason, Remedy string }
		Checks   []struct{ ID, Severity string }
	}
	_ = json.Unmarshal([]byte(out), &doc) // a list is no refusal
	var a said
	var all any
	_ = json.Unmarshal([]byte(out), &all)
	texts := texts(all)
	if warned, err := os.ReadFile(filepath.Join(s.root, "err.txt")); err == nil && !hook {
		s.seen.add(string(warned))
		texts = append(texts, string(warned))
	}
	for _, text := range texts {
		if strings.Contains(text, "`") {
			a.text += text + "\n"
		}
		if len(doc.Refusals) == 0 && strings.Contains(text, "`grimoire ") {
			a.why = append(a.why, strings.TrimSpace(text))
		}
	}
	for _, r := range doc.Refusals {
		a.why = append(a.why, r.Evidence+": "+r.Reason)
	}
	if err != nil && len(a.why) == 0 {
		a.why = append(a.why, out)
	}
	return a
}

// texts are those of a JSON document, in its order as far as it has one.
func texts(doc any) (out []string) {
	switch doc := doc.(type) {
	case string:
		return []string{doc}
	case []any:
		for _, x := range doc {
			out = append(out, texts(x)...)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(doc)) {
			out = append(out, texts(doc[key])...)
		}
	}
	return out
}

// between finds what stands between backquotes and is to be typed.
var between = regexp.MustCompile("`([^`]+)`")

// commands are the lines that a text names, their blanks filled in.
func (s *scratch) commands(text string) []string {
	fill := strings.NewReplacer("<file>", "out.txt", "<fichier>", "out.txt", "<title>", "A thing", "<titre>", "A thing", "<criterion>", "it works", "<critère>", "it works",
		"<name>", "ada", "<nom>", "ada", "<command>", "bash check.sh", "<commande>", "bash check.sh", "…", "a reason")
	var out []string
	for _, m := range between.FindAllStringSubmatchIndex(text, -1) {
		at, line := m[0], text[m[2]:m[3]]
		if strings.HasPrefix(line, "grimoire task board export") {
			line = strings.NewReplacer("<file>", "board.yaml", "<fichier>", "board.yaml").Replace(line)
		}
		line = fill.Replace(line)
		switch {
		case strings.HasPrefix(line, "grimoire "), strings.HasPrefix(line, "checks: "):
		case strings.HasSuffix(text[:at], "lance ") || strings.HasSuffix(text[:at], "run "):
		default:
			continue // a word of a file
		}
		if !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	return out
}

// follow types one line of a remedy, as an agent in the session s-1 does, and
// then what that names in its turn. It reports whether the line passed.
func (s *scratch) follow(line string) bool {
	s.t.Helper()
	line = strings.ReplaceAll(line, "<id>", s.last)
	if strings.Contains(line, "<n>") { // which `task show` tells
		out, _ := s.run("grimoire -o json task show " + one)
		n := regexp.MustCompile(`"epoch": (\d+)`).FindStringSubmatch(out)
		line = strings.ReplaceAll(line, "<n>", append(n, "", "?")[1])
	}
	if strings.HasPrefix(line, "checks: ") { // a person's, in the gates file
		text, err := os.ReadFile(filepath.Join(s.root, gatesAt))
		if err != nil {
			s.t.Fatal(err)
		}
		write(s.t, s.root, gatesAt, string(text)+line+"\n")
		return true
	}
	if text, stopped := (refusal{line: line}).provoke(s.root, "claude"); stopped && !personal(line) {
		s.t.Errorf("the remedy %q is stopped: %s", line, text)
	}
	if !strings.HasPrefix(line, "grimoire ") { // a check: the host tells of it
		if out, err := s.run(shellEvent("PostToolUse", "s-1", line)); err != nil {
			s.t.Errorf("%s: %s", line, out)
		}
		return true
	}
	out, err := s.run(line)
	switch {
	case err == nil:
		if id, _, ok := strings.Cut(out, " "); ok && strings.HasPrefix(line, "grimoire task add ") {
			s.last = id
		}
		return true
	case personal(line):
	case strings.HasPrefix(line, "grimoire standard verify"), strings.HasPrefix(line, "grimoire standard audit"), strings.HasPrefix(line, "grimoire ledger verify"),
		strings.HasPrefix(line, "grimoire standard score"): // which say what is wrong
	case strings.HasPrefix(line, "grimoire standard gate check"):
		for _, next := range s.commands(out) {
			if next != line {
				s.follow(next)
			}
		}
	default:
		s.t.Errorf("the remedy %q is refused: %s", line, out)
	}
	return false
}

// personal are the commands that a person types at a terminal.
func personal(line string) bool {
	return strings.HasPrefix(line, "grimoire task comment") || strings.HasPrefix(line, "grimoire policies approve")
}

func sameVerb(a, b string) bool {
	x, y := strings.Fields(a), strings.Fields(b)
	return len(x) > 2 && len(y) > 2 && fmt.Sprint(x[:3]) == fmt.Sprint(y[:3])
}
