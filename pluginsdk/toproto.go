package pluginsdk

import (
	pluginv1 "github.com/grimoire-kit/grimoire/pluginsdk/proto/v1"
	"github.com/grimoire-kit/grimoire/surface"
)

// This file turns what an emitter returns into messages. core/plugin has the
// other half; the round trip is tested there, field by field.

func profileToProto(p Profile) *pluginv1.Profile {
	return &pluginv1.Profile{
		Id:           p.ID,
		Aliases:      p.Aliases,
		DisplayName:  p.DisplayName,
		Capabilities: words(p.Capabilities),
		HookEvents:   words(p.HookEvents),
		Entrypoint:   p.Entrypoint,
		Detect:       each(p.Detect, func(m Mark) *pluginv1.Mark { return &pluginv1.Mark{All: m.All} }),
		Env:          p.Env,
		Owns:         p.Owns,
		Merges:       p.Merges,
		Notes:        textToProto(p.Notes),
	}
}

func planToProto(p *Plan) *pluginv1.Plan {
	return &pluginv1.Plan{
		Files:  each(p.Files, fileToProto),
		Merges: each(p.Merges, mergeToProto),
		Degradations: each(p.Degradations, func(d surface.Degradation) *pluginv1.Degradation {
			return &pluginv1.Degradation{
				Surface:  d.Surface,
				Reason:   textToProto(d.Reason),
				Fallback: textToProto(d.Fallback),
			}
		}),
	}
}

func fileToProto(f File) *pluginv1.File {
	return &pluginv1.File{
		Path:      f.Path,
		Content:   f.Content,
		Ownership: string(f.Ownership),
		Entry:     f.Entry,
		Limit:     int64(f.Limit),
		Sources:   f.Sources,
	}
}

func mergeToProto(m Merge) *pluginv1.Merge {
	return &pluginv1.Merge{
		Path:       m.Path,
		Alternates: m.Alternates,
		Plain:      m.Plain,
		Ops: each(m.Ops, func(o Op) *pluginv1.Op {
			return &pluginv1.Op{Kind: string(o.Kind), Path: o.Path, Matcher: o.Matcher, Value: o.Value}
		}),
		Sources: m.Sources,
	}
}

func textToProto(t surface.Text) *pluginv1.Text {
	return &pluginv1.Text{Fr: t.FR, En: t.EN}
}

// each converts a list; a nil list stays nil.
func each[A, B any](list []A, convert func(A) B) []B {
	if list == nil {
		return nil
	}
	out := make([]B, len(list))
	for i, item := range list {
		out[i] = convert(item)
	}
	return out
}

// words converts between a vocabulary and the strings it travels as.
func words[A ~string](list []A) []string {
	return each(list, func(w A) string { return string(w) })
}
