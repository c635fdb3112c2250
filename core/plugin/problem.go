package plugin

import (
	"errors"
	"fmt"

	"github.com/grimoire-kit/grimoire/surface"
)

// problem is an error in both languages: what is wrong and where.
type problem surface.Text

func (p problem) Error() string { return p.EN }

// Text is the error in both languages.
func (p problem) Text() surface.Text { return surface.Text(p) }

// problemf formats both languages with the same arguments, in the same order.
// An argument that is itself an error is said in the language of its sentence.
func problemf(fr, en string, args ...any) error {
	return problem(textf(fr, en, args...))
}

// textf is problemf for a text that is not an error.
func textf(fr, en string, args ...any) surface.Text {
	return surface.Text{
		FR: fmt.Sprintf(fr, in(surface.French, args)...),
		EN: fmt.Sprintf(en, in(surface.English, args)...),
	}
}

func in(l surface.Language, args []any) []any {
	out := make([]any, len(args))
	for i, arg := range args {
		switch arg := arg.(type) {
		case error:
			out[i] = textOf(arg).In(l)
		case surface.Text:
			out[i] = arg.In(l)
		default:
			out[i] = arg
		}
	}
	return out
}

// textOf is an error in both languages; one that has only its own words says
// them in both.
func textOf(err error) surface.Text {
	var both interface{ Text() surface.Text }
	if errors.As(err, &both) {
		return both.Text()
	}
	return surface.Text{FR: err.Error(), EN: err.Error()}
}
