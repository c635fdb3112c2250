package host

import (
	"errors"
	"fmt"
	"testing"

	"github.com/grimoire-kit/grimoire/core/tree"
	"github.com/grimoire-kit/grimoire/surface"
)

func TestTextOf(t *testing.T) {
	fault := &tree.Fault{Path: "a/../../b", Reason: tree.ErrOutside} // without a cause
	refusal := refuse("Hôte %s.", "Host %s.", "zed")
	for name, c := range map[string]struct {
		err  error
		want surface.Text
	}{
		"plain":   {errors.New("no such thing"), surface.Text{FR: "no such thing", EN: "no such thing"}},
		"refusal": {fmt.Errorf("sync: %w", refusal), surface.Text{FR: "Hôte zed.", EN: "Host zed."}},
		"fault":   {fault, surface.Text{FR: "a/../../b : un lien symbolique mène hors du projet", EN: "a/../../b: a symbolic link leads outside the project"}},
		"several at once": {errors.Join(refusal, fault), surface.Text{
			FR: "Hôte zed.\na/../../b : un lien symbolique mène hors du projet",
			EN: "Host zed.\na/../../b: a symbolic link leads outside the project"}},
	} {
		if got := TextOf(c.err); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
