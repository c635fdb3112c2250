package host

import (
	"errors"
	"fmt"

	"github.com/grimoire-kit/grimoire/core/plugin"
	"github.com/grimoire-kit/grimoire/core/project"
	"github.com/grimoire-kit/grimoire/core/tree"
	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// Refusal is a command that grimoire understood and will not carry out.
type Refusal surface.Text

func (r Refusal) Error() string      { return r.EN }
func (r Refusal) Text() surface.Text { return surface.Text(r) }

func refuse(fr, en string, args ...any) error {
	return Refusal{FR: fmt.Sprintf(fr, args...), EN: fmt.Sprintf(en, args...)}
}

// TextOf is an error for people: in both languages where the package it comes
// from speaks both, else in its own words.
func TextOf(err error) surface.Text {
	var failure *plugin.Failure
	var config *project.Error
	var wrong *tree.Fault
	many, joined := err.(interface{ Unwrap() []error })
	if _, one := err.(*tree.Fault); joined && !one {
		var all surface.Text
		for i, e := range many.Unwrap() {
			t := TextOf(e)
			if i > 0 {
				t = surface.Text{FR: "\n" + t.FR, EN: "\n" + t.EN}
			}
			all.FR, all.EN = all.FR+t.FR, all.EN+t.EN
		}
		return all
	}
	switch {
	case errors.As(err, &failure):
		return failure.Text
	case errors.As(err, &config):
		return surface.Text{FR: config.In(surface.French), EN: config.In(surface.English)}
	case errors.As(err, &wrong):
		t := wrong.Text()
		return surface.Text{FR: wrong.Path + " : " + t.FR, EN: wrong.Path + ": " + t.EN}
	}
	return fault.Text(err)
}
