package doctor

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	"github.com/grimoire-kit/grimoire/core/merge"
	"github.com/grimoire-kit/grimoire/governance/locate"
	"github.com/grimoire-kit/grimoire/surface"
)

// maxUserFile bounds a host's file in the person's home, in bytes. Claude
// Code's also holds the history of every project.
const maxUserFile = 64 << 20

// trust says what a host leaves aside because the person has not said yet that
// they trust the folder, or has said that they want none of it. Of the person's own files only the keys that say so
// are read, and nothing else of them is ever shown. A file that is missing or
// cannot be read says nothing: the host asks when it starts.
func (e *examination) trust(alias string) []finding {
	switch alias {
	case "claude":
		return e.claudeTrust()
	case "copilot":
		return e.copilotTrust()
	case "opencode":
		if e.Getenv("OPENCODE_PURE") == "1" { // observed 1.18.33
			return []finding{{warning, surface.Text{
				FR: "OPENCODE_PURE=1 est posé : opencode ne charge aucun plugin du projet, et rien n'y est arrêté ; retire cette variable",
				EN: "OPENCODE_PURE=1 is set: opencode loads no plugin of the project, and nothing is stopped there; unset it"}}}
		}
	}
	return nil
}

// claudeTrust: in a folder that is not trusted Claude Code leaves out the
// project's allow rules; hooks and refusals hold (observed 2.1.332, headless).
func (e *examination) claudeTrust() []finding {
	var user struct {
		Projects map[string]struct {
			Trusted bool `json:"hasTrustDialogAccepted"`
		} `json:"projects"`
	}
	text, ok := e.userFile(".claude.json")
	if !ok || json.Unmarshal(text, &user) != nil {
		return nil
	}
	for _, dir := range upwards(e.root) {
		if user.Projects[dir].Trusted {
			return nil
		}
	}
	return []finding{{note, surface.Text{
		FR: "Claude Code ne tient pas encore ce dossier pour sûr : les hooks et les refus tiennent, les autorisations du projet non ; ouvre `claude` ici et accepte",
		EN: "Claude Code does not trust this folder yet: hooks and refusals hold, the project's allow rules do not; open `claude` here and accept"}}}
}

// copilotTrust: in a folder that is not trusted Copilot CLI loads none of the
// repository's hooks, and does not say so. A trusted parent counts; a trusted
// folder below the git root does not (observed 1.0.102).
func (e *examination) copilotTrust() []finding {
	if e.Getenv("COPILOT_ALLOW_ALL") == "true" || e.Getenv("GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS") == "true" {
		return nil
	}
	var user struct {
		Trusted []string `json:"trustedFolders"`
	}
	text, ok := e.userFile(filepath.Join(".copilot", "config.json"))
	if !ok {
		return nil
	}
	if strict, err := merge.Strict(text); err == nil {
		text = strict // the file may begin with a comment
	}
	if json.Unmarshal(text, &user) != nil {
		return nil
	}
	top := orElse(locate.GitRoot(e.root), e.root)
	for _, dir := range upwards(top) {
		if slices.Contains(user.Trusted, dir) {
			return nil
		}
	}
	return []finding{{warning, surface.Text{
		FR: "Copilot ne tient pas " + top + " pour sûr : il n'y charge aucun hook, sans le dire ; ouvre `copilot` ici et accepte, ou `--trust-folder` avec -p",
		EN: "Copilot does not trust " + top + ": it loads no hook there, and does not say so; open `copilot` here and accept, or `--trust-folder` with -p"}}}
}

// userFile reads a file of the person's home.
func (e *examination) userFile(name string) ([]byte, bool) {
	home := e.Getenv("HOME")
	if home == "" {
		return nil, false
	}
	file := filepath.Join(home, name)
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxUserFile {
		return nil, false
	}
	text, err := os.ReadFile(file)
	return text, err == nil
}

// upwards lists a folder and those around it.
func upwards(dir string) []string {
	var all []string
	for {
		all = append(all, dir)
		up := filepath.Dir(dir)
		if up == dir {
			return all
		}
		dir = up
	}
}
