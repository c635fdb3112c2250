package scaffold

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// signs tell a stack by the files at the root of a repository.
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

// Stack tells what a repository is built with, from file names alone.
func Stack(root string) []string {
	entries, err := os.ReadDir(root)
	if err != nil {
		return []string{}
	}
	stack := []string{}
	for _, s := range signs {
		there := slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
			match, _ := path.Match(s.file, e.Name())
			return match && !e.IsDir()
		})
		if there && !slices.Contains(stack, s.stack) {
			stack = append(stack, s.stack)
		}
	}
	return stack
}

// kind is a first guess at `project.type`; the team corrects it.
func kind(root string, stack []string) string {
	switch {
	case slices.Contains(stack, "terraform"), slices.Contains(stack, "helm"):
		return "infrastructure"
	case isWeb(root):
		return "webapp"
	case slices.Contains(stack, "docker"):
		return "service"
	}
	return "library"
}

// isWeb looks for a front-end framework among package.json's words.
func isWeb(root string) bool {
	text, err := os.ReadFile(filepath.Join(root, "package.json"))
	if err != nil || len(text) > 1<<20 {
		return false
	}
	return slices.ContainsFunc([]string{`"react"`, `"vue"`, `"svelte"`, `"next"`, `"@angular/core"`, `"vite"`},
		func(word string) bool { return strings.Contains(string(text), word) })
}
