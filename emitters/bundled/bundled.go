// Package bundled lists the emitters that ship with grimoire. It is what
// cmd/grimoire serves and core/host knows; the emitters themselves know
// nothing of one another.
package bundled

import (
	"github.com/grimoire-kit/grimoire/emitters/claude"
	"github.com/grimoire-kit/grimoire/emitters/codex"
	"github.com/grimoire-kit/grimoire/emitters/copilot"
	"github.com/grimoire-kit/grimoire/emitters/cursor"
	"github.com/grimoire-kit/grimoire/emitters/gemini"
	"github.com/grimoire-kit/grimoire/emitters/opencode"
	"github.com/grimoire-kit/grimoire/pluginsdk"
)

// Emitters returns one emitter per host, in the order hosts are listed and
// detected.
func Emitters() []pluginsdk.Emitter {
	return []pluginsdk.Emitter{
		claude.New(),
		copilot.New(),
		gemini.New(),
		cursor.New(),
		codex.New(),
		opencode.New(),
	}
}
