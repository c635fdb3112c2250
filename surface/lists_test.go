package surface

import (
	"reflect"
	"testing"
)

func TestLists(t *testing.T) {
	s := &Surface{
		Agents: []Agent{{Name: "concierge", EntryPoint: true}, {Name: "scribe", Skills: []string{"prose", "tables"}}},
		Skills: []Skill{{Slug: "memory"}, {Slug: "prose"}, {Slug: "tables"}},
	}
	if got := s.Routed(); len(got) != 1 || got[0].Name != "scribe" {
		t.Errorf("Routed = %v", got)
	}
	if got := s.SkillsOf(s.Agents[1]); !reflect.DeepEqual(got, s.Skills[1:]) {
		t.Errorf("SkillsOf(scribe) = %v", got)
	}
	if got := s.SharedSkills(); !reflect.DeepEqual(got, s.Skills[:1]) {
		t.Errorf("SharedSkills = %v", got)
	}
}
