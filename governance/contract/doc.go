// Package contract holds what hosts were observed to do: payloads captured
// from real versions, which the dialects are replayed on. It is evidence, not
// behaviour: nothing at run time reads it. Tests and diagnostics may import
// it.
//
// testdata/captures/<host>/<version>/ has one payload of every event, tool and
// shape that was seen: "stdin" as the host sent it, paths and ids replaced by
// placeholders and long texts cut, "capture" the run it comes from, "hook" the
// event where the payload has none. For opencode it is what the plugin was
// called with. product-*.json there are whole runs of a host on a project that
// the product made (Run; testdata/captures/README.md), written by the command
// in capture. testdata/decoded/<host>.txt is what the dialect makes of each;
// go test -update rewrites it.
//
// More captures than the repository holds are replayed by setting
// GRIMOIRE_CAPTURES to a folder <host>/<version>/*.json; payloads are found
// wherever they stand in a file.
package contract
