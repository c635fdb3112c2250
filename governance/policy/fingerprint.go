package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/grimoire-kit/grimoire/governance/canonical"
)

// volatile are arguments that say nothing about what a tool does: the model
// words them anew on every try. All others count.
var volatile = map[string][]string{
	"Bash":              {"description", "timeout"},
	"bash":              {"description", "timeout"}, // opencode, Copilot CLI
	"run_shell_command": {"description"},            // Gemini CLI
	"run_in_terminal":   {"explanation", "goal"},
}

// commandKeys are the arguments a command may stand in, in order.
var commandKeys = []string{"command", "cmd", "commandLine", "script"}

// Fingerprint identifies one action for approvals: the tool and its whole
// input, of which only the volatile arguments and the blanks that the shell
// ignores are left out. It is that of the existing kit: lower-case hex SHA-256
// of the tool's name, a NUL and the input as canonical JSON.
func Fingerprint(tool string, input []byte) string {
	h := sha256.New()
	h.Write([]byte(tool))
	h.Write([]byte{0})
	h.Write(canonicalInput(tool, input))
	return hex.EncodeToString(h.Sum(nil))
}

func canonicalInput(tool string, input []byte) []byte {
	if len(input) == 0 {
		return []byte("{}")
	}
	v, ok := canonical.Parse(input)
	if !ok {
		return input // still one action, if less tolerant of spelling
	}
	v.Drop(volatile[tool]...)
	for _, key := range commandKeys {
		if s, ok := v.String(key); ok && trim(s) != "" {
			v.SetString(key, normalizeCommand(s))
			break
		}
	}
	return v.Append(nil)
}

// normalizeCommand collapses the blanks that a shell ignores. Where the shell
// reads blanks itself, or might, the command only loses those around it.
func normalizeCommand(s string) string {
	if readsBlanks(s) {
		return trim(s)
	}
	s = trim(s)
	var b strings.Builder
	var quote byte
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == ' ' || c == '\t':
			if i+1 < len(s) && (s[i+1] == ' ' || s[i+1] == '\t') {
				continue
			}
			c = ' '
		}
		b.WriteByte(c)
	}
	return b.String()
}

// readsBlanks is deliberately coarse: a text that is not plain words and
// closed quotes in ASCII is left as it is.
func readsBlanks(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return true
		}
	}
	if strings.ContainsAny(s, "\\`[\n\r") {
		return true
	}
	for _, mark := range []string{"$(", "${", "@(", "?(", "*(", "+(", "!("} {
		if strings.Contains(s, mark) {
			return true
		}
	}
	var quote byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case c == quote:
			quote = 0
		}
	}
	return quote != 0
}

// trim is Python's strip, which also takes the four separators of ASCII.
func trim(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f })
}
