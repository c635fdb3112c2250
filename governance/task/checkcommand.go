package task

import (
	"strings"

	"github.com/grimoire-kit/grimoire/governance/command"
	"github.com/grimoire-kit/grimoire/governance/observe"
	"github.com/grimoire-kit/grimoire/surface"
)

// contextFile is what the existing kit writes of a project; its key
// needs.commands.test-runner names the command that runs the tests.
const contextFile = "project-context.yaml"

// HowToCheck says how the check of a task comes about that the hook recognises:
// a command, and where it knows none, how a person names it.
func (d *Desk) HowToCheck(task string) surface.Text {
	run := d.testCommand()
	if run != "" && d.recognised(run) {
		return runAlone(run, task)
	}
	fr, en := "<commande>", "<command>"
	if run != "" {
		fr = shownCommand(run)
		en = fr
	}
	return surface.Text{
		FR: "le hook ne sait pas ce qui contrôle ce projet : une personne ajoute `checks: [" + inYAML(fr) + "]` à " + GatesFile + ", puis " + runAlone(fr, task).FR,
		EN: "the hook does not know what checks this project: a person adds `checks: [" + inYAML(en) + "]` to " + GatesFile + ", then " + runAlone(en, task).EN}
}

// runAlone asks for a check in the only form whose outcome is its own.
func runAlone(command, task string) surface.Text {
	command = shownCommand(command)
	return surface.Text{
		FR: "lance `" + command + "` seul sur sa ligne, dans la session qui travaille sur " + task + " ; le hook le note",
		EN: "run `" + command + "` alone on its line, in the session that works on " + task + "; the hook notes it"}
}

// again asks for the check that did not pass: one of another kind does not
// stand for it. Where the journal has cut its line, its kinds name it.
func again(c *observe.Entry, task string, otherwise surface.Text) surface.Text {
	command, _, _ := strings.Cut(c.Command, " && grimoire task ") // which goes on its own line
	if !strings.HasSuffix(command, "…") {
		return runAlone(command, task)
	}
	if len(c.Kinds) == 0 {
		return otherwise
	}
	return runAlone(strings.Join(c.Kinds, " && "), task)
}

// shownCommand is a command of a file of the project, as part of a sentence
// that puts it between backquotes.
func shownCommand(command string) string {
	return strings.ReplaceAll(surface.Shown(observe.Line(command)), "`", "'")
}

// inYAML is a text as YAML has it within a list.
func inYAML(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// recognised reports whether the hook takes a line for a check when it runs in
// the project's folder.
func (d *Desk) recognised(line string) bool {
	if file, err := d.gateFile(); err == nil {
		for _, own := range file.Checks {
			if observe.Line(own) == observe.Line(line) {
				return true
			}
		}
	}
	return len(observe.ChecksOf(line, command.Analyze(line, command.Options{}), observe.Place{Root: d.Root, Dir: d.Root}).Kinds) > 0
}

// testCommand is how this project is checked, as its files tell: what the
// gates file declares, what the project's context names, the marks of a
// language. "" where nothing does. It is shown, and never run.
func (d *Desk) testCommand() string {
	if file, err := d.gateFile(); err == nil && len(file.Checks) > 0 {
		return file.Checks[0]
	}
	var doc struct {
		Needs struct {
			Commands map[string]any `yaml:"commands"`
		} `yaml:"needs"`
	}
	if d.readYAML(contextFile, &doc) == nil {
		if runner, ok := doc.Needs.Commands["test-runner"].(string); ok && strings.TrimSpace(runner) != "" {
			return observe.Line(runner)
		}
	}
	for _, x := range [][2]string{{"pyproject.toml", "pytest -q"}, {"package.json", "npm test"}, {"Cargo.toml", "cargo test"}, {"go.mod", "go test ./..."}} {
		if d.isFile(x[0]) {
			return x[1]
		}
	}
	for _, name := range []string{"Makefile", "makefile", "GNUmakefile"} {
		if text, err := d.read(name); err == nil && strings.Contains("\n"+string(text), "\ntest:") {
			return "make test"
		}
	}
	return ""
}
