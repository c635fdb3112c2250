package doctor

import (
	"strings"

	"github.com/grimoire-kit/grimoire/core/host"
	"github.com/grimoire-kit/grimoire/governance/policy"
	"github.com/grimoire-kit/grimoire/surface"
)

// policies checks the budgets that could stop a whole session. A project may
// want them: they are warnings, and only a file that cannot be read fails.
func (e *examination) policies() []Check {
	const name = "policy_budget_guard"
	rules, err := policy.Load(e.root)
	if err != nil {
		return []Check{conclude(name, []finding{{failure, host.TextOf(err)}}, surface.Text{})}
	}
	budgets := 0
	for _, r := range rules.All() {
		if r.Budget != nil {
			budgets++
		}
	}
	if budgets == 0 {
		return nil
	}
	var broad []finding
	if ids := strings.Join(rules.BroadBlockingBudgets(), ", "); ids != "" {
		broad = append(broad, finding{warning, surface.Text{
			FR: policy.File + " : " + ids + " : un budget en block sans tool_pattern refuse tout le reste de la session une fois atteint ; vise un tool_pattern précis, ou warn",
			EN: policy.File + ": " + ids + ": a blocking budget without tool_pattern refuses the rest of the session once it is reached; name a tool_pattern, or use warn"}})
	}
	checks := []Check{conclude(name, broad, surface.Text{
		FR: "aucun budget en block ne vise tous les outils", EN: "no blocking budget covers every tool"})}
	if ids := strings.Join(rules.ShortBlockingBudgets(), ", "); ids != "" {
		checks = append(checks, conclude("policy_budget_duration_guard", []finding{{warning, surface.Text{
			FR: policy.File + " : " + ids + " : max_duration_min sous 2880 (48 h) : une session laissée ouverte l'atteint sans avoir rien fait",
			EN: policy.File + ": " + ids + ": max_duration_min below 2880 (48 h): a session that is left open reaches it without having done anything"}}}, surface.Text{}))
	}
	return checks
}
