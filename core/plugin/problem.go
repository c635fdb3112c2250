package plugin

import (
	"fmt"

	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
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
		FR: fmt.Sprintf(fr, fault.In(surface.French, args)...),
		EN: fmt.Sprintf(en, fault.In(surface.English, args)...),
	}
}
