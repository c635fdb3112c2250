package project

import (
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
