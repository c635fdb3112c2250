package pluginsdk

import (
	pluginv1 "github.com/grimoire-kit/grimoire/pluginsdk/proto/v1"
	"github.com/grimoire-kit/grimoire/surface"
)

// This file turns the request of core into the surface an emitter receives.
// Words of a vocabulary are taken as they are: an emitter skips one it does not
// know.

func surfaceFromProto(s *pluginv1.Surface) *surface.Surface {
	return &surface.Surface{
		ProjectName: s.GetProjectName(),
		Governed:    s.GetGoverned(),
		Agents:      each(s.GetAgents(), agentFromProto),
		Skills:      each(s.GetSkills(), skillFromProto),
		Commands:    each(s.GetCommands(), commandFromProto),
		Hooks:       each(s.GetHooks(), hookFromProto),
		Permissions: surface.Permissions{
			Deny:  s.GetPermissions().GetDeny(),
			Ask:   s.GetPermissions().GetAsk(),
			Allow: s.GetPermissions().GetAllow(),
		},
		MCPServers: each(s.GetMcpServers(), func(m *pluginv1.MCPServer) surface.MCPServer {
			return surface.MCPServer{
				Name:     m.GetName(),
				Command:  m.GetCommand(),
				Args:     m.GetArgs(),
				Declared: m.GetDeclared(),
				HasEnv:   m.GetHasEnv(),
			}
		}),
		Profile:   surface.Profile(s.GetProfile()),
		Language:  surface.Language(s.GetLanguage()),
		EntryDocs: s.GetEntryDocs(),
		Notes: each(s.GetNotes(), func(t *pluginv1.Text) surface.Text {
			return surface.Text{FR: t.GetFr(), EN: t.GetEn()}
		}),
	}
}

func agentFromProto(a *pluginv1.Agent) surface.Agent {
	agent := surface.Agent{
		Name:          a.GetName(),
		Description:   a.GetDescription(),
		DefinitionRef: a.GetDefinitionRef(),
		Tools:         vocabulary[surface.ToolVerb](a.GetTools()),
		ToolsOrigin:   surface.ToolsOrigin(a.GetToolsOrigin()),
		Affinity: surface.Affinity{
			Reasoning:     a.GetAffinity().GetReasoning(),
			ContextWindow: a.GetAffinity().GetContextWindow(),
			Speed:         a.GetAffinity().GetSpeed(),
			Cost:          a.GetAffinity().GetCost(),
		},
		EntryPoint:  a.GetEntryPoint(),
		Skills:      a.GetSkills(),
		Context:     a.GetContext(),
		OverrideRef: a.OverrideRef,
	}
	if a.MaxTurns != nil {
		turns := int(a.GetMaxTurns())
		agent.MaxTurns = &turns
	}
	if a.OverrideKind != nil {
		kind := surface.OverrideKind(a.GetOverrideKind())
		agent.OverrideKind = &kind
	}
	return agent
}

func skillFromProto(s *pluginv1.Skill) surface.Skill {
	return surface.Skill{
		Slug:        s.GetSlug(),
		Name:        s.GetName(),
		Description: s.GetDescription(),
		Tools:       vocabulary[surface.ToolVerb](s.GetTools()),
		Body:        s.GetBody(),
		Ref:         s.GetRef(),
	}
}

func commandFromProto(c *pluginv1.Command) surface.Command {
	return surface.Command{
		Slug:         c.GetSlug(),
		Description:  c.GetDescription(),
		ArgumentHint: c.GetArgumentHint(),
		Tools:        vocabulary[surface.ToolVerb](c.GetTools()),
		Source:       surface.CommandSource(c.GetSource()),
		Body:         c.GetBody(),
		Ref:          c.GetRef(),
	}
}

func hookFromProto(h *pluginv1.Hook) surface.Hook {
	return surface.Hook{
		Event:       surface.HookEvent(h.GetEvent()),
		Decision:    h.GetDecision(),
		Enforcement: surface.Enforcement(h.GetEnforcement()),
		Matcher:     vocabulary[surface.ToolFamily](h.GetMatcher()),
		Timeout:     int(h.GetTimeout()),
		Rationale:   h.GetRationale(),
		OnFailure:   surface.FailureMode(h.GetOnFailure()),
	}
}

func vocabulary[A ~string](list []string) []A {
	return each(list, func(w string) A { return A(w) })
}
