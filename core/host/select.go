package host

import (
	"strings"

	"github.com/grimoire-kit/grimoire/core/plugin"
)

// The names that stand for hosts without being one.
const (
	AllHosts = "all"  // every enabled host
	AutoHost = "auto" // the host grimoire runs under
)

// Select turns what people type after --host into hosts. A known host that
// the project does not enable is refused unless force.
func (w *Workspace) Select(name string, force bool) ([]plugin.Host, error) {
	switch strings.ToLower(strings.TrimSpace(name)) {
	case AllHosts:
		if err := w.Project.NoKnownHost; err != nil {
			return nil, err
		}
		enabled, _ := w.split()
		return enabled, nil
	case AutoHost:
		id := Running(w.profiles(), w.getenv)
		if id == UnknownHost {
			return nil, refuse(
				"Aucun hôte reconnu dans l'environnement : nomme-le avec --host <nom>, ou --host all.",
				"No host recognised from the environment: name it with --host <name>, or --host all.")
		}
		h, err := w.Catalog.Resolve(id)
		if err != nil {
			return nil, err
		}
		return []plugin.Host{h}, nil
	}
	h, err := w.Catalog.Resolve(name)
	if err != nil {
		return nil, err
	}
	if alias := h.Profile.Alias(); !force && !w.enabled(h) {
		return nil, refuse(
			"Hôte %[1]s non activé — ajoute-le à hosts.enabled dans project-context.yaml, ou force cette seule synchronisation avec --force-host.",
			"Host %[1]s is not enabled — add it to hosts.enabled in project-context.yaml, or force this one sync with --force-host.", alias)
	}
	return []plugin.Host{h}, nil
}

func isAll(name string) bool { return strings.EqualFold(strings.TrimSpace(name), AllHosts) }
