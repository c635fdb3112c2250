package command_test

import (
	"testing"

	"github.com/grimoire-kit/grimoire/governance/command"
)

// Bytes that are no text must not hide what stands around them.
func TestDestructiveInAnyEncoding(t *testing.T) {
	for _, line := range []string{
		"rm -rf \xed\xa0\x80",         // half of a surrogate pair
		"echo \xff\xfe; rm -rf x",     // no UTF-8 at all
		"\ufeffrm -rf x",              // byte order mark
		"rm\x00 -rf x",                // NUL
		"echo a\r\nrm -rf x\r\n",      // Windows line ends
		"echo é “quoted”\nrm -rf été", // plain accents
		"rm -rf \u202egnp.exe",        // right-to-left override
		"\t \n rm -rf x",
	} {
		if f := command.Analyze(line, command.Options{}); len(f.Destructive) == 0 {
			t.Errorf("%q: %+v", line, f)
		}
	}
}
