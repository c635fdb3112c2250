package plugin

import (
	"bytes"
	"sync"
	"unicode/utf8"
)

// What is kept of a plugin's stderr, to be shown when it fails.
const (
	stderrLines     = 20
	stderrLineBytes = 400
)

// tail keeps the last lines written to it. What a plugin writes cannot make it
// grow.
type tail struct {
	mu    sync.Mutex
	lines []string
	line  []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for rest := p; len(rest) > 0; {
		part, after, ended := bytes.Cut(rest, []byte{'\n'})
		t.line = append(t.line, part[:min(len(part), stderrLineBytes-len(t.line))]...)
		if ended {
			t.endLine()
		}
		rest = after
	}
	return len(p), nil
}

func (t *tail) endLine() {
	if line := printable(t.line); line != "" {
		t.lines = append(t.lines, line)
	}
	if len(t.lines) > stderrLines {
		t.lines = t.lines[1:]
	}
	t.line = t.line[:0]
}

// last returns the lines kept, the oldest first.
func (t *tail) last() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.endLine()
	return append([]string(nil), t.lines...)
}

// printable drops what could drive the terminal that shows the line.
func printable(line []byte) string {
	out := make([]rune, 0, len(line))
	for len(line) > 0 {
		r, size := utf8.DecodeRune(line)
		switch {
		case r == '\t':
			out = append(out, ' ', ' ')
		case r >= ' ' && r != 0x7f && (r < 0x80 || r > 0x9f):
			out = append(out, r)
		}
		line = line[size:]
	}
	return string(out)
}
