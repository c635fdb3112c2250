package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/grimoire-kit/grimoire/governance/contract"
)

// stage is where one run takes place.
type stage struct {
	base, project, home, cwd string
	bin                      string // what this command built
	path                     string // of the host, and of what it starts
	model                    string // http://127.0.0.1:port
}

// host is how one host is driven.
type host interface {
	name() string
	version() (string, error)
	// prepare makes the folder trusted and the model known.
	prepare(s *stage) error
	// command starts the host, the second and later times to go on with the
	// same session.
	command(s *stage, prompt string, again bool) (args, env []string)
	// call is an act in the host's words.
	call(s *stage, a act) (tool string, input map[string]any)
}

func allHosts(dir string) []host {
	return []host{
		claude{program(dir, "claude", "@anthropic-ai/claude-code-*/claude")},
		copilot{program(dir, "copilot", "")},
		opencode{program(dir, "opencode", "opencode-[dlw]*-*64/bin/opencode")},
	}
}

// program is a host's own one: where npm ran no install scripts, what stands
// under .bin is a stub.
func program(dir, name, native string) string {
	modules := filepath.Join(dir, "node_modules")
	if found, _ := filepath.Glob(filepath.Join(modules, filepath.FromSlash(native))); native != "" && len(found) > 0 {
		return found[0]
	}
	return filepath.Join(modules, ".bin", name)
}

// versionOf runs a host for its version, away from the user's home.
func versionOf(program string) (string, error) {
	home, err := os.MkdirTemp("", "grimoire-capture")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(home) }()
	cmd := exec.Command(program, "--version")
	cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "COPILOT_AUTO_UPDATE=false", "COPILOT_OFFLINE=true"}
	out, err := cmd.Output()
	if err != nil {
		return "", err
	}
	for _, word := range strings.Fields(string(out)) {
		if word = strings.TrimRight(word, "."); strings.Count(word, ".") == 2 && word[0] >= '0' && word[0] <= '9' {
			return word, nil
		}
	}
	return "", fmt.Errorf("no version in %q", out)
}

func writeJSON(path string, doc any) error {
	data, err := json.Marshal(doc)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

type object = map[string]any

type claude struct{ program string }

func (claude) name() string               { return "claude" }
func (c claude) version() (string, error) { return versionOf(c.program) }

func (claude) prepare(s *stage) error {
	return writeJSON(filepath.Join(s.home, ".claude.json"), object{
		"hasCompletedOnboarding": true,
		"projects":               object{s.cwd: object{"hasTrustDialogAccepted": true}},
	})
}

func (c claude) command(s *stage, prompt string, again bool) (args, env []string) {
	args = []string{c.program, "-p", prompt, "--output-format", "stream-json", "--verbose", "--permission-mode", "default",
		"--allowedTools", "Bash,Read,Write,Edit,Agent"}
	if again {
		args = append(args, "--continue")
	}
	return args, []string{"ANTHROPIC_BASE_URL=" + s.model, "ANTHROPIC_API_KEY=none", "DISABLE_TELEMETRY=1", "IS_SANDBOX=1",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1",
		"CLAUDE_CODE_AUTO_COMPACT_WINDOW=200000"} // tokens; a compaction is within the script's reach
}

func (claude) call(s *stage, a act) (string, map[string]any) {
	switch {
	case a.run != "":
		return "Bash", object{"command": a.run, "description": "x"}
	case a.over != "":
		return "Edit", object{"file_path": filepath.Join(s.project, a.write), "old_string": a.over, "new_string": a.content}
	case a.write != "":
		return "Write", object{"file_path": filepath.Join(s.project, a.write), "content": a.content}
	case a.read != "":
		return "Read", object{"file_path": filepath.Join(s.project, a.read)}
	case a.spawn != "":
		return "Agent", object{"description": "part", "prompt": a.spawn, "subagent_type": "general-purpose", "run_in_background": false}
	}
	return "", nil
}

type copilot struct{ program string }

func (copilot) name() string               { return "copilot" }
func (c copilot) version() (string, error) { return versionOf(c.program) }

func (copilot) prepare(s *stage) error {
	// The host unpacks 235 MB below ~/.cache: once for all runs.
	shared := filepath.Join(os.TempDir(), "grimoire-capture-copilot")
	for _, dir := range []string{shared, filepath.Join(s.home, ".cache")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	if err := os.Symlink(shared, filepath.Join(s.home, ".cache", "copilot")); err != nil {
		return err
	}
	return writeJSON(filepath.Join(s.home, ".copilot", "config.json"), object{"trustedFolders": []string{s.project}})
}

func (c copilot) command(s *stage, prompt string, again bool) (args, env []string) {
	args = []string{c.program, "-p", prompt, "--no-color", "--log-level", "all", "--allow-all-tools"}
	if again {
		args = append(args, "--continue")
	}
	return args, []string{"COPILOT_OFFLINE=true", "COPILOT_AUTO_UPDATE=false", "COPILOT_PROVIDER_BASE_URL=" + s.model + "/v1",
		"COPILOT_MODEL=scripted", "COPILOT_PROVIDER_WIRE_MODEL=scripted", "NO_COLOR=1"}
}

func (copilot) call(s *stage, a act) (string, map[string]any) {
	switch {
	case a.run != "":
		return "bash", object{"command": a.run, "description": "x"}
	case a.over != "":
		return "edit", object{"path": filepath.Join(s.project, a.write), "old_str": a.over, "new_str": a.content}
	case a.write != "":
		return "create", object{"path": filepath.Join(s.project, a.write), "file_text": a.content}
	case a.read != "":
		return "view", object{"path": filepath.Join(s.project, a.read)}
	case a.spawn != "":
		return "task", object{"agent_type": "task", "prompt": a.spawn, "description": "part", "name": "part", "mode": "sync"}
	}
	return "", nil
}

type opencode struct{ program string }

func (opencode) name() string               { return "opencode" }
func (o opencode) version() (string, error) { return versionOf(o.program) }

// prepare also stands in for what opencode installs from npm at its first
// start with a plugin, which has no network here.
func (opencode) prepare(s *stage) error {
	needs := object{"dependencies": object{"@opencode-ai/plugin": "*"}}
	for _, dir := range []string{filepath.Join(s.home, ".config", "opencode"), filepath.Join(s.project, ".opencode")} {
		if err := os.MkdirAll(filepath.Join(dir, "node_modules"), 0o755); err != nil {
			return err
		}
		lock := object{"lockfileVersion": 3, "packages": object{"": needs}}
		for name, doc := range map[string]any{"package.json": needs, "package-lock.json": lock} {
			if err := writeJSON(filepath.Join(dir, name), doc); err != nil {
				return err
			}
		}
	}
	return nil
}

func (o opencode) command(s *stage, prompt string, again bool) (args, env []string) {
	config, _ := json.Marshal(object{
		"model": "scripted/scripted", "small_model": "scripted/scripted", "autoupdate": false, "share": "disabled", "snapshot": false,
		"provider": object{"scripted": object{"npm": "@ai-sdk/openai-compatible", "name": "scripted",
			"options": object{"baseURL": s.model + "/v1", "apiKey": "none"},
			"models":  object{"scripted": object{"name": "scripted", "tool_call": true, "limit": object{"context": 100000, "output": 4096}}}}},
	})
	args = []string{o.program, "run", prompt}
	if again {
		args = append(args, "--continue")
	}
	return args, []string{"OPENCODE_CONFIG_CONTENT=" + string(config), "OPENCODE_DISABLE_AUTOUPDATE=1",
		"OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1"}
}

func (opencode) call(s *stage, a act) (string, map[string]any) {
	switch {
	case a.run != "":
		return "bash", object{"command": a.run, "description": "x"}
	case a.over != "":
		return "edit", object{"filePath": filepath.Join(s.project, a.write), "oldString": a.over, "newString": a.content}
	case a.write != "":
		return "write", object{"filePath": filepath.Join(s.project, a.write), "content": a.content}
	case a.read != "":
		return "read", object{"filePath": filepath.Join(s.project, a.read)}
	case a.spawn != "":
		return "task", object{"description": "part", "prompt": a.spawn, "subagent_type": "general"}
	}
	return "", nil
}

// scrubber knows the places of a run.
func (s *stage) scrubber() *contract.Scrubber {
	slug := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, s.cwd)
	return contract.NewScrubber(s.project, "<PROJECT>", slug, "<PROJECT_SLUG>", s.home, "<HOME>", s.base, "<BASE>", s.bin, "<BUILT>", s.model, "<MODEL>")
}
