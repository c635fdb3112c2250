package plugin

import (
	"regexp"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/pluginsdk"
)

// hostName is what an id or an alias looks like: it is typed, and it becomes
// part of file names and of hook lines.
var hostName = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]{0,62}[a-z0-9])?$`)

// reservedNames say something else where a host is asked for.
var reservedNames = []string{"all", "auto"}

// sources are grimoire's own inputs, which no emitter writes.
var sources = []string{"_grimoire/", "project-context.yaml"}

// checkProfile says why the profile of a third party cannot be accepted.
func checkProfile(p pluginsdk.Profile) error {
	if len(p.Aliases) == 0 {
		return problemf("sans nom court (Aliases)", "without a short name (Aliases)")
	}
	for _, name := range append([]string{p.ID}, p.Aliases...) {
		if !hostName.MatchString(name) || slices.Contains(reservedNames, name) {
			return problemf("le nom %q ne convient pas (%s)", "the name %q will not do (%s)", name, hostName)
		}
	}
	for _, prefix := range p.Owns {
		if err := checkPath(strings.TrimSuffix(prefix, "/")); err != nil {
			return err
		}
		if under(prefix, sources) || under(sources[0], []string{prefix}) {
			return problemf("%q est une source de grimoire", "%q is a source of grimoire", prefix)
		}
	}
	for _, path := range p.Merges {
		if err := checkPath(path); err != nil {
			return err
		}
		if under(path, sources) {
			return problemf("%q est une source de grimoire", "%q is a source of grimoire", path)
		}
	}
	return nil
}
