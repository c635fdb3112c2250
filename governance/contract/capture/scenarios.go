package main

import (
	"slices"

	"github.com/grimoire-kit/grimoire/governance/contract"
	"github.com/grimoire-kit/grimoire/surface"
)

const shelf = "GAO-shelf-has-a-001"

var (
	addTask = []string{`grimoire task add "Shelf has a title" -a "the title is there" --owner ada --ready`}
	claimed = slices.Concat(addTask, []string{"grimoire task context " + shelf, "grimoire task claim " + shelf + " --actor ada"})
	// A claim whose context is gone: _grimoire-output is in no clone.
	owing = slices.Concat(claimed, []string{"rm -r _grimoire-output/context/" + shelf})

	title    = act{write: "title.md", content: "# The shelf\n"}
	finished = act{says: "It is done."}
	again    = act{says: "I end all the same."}
)

// wrongTitle compiles and does not vet.
const wrongTitle = "package shelf\n\nimport \"fmt\"\n\nfunc Title() { fmt.Printf(\"%d\\n\", \"shelf\") }\n"

// work is one turn of the session.
func work(acts ...act) turn { return turn{acts: acts} }

// one asks for one tool, from the session or from a sub-agent.
func one(a act) []turn { return []turn{work(a, finished)} }

func delegated(a act) []turn {
	return []turn{{acts: []act{{spawn: markSub + " do your part"}, finished}, sub: []act{a, finished}}}
}

var scenarios = slices.Concat(enforcement(), missions())

// enforcement is about the hook as such: missing, broken, refusing.
func enforcement() []scenario {
	touch := act{run: "touch PROOF"}
	destroy := act{run: "touch PROOF && rm -rf build"}
	destroyAbove := act{run: "touch PROOF && rm -rf ../build"}
	env := act{read: ".env"}
	const session, sub, folder = "session", "sub-agent", "session in a sub-folder"
	const starter, governed = surface.ProfileStarter, surface.ProfileGoverned
	return []scenario{
		{name: "missing-starter", hosts: every, profile: starter, hook: contract.Missing, from: session, ran: "PROOF", turns: one(touch),
			proves: "without grimoire-hook the tool runs, and the model is told once where the host has a word for it"},
		{name: "missing-starter-subagent", hosts: []string{"copilot"}, profile: starter, hook: contract.Missing, from: sub, ran: "PROOF", turns: delegated(touch),
			proves: "the model is told once for the whole session, its sub-agents included"},
		{name: "missing-governed", hosts: every, profile: governed, hook: contract.Missing, from: session, ran: "PROOF", turns: one(touch),
			proves: "without grimoire-hook a governed project refuses the tool, and the model reads the remedy and not our command line"},
		{name: "crash-governed", hosts: every, profile: governed, hook: contract.Crashes, from: session, ran: "PROOF", turns: one(touch),
			proves: "a crash that left half an answer refuses as a missing hook does"},
		{name: "crash-later-starter", hosts: holding, profile: starter, hook: contract.CrashesLater, from: session, ran: "PROOF", turns: one(touch),
			proves: "a hook that breaks after the session started lets the tool run and is said at that tool"},
		{name: "refuses-rm", hosts: every, profile: governed, hook: contract.Works, from: session, ran: "PROOF", turns: one(destroy),
			proves: "touch PROOF && rm -rf build does not run"},
		{name: "refuses-rm-subagent", hosts: every, profile: governed, hook: contract.Works, from: sub, ran: "PROOF", turns: delegated(destroy),
			proves: "a sub-agent is refused what its session is"},
		{name: "refuses-rm-subfolder", hosts: []string{"copilot", "opencode"}, profile: governed, hook: contract.Works, from: folder, cwd: "sub", ran: "sub/PROOF", turns: one(destroyAbove),
			proves: "a session started in a sub-folder is refused what one at the root is"},
		{name: "refuses-env", hosts: every, profile: governed, hook: contract.Works, from: session, ran: "=KEY=1", turns: one(env),
			proves: ".env is not read"},
		{name: "refuses-env-subagent", hosts: every, profile: governed, hook: contract.Works, from: sub, ran: "=KEY=1", turns: delegated(env),
			proves: "a sub-agent is refused what its session is"},
		{name: "refuses-env-subfolder", hosts: []string{"copilot", "opencode"}, profile: governed, hook: contract.Works, from: folder, cwd: "sub", ran: "=KEY=1", turns: one(act{read: "sub/.env"}),
			proves: "a session started in a sub-folder is refused what one at the root is"},
		{name: "subfolder-unguarded", hosts: []string{"claude"}, profile: governed, hook: contract.Works, from: folder, cwd: "sub", ran: "sub/PROOF", turns: one(destroyAbove),
			proves: "a session started in a sub-folder calls no hook and has no rule: the degradation that the emitter declares"},
	}
}

// missions is about tasks and gates, in projects that follow the standard.
func missions() []scenario {
	const session, sub = "session", "sub-agent"
	const governed, controlled = surface.ProfileGoverned, surface.ProfileControlled
	works := contract.Works
	return []scenario{
		{name: "stop-refused", hosts: holding, profile: governed, hook: works, from: session, ran: "title.md", person: owing,
			turns:  []turn{work(title, finished, again)},
			proves: "red gates refuse the stop, the model is called again and reads why, and its second stop passes"},
		{name: "stop-remedied", hosts: holding, profile: governed, hook: works, from: session, ran: "title.md", person: owing,
			turns: []turn{
				work(title, finished, act{remedy: 1}, act{remedy: 2}, finished),
				work(act{write: "shelf.md", content: "books\n"}, finished),
			},
			proves: "the commands of the refusal, word for word, turn the gates green: the first stop of the next turn passes"},
		{name: "stop-reported", hosts: holding, profile: controlled, hook: works, from: session, ran: "title.md", person: owing,
			turns:  []turn{work(title, finished, again)},
			proves: "under controlled the same gates hold nothing open: they are told to the person"},
		{name: "off-task-refused", hosts: holding, profile: governed, hook: works, from: session, ran: "title.md",
			turns:  []turn{work(title, finished, again)},
			proves: "a session that wrote without a task is refused its stop, reads the remedy, and its second stop passes"},
		{name: "off-task-remedied", hosts: holding, profile: governed, hook: works, from: session, ran: "title.md",
			turns: []turn{
				work(title, finished,
					act{remedy: 1, fill: map[string]string{"<title>": "Shelf has a title", "<criterion>": "the title is there", "<name>": "ada"}},
					act{remedy: 2, fill: map[string]string{"<id>": shelf}},
					act{remedy: 3, fill: map[string]string{"<id>": shelf, "<name>": "ada"}},
					finished),
				work(act{write: "shelf.md", content: "books\n"}, finished),
			},
			proves: "the remedy, its placeholders filled in, gives the session a task: the next turn names it, attaches it once, and its first stop passes"},
		{name: "told", hosts: holding, profile: governed, hook: works, from: session, ran: "title.md", person: claimed,
			turns: []turn{
				work(title, finished),
				{directive: &contract.Directive{Task: shelf, Text: "Keep the old title until Friday", From: "ada"}, acts: []act{finished}},
				work(finished),
				{person: []string{`grimoire task cancel ` + shelf + ` --actor ada --reason "no longer wanted"`}, acts: []act{finished}},
				work(finished),
			},
			proves: "the model reads who it is and its task when the session starts and at each turn, a directive once, and once that the task was cancelled"},
		{name: "sub-agent-stop", hosts: holding, profile: governed, hook: works, from: sub, ran: "title.md", person: owing,
			turns:  []turn{{acts: []act{{spawn: markSub + " do your part"}, finished, again}, sub: []act{title, finished}}},
			proves: "red gates do not hold a sub-agent, and hold the session that started it"},
		{name: "compaction", hosts: holding, profile: governed, hook: works, from: session, ran: "title.md", person: owing,
			turns:  []turn{work(act{run: "echo 1"}, act{run: "echo 2", tokens: 190000}, title, finished, again)},
			proves: "what is owed is said before a compaction"},
		{name: "check-fails", hosts: every, profile: governed, hook: works, from: session, ran: "title.go",
			person: slices.Concat([]string{
				"printf 'module shelf\\n\\ngo 1.21\\n' >go.mod",
				"sed -i.old 's/required_evidence: \\[evidence_pack, decision_trace\\]/required_evidence: [evidence_pack, decision_trace, observed_check]/' _grimoire/standard/evidence-gates.yaml && rm _grimoire/standard/evidence-gates.yaml.old",
			}, claimed, []string{"grimoire task move " + shelf + " --to running --actor ada"}),
			turns: []turn{work(
				act{write: "title.go", content: wrongTitle},
				act{run: "go vet ./..."},
				act{run: "grimoire task prove " + shelf + " --item test=build/out --item log=build/out --covers all --actor ada"},
				act{run: "grimoire task move " + shelf + " --to needs_verification --actor ada"},
				act{write: "title.go", over: wrongTitle, content: "package shelf\n\nfunc Title() string { return \"shelf\" }\n"},
				act{run: "grimoire task move " + shelf + " --to needs_verification --actor ada"},
				act{run: "go vet ./..."},
				act{run: "grimoire task move " + shelf + " --to needs_verification --actor ada"},
				finished)},
			proves: "the hook sees a check that fails, a write after it and the same check that passes: a gate that wants an observed check refuses until the last, and the session whose task is handed over may end"},
		{name: "stop", hosts: []string{"opencode"}, profile: governed, hook: works, from: session, ran: "title.md", person: owing,
			turns:  []turn{work(title, finished, again)},
			proves: "opencode calls nothing whose answer counts at the end of a turn: red gates do not hold it open, the degradation that the emitter declares"},
	}
}
