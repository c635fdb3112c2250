package frontmatter

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/grimoire-kit/grimoire/surface"
)

// yamlLine is compiled when a file is first found wrong: the hook, which reads
// a file at a time, hardly ever needs it.
var yamlLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^yaml: (?:line (\d+): )?`) })

// yamlFault names the line of text, from 1, and what is wrong there, in the words
// of somebody who writes YAML rather than of its grammar.
func yamlFault(text string, err error) *Fault {
	named, message := yamlError(err)
	return &Fault{Line: max(faultLine(text, message, named), 1), Text: wordsFor(message)}
}

// YAMLFault says of an error that go-yaml has about text where it is and what
// is wrong, as Parse does. Of values of another type it says the first, and what
// was expected, without the names of Go's types.
func YAMLFault(text string, err error) Fault {
	var types *yaml.TypeError
	if errors.As(err, &types) && len(types.Errors) > 0 {
		return typeFault(types.Errors[0])
	}
	return *yamlFault(text, err)
}

// mismatch is what go-yaml says of a value that is of another type.
var mismatch = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^line (\d+): cannot unmarshal !!\w+(?: .*)? into (.+)$`)
})

func typeFault(message string) Fault {
	m := mismatch().FindStringSubmatch(message)
	if m == nil {
		line, rest := 0, message
		if _, err := fmt.Sscanf(message, "line %d: ", &line); err == nil {
			_, rest, _ = strings.Cut(message, ": ")
		}
		return Fault{Line: max(line, 1), Text: wordsFor(rest)}
	}
	fr, en := "une table de clés était attendue", "a mapping"
	switch into := m[2]; {
	case into == "string":
		fr, en = "un texte était attendu", "a text"
	case strings.HasPrefix(into, "[]"):
		fr, en = "une liste était attendue", "a list"
	case into == "bool":
		fr, en = "true ou false était attendu", "true or false"
	case strings.HasPrefix(into, "int"), strings.HasPrefix(into, "uint"):
		fr, en = "un entier était attendu", "a whole number"
	case strings.HasPrefix(into, "float"):
		fr, en = "un nombre était attendu", "a number"
	}
	line, _ := strconv.Atoi(m[1])
	return Fault{Line: line, Text: surface.Text{FR: fr + " ici", EN: en + " was expected here"}}
}

// wordsFor are go-yaml's words about a name or a number, or those of a mistake
// nobody was seen making: these stay as they are, beside what they amount to.
func wordsFor(message string) surface.Text {
	if words, known := yamlWords[message]; known {
		return words
	}
	if name, ok := strings.CutPrefix(message, "unknown anchor "); ok {
		name = strings.TrimSuffix(name, " referenced")
		return surface.Text{FR: "l'ancre " + name + " n'est définie nulle part", EN: "the anchor " + name + " is defined nowhere"}
	}
	if strings.HasPrefix(message, "exceeded max depth") {
		return surface.Text{FR: "trop de niveaux d'imbrication", EN: "too many levels of nesting"}
	}
	return surface.Text{FR: "ce n'est pas du YAML valide (" + message + ")", EN: "this is not valid YAML (" + message + ")"}
}

// yamlWords are the mistakes found in public files, by go-yaml's message.
var yamlWords = map[string]surface.Text{
	"mapping values are not allowed in this context": {
		FR: "un « : » dans une valeur sans guillemets", EN: "a colon inside a value without quotes"},
	"found a tab character that violates indentation": {
		FR: "une tabulation là où YAML veut des espaces", EN: "a tab where YAML wants spaces"},
	"found character that cannot start any token": {
		FR: "une valeur sans guillemets commence par une tabulation, @, ` ou %", EN: "a value without quotes starts with a tab, @, ` or %"},
	"found unexpected end of stream": {
		FR: "un guillemet n'est jamais fermé", EN: "a quote is never closed"},
	"did not find expected key": {
		FR: "du texte suit une valeur déjà fermée par un guillemet ou un crochet, ou l'alignement change",
		EN: "text follows a value that a quote or bracket has closed, or the alignment changes"},
	"did not find expected ',' or ']'": {
		FR: "un crochet [ n'est jamais fermé", EN: "a [ is never closed"},
	"did not find expected ',' or '}'": {
		FR: "une accolade { n'est jamais fermée", EN: "a { is never closed"},
	"could not find expected ':'": {
		FR: "une ligne n'a pas de « : » après sa clé, ou une valeur continue sans retrait", EN: "a line has no colon after its key, or a value goes on without indentation"},
	"did not find expected '-' indicator": {
		FR: "une entrée de liste ne commence pas par « - », ou l'alignement change", EN: "a list entry does not start with a -, or the alignment changes"},
	"block sequence entries are not allowed in this context": {
		FR: "une liste « - » là où une valeur simple est attendue", EN: "a - list where a plain value is expected"},
	"did not find expected node content": {
		FR: "une valeur manque", EN: "a value is missing"},
	"found unknown escape character": {
		FR: "un « \\ » que YAML ne connaît pas entre guillemets doubles ; écris-le \\\\", EN: "a backslash between double quotes that YAML does not know; write it twice"},
	"did not find expected alphabetic or numeric character": {
		FR: "un « * » ou un « & » commence une valeur sans guillemets", EN: "a value without quotes starts with * or &"},
	"did not find expected <document start>": {
		FR: "du texte suit la fin du document", EN: "text follows the end of the document"},
	"control characters are not allowed": {
		FR: "un caractère de contrôle", EN: "a control character"},
}

// yamlError splits go-yaml's message into the line (0 where it has none) and
// what is wrong.
func yamlError(err error) (line int, message string) {
	message = err.Error()
	m := yamlLine().FindStringSubmatch(message)
	if m == nil {
		return 0, message
	}
	message = message[len(m[0]):]
	line, _ = strconv.Atoi(m[1])
	return line, message
}

// Bounds of the search below: it parses the text once for each of its lines.
const (
	maxSearchedBytes = 4 << 10
	maxSearchedLines = 200
)

// faultLine finds the line of text a person has to look at: the first one up to
// which the text already fails that way. go-yaml itself names the start of what
// it was reading, or nothing; that is what is left for a long text.
func faultLine(text, message string, named int) int {
	if len(text) > maxSearchedBytes || strings.Count(text, "\n") > maxSearchedLines {
		return named
	}
	line := 0
	for at := 0; at < len(text); {
		row, _, _ := strings.Cut(text[at:], "\n")
		at = min(at+len(row)+1, len(text))
		line++
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(text[:at]), &doc); err != nil {
			if _, m := yamlError(err); m == message {
				return line
			}
		}
	}
	return named
}
