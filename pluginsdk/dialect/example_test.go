package dialect_test

import (
	"fmt"
	"log"
	"os"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/pluginsdk/dialect"
)

// documented is the document that the package comment shows.
func documented() (string, error) {
	source, err := os.ReadFile("doc.go")
	if err != nil {
		return "", err
	}
	var doc strings.Builder
	for line := range strings.Lines(string(source)) {
		if text, ok := strings.CutPrefix(line, "//\t"); ok {
			doc.WriteString(text)
		}
	}
	return doc.String(), nil
}

func Example() {
	doc, err := documented()
	if err != nil {
		log.Fatal(err)
	}
	d, err := dialect.Parse([]byte(doc))
	if err != nil {
		log.Fatal(err)
	}
	call := d.Decode([]byte(`{"event": "before_tool", "session": "s1", "tool": "sh", "args": {"line": "rm -rf build"}}`), "")
	fmt.Println(call.Event, call.Canonical, call.Family, call.Values(dialect.Command))

	answer := d.Encode(&call, dialect.Refuse, dialect.Reply{Reason: "build is not yours"})
	fmt.Printf("%s, exit code %d\n", answer.Stdout, answer.Exit)
	// Output:
	// pre_tool_use Bash execute [rm -rf build]
	// {"verdict":"no","why":"build is not yours"}, exit code 0
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(lantern))
	f.Add([]byte(`{"version":1}`))
	f.Add([]byte(strings.Replace(lantern, `"variants": [`, `"variants": [[],{"id":1},`, 1)))
	payload := []byte(`{"v":"2","t":{"n":"sh","a":{"line":"x"}},"sid":"1","event":"BeforeTool","tool":"sh","args":{"line":"x"}}`)
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := dialect.Parse(data)
		if err != nil {
			return
		}
		c := d.Decode(payload, "before_tool")
		for _, o := range dialect.Outcomes {
			d.Encode(&c, o, dialect.Reply{Reason: "no", Context: "c"})
		}
	})
}
