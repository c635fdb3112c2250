package main

import (
	"errors"
	"fmt"

	"github.com/grimoire-kit/grimoire/core/host"
	"github.com/grimoire-kit/grimoire/core/project"
	"github.com/grimoire-kit/grimoire/surface"
)

// Exit codes, decided here and nowhere else.
const (
	exitOK      = 0
	exitProblem = 1 // the command ran and has a problem to report, or refused
	exitUsage   = 2 // the command line itself is wrong
)

// errReported ends a command with exitProblem when everything there is to say
// has been printed already.
var errReported = errors.New("reported")

// errStrict is errReported of red gates that were asked about strictly, under a
// profile that refuses: the existing kit's scripts tell them by exitStrict.
var errStrict = fmt.Errorf("strict: %w", errReported)

// exitStrict is exitUsage's number, as in the existing kit.
const exitStrict = 2

// usageError is a command line that cannot be understood.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

// ownExit ends the process with a code that is the command's own: a hook's is
// the dialect's. Everything there is to say has been written.
type ownExit int

func (e ownExit) Error() string        { return fmt.Sprintf("exit %d", int(e)) }
func (e ownExit) Is(target error) bool { return target == errReported }

// exitCode says how a finished command ends the process.
func exitCode(err error) int {
	var u usageError
	var h ownExit
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &u):
		return exitUsage
	case errors.As(err, &h):
		return int(h)
	case errors.Is(err, errStrict):
		return exitStrict
	}
	return exitProblem
}

// errorJSON is the JSON answer of a command that has no other to give.
type errorJSON struct {
	Error struct {
		Message string `json:"message"`        // what stderr says
		Code    string `json:"code,omitempty"` // GR001 and so on, where a file of the project is at fault
	} `json:"error"`
}

func errorAnswer(err error, l surface.Language) errorJSON {
	var answer errorJSON
	answer.Error.Message = message(err, l)
	var mistake *project.Error
	if errors.As(err, &mistake) {
		answer.Error.Code = mistake.Code
	}
	return answer
}

// message is what the person reads of err in language l.
func message(err error, l surface.Language) string {
	return host.TextOf(err).In(l)
}
