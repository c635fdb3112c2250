package standard

import (
	"bytes"
	"errors"
	"io/fs"

	"github.com/tidwall/gjson"
)

const (
	maxInvalid = 1000    // invalid lines that are named
	maxEvent   = 1 << 20 // bytes of a line; as deep as it is long, it is still parsed
)

// Events is what stands in the journal.
type Events struct {
	Count int
	Types map[string]int
	// Invalid are the lines that are no event, from 1, the first thousand of
	// them; InvalidCount counts all.
	Invalid      []int
	InvalidCount int
}

// OK reports a journal in which every line is an event.
func (e *Events) OK() bool { return e.InvalidCount == 0 }

// Events reads the journal; one that is not there is empty. A journal that
// cannot be read is a *FileError.
func (f *Folder) Events() (*Events, error) {
	out := &Events{Types: map[string]int{}}
	data, err := f.read(JournalFile, maxJournal)
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return nil, &FileError{JournalFile, words(err)}
	}
	line := 0
	for text := range bytes.Lines(data) {
		line++
		if text = bytes.TrimSpace(text); len(text) == 0 {
			continue
		}
		kind := ""
		if len(text) <= maxEvent && gjson.ValidBytes(text) && gjson.GetBytes(text, "timestamp").String() != "" {
			kind = gjson.GetBytes(text, "event_type").String()
		}
		if kind == "" {
			if out.InvalidCount++; len(out.Invalid) < maxInvalid {
				out.Invalid = append(out.Invalid, line)
			}
			continue
		}
		out.Count++
		out.Types[kind]++
	}
	return out, nil
}
