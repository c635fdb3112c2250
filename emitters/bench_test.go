package emitters_test

import (
	"testing"

	"github.com/grimoire-kit/grimoire/emitters"
	"github.com/grimoire-kit/grimoire/pluginsdk/dialect"
)

// plainBash is the call a session makes most.
const plainBash = `{"session_id":"6d2c7a1e-5f0b-4c57-9d43-0a1b2c3d4e5f","transcript_path":"/home/user/.claude/projects/p/6d2c7a1e.jsonl",
"cwd":"/home/user/project","prompt_id":"p1","permission_mode":"default","effort":{"level":"medium"},"hook_event_name":"PreToolUse",
"tool_name":"Bash","tool_input":{"command":"go test ./... 2>&1 | tail -20","description":"Run the tests"},"tool_use_id":"toolu_01"}`

// BenchmarkCall is what the wire costs one call of the hook, which starts from
// nothing every time: open the dialect, read the payload, write the answer.
// The aim is 150 µs.
func BenchmarkCall(b *testing.B) {
	for _, host := range emitters.Dialects() {
		b.Run(host, func(b *testing.B) {
			data, _ := emitters.Dialect(host)
			payload := []byte(plainBash)
			b.ReportAllocs()
			for b.Loop() {
				d, err := dialect.Open(data)
				if err != nil {
					b.Fatal(err)
				}
				c := d.Decode(payload, "pre_tool_use")
				d.Encode(&c, dialect.Refuse, dialect.Reply{Reason: "no"})
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	data, _ := emitters.Dialect("copilot") // the longest
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := dialect.Parse(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	data, _ := emitters.Dialect("claude")
	d, err := dialect.Parse(data)
	if err != nil {
		b.Fatal(err)
	}
	payload := []byte(plainBash)
	b.ReportAllocs()
	for b.Loop() {
		d.Decode(payload, "")
	}
}
