package project

import (
	"fmt"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/surface"
)

// maxPairs bounds how many pairs the note below spells out.
const maxPairs = 20

// sameBundle notes the personas that have the same tools, context and skills:
// hosts cannot tell them apart by anything but their text. agents are sorted.
func sameBundle(agents []surface.Agent) (note surface.Text, ok bool) {
	first := map[string]string{} // bundle → name
	var pairs []string
	count := 0
	for _, a := range agents {
		key := bundle(a)
		other, same := first[key]
		if !same {
			first[key] = a.Name
			continue
		}
		if count++; count <= maxPairs {
			pairs = append(pairs, other+" == "+a.Name)
		}
	}
	if count == 0 {
		return surface.Text{}, false
	}
	list := strings.Join(pairs, ", ")
	if more := count - len(pairs); more > 0 {
		return surface.Text{
			FR: fmt.Sprintf("Personas de même portée (outils, contexte, compétences) : %s, et %d autres.", list, more),
			EN: fmt.Sprintf("Personas of the same bundle (tools, context, skills): %s, and %d more.", list, more),
		}, true
	}
	return surface.Text{
		FR: "Personas de même portée (outils, contexte, compétences) : " + list + ".",
		EN: "Personas of the same bundle (tools, context, skills): " + list + ".",
	}, true
}

func bundle(a surface.Agent) string {
	tools := make([]string, len(a.Tools))
	for i, v := range a.Tools {
		tools[i] = string(v)
	}
	part := func(s []string) string {
		s = slices.Clone(s)
		slices.Sort(s)
		return strings.Join(s, "\x00")
	}
	return part(tools) + "|" + part(a.Context) + "|" + part(a.Skills)
}
