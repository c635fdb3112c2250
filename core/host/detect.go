package host

import (
	"strings"

	"github.com/grimoire-kit/grimoire/pluginsdk"
)

// UnknownHost is the id of a host that could not be told.
const UnknownHost = "host-unknown"

// Running tells which host grimoire runs under, from the environment:
// GRIMOIRE_HOST_ID when it names a known host, else the first profile one of
// whose variables is set. It never fails: an unknown host is UnknownHost.
func Running(profiles []pluginsdk.Profile, getenv func(string) string) string {
	if id := getenv("GRIMOIRE_HOST_ID"); id != "" {
		for _, p := range profiles {
			if strings.EqualFold(p.ID, id) {
				return p.ID
			}
		}
	}
	for _, p := range profiles {
		for _, name := range p.Env {
			if getenv(name) != "" {
				return p.ID
			}
		}
	}
	return UnknownHost
}
