package enrol

import (
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/surface"
)

// provider is an entry of the registry of providers.
type provider struct {
	ID           string
	Hosted       bool
	Capabilities []string
	Enabled      bool
	Fallback     []string
	// Allowed and Forbidden are classes of data.
	Allowed, Forbidden []string
}

// known are the providers that a new registry lists.
var known = []provider{
	{ID: "github-copilot", Hosted: true, Capabilities: []string{"chat", "code", "review"}},
	{ID: "openai", Hosted: true, Capabilities: []string{"chat", "code", "reasoning", "embeddings"}},
	{ID: "anthropic", Hosted: true, Capabilities: []string{"chat", "code", "reasoning"}},
	{ID: "google-gemini", Hosted: true, Capabilities: []string{"chat", "code", "multimodal", "reasoning"}},
	{ID: local, Capabilities: []string{"chat", "code", "embeddings"}},
}

// aliases are what people call them.
var aliases = map[string]string{
	"copilot": "github-copilot", "github": "github-copilot", "codex": "openai", "claude": "anthropic",
	"gemini": "google-gemini", "google": "google-gemini", "ollama": "local",
}

// ProviderError is a word that names no provider.
type ProviderError struct{ Word string }

func (e *ProviderError) Error() string { return e.Text().EN }

// Text is the message in both languages.
func (e *ProviderError) Text() surface.Text {
	list, shown := strings.Join(ProviderNames(), ", "), surface.Quoted(e.Word)
	return surface.Text{
		FR: "Fournisseur inconnu : " + shown + " (attendu : " + list + ")",
		EN: "Unknown provider: " + shown + " (expected one of: " + list + ")",
	}
}

// ProviderNames are the ids that ParseProviders takes, without the aliases.
func ProviderNames() []string {
	names := make([]string, len(known))
	for i, p := range known {
		names[i] = p.ID
	}
	return names
}

// ParseProviders turns ids and aliases into ids, each once, in the order of
// preference they came in. A word that is neither is a *ProviderError.
func ParseProviders(words []string) ([]string, error) {
	var ids []string
	for _, word := range words {
		id := strings.ToLower(strings.TrimSpace(word))
		if id == "" {
			continue
		}
		if full, ok := aliases[id]; ok {
			id = full
		}
		if !slices.Contains(ProviderNames(), id) {
			return nil, &ProviderError{word}
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// ProviderPolicy says which data hosted providers may get, and who is asked
// first.
type ProviderPolicy string

const (
	// HostedSafe keeps everything but public and internal data from hosted
	// providers. The order of preference is as given.
	HostedSafe ProviderPolicy = "hosted-safe"
	// LocalFirst is the same, with the local provider asked first.
	LocalFirst ProviderPolicy = "local-first"
	// Mixed lets hosted providers have confidential data too, for a team whose
	// contracts with them allow it.
	Mixed ProviderPolicy = "mixed"
)

// ProviderPolicies are all of them.
var ProviderPolicies = []ProviderPolicy{HostedSafe, LocalFirst, Mixed}

func (p ProviderPolicy) unknown() bool { return !slices.Contains(ProviderPolicies, p) }

// PolicyError is a policy that is unknown, or that nothing can follow.
type PolicyError struct{ Why surface.Text }

func (e *PolicyError) Error() string { return e.Why.EN }

// Text is the message in both languages.
func (e *PolicyError) Text() surface.Text { return e.Why }

// ParseProviderPolicy reads a policy's word, "" for none; another one is a
// *PolicyError.
func ParseProviderPolicy(word string) (ProviderPolicy, error) {
	p := ProviderPolicy(strings.ToLower(strings.TrimSpace(word)))
	if p == "" || !p.unknown() {
		return p, nil
	}
	words := make([]string, len(ProviderPolicies))
	for i, p := range ProviderPolicies {
		words[i] = string(p)
	}
	list, shown := strings.Join(words, ", "), surface.Quoted(word)
	return "", &PolicyError{surface.Text{
		FR: "Politique de fournisseurs inconnue : " + shown + " (attendu : " + list + ")",
		EN: "Unknown provider policy: " + shown + " (expected one of: " + list + ")",
	}}
}

// local is the provider that runs on the team's own machines.
const local = "local"

// order is the order of preference under the policy.
func (p ProviderPolicy) order(selected []string) ([]string, error) {
	at := slices.Index(selected, local)
	switch {
	case p != LocalFirst || len(selected) == 0:
		return selected, nil
	case at < 0:
		return nil, &PolicyError{surface.Text{
			FR: "La politique local-first demande le fournisseur local parmi ceux qui sont activés : --provider local",
			EN: "The policy local-first wants the provider local among those that are enabled: --provider local",
		}}
	}
	return slices.Insert(slices.Delete(slices.Clone(selected), at, at+1), 0, local), nil
}

// registry is the new registry with the selected providers enabled, each with
// the others to fall back on.
func registry(selected []string, policy ProviderPolicy) []provider {
	out := slices.Clone(known)
	for i := range out {
		p := &out[i]
		p.Allowed, p.Forbidden = []string{"public", "internal"}, []string{"secrets", "credentials"}
		if p.Hosted {
			p.Forbidden = append(p.Forbidden, "personal-data", "regulated-data")
		}
		if !p.Hosted || policy == Mixed {
			p.Allowed = append(p.Allowed, "confidential")
		}
		if p.Enabled = slices.Contains(selected, p.ID); p.Enabled {
			for _, id := range selected {
				if id != p.ID {
					p.Fallback = append(p.Fallback, id)
				}
			}
		}
	}
	return out
}
