package sync

import (
	"fmt"
	"strings"

	"github.com/grimoire-kit/grimoire/surface"
)

func text(fr, en string, args ...any) surface.Text {
	return surface.Text{FR: fmt.Sprintf(fr, args...), EN: fmt.Sprintf(en, args...)}
}

// spoken is an error in both languages.
type spoken surface.Text

func (s spoken) Error() string      { return s.EN }
func (s spoken) Text() surface.Text { return surface.Text(s) }

// ChangedByHand says what a sync makes of a change by hand: of a file of ours, or
// of these entries of ours in a file of the user's, named by their JSON paths.
func ChangedByHand(entries []string) surface.Text {
	if len(entries) > 0 {
		return text(
			"nos entrées y ont été modifiées à la main ; une synchronisation ne rétablit qu'elles : %[1]s",
			"our entries in it were changed by hand; a sync puts back those alone: %[1]s", strings.Join(entries, ", "))
	}
	return text(
		"modifié à la main ; une synchronisation le régénère",
		"changed by hand; a sync regenerates it")
}

// handWritten is the conflict with a file of the user's, which may be one that can
// hold a section of ours instead.
func handWritten(canHoldSection bool) surface.Text {
	if canHoldSection {
		return text(
			"écrit à la main, donc préservé ; `hosts.entry_sections: true` dans project-context.yaml y garde une section marquée à la place, `--force` l'écrase",
			"written by hand, so it is kept; `hosts.entry_sections: true` in project-context.yaml keeps a marked section in it instead, `--force` overwrites it")
	}
	return text(
		"écrit à la main, donc préservé ; `--force` l'écrase",
		"written by hand, so it is kept; `--force` overwrites it")
}
