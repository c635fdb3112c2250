package slug

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSettle(t *testing.T) {
	long := strings.Repeat("x", maxLength)
	for name, tt := range map[string]struct {
		claims []Claim
		want   []string
	}{
		"none":                  {nil, []string{}},
		"exact before folded":   {[]Claim{{"e", false, "accent"}, {"e", true, "plain"}}, []string{"accent", "e"}},
		"first of two exact":    {[]Claim{{"Scribe", true, "a"}, {"scribe", true, "b"}}, []string{"Scribe", "b"}},
		"a number":              {[]Claim{{"e", true, "e"}, {"e", false, "e"}, {"E", true, ""}}, []string{"e", "e-2", "E-3"}},
		"a number that is used": {[]Claim{{"e", true, ""}, {"e", true, ""}, {"e-2", true, ""}}, []string{"e", "e-3", "e-2"}},
		"own name before a stem": {[]Claim{{"a", true, "b"}, {"a", true, "b"}, {"b", false, "c"}},
			[]string{"a", "a-2", "b"}},
		"as long as a name may be": {[]Claim{{long, true, ""}, {long, true, ""}}, []string{long, long[2:] + "-2"}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Settle(tt.claims); !slices.Equal(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// Every claim gets a name, no two are the same file, and each is a slug.
func TestSettleAll(t *testing.T) {
	name := rapid.SampledFrom([]string{"a", "A", "a-2", "A-3", "b", "con_", strings.Repeat("y", maxLength)})
	rapid.Check(t, func(t *rapid.T) {
		claims := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Claim {
			return Claim{name.Draw(t, "name"), rapid.Bool().Draw(t, "exact"), rapid.OneOf(rapid.Just(""), name).Draw(t, "other")}
		}), 0, 12).Draw(t, "claims")
		seen := map[string]bool{}
		for i, got := range Settle(claims) {
			if !Is(got) || seen[Fold(got)] {
				t.Fatalf("claim %d of %v: %q", i, claims, got)
			}
			seen[Fold(got)] = true
		}
	})
}
