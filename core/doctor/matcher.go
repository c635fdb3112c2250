package doctor

import (
	"errors"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/core/merge"
	"github.com/grimoire-kit/grimoire/surface"
)

// noExpression are mistakes in any dialect of regular expressions. Hosts read
// JavaScript's, which has forms that Go's has not: those are no mistake.
var noExpression = []syntax.ErrorCode{
	syntax.ErrMissingParen, syntax.ErrUnexpectedParen, syntax.ErrMissingBracket,
	syntax.ErrMissingRepeatArgument, syntax.ErrTrailingBackslash,
}

// matcher reports a matcher that is no regular expression: it names no tool, so
// that the hook beside it never runs.
func (d document) matcher(m *node) {
	if !m.is(merge.String) || m.text == "*" || strings.Contains(m.text, "[]") || strings.Contains(m.text, "[^]") {
		return
	}
	var wrong *syntax.Error
	if _, err := syntax.Parse(m.text, syntax.Perl); !errors.As(err, &wrong) || !slices.Contains(noExpression, wrong.Code) {
		return
	}
	d.at(warning, m, surface.Text{
		FR: "« " + m.text + " » n'est pas une expression régulière : aucun outil n'y correspond, ce hook ne part jamais",
		EN: surface.Quoted(m.text) + " is no regular expression: no tool matches it, this hook never runs"})
}
