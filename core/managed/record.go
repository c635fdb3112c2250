package managed

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/core/merge"
	"github.com/grimoire-kit/grimoire/core/tree"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// RecordPath is where a project keeps its record, committed with it.
const RecordPath = "_grimoire/hosts/ownership.json"

const (
	recordVersion  = 1
	maxRecord      = 1 << 20 // bytes
	maxRecordItems = 4096    // of each list
	maxHostID      = 128     // bytes
)

// Record is what cannot be read back from the files themselves: which values of
// a user's configuration file are ours, and which directories we created.
//
// It comes with a cloned repository and is not to be believed: it only ever
// leads to the removal of values that our own tables can generate and of
// directories that are empty. Of a host whose emitter is gone nobody has a table:
// values go by the record's word, once a person was shown them and forces it.
type Record struct {
	// Directories are those grimoire created, without those below them.
	Directories []string
	// Merges is by the path of the merged file.
	Merges map[string]Merge
}

// Merge is what grimoire put in one file of the user's.
type Merge struct {
	Hosts  []string // ids of the hosts it was done for, sorted
	Values merge.Record
	// Empty is true when the file was there, with nothing in it.
	Empty bool
	// Written is the digest of our entries as they were put there, "" when that is
	// not known: another one now says that someone changed them by hand.
	Written string
	// Pending is set while the file is being replaced.
	Pending *Pending
}

// Pending announces a replacement before it is made, so that a run killed between
// the file and its record leaves no value without an owner.
type Pending struct {
	Before  string // digest of the file before the replacement; "" when absent
	Hosts   []string
	Values  merge.Record
	Empty   bool
	Written string
}

// Settle gives the entry that is true for the file as it is now: the announced
// one, unless the replacement was never made.
func (m Merge) Settle(content []byte) Merge {
	if m.Pending == nil {
		return m
	}
	if m.Pending.Before == Digest(content) {
		m.Pending = nil
		return m
	}
	return Merge{Hosts: m.Pending.Hosts, Values: m.Pending.Values, Empty: m.Pending.Empty, Written: m.Pending.Written}
}

// Digest is what Pending knows a file's content by; "" for no content.
func Digest(content []byte) string {
	if len(content) == 0 {
		return ""
	}
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:16])
}

// Empty reports whether there is nothing to remember.
func (r Record) Empty() bool { return len(r.Directories) == 0 && len(r.Merges) == 0 }

// Clone gives a record that can be changed without changing r.
func (r Record) Clone() Record {
	merges := make(map[string]Merge, len(r.Merges))
	for p, m := range r.Merges {
		merges[p] = m
	}
	return Record{Directories: slices.Clone(r.Directories), Merges: merges}
}

// The JSON form.
type (
	recordJSON struct {
		Version     int                  `json:"version"`
		Directories []string             `json:"directories,omitempty"`
		Merges      map[string]mergeJSON `json:"merges,omitempty"`
	}
	mergeJSON struct {
		Hosts   []string     `json:"hosts,omitempty"`
		Values  merge.Record `json:"values,omitzero"`
		Empty   bool         `json:"empty,omitempty"`
		Written string       `json:"written,omitempty"`
		Pending *pendingJSON `json:"pending,omitempty"`
	}
	pendingJSON struct {
		Before  string       `json:"before,omitempty"`
		Hosts   []string     `json:"hosts,omitempty"`
		Values  merge.Record `json:"values,omitzero"`
		Empty   bool         `json:"empty,omitempty"`
		Written string       `json:"written,omitempty"`
	}
)

// Encode gives the record's file: the same bytes for the same record.
func (r Record) Encode() ([]byte, error) {
	doc := recordJSON{Version: recordVersion, Directories: outermost(r.Directories)}
	if len(r.Merges) > 0 {
		doc.Merges = map[string]mergeJSON{}
	}
	for p, m := range r.Merges {
		j := mergeJSON{Hosts: m.Hosts, Values: m.Values, Empty: m.Empty, Written: m.Written}
		if m.Pending != nil {
			j.Pending = (*pendingJSON)(m.Pending)
		}
		doc.Merges[p] = j
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(doc); err != nil {
		return nil, fmt.Errorf("encode %s: %w", RecordPath, err)
	}
	return b.Bytes(), nil
}

// DecodeRecord reads a record's file. Anything that grimoire would not have
// written is a *RecordError, and the record is then empty.
func DecodeRecord(data []byte) (Record, error) {
	if line := fault.Conflict(data); line > 0 {
		return Record{}, &RecordError{Conflict: line}
	}
	if version := newerVersion(data); version > 0 {
		return Record{}, &RecordError{Newer: version}
	}
	r, err := decodeRecord(data)
	if err != nil {
		line, column := fault.JSONPlace(data, err)
		return Record{}, &RecordError{Cause: err, Line: line, Column: column}
	}
	return r, nil
}

func decodeRecord(data []byte) (Record, error) {
	if len(data) > maxRecord {
		return Record{}, fmt.Errorf("larger than %d bytes", maxRecord)
	}
	var doc recordJSON
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&doc); err != nil {
		return Record{}, err
	}
	if _, err := d.Token(); err != io.EOF {
		return Record{}, errors.New("text after the end of the document")
	}
	if doc.Version != recordVersion {
		return Record{}, fmt.Errorf("version is %d, expected %d", doc.Version, recordVersion)
	}
	if len(doc.Directories) > maxRecordItems || len(doc.Merges) > maxRecordItems {
		return Record{}, fmt.Errorf("more than %d items", maxRecordItems)
	}
	r := Record{Directories: doc.Directories, Merges: map[string]Merge{}}
	for _, p := range doc.Directories {
		if err := tree.CheckPath(p); err != nil {
			return Record{}, fmt.Errorf("directories: %w", err)
		}
	}
	for p, m := range doc.Merges {
		if err := tree.CheckPath(p); err != nil {
			return Record{}, fmt.Errorf("merges: %w", err)
		}
		if err := checkHosts(m.Hosts); err != nil {
			return Record{}, fmt.Errorf("merges: %s: %w", p, err)
		}
		entry := Merge{Hosts: m.Hosts, Values: m.Values, Empty: m.Empty, Written: m.Written}
		if m.Pending != nil {
			if err := checkHosts(m.Pending.Hosts); err != nil {
				return Record{}, fmt.Errorf("merges: %s: pending: %w", p, err)
			}
			entry.Pending = (*Pending)(m.Pending)
		}
		r.Merges[p] = entry
	}
	return r, nil
}

func checkHosts(ids []string) error {
	if len(ids) > maxRecordItems {
		return fmt.Errorf("more than %d hosts", maxRecordItems)
	}
	for _, id := range ids {
		if id == "" || len(id) > maxHostID || strings.ContainsFunc(id, func(r rune) bool { return r < 0x21 || r > 0x7e }) {
			return fmt.Errorf("%q is not a host id", id)
		}
	}
	return nil
}

// outermost sorts directories and drops those below another.
func outermost(dirs []string) []string {
	dirs = slices.Clone(dirs)
	slices.Sort(dirs)
	var out []string
	for _, d := range dirs {
		if !slices.ContainsFunc(out, func(o string) bool { return d == o || strings.HasPrefix(d, o+"/") }) {
			out = append(out, d)
		}
	}
	return out
}

// Created reports whether grimoire created the directory. That of the record is
// always its own: nothing else is kept there.
func (r Record) Created(dir string) bool {
	own := path.Dir(RecordPath)
	return dir == own || strings.HasPrefix(dir, own+"/") || slices.ContainsFunc(r.Directories, func(d string) bool { return dir == d || strings.HasPrefix(dir, d+"/") })
}
