package dialect_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/tidwall/gjson"

	"github.com/grimoire-kit/grimoire/pluginsdk/dialect"
	"github.com/grimoire-kit/grimoire/surface"
)

// faults are documents that must not be read, each with the place and a part
// of the complaint.
var faults = []struct {
	name, old, new  string
	path, complaint string
	// schema says that the JSON Schema finds it too.
	schema bool
}{
	{"unknown key", `"asks": true`, `"asks": true, "zork": 1`, "zork", "unknown key", true},
	{"key given twice", `"asks": true`, `"asks": true, "asks": false`, "asks", "given twice", false},
	{"missing key", `"asks": true,`, ``, "asks", "missing", true},
	{"another version", `"version": 1`, `"version": 2`, "version", "reads 1", true},
	{"host is no text", `"host": "lantern"`, `"host": 7`, "host", "not a text", true},
	{"asks is no boolean", `"asks": true`, `"asks": "yes"`, "asks", "neither true nor false", true},
	{"half a character", `"context_chars": 40`, `"context_chars": 0.5`, "limits.context_chars", "whole number", true},
	{"reaction", `"on_crash": "refuse"`, `"on_crash": "explode"`, "limits.on_crash", "explode is not one of run, refuse, profile", true},
	{"root", `"process"]`, `"home"]`, "root", `"home"`, true},
	{"family", `"family": "execute"`, `"family": "magic"`, "tools.sh.family", "magic is not one of", true},
	{"argument kind", `{"line": "command"}`, `{"line": "spell"}`, "tools.sh.args.line", "spell is not one of", true},
	{"argument path", `{"line": "command"}`, `{"a..b": "command"}`, "tools.sh.args.a..b", "single dots", true},
	{"a query is no path", `"paths": ["event"]`, `"paths": ["a.#(b==1)"]`, "variants.3.event.paths.0", "is not a path", true},
	{"a modifier is no path", `"paths": ["event"]`, `"paths": ["@reverse"]`, "variants.3.event.paths.0", "is not a path", true},
	{"a field is one value", `"stop_active": ["again"]`, `"stop_active": ["a.#.b"]`, "variants.3.fields.stop_active.0", "no single member", true},
	{"a field is not the whole", `"stop_active": ["again"]`, `"stop_active": ["."]`, "variants.3.fields.stop_active.0", "no single member", true},
	{"a predicate looks at one value", `{"path": "ended"`, `{"path": "#"`, "variants.1.when.0.path", "no single member", true},
	{"event name", `"Done": "stop"`, `"Done": "halt"`, "variants.3.event.names.Done", "halt is not one of", true},
	{"no reason for ignoring", `{"Tick": "a clock"}`, `{"Tick": ""}`, "variants.3.event.ignored.Tick", "not a text", true},
	{"predicate", `"is": "object"`, `"is": "array"`, "variants.2.when.1.is", "array is not one of", true},
	{"equals of no string", `"is": "string", "equals": "2"`, `"is": "present", "equals": "2"`, "variants.2.when.0.equals", "goes with", true},
	{"field", `"stop_active": ["again"]`, `"mood": ["again"]`, "variants.3.fields.mood", "unknown key", true},
	{"variant that says both", `"ignored": "it is over"`, `"ignored": "it is over", "belongs_to": "x"`, "variants.1", "one of", true},
	{"variant that says nothing", `, "ignored": "it is over"`, ``, "variants.1", "event and fields", true},
	{"silent for nobody", `"ignored": "it is over"`, `"ignored": "it is over", "silent_if": "x"`, "variants.1", "goes with", true},
	{"answer to no event", `"stop": {"block_stop"`, `"halt": {"block_stop"`, "answers.halt", "halt is not one of", true},
	{"answer of no outcome", `"refuse": {"stderr"`, `"allow": {"stderr"`, "answers.pre_tool_use.allow", "allow is not one of", true},
	{"grant of a tool call", `"refuse": {"stderr": "{reason}", "exit": 3}`, `"grant": {}`, "answers.pre_tool_use.grant", "permission_request alone", true},
	{"an answer that allows", `"n": 1`, `"decision": "allow"`, "answers.*.context.stdout.decision", "cannot let a tool run", true},
	{"deep down", `"more": "{context}"`, `"more": {"permissionDecision": "Approved"}`, "answers.stop.block_stop.stdout.deep.more.permissionDecision", "cannot let a tool run", true},
	{"as a key", `"n": 1`, `"allowTool": true`, "answers.*.context.stdout.allowTool", "cannot let a tool run", true},
	{"as plain text", `"no_opinion": {"stdout": {}}`, `"no_opinion": {"stdout": "allow"}`, "answers.*.no_opinion.stdout", "cannot let a tool run", true},
	{"refusal without its reason", `"stderr": "{reason}", "exit": 3`, `"exit": 3`, "answers.pre_tool_use.refuse", "nothing in it says {reason}", false},
	{"context without its text", `"text": "{context}", `, ``, "answers.*.context", "nothing in it says {context}", false},
	{"placeholder inside words", `"{event}"`, `"at {event}"`, "answers.*.context.stdout.event", "neither plain words", true},
	{"unknown placeholder", `"{event}"`, `"{tool}"`, "answers.*.context.stdout.event", "neither plain words", true},
	{"list", `"n": 1`, `"n": [1]`, "answers.*.context.stdout.n", "no lists", true},
	{"exit code", `"exit": 3`, `"exit": 126`, "answers.pre_tool_use.refuse.exit", "at most 125", true},
	{"tool of a variant", `{"sh": {"family": "read"`, `{"sh": {"family": "readd"`, "variants.2.tools.sh.family", "readd is not one of", true},
	{"answer of a variant", `{"no": "{reason}"}`, `{"permit": "{reason}"}`, "variants.2.answers.pre_tool_use.refuse.stdout.permit", "cannot let a tool run", true},
}

func TestParseNamesTheFault(t *testing.T) {
	parse(t, lantern)
	for _, tt := range faults {
		t.Run(tt.name, func(t *testing.T) {
			_, err := dialect.Parse([]byte(with(t, tt.old, tt.new)))
			var e *dialect.Error
			if !errors.As(err, &e) {
				t.Fatalf("err = %v, want a *dialect.Error", err)
			}
			if !strings.HasPrefix(e.Path, tt.path) || !strings.Contains(err.Error(), tt.complaint) {
				t.Errorf("err = %v, want %s: … %s", err, tt.path, tt.complaint)
			}
		})
	}
}

func TestParseRefusesWhatIsNoDocument(t *testing.T) {
	for _, doc := range []string{"", " ", "null", "[]", `"x"`, `{"version":1`, "{}", "\xff{}", strings.Repeat(`{"a":`, 5_000), lantern + strings.Repeat(" ", 1<<20)} {
		if _, err := dialect.Parse([]byte(doc)); err == nil {
			t.Errorf("Parse(%.20q) succeeded", doc)
		}
	}
	none := `{"version":1,"host":"x","host_id":"host-x","observed":[],"asks":false,"limits":{"on_timeout":"run","on_crash":"run"},"root":[],"variants":[]}`
	if _, err := dialect.Parse([]byte(none)); err == nil || !strings.Contains(err.Error(), "no variant reads") {
		t.Errorf("err = %v", err)
	}
}

// The published schema says what the program says: it takes every bundled
// dialect and finds the same faults.
func TestSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("dialect.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	bundled, err := filepath.Glob("../../emitters/*/dialect.json")
	if err != nil || len(bundled) == 0 {
		t.Fatalf("no bundled dialect found: %v", err)
	}
	for _, file := range bundled {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value(t, string(data))); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	if err := schema.Validate(value(t, lantern)); err != nil {
		t.Fatal(err)
	}
	for _, tt := range faults {
		if tt.schema && schema.Validate(value(t, with(t, tt.old, tt.new))) == nil {
			t.Errorf("the schema takes a document with fault %q", tt.name)
		}
	}
}

// The words of the schema are those of the program.
func TestSchemaListsEveryWord(t *testing.T) {
	data, err := os.ReadFile("dialect.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string][]string{
		"$defs.event.enum": words(append(slices.Clone(surface.HookEvents), surface.PermissionRequest)),
		"$defs.tools.additionalProperties.properties.family.enum":                    words(surface.ToolFamilies),
		"$defs.tools.additionalProperties.properties.args.additionalProperties.enum": words(dialect.Kinds),
		"$defs.reaction.enum": words([]dialect.Reaction{dialect.Runs, dialect.Refuses, dialect.Profile}),
		"$defs.answers.properties.permission_request.propertyNames.enum": words(dialect.Outcomes),
	} {
		var got []string
		for _, v := range gjson.GetBytes(data, path).Array() {
			got = append(got, v.Str)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
}

func words[T ~string](list []T) []string {
	var out []string
	for _, w := range list {
		out = append(out, string(w))
	}
	slices.Sort(out)
	return out
}

func value(t *testing.T, doc string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(doc), &v); err != nil {
		t.Fatal(err)
	}
	return v
}
