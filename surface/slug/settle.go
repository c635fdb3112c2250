package slug

import "strconv"

// Claim is a name that somebody would like to have.
type Claim struct {
	Name  string // a slug
	Exact bool   // Name is what was written, not a slug made of it
	Other string // a slug to fall back on, "" for none
}

// Settle gives each claim a name of its own, also where a system does not tell
// cases apart: an exact name goes before one that was made of something else,
// and an earlier claim before a later one. Who comes too late gets the other
// name, else the name with a number.
func Settle(claims []Claim) []string {
	names := make([]string, len(claims))
	taken := make(map[string]bool, len(claims))
	take := func(i int, name string) bool {
		if name == "" || taken[Fold(name)] {
			return false
		}
		taken[Fold(name)] = true
		names[i] = name
		return true
	}
	for _, exact := range []bool{true, false} {
		for i, c := range claims {
			if c.Exact == exact {
				take(i, c.Name)
			}
		}
	}
	next := map[string]int{} // folded name → the number to try first
	for i, c := range claims {
		if names[i] != "" || take(i, c.Other) {
			continue
		}
		key := Fold(c.Name)
		n := max(next[key], 2)
		for !take(i, numbered(c.Name, n)) {
			n++
		}
		next[key] = n + 1
	}
	return names
}

func numbered(name string, n int) string {
	suffix := "-" + strconv.Itoa(n)
	return name[:min(len(name), maxLength-len(suffix))] + suffix
}
