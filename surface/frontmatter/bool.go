package frontmatter

import "go.yaml.in/yaml/v3"

// bools are the words of YAML 1.1 for a boolean, which the existing kit's reader
// takes: go-yaml takes those of 1.2 alone, and has a text for the others.
var bools = map[string]bool{
	"yes": true, "Yes": true, "YES": true, "no": false, "No": false, "NO": false,
	"on": true, "On": true, "ON": true, "off": false, "Off": false, "OFF": false,
	"true": true, "True": true, "TRUE": true, "false": false, "False": false, "FALSE": false,
}

// Bool is a boolean as YAML 1.1 has them; ok is false for anything else, a word
// in quotes among it.
func Bool(n *yaml.Node) (value, ok bool) {
	if n = deref(n); n.Kind != yaml.ScalarNode || n.Tag != "!!bool" && (n.Tag != "!!str" || n.Style != 0) {
		return false, false
	}
	value, ok = bools[n.Value]
	return value, ok
}
