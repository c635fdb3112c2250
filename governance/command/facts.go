// Package command answers one question about a shell command line: what would run?
//
// It parses the line (mvdan.cc/sh) and follows it in words, never in raw text: through separators, substitutions,
// functions, wrappers such as sudo or ssh, shells and interpreters given their program on the line, pipes and
// here-documents that feed a shell. Quoted data stays data.
//
// It is not a policy: it returns facts (what is destructive, what only reads, which files are named, what could not be
// resolved) and leaves the verdict to the packages above it. It opens no file and runs nothing. It sits on the hook's
// hot path: no regular expression is compiled per call, and input size, nesting and work are bounded. Other packages of
// governance may import it.
package command

import "strings"

// Unknown stands, inside a Word's text, for a part whose value cannot be known before the command runs.
const Unknown = "\x00"

// Word is one argument of a program, after quotes, escapes and known variables.
type Word struct {
	// Text is the value; a part that cannot be resolved stands as Unknown.
	Text string
	// Source is the word as it was written, for messages.
	Source string
	// Quoted says that some part of the word was quoted or escaped.
	Quoted bool
	// Glob says that the shell would expand the word as a file pattern.
	Glob bool

	// feed is what a process substitution would deliver when the word is read as a file.
	feed *input
}

// Resolved says that the whole value of the word is known.
func (w Word) Resolved() bool { return !strings.Contains(w.Text, Unknown) }

// Program is one program that would run.
type Program struct {
	// Name is the last path element, lower case, without ".exe".
	Name string
	// Path is the word in command position: a name that is looked for, or a path.
	Path string
	Args []Word
	// Via lists the wrappers it runs under, outermost first ("sudo", "ssh", "bash").
	Via []string
}

// Finding is one destructive shape.
type Finding struct {
	Label Label
	// Fragment is the program and the words that would run, shortened for a message.
	Fragment string
}

// Access says what a command does with a file that it names.
type Access string

// The ways a file can be named.
const (
	// Read covers copies, archives, uploads and searches: the content goes somewhere.
	Read Access = "read"
	// Write replaces, appends to or creates the file; what was in it is not shown.
	Write Access = "write"
	// Touch is about the name or the metadata only: listing, testing, removing, changing a mode.
	Touch Access = "touch"
)

// Target is a word that may name a file.
type Target struct {
	Word   Word
	Access Access
	// Program is the program that was given the word, or the operator of a redirection.
	Program string
	// Folder says that the program takes everything below a folder (tar, rsync, cp -r, grep -r).
	Folder bool
	// Dir is the folder that the word is in, for a program that shows what it reads: the one that the line starts in or
	// went to before (cd). Empty for the project's own.
	Dir string
}

// Reason says why a line could not be judged.
type Reason string

// The reasons for which a line is not judged.
const (
	TooLong    Reason = "too-long"    // more than MaxBytes
	TooDeep    Reason = "too-deep"    // more than MaxDepth levels of nesting
	TooComplex Reason = "too-complex" // more work than MaxSteps
	Syntax     Reason = "syntax"      // not a command line of any shell that is known here
)

// Facts is what is known about a command line before it runs.
type Facts struct {
	// Programs lists what would run, in the order of the text.
	Programs []Program
	// Destructive lists each destructive shape once.
	Destructive []Finding
	// Opaque lists the fragments in command position that cannot be resolved: what they run is unknown.
	Opaque []string
	// ReadOnly says that everything that would run is known to only read. An empty line is not read-only.
	ReadOnly bool
	// Mutation is the first fragment that is not known to only read; empty when ReadOnly.
	Mutation string
	// Targets lists the words that may name files.
	Targets []Target
	// Interactive names a shell or interpreter that would read further commands from its terminal: what is typed
	// there later may not pass a hook again.
	Interactive string
	// Unjudged says why the line could not be judged; empty when it was. The other facts are then a lower bound.
	Unjudged Reason
	// Detail is the parser's message when Unjudged is Syntax.
	Detail string
}
