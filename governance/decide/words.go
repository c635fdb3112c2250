package decide

import (
	"github.com/grimoire-kit/grimoire/governance/policy"
	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// inWords is an error on one line, short enough for a context.
func inWords(err error) surface.Text {
	t := fault.Text(err)
	return surface.Text{FR: policy.OneLine(t.FR, 200), EN: policy.OneLine(t.EN, 200)}
}
