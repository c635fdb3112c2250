package enrol

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/grimoire-kit/grimoire/governance/standard"
)

// ManifestPath is the record of the files that were generated, each with the
// digest it had, in the existing kit's format. A file that still has it was
// changed by nobody. One that is not in it is the team's.
//
// It comes with a cloned repository and is not to be believed: all it can lead
// to is that a file of the standard gets grimoire's own text.
const ManifestPath = standard.ManifestFile

const manifestSchema = "grimoire-standard-generation/v1"

// manifest is the digest of each generated file by its path.
type manifest map[string]string

type manifestFile struct {
	Schema    string            `json:"schema"`
	Artifacts map[string]string `json:"artifacts"`
}

func decodeManifest(data []byte) (manifest, error) {
	if len(data) == 0 {
		return manifest{}, nil
	}
	var f manifestFile
	if err := json.Unmarshal(data, &f); err != nil {
		return manifest{}, err
	}
	if f.Schema != manifestSchema {
		return manifest{}, fmt.Errorf("schema %q, where this grimoire knows %q", f.Schema, manifestSchema)
	}
	if f.Artifacts == nil {
		return manifest{}, nil
	}
	return f.Artifacts, nil
}

func (m manifest) encode() ([]byte, error) {
	data, err := json.MarshalIndent(manifestFile{manifestSchema, m}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", ManifestPath, err)
	}
	return append(data, '\n'), nil
}

// untouched reports whether a file is as it was generated. A checkout with
// other line ends is no change.
func (m manifest) untouched(path string, data []byte) bool {
	d, ok := m[path]
	return ok && (d == digest(data) || d == digest(unixLines(data)))
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func unixLines(data []byte) []byte { return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")) }

// undated is a text without the lines that only say when it was generated.
func undated(data []byte) []byte {
	var out []byte
	for line := range bytes.Lines(unixLines(data)) {
		if !bytes.HasPrefix(line, []byte("- Date:")) && !bytes.HasPrefix(line, []byte("generated_at:")) {
			out = append(out, line...)
		}
	}
	return out
}
