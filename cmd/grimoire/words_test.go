package main

import (
	"testing"

	"github.com/grimoire-kit/grimoire/surface"
)

// French has one word up to one, another from two on; a third party's name for
// what is lost stays, without what a terminal would obey.
func TestWords(t *testing.T) {
	fr, en := &app{lang: surface.French}, &app{lang: surface.English}
	for got, want := range map[string]string{
		fr.number(0, "écrit", "écrits", "written"): "0 écrit",
		fr.number(1, "écrit", "écrits", "written"): "1 écrit",
		fr.number(2, "écrit", "écrits", "written"): "2 écrits",
		en.number(2, "écrit", "écrits", "written"): "2 written",
		fr.lost("hook matchers"):                   "filtres des hooks",
		en.lost("blocking_hooks"):                  "blocking hooks",
		fr.lost("lights"):                          "lights",
		fr.lost("li\x1bghts"):                      printable("li\x1bghts"),
		"projet" + fr.colon() + "x":                "projet : x",
		"project" + en.colon() + "x":               "project: x",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
