package scaffold

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
)

// ManifestPath is the record of the kit's files in a project, committed with
// it. A file that still is what the manifest says may be replaced by a newer
// text; one that differs was changed by a person, and one that is gone was
// removed by a person.
//
// It comes with a cloned repository and is not to be believed: all it can lead
// to is that a file at one of the kit's own paths gets the kit's own text.
const ManifestPath = "_grimoire/kit/manifest.json"

const (
	manifestVersion = 1
	// digestLength is what is kept of a digest, in hex digits: it tells an
	// edit, it authenticates nothing.
	digestLength = 16
)

// manifest is the digest of each text of the kit as it was last written, by
// its path.
type manifest map[string]string

type manifestFile struct {
	Version int               `json:"version"`
	Files   map[string]string `json:"files"`
}

func decodeManifest(data []byte) (manifest, error) {
	if len(data) == 0 {
		return manifest{}, nil
	}
	var f manifestFile
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&f); err != nil {
		return manifest{}, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return manifest{}, fmt.Errorf("text after the end of the JSON object")
	}
	if f.Version != manifestVersion {
		return manifest{}, fmt.Errorf("version %d, where this grimoire knows %d", f.Version, manifestVersion)
	}
	if f.Files == nil {
		return manifest{}, nil
	}
	return f.Files, nil
}

// encode gives the manifest's file: the same bytes for the same manifest.
func (m manifest) encode() ([]byte, error) {
	data, err := json.MarshalIndent(manifestFile{manifestVersion, m}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", ManifestPath, err)
	}
	return append(data, '\n'), nil
}

// digest is what a text is known by. A checkout with other line ends is the
// same text.
func digest(text []byte) string {
	sum := sha256.Sum256(unixLines(text))
	return hex.EncodeToString(sum[:])[:digestLength]
}

func unixLines(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }
