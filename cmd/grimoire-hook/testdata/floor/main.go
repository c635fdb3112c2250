// Command floor is the least a hook can do: start, read the payload, parse the
// command line in it. What grimoire-hook costs is measured against it.
package main

import (
	"io"
	"os"
	"strings"

	"github.com/tidwall/gjson"
	"mvdan.cc/sh/v3/syntax"
)

func main() {
	payload, err := io.ReadAll(os.Stdin)
	if err != nil {
		os.Exit(1)
	}
	line := gjson.GetBytes(payload, "tool_input.command").String()
	if _, err := syntax.NewParser().Parse(strings.NewReader(line), ""); err != nil {
		os.Exit(1)
	}
}
