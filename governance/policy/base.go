package policy

// The rules every project has, whatever its policies.yaml says.
var baseRules = []Rule{
	{ID: "no-destructive-without-strict", Mutations: []Mutation{Destructive}, Risks: []Risk{Light, Standard}, Verdict: Block, Pattern: everyCall},
	{ID: "destructive-requires-confirmation", Mutations: []Mutation{Destructive}, Risks: []Risk{Strict}, Verdict: Warn, Pattern: everyCall},
	{ID: "secret-access-always-block", Kinds: []Kind{KindSecretAccess}, Verdict: Block, Pattern: everyCall},
	{ID: "pack-activation-requires-evidence", Kinds: []Kind{KindPackActivation}, Verdict: Block, Pattern: everyCall},
	{ID: "task-close-requires-verification", Kinds: []Kind{KindTaskClose}, Verdict: Warn, Pattern: everyCall},
}

func builtIn(id string) bool {
	for i := range baseRules {
		if baseRules[i].ID == id {
			return true
		}
	}
	return false
}
