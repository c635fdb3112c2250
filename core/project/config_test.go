package project

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/frontmatter"
)

func TestConfig(t *testing.T) {
	got, err := ReadConfig(write(t, map[string]string{"project-context.yaml": `# ours
project:
  name: "demo"
  repos: [{name: a, path: .}]
user: {name: Alice, language: "Français", skill_level: intermediate}
agents:
  entry: scribe
  custom_agents: []
hosts:
  enabled: [Alpha, beta]
  entry_sections: true
  plugins:
    - id: zed
      path: tools/zed-emitter
      note: kept
memory: &m {backend: local, self: *m}
`}))
	if err != nil {
		t.Fatal(err)
	}
	want := Config{Declared: true, ProjectName: "demo", Language: "Français", LanguageLine: 5, Entry: "scribe", EntrySet: true, Hosts: HostsConfig{
		Declared:        true,
		EnabledDeclared: true,
		Enabled:         []HostName{{"Alpha", 10}, {"beta", 10}},
		EntrySections:   true,
		Plugins:         []Plugin{{"zed", "tools/zed-emitter", 13}},
	}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestConfigDefaults(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"absent": {}, "empty": {"project-context.yaml": ""}, "comments": {"project-context.yaml": "# nothing\n"},
		"blank sections": {"project-context.yaml": "project:\nuser: ~\nagents:\nhosts:\n"},
		"blank keys":     {"project-context.yaml": "project: {name: }\nuser: {language: }\nhosts: {entry_sections: , plugins: }\n"},
		"CRLF and BOM":   {"project-context.yaml": "\ufeffproject:\r\n  type: library\r\n"},
	} {
		got, err := ReadConfig(write(t, files))
		want := Config{Declared: len(files) > 0, Entry: "concierge"}
		want.Hosts.Declared = strings.Contains(files["project-context.yaml"], "hosts:")
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// Strict input: a value of the wrong shape is named with line and key, and
// every host command stops there.
func TestConfigErrors(t *testing.T) {
	for text, want := range map[string]string{
		"- a\n":                                                     "project-context.yaml:1: `key: value` lines were expected (GR002)",
		"project: demo\n":                                           "project-context.yaml:1: project: `key: value` lines were expected (GR501)",
		"project:\n  name: [a]\n":                                   "project-context.yaml:2: project.name: a text was expected (GR501)",
		"a: 1\nhosts: [a]\n":                                        "project-context.yaml:2: hosts: `key: value` lines were expected (GR501)",
		"hosts:\n  enabled: claude\n":                               "project-context.yaml:2: hosts.enabled: a list of host names was expected ([] for none) (GR501)",
		"hosts:\n  enabled:\n":                                      "project-context.yaml:2: hosts.enabled: a list of host names was expected ([] for none) (GR501)",
		"hosts:\n  enabled: [{a: b}]\n":                             "project-context.yaml:2: hosts.enabled: every entry must be the name of a host (GR501)",
		"hosts:\n  entry_sections: yes please\n":                    "project-context.yaml:2: hosts.entry_sections: true or false was expected (GR501)",
		"hosts:\n  plugins: x\n":                                    "project-context.yaml:2: hosts.plugins: a list of {id, path} was expected (GR501)",
		"hosts:\n  plugins:\n  - x\n":                               "project-context.yaml:3: hosts.plugins: `key: value` lines were expected (GR501)",
		"hosts:\n  plugins:\n  - path: x\n":                         "project-context.yaml:3: hosts.plugins.id: a name of letters, digits, `.`, `_`, `-` was expected (GR501)",
		"hosts:\n  plugins:\n  - {id: ../x}\n":                      "project-context.yaml:3: hosts.plugins.id: a name of letters, digits, `.`, `_`, `-` was expected (GR501)",
		"hosts:\n  plugins:\n  - id: x\n":                           "project-context.yaml:3: hosts.plugins.path: the path of the program was expected (GR501)",
		"hosts:\n  enabled: []\n  enabled: [a]\n":                   "project-context.yaml:3: hosts: the key enabled is written twice, first on line 2 (GR502)",
		"hosts: {}\nuser: {}\nhosts: {}\n":                          "project-context.yaml:3: the key hosts is written twice, first on line 1 (GR002)",
		"project:\n  name: a\n\tx: y\n":                             "project-context.yaml:3: a tab where YAML wants spaces (GR002)",
		"project:\n  name: a: b\n":                                  "project-context.yaml:2: a colon inside a value without quotes (GR002)",
		"agents:\n  entry: {a: b}\nuser: [x]\n":                     "project-context.yaml:1: user: ",
		"\xff":                                                      "project-context.yaml: the file is not UTF-8 (GR001)",
		"a: " + strings.Repeat("x", maxFile):                        "project-context.yaml: the file is larger than 1 MiB (GR001)",
		"hosts: " + strings.Repeat("[", 20000):                      "project-context.yaml:1: too many levels of nesting (GR002)",
		"hosts:\n  plugins: [{id: a, path: b}, {id: A, path: c}]\n": `project-context.yaml:2: hosts.plugins.id: "A" is declared twice (GR501)`,
	} {
		_, err := Load(write(t, map[string]string{"project-context.yaml": text}), hosts)
		var named *Error
		if !errors.As(err, &named) {
			t.Errorf("%.60q: got %v, want an *Error", text, err)
			continue
		}
		if text == "agents:\n  entry: {a: b}\nuser: [x]\n" {
			// Two mistakes, told at once.
			if !strings.Contains(err.Error(), "project-context.yaml:3: user: ") || !strings.Contains(err.Error(), "project-context.yaml:2: agents.entry: ") {
				t.Errorf("%.60q: got %v", text, err)
			}
			continue
		}
		if err.Error() != want {
			t.Errorf("%.60q: got  %v\nwant %s", text, err, want)
		}
		if named.Text.FR == "" || named.Path != ConfigFile {
			t.Errorf("%.60q: %+v", text, named)
		}
	}
}

func TestLanguageAndName(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     "demo fr",
		"project: {name: My App}":              "My App fr",
		"project: {name: \"  \"}":              "demo fr",
		"project: {name: \"a\\n## b\\u0007\"}": "a ## b fr",
		"user: {language: English}":            "demo en",
		"user: {language: français}":           "demo fr",
		"user: {language: Deutsch}":            "demo fr",
		"user: {document_language: English}":   "demo fr",
	} {
		t.Setenv("LANG", "en_US.UTF-8") // a locale has no say
		p := load(t, map[string]string{"project-context.yaml": text})
		if got := fmt.Sprint(p.Surface.ProjectName, " ", p.Surface.Language); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestEnrolment(t *testing.T) {
	const profile, board = "_grimoire/standard/standard-profile.yaml", "_grimoire/standard/task-board.yaml"
	for name, tt := range map[string]struct {
		files    map[string]string
		enrolled bool
		profile  surface.Profile
		warning  string
	}{
		"none":       {nil, false, surface.ProfileStarter, ""},
		"board":      {map[string]string{board: "broken: ["}, true, surface.ProfileStarter, ""},
		"governed":   {map[string]string{profile: "profile: governed\n"}, true, surface.ProfileGoverned, ""},
		"production": {map[string]string{profile: "a: b\nprofile: \"production\" # x\n"}, true, surface.ProfileProduction, ""},
		"unknown":    {map[string]string{profile: "a: b\nprofile: strict\n"}, true, surface.ProfileGoverned, profile + `:2: Unknown profile: "strict" (expected one of: starter, controlled, orchestrated, governed, production); the profile is held to be governed until then`},
		"list":       {map[string]string{profile: "profile: [governed]\n"}, true, surface.ProfileGoverned, profile + `:1: profile: one word was expected (starter, controlled, orchestrated, governed, production); the profile is held to be governed until then`},
		"missing":    {map[string]string{profile: "other: x\n"}, true, surface.ProfileStarter, profile + ": the key profile is missing; so the profile is starter"},
		"broken":     {map[string]string{profile: "profile: a: b\n"}, true, surface.ProfileGoverned, profile + ":1: invalid YAML: a colon inside a value without quotes; the profile is held to be governed until then"},
		"folder":     {map[string]string{profile + "/": ""}, true, surface.ProfileGoverned, profile + ": it is a folder, not a file; the profile is held to be governed until then"},
	} {
		t.Run(name, func(t *testing.T) {
			p := load(t, tt.files)
			var warning string
			for _, w := range p.Warnings {
				warning += w.In(surface.English)
			}
			if p.Enrolled != tt.enrolled || p.Surface.Governed != tt.enrolled || p.Profile != tt.profile || p.Surface.Profile != tt.profile || warning != tt.warning {
				t.Errorf("enrolled %v, profile %s, warning %q", p.Enrolled, p.Profile, warning)
			}
		})
	}
}

func FuzzParseConfig(f *testing.F) {
	for _, s := range []string{
		"", "project: {name: a}\n", "hosts:\n  enabled: [a, b]\n  plugins: [{id: a, path: b}]\n", "a: &a [*a]\nhosts: *a\n",
		"hosts: &h {enabled: *h}\n", "? [a]\n: b\n", "hosts: !!binary x\n", "---\n---\n", "%YAML 9.9\n---\n", "hosts: {entry_sections: TRUE}",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		cfg, err := parseConfig(frontmatter.UnixLines(text))
		if err == nil {
			if !surface.Printable(cfg.ProjectName+cfg.Entry) && utf8.ValidString(text) {
				t.Fatalf("%+v", cfg)
			}
			return
		}
		var named *Error
		if !errors.As(err, &named) || named.Line < 1 || named.Line > 2+strings.Count(frontmatter.UnixLines(text), "\n") || named.Text.FR == "" {
			t.Fatalf("%v: %+v", err, named)
		}
		if !reflect.DeepEqual(cfg, Config{}) {
			t.Fatalf("a configuration beside %v", err)
		}
	})
}
