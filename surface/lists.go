package surface

// Routed returns the personas that are not the entry persona: those work is
// handed to.
func (s *Surface) Routed() []Agent {
	var out []Agent
	for _, a := range s.Agents {
		if !a.EntryPoint {
			out = append(out, a)
		}
	}
	return out
}

// SkillsOf returns the skills that belong to persona a. Its file carries
// their text, and they are not offered to anyone else.
func (s *Surface) SkillsOf(a Agent) []Skill {
	var out []Skill
	for _, slug := range a.Skills {
		for _, skill := range s.Skills {
			if skill.Slug == slug {
				out = append(out, skill)
			}
		}
	}
	return out
}

// SharedSkills returns the skills that belong to no persona.
func (s *Surface) SharedSkills() []Skill {
	owned := map[string]bool{}
	for _, a := range s.Agents {
		for _, slug := range a.Skills {
			owned[slug] = true
		}
	}
	var out []Skill
	for _, skill := range s.Skills {
		if !owned[skill.Slug] {
			out = append(out, skill)
		}
	}
	return out
}
