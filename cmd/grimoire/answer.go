package main

import (
	"io"

	"github.com/grimoire-kit/grimoire/core/host"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// answer is stdout, which remembers that it could not be written: a script that
// got half an answer must not take it for a whole one.
type answer struct {
	to  io.Writer
	err error
}

func (w *answer) Write(b []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	n, err := w.to.Write(b)
	w.err = err
	return n, err
}

// failed is the refusal for an answer that nobody got as a whole, nil for one
// that was written.
func (w *answer) failed() error {
	if w.err == nil {
		return nil
	}
	cause := fault.Cause(w.err)
	return host.Refusal{
		FR: "La réponse n'a pas pu être écrite en entier sur la sortie standard (" + cause.FR + ").",
		EN: "The answer could not be written to standard output as a whole (" + cause.EN + ").",
	}
}

// closed is a standard output that was closed before the program began.
type closed struct{}

func (closed) Write([]byte) (int, error) {
	return 0, host.Refusal{FR: "elle est fermée", EN: "it is closed"}
}
