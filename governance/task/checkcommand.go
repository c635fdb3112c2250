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
// stand for it. Where the journal has cut its line, its kinds name it. It may be
// none of the project's, which then says so.
func (d *Desk) again(c *observe.Entry, task string, otherwise surface.Text) surface.Text {
	own := d.ownChecks()
	command, _, _ := strings.Cut(c.Command, " && grimoire task ") // which goes on its own line
	if strings.HasSuffix(command, "…") {
		if len(c.Kinds) == 0 || len(own) > 0 {
			return otherwise
		}
		command = strings.Join(c.Kinds, " && ")
	}
	return d.orOwn(runAlone(command, task))
}

// orOwn adds to the demand for a check that the project may name its own, where
// it names none and the demand does not say so.
func (d *Desk) orOwn(run surface.Text) surface.Text {
	if len(d.ownChecks()) > 0 || strings.Contains(run.EN, "`checks: [") {
		return run
	}
	return surface.Text{
		FR: run.FR + " ; si ce n'est pas un contrôle de ce projet, une personne nomme le sien sous checks: dans " + GatesFile,
		EN: run.EN + "; if it is no check of this project, a person names its own under checks: in " + GatesFile}
}

// ownChecks are the lines that the project declares to be its checks.
func (d *Desk) ownChecks() []string {
	file, err := d.gateFile()
	if err != nil {
		return nil
	}
	return file.Checks
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
	if own := d.ownChecks(); len(own) > 0 {
		return observe.Declared(own, line)
	}
	c := observe.ChecksOf(line, command.Analyze(line, command.Options{}), observe.Place{Root: d.Root, Dir: d.Root})
	return len(c.Kinds) > 0 && !c.Lost
}

// testCommand is how this project is checked, as its files tell: what the
// gates file declares, what the project's context names, the marks of a
// language. "" where nothing does. It is shown, and never run.
func (d *Desk) testCommand() string {
	if own := d.ownChecks(); len(own) > 0 {
		return own[0]
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
