package plugin

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/grimoire-kit/grimoire/pluginsdk"
)

// The hidden arguments with which the executable starts itself again. They are
// no part of the command line's interface.
const (
	emitterArg   = "__emitter"
	superviseArg = "__supervise"
)

// runDirPrefix begins the name of a run's folder of sockets.
const runDirPrefix = "grimoire-run-"

// emitterGC lets an emitter's heap grow to five times what it holds: it makes one
// plan and ends, and a small project's never needs a collection.
const emitterGC = 400 // percent

// Main is the first thing cmd/grimoire does. When this process was started as a
// bundled emitter or as the supervisor of a run, it does that work and returns
// true when it is over; otherwise it returns false at once.
func Main(emitters []pluginsdk.Emitter) (handled bool) {
	if len(os.Args) != 3 {
		return false
	}
	switch argument := os.Args[2]; os.Args[1] {
	case emitterArg:
		for _, e := range emitters {
			if e.Profile().ID == argument {
				debug.SetGCPercent(emitterGC)
				pluginsdk.Serve(e)
				return true
			}
		}
		fmt.Fprintf(os.Stderr, "grimoire has no bundled emitter %q\n", argument)
		os.Exit(1)
	case superviseArg:
		// It removes the folder it is given, so it takes no folder but a run's,
		// from no one but core.
		if os.Getenv(pluginsdk.Handshake.MagicCookieKey) != pluginsdk.Handshake.MagicCookieValue ||
			!strings.HasPrefix(filepath.Base(argument), runDirPrefix) {
			fmt.Fprintln(os.Stderr, "grimoire starts its supervisor itself: it is not run by hand")
			os.Exit(1)
		}
		supervise(os.Stdin, argument)
		return true
	}
	return false
}

// handshakeVariable is the cookie as an environment variable.
func handshakeVariable() string {
	return pluginsdk.Handshake.MagicCookieKey + "=" + pluginsdk.Handshake.MagicCookieValue
}
