package project

import (
	"slices"

	"github.com/grimoire-kit/grimoire/governance/secrets"
	"github.com/grimoire-kit/grimoire/surface"
)

// permissions is the neutral permission table. It is the same in every project
// but for the production profile, where only the standard's own command runs
// unasked.
func permissions(profile surface.Profile) surface.Permissions {
	p := surface.Permissions{
		Deny: []string{},
		Ask: []string{
			"execute:rm -rf *",
			"execute:git push --force *",
			"execute:git reset --hard *",
			"execute:terraform destroy *",
			"execute:kubectl delete *",
		},
		Allow: []string{
			"execute:grimoire *",
			"execute:git status *",
			"execute:git diff *",
			"execute:git log *",
		},
	}
	for _, glob := range secrets.PermissionGlobs() {
		p.Deny = append(p.Deny, "read:"+glob)
	}
	if profile == surface.ProfileProduction {
		p.Allow = []string{"execute:grimoire standard *"}
	}
	return p
}

// Widest is a surface that asks for every entry that any version of this
// project could have put into a user's configuration file: the rules of every
// profile, and one MCP server to show the form of the others. What the record
// of a cloned repository claims is removed only if it is among these.
func Widest(s *surface.Surface) *surface.Surface {
	wide := &surface.Surface{
		Language: s.Language,
		Profile:  s.Profile,
		Agents:   []surface.Agent{},
		Skills:   []surface.Skill{},
		Commands: []surface.Command{},
		Hooks:    s.Hooks,
		MCPServers: []surface.MCPServer{
			{Name: "server", Command: "server", Args: []string{}, Declared: true},
		},
	}
	for _, profile := range surface.Profiles {
		p := permissions(profile)
		wide.Permissions.Deny = union(wide.Permissions.Deny, p.Deny)
		wide.Permissions.Ask = union(wide.Permissions.Ask, p.Ask)
		wide.Permissions.Allow = union(wide.Permissions.Allow, p.Allow)
	}
	return wide
}

func union(a, b []string) []string {
	for _, s := range b {
		if !slices.Contains(a, s) {
			a = append(a, s)
		}
	}
	return a
}
