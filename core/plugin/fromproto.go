package plugin

import (
	"github.com/grimoire-kit/grimoire/pluginsdk"
	pluginv1 "github.com/grimoire-kit/grimoire/pluginsdk/proto/v1"
	"github.com/grimoire-kit/grimoire/surface"
)

func profileFromProto(p *pluginv1.Profile) pluginsdk.Profile {
	return pluginsdk.Profile{
		ID:           p.GetId(),
		Aliases:      p.GetAliases(),
		DisplayName:  p.GetDisplayName(),
		Capabilities: vocabulary[surface.Capability](p.GetCapabilities()),
		HookEvents:   vocabulary[surface.HookEvent](p.GetHookEvents()),
		Entrypoint:   p.GetEntrypoint(),
		Detect:       each(p.GetDetect(), func(m *pluginv1.Mark) pluginsdk.Mark { return pluginsdk.Mark{All: m.GetAll()} }),
		Env:          p.GetEnv(),
		Owns:         p.GetOwns(),
		Merges:       p.GetMerges(),
		Notes:        textFromProto(p.GetNotes()),
	}
}

func planFromProto(p *pluginv1.Plan) *pluginsdk.Plan {
	return &pluginsdk.Plan{
		Files:  each(p.GetFiles(), fileFromProto),
		Merges: each(p.GetMerges(), mergeFromProto),
		Degradations: each(p.GetDegradations(), func(d *pluginv1.Degradation) surface.Degradation {
			return surface.Degradation{
				Surface:  d.GetSurface(),
				Reason:   textFromProto(d.GetReason()),
				Fallback: textFromProto(d.GetFallback()),
			}
		}),
	}
}

func fileFromProto(f *pluginv1.File) pluginsdk.File {
	return pluginsdk.File{
		Path:      f.GetPath(),
		Content:   f.GetContent(),
		Ownership: pluginsdk.Ownership(f.GetOwnership()),
		Entry:     f.GetEntry(),
		Limit:     int(f.GetLimit()),
		Sources:   f.GetSources(),
	}
}

func mergeFromProto(m *pluginv1.Merge) pluginsdk.Merge {
	return pluginsdk.Merge{
		Path:       m.GetPath(),
		Alternates: m.GetAlternates(),
		Plain:      m.GetPlain(),
		Ops: each(m.GetOps(), func(o *pluginv1.Op) pluginsdk.Op {
			return pluginsdk.Op{
				Kind:    pluginsdk.OpKind(o.GetKind()),
				Path:    o.GetPath(),
				Matcher: o.Matcher,
				Value:   o.GetValue(),
			}
		}),
		Sources: m.GetSources(),
	}
}

func textFromProto(t *pluginv1.Text) surface.Text {
	return surface.Text{FR: t.GetFr(), EN: t.GetEn()}
}
