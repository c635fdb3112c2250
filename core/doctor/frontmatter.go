package doctor

import (
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/frontmatter"
)

// head is the frontmatter of a Markdown file as hosts find it.
type head struct {
	present bool
	line    int // of its first line
	lines   []string
	// above says that the block exists but does not begin on the first line:
	// hosts read no frontmatter then.
	above bool
	// broken says that the block is not YAML, and why is where and what.
	broken bool
	why    frontmatter.Fault
	values map[string]any // of a block that is YAML
}

// maxFrontmatter bounds a block that is read as YAML, in bytes.
const maxFrontmatter = 64 << 10

var topKey = regexp.MustCompile(`^([A-Za-z_][\w-]*)[ \t]*:[ \t]*(.*)$`)

// headOf finds the frontmatter of a Markdown file. A byte order mark and CRLF
// line ends are no matter to any host that was observed.
func headOf(text []byte) head {
	body := strings.ReplaceAll(strings.TrimPrefix(string(text), byteOrderMark), "\r\n", "\n")
	lines := strings.Split(body, "\n")
	if strings.TrimRight(lines[0], " \t") != "---" {
		return head{above: opensBelow(body)}
	}
	for i := 1; i < len(lines); i++ {
		if strings.TrimRight(lines[i], " \t") == "---" {
			h := head{present: true, line: 2, lines: lines[1:i]}
			block := strings.Join(h.lines, "\n")
			if len(block) > maxFrontmatter {
				h.broken, h.why = true, frontmatter.Fault{Line: 1, Text: surface.Text{
					FR: "le bloc YAML dépasse 64 Kio", EN: "the YAML block is larger than 64 KiB"}}
			} else if err := yaml.Unmarshal([]byte(block), &h.values); err != nil {
				h.broken, h.why = true, frontmatter.YAMLFault(block, err)
			}
			return h
		}
	}
	return head{}
}

// opensBelow reports a block with nothing above it but blank lines and HTML
// comments.
func opensBelow(text string) bool {
	for {
		text = strings.TrimLeft(text, " \t\n")
		if !strings.HasPrefix(text, "<!--") {
			return strings.HasPrefix(text, "---\n")
		}
		_, after, closed := strings.Cut(text, "-->")
		if !closed {
			return false
		}
		text = after
	}
}

// find returns the line of a top-level key, and the rest of that line, also of
// a block that is not YAML: hosts read those too.
func (h head) find(key string) (line int, value string, ok bool) {
	for i, text := range h.lines {
		if m := topKey.FindStringSubmatch(text); m != nil && m[1] == key {
			return h.line + i, strings.TrimSpace(m[2]), true
		}
	}
	return 0, "", false
}

// says reports whether a key has a value that is not empty.
func (h head) says(key string) bool {
	if v, ok := h.values[key]; ok {
		return v != nil && v != ""
	}
	_, value, ok := h.find(key)
	return ok && value != "" && value != `""` && value != "''"
}

// How a host takes frontmatter that is not YAML: Claude Code loads the agent all
// the same, Copilot CLI does not (observed 2.1.332 and 1.0.102).
const (
	lenientYAML = false
	strictYAML  = true
)

// agents checks the agents of a folder: without the keys a host requires it
// loads none of them, and says nothing.
func (r *reading) agents(files []string, strict bool, required ...string) {
	skipped := surface.Text{FR: "l'hôte ne charge pas cet agent, sans le dire", EN: "the host does not load this agent, and does not say so"}
	for _, file := range files {
		text := r.text(file)
		if text == nil {
			continue
		}
		h := headOf(text)
		if !h.present {
			what := surface.Text{FR: "pas de frontmatter", EN: "no frontmatter"}
			if h.above {
				what = surface.Text{FR: "quelque chose précède la ligne ---", EN: "something stands before the --- line"}
			}
			r.say(warning, file, 1, "", sentence(what, skipped))
			continue
		}
		if strict && h.broken {
			r.say(warning, file, h.line-1+h.why.Line, "", sentence(surface.Text{
				FR: "le frontmatter n'est pas du YAML (" + h.why.Text.FR + ")", EN: "the frontmatter is not YAML (" + h.why.Text.EN + ")"}, skipped))
			continue
		}
		for _, key := range required {
			if !h.says(key) {
				r.say(warning, file, h.line, key, sentence(surface.Text{FR: "manque", EN: "missing"}, skipped))
			}
		}
	}
}
