// Command noplugin is a program that is no plugin at all.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "usage: noplugin <file>")
	os.Exit(64)
}
