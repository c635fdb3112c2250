package plugin

import (
	pluginv1 "github.com/grimoire-kit/grimoire/pluginsdk/proto/v1"
	"github.com/grimoire-kit/grimoire/surface"
)

func surfaceToProto(s *surface.Surface) *pluginv1.Surface {
	return &pluginv1.Surface{
		ProjectName: s.ProjectName,
		Governed:    s.Governed,
		Agents:      each(s.Agents, agentToProto),
		Skills:      each(s.Skills, skillToProto),
		Commands:    each(s.Commands, commandToProto),
		Hooks:       each(s.Hooks, hookToProto),
		Permissions: &pluginv1.Permissions{
			Deny:  s.Permissions.Deny,
			Ask:   s.Permissions.Ask,
			Allow: s.Permissions.Allow,
		},
		McpServers: each(s.MCPServers, func(m surface.MCPServer) *pluginv1.MCPServer {
			return &pluginv1.MCPServer{
				Name:     m.Name,
				Command:  m.Command,
				Args:     m.Args,
				Declared: m.Declared,
				HasEnv:   m.HasEnv,
			}
		}),
		Profile:   string(s.Profile),
		Language:  string(s.Language),
		EntryDocs: s.EntryDocs,
		Notes: each(s.Notes, func(t surface.Text) *pluginv1.Text {
			return &pluginv1.Text{Fr: t.FR, En: t.EN}
		}),
	}
}

func agentToProto(a surface.Agent) *pluginv1.Agent {
	agent := &pluginv1.Agent{
		Name:          a.Name,
		Description:   a.Description,
		DefinitionRef: a.DefinitionRef,
		Tools:         words(a.Tools),
		ToolsOrigin:   string(a.ToolsOrigin),
		Affinity: &pluginv1.Affinity{
			Reasoning:     a.Affinity.Reasoning,
			ContextWindow: a.Affinity.ContextWindow,
			Speed:         a.Affinity.Speed,
			Cost:          a.Affinity.Cost,
		},
		EntryPoint:   a.EntryPoint,
		Skills:       a.Skills,
		Context:      a.Context,
		OverrideRef:  a.OverrideRef,
		OverrideKind: (*string)(a.OverrideKind),
	}
	if a.MaxTurns != nil {
		turns := int64(*a.MaxTurns)
		agent.MaxTurns = &turns
	}
	return agent
}

func skillToProto(s surface.Skill) *pluginv1.Skill {
	return &pluginv1.Skill{
		Slug:        s.Slug,
		Name:        s.Name,
		Description: s.Description,
		Tools:       words(s.Tools),
		Body:        s.Body,
		Ref:         s.Ref,
	}
}

func commandToProto(c surface.Command) *pluginv1.Command {
	return &pluginv1.Command{
		Slug:         c.Slug,
		Description:  c.Description,
		ArgumentHint: c.ArgumentHint,
		Tools:        words(c.Tools),
		Source:       string(c.Source),
		Body:         c.Body,
		Ref:          c.Ref,
	}
}

func hookToProto(h surface.Hook) *pluginv1.Hook {
	return &pluginv1.Hook{
		Event:       string(h.Event),
		Decision:    h.Decision,
		Enforcement: string(h.Enforcement),
		Matcher:     words(h.Matcher),
		Timeout:     int64(h.Timeout),
		Rationale:   h.Rationale,
		OnFailure:   string(h.OnFailure),
	}
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

// words and vocabulary convert between a vocabulary and the strings it travels
// as.
func words[A ~string](list []A) []string {
	return each(list, func(w A) string { return string(w) })
}

func vocabulary[A ~string](list []string) []A {
	return each(list, func(w string) A { return A(w) })
}
