package enrol

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/grimoire-kit/grimoire/core/project"
	"github.com/grimoire-kit/grimoire/core/tree"
	"github.com/grimoire-kit/grimoire/governance/locate"
	"github.com/grimoire-kit/grimoire/governance/observe"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// maxRows is how many entries the section of a pack lists, the last ones.
const maxRows = 20

// EvidenceLog is the section of a task's evidence pack that says what the hook
// saw, as it was left.
type EvidenceLog struct {
	Path    string // of the pack, relative to the project
	Entries int    // in the journal
	Written bool   // the section was not what it is now
}

// ProjectLog writes what the hook saw of a task into the marked section of its
// evidence pack, at the end of a pack that has none yet. What stands around the
// section stays byte for byte. A pack that is not there is not made, and one
// without entries gets no section. task must have passed CheckTask.
func ProjectLog(root, task string) (*EvidenceLog, error) {
	var last []observe.Entry
	n, seen := 0, counts{}
	err := observe.Each(root, task, func(e observe.Entry) {
		switch e.Type {
		case observe.Check:
			seen.since = 0
			switch e.Outcome {
			case observe.Passed:
				seen.passed++
			case observe.Failed:
				seen.failed++
			}
		case observe.Bash, observe.Write:
			seen.writes++
			seen.since++
		default:
			return
		}
		n++
		if last = append(last, e); len(last) > maxRows {
			last = last[1:]
		}
	})
	if err != nil {
		return nil, &standard.FileError{Path: observe.Path(task), Why: reason(err)}
	}
	t, err := tree.Open(root)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	log := &EvidenceLog{Path: standard.EvidenceDir + "/" + task + "/evidence-pack.md", Entries: n}
	pack, err := t.Read(log.Path)
	if err != nil || !pack.Exists() {
		return log, err
	}
	from, to, line, ok := standard.LogSection(pack.Data)
	switch {
	case n > 0 && (bytes.HasPrefix(pack.Data, []byte("\xff\xfe")) || bytes.HasPrefix(pack.Data, []byte("\xfe\xff"))):
		return log, &EncodingError{log.Path}
	case !ok:
		return log, &MarkerError{log.Path, line}
	case n == 0 && from < 0:
		return log, nil
	}
	before, after := pack.Data, []byte(nil)
	if from >= 0 {
		before, after = pack.Data[:from], pack.Data[to:]
	}
	end := "\n"
	if first, _, found := bytes.Cut(pack.Data, []byte("\n")); found && bytes.HasSuffix(first, []byte("\r")) {
		end = "\r\n"
	}
	text := section(languageOf(root), task, n, seen, last)
	if end != "\n" {
		text = strings.ReplaceAll(text, "\n", end)
	}
	var out bytes.Buffer
	out.Write(before)
	if from < 0 && len(before) > 0 {
		if !bytes.HasSuffix(before, []byte("\n")) {
			out.WriteString(end)
		}
		out.WriteString(end)
	}
	out.WriteString(text)
	out.Write(after)
	if bytes.Equal(out.Bytes(), pack.Data) {
		return log, nil
	}
	if log.Written, err = t.Replace(pack, out.Bytes()); err != nil {
		return log, err
	}
	return log, t.Sync()
}

// MarkerError is a pack whose markers are not one pair: what of it is ours
// cannot be told.
type MarkerError struct {
	Path string
	Line int
}

func (e *MarkerError) Error() string { return e.Text().EN }

// Text is the message in both languages.
func (e *MarkerError) Text() surface.Text {
	return surface.Text{
		FR: fmt.Sprintf("%s:%d : les lignes « %s » et « %s » doivent être là une fois chacune, dans cet ordre ; la section n'est pas écrite", e.Path, e.Line, standard.LogBegin, standard.LogEnd),
		EN: fmt.Sprintf("%s:%d: the lines %s and %s must stand there once each, in this order; the section is not written", e.Path, e.Line, standard.LogBegin, standard.LogEnd),
	}
}

// EncodingError is a pack in UTF-16, to which nothing can be added in UTF-8.
type EncodingError struct{ Path string }

func (e *EncodingError) Error() string { return e.Text().EN }

// Text is the message in both languages.
func (e *EncodingError) Text() surface.Text {
	return surface.Text{
		FR: e.Path + " est en UTF-16 ; enregistre-le en UTF-8 pour que la section s'y écrive",
		EN: e.Path + " is in UTF-16; save it as UTF-8 for the section to be written",
	}
}

// languageOf is the language of emitted texts.
func languageOf(root string) surface.Language {
	if cfg, err := project.ReadConfig(root); err == nil {
		if l, ok := surface.ParseLanguage(cfg.Language); ok {
			return l
		}
	}
	return surface.French
}

// counts are what a journal comes to; since are the writes after the last
// check.
type counts struct{ passed, failed, writes, since int }

func section(l surface.Language, task string, n int, seen counts, last []observe.Entry) string {
	var b strings.Builder
	b.WriteString(standard.LogBegin + "\n## " + l.Text("Vu par le hook", "Seen by the hook") + "\n\n")
	fmt.Fprintf(&b, l.Text("_Écrit par `grimoire standard gate check` d'après `%s`, et remplacé à chaque fois._\n\n",
		"_Written by `grimoire standard gate check` out of `%s`, and replaced each time._\n\n"), observe.Path(task))
	if n == 0 {
		b.WriteString(l.Text("Rien n'a été vu.", "Nothing was seen.") + "\n" + standard.LogEnd + "\n")
		return b.String()
	}
	fmt.Fprintf(&b, l.Text("%d contrôle(s) réussi(s), %d échoué(s), %d écriture(s), dont %d depuis le dernier contrôle.",
		"%d check(s) that passed, %d that failed, %d write(s), %d of them since the last check."), seen.passed, seen.failed, seen.writes, seen.since)
	if n > len(last) {
		fmt.Fprintf(&b, l.Text(" Les %d dernières entrées :", " The last %d entries:"), len(last))
	}
	fmt.Fprintf(&b, "\n\n| %s |\n|---|---|---|\n", l.Text("Quand | Quoi | Issue", "When | What | How it ended"))
	for _, e := range last {
		what, how := "", ""
		switch e.Type {
		case observe.Check:
			what = code(e.Command)
			how = map[observe.Outcome]string{
				observe.Passed: l.Text("réussi", "passed"), observe.Failed: l.Text("échoué", "failed"),
			}[e.Outcome]
			if how == "" {
				how = l.Text("inconnue", "unknown")
			}
		case observe.Write:
			what, how = code(e.Path), l.Text("écrit", "written")
		default: // a command may hold what does not go into a file that is shared
			what, how = code(program(e.Command)+" …"), l.Text("a pu écrire", "may have written")
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", when(e.At), what, how)
	}
	b.WriteString(standard.LogEnd + "\n")
	return b.String()
}

// assigned are what a command line gives to variables: a pack is shared, and a
// token is given so.
var assigned = regexp.MustCompile(`(^|\s)([A-Za-z_]\w*)=("[^"]*"|'[^']*'|\S+)`)

// code is a text of the journal as code, which can end neither the code, the
// cell nor the line.
func code(s string) string {
	s = assigned.ReplaceAllString(observe.Line(strings.ToValidUTF8(s, "\uFFFD")), "$1$2=…")
	return "`" + strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune("`|<>", r):
			return '\''
		case !unicode.IsPrint(r):
			return '\uFFFD'
		}
		return r
	}, s) + "`"
}

// program is the word that names a command's program.
func program(line string) string {
	for _, word := range strings.Fields(assigned.ReplaceAllString(line, "")) {
		return word
	}
	return ""
}

// when is an entry's time, as far as it is one.
func when(at string) string {
	if at == "" || len(at) > 40 || strings.Trim(at, "0123456789T:.+Z-") != "" {
		return "–"
	}
	return at
}

// reason is an error of the system for people, without this machine's paths.
func reason(err error) surface.Text {
	if why, ok := locate.Escape(err); ok {
		return why
	}
	return fault.Cause(err)
}
