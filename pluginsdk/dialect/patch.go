package dialect

import "strings"

// The apply_patch format, as Codex CLI 0.171.0 and Copilot CLI 1.0.102 send
// it: the targets of the write stand inside the text.
const (
	patchBegin  = "*** Begin Patch"
	patchEnd    = "*** End Patch"
	patchAdd    = "*** Add File: "
	patchUpdate = "*** Update File: "
	patchDelete = "*** Delete File: "
	patchMove   = "*** Move to: "
)

// patchReader gathers the edits of a patch.
type patchReader struct {
	changes  []Change
	path     string // file being updated, "" for none
	touched  bool   // a hunk of it was seen
	adding   bool   // the last change is a new file
	old, new strings.Builder
}

// patchChanges returns the edits of a patch, one a hunk. It is lenient: a line
// that hosts might read as naming a file counts.
func patchChanges(text string) []Change {
	var p patchReader
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if !p.header(strings.TrimSpace(line)) {
			p.body(line)
		}
	}
	p.closeFile()
	return p.changes
}

// header reads a line that opens a file or a hunk.
func (p *patchReader) header(line string) bool {
	if strings.HasPrefix(line, "@@") {
		p.closeHunk()
		return true
	}
	if !strings.HasPrefix(line, "*** ") {
		return false
	}
	if path, ok := strings.CutPrefix(line, patchAdd); ok {
		p.closeFile()
		p.changes = append(p.changes, Change{Path: path, Whole: true})
		p.adding = true
	} else if path, ok := strings.CutPrefix(line, patchUpdate); ok {
		p.closeFile()
		p.path = path
	} else if path, ok := strings.CutPrefix(line, patchDelete); ok {
		p.closeFile()
		p.changes = append(p.changes, Change{Path: path, Removed: true})
	} else if path, ok := strings.CutPrefix(line, patchMove); ok {
		if p.path != "" {
			p.changes = append(p.changes, Change{Path: p.path, Removed: true})
		}
		p.path = path
	} else if strings.HasPrefix(line, patchEnd) {
		p.closeFile()
	}
	return true
}

func (p *patchReader) body(line string) {
	if line == "" {
		return
	}
	switch sign, text := line[0], line[1:]+"\n"; {
	case p.adding && sign == '+':
		p.new.WriteString(text)
	case p.path == "":
	case sign == '-':
		p.old.WriteString(text)
	case sign == '+':
		p.new.WriteString(text)
	case sign == ' ':
		p.old.WriteString(text)
		p.new.WriteString(text)
	}
}

func (p *patchReader) closeHunk() {
	if p.path != "" && p.old.Len()+p.new.Len() > 0 {
		p.changes = append(p.changes, Change{Path: p.path, Old: p.old.String(), New: p.new.String()})
		p.touched = true
	}
	p.old.Reset()
	p.new.Reset()
}

func (p *patchReader) closeFile() {
	if p.adding {
		p.changes[len(p.changes)-1].New = p.new.String()
	}
	p.closeHunk()
	if p.path != "" && !p.touched {
		p.changes = append(p.changes, Change{Path: p.path})
	}
	p.path, p.touched, p.adding = "", false, false
}

// shellPatch returns the patch that a command line gives to apply_patch, in a
// heredoc or an argument: Codex CLI takes it from there without a hook call of
// its own for the tool.
func shellPatch(command string) (string, bool) {
	at := strings.Index(command, patchBegin)
	if at < 0 || !strings.Contains(command[:at], "apply_patch") && !strings.Contains(command[:at], "applypatch") {
		return "", false
	}
	return command[at:], true
}
