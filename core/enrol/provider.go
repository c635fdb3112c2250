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
}

// known are the providers that a new registry lists.
var known = []provider{
	{ID: "github-copilot", Hosted: true, Capabilities: []string{"chat", "code", "review"}},
	{ID: "openai", Hosted: true, Capabilities: []string{"chat", "code", "reasoning", "embeddings"}},
	{ID: "anthropic", Hosted: true, Capabilities: []string{"chat", "code", "reasoning"}},
	{ID: "google-gemini", Hosted: true, Capabilities: []string{"chat", "code", "multimodal", "reasoning"}},
	{ID: "local", Capabilities: []string{"chat", "code", "embeddings"}},
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

// registry is the new registry with the selected providers enabled, each with
// the others to fall back on.
func registry(selected []string) []provider {
	out := slices.Clone(known)
	for i := range out {
		if out[i].Enabled = slices.Contains(selected, out[i].ID); out[i].Enabled {
			for _, id := range selected {
				if id != out[i].ID {
					out[i].Fallback = append(out[i].Fallback, id)
				}
			}
		}
	}
	return out
}
