package plugin

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/pluginsdk"
)

// Bounds of a plan. A thousand personas with all they bring are a tenth of each.
const (
	maxFiles     = 50_000
	maxPlanBytes = 128 << 20
	maxOps       = 50_000
)

// checkPlan says why a plan may not be applied: a path outside what the emitter
// declared, two answers for one path, a word that this version does not know, a
// hook that would run anything but grimoire's.
func checkPlan(profile pluginsdk.Profile, plan *pluginsdk.Plan, runsHook RunsHook) error {
	if len(plan.Files) > maxFiles {
		return problemf("%d fichiers, %d au plus", "%d files, %d at most", len(plan.Files), maxFiles)
	}
	paths, size, ops := tree{}, 0, 0
	for _, f := range plan.Files {
		if err := checkFile(profile, f, runsHook); err != nil {
			return err
		}
		if other, taken := paths.conflict(f.Path); taken {
			return problemf("%q et %q ne peuvent être deux fichiers", "%q and %q cannot be two files", other, f.Path)
		}
		paths.add(f.Path)
		size += len(f.Content)
	}
	for _, m := range plan.Merges {
		if err := checkMerge(profile, m, runsHook); err != nil {
			return err
		}
		if other, taken := paths.conflict(m.Path); taken {
			return problemf("%q et %q ne peuvent être deux fichiers", "%q and %q cannot be two files", other, m.Path)
		}
		paths.add(m.Path)
		ops += len(m.Ops)
		for _, op := range m.Ops {
			size += len(op.Value)
		}
	}
	if size > maxPlanBytes {
		return problemf("%d octets, %d au plus", "%d bytes, %d at most", size, maxPlanBytes)
	}
	if ops > maxOps {
		return problemf("%d opérations de fusion, %d au plus", "%d merge operations, %d at most", ops, maxOps)
	}
	return nil
}

func checkFile(profile pluginsdk.Profile, f pluginsdk.File, runsHook RunsHook) error {
	if err := checkPath(f.Path); err != nil {
		return err
	}
	if !under(f.Path, profile.Owns) {
		return problemf("%q : hors de ce que l'émetteur a déclaré (%s)", "%q: outside what the emitter declared (%s)", f.Path, strings.Join(profile.Owns, ", "))
	}
	switch f.Ownership {
	case pluginsdk.OwnedByMarker:
		if _, ok := pluginsdk.FindMarker(f.Path, f.Content); !ok {
			return problemf("%q : sans le marqueur qui dit à qui est le fichier", "%q: without the marker that says whose file it is", f.Path)
		}
	case pluginsdk.OwnedByHooks:
		if err := checkHooks(f.Content, runsHook); err != nil {
			return problemf("%q : %s", "%q: %s", f.Path, err)
		}
	default:
		return problemf("%q : propriété %q inconnue", "%q: unknown ownership %q", f.Path, f.Ownership)
	}
	return nil
}

func checkMerge(profile pluginsdk.Profile, m pluginsdk.Merge, runsHook RunsHook) error {
	for _, p := range append([]string{m.Path}, m.Alternates...) {
		if err := checkPath(p); err != nil {
			return err
		}
		if !slices.Contains(profile.Merges, p) {
			return problemf("%q : fusion que l'émetteur n'a pas déclarée (%s)", "%q: a merge that the emitter did not declare (%s)", p, strings.Join(profile.Merges, ", "))
		}
	}
	for _, op := range m.Ops {
		if err := checkOp(op, runsHook); err != nil {
			return problemf("%q, %s à %q : %s", "%q, %s at %q: %s", m.Path, op.Kind, strings.Join(op.Path, "."), err)
		}
	}
	return nil
}

func checkOp(op pluginsdk.Op, runsHook RunsHook) error {
	if len(op.Path) == 0 && op.Kind != pluginsdk.OpExpect {
		return problemf("sans chemin", "without a path")
	}
	switch op.Kind {
	case pluginsdk.OpEnsureString:
		var s string
		if json.Unmarshal(op.Value, &s) != nil {
			return problemf("la valeur n'est pas une chaîne", "the value is not a string")
		}
	case pluginsdk.OpEnsureHook:
		return checkHooks(op.Value, runsHook)
	case pluginsdk.OpSetKey:
		return checkSetKey(op)
	case pluginsdk.OpExpect:
		var s string
		if json.Unmarshal(op.Value, &s) != nil || !slices.Contains([]string{"object", "array", "string"}, s) {
			return problemf("le type attendu est %s", "the expected type is %s", op.Value)
		}
	default:
		return problemf("opération inconnue", "unknown operation")
	}
	return nil
}
