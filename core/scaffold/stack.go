package scaffold

import (
	"path"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/core/tree"
)

// signs tell a stack by names of files.
var signs = []struct{ file, stack string }{
	{"go.mod", "go"},
	{"package.json", "javascript"},
	{"tsconfig.json", "typescript"},
	{"deno.json", "deno"},
	{"pyproject.toml", "python"},
	{"requirements.txt", "python"},
	{"setup.py", "python"},
	{"Cargo.toml", "rust"},
	{"pom.xml", "java"},
	{"build.gradle", "java"},
	{"build.gradle.kts", "kotlin"},
	{"Gemfile", "ruby"},
	{"composer.json", "php"},
	{"mix.exs", "elixir"},
	{"Package.swift", "swift"},
	{"pubspec.yaml", "dart"},
	{"CMakeLists.txt", "c++"},
	{"*.csproj", "dotnet"},
	{"*.sln", "dotnet"},
	{"*.tf", "terraform"},
	{"Dockerfile", "docker"},
	{"docker-compose.yml", "docker"},
	{"compose.yaml", "docker"},
	{"Chart.yaml", "helm"},
}

// maxFolders bounds the folders looked into below the root.
const maxFolders = 100

// stack tells what a project is built with, from the names of the files at its
// root and one folder down, where a repository keeps its parts.
func stack(t *tree.Tree) []string {
	names := t.Names(".")
	folders := 0
	for _, name := range names {
		if strings.HasPrefix(name, ".") || name == "node_modules" || name == "vendor" || name == "testdata" || folders == maxFolders || !t.HasDir(name) {
			continue
		}
		folders++
		names = append(names, t.Names(name)...)
	}
	found := []string{}
	for _, s := range signs {
		there := slices.ContainsFunc(names, func(name string) bool {
			match, _ := path.Match(s.file, name)
			return match
		})
		if there && !slices.Contains(found, s.stack) {
			found = append(found, s.stack)
		}
	}
	return found
}

// kind is a first guess at `project.type`; the team corrects it.
func kind(t *tree.Tree, stack []string) string {
	switch {
	case slices.Contains(stack, "terraform"), slices.Contains(stack, "helm"):
		return "infrastructure"
	case isWeb(t):
		return "webapp"
	case slices.Contains(stack, "docker"):
		return "service"
	}
	return "library"
}

// isWeb looks for a front-end framework among package.json's words.
func isWeb(t *tree.Tree) bool {
	f, err := t.Read("package.json")
	if err != nil {
		return false
	}
	return slices.ContainsFunc([]string{`"react"`, `"vue"`, `"svelte"`, `"next"`, `"@angular/core"`, `"vite"`},
		func(word string) bool { return strings.Contains(string(f.Data), word) })
}
