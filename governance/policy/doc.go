// Package policy judges one tool call by rules: the built-in ones, the
// project's own (_grimoire/standard/policies.yaml) and, among those, the
// temporal ones that look at what the session already did.
//
// Every verdict is a pure function of facts handed in (a Call, the rules, a
// session.State, a clock). The package parses no command, classifies no tool
// and knows no host: package decide brings the facts and renders the verdict.
// The only file it reads is policies.yaml.
//
// It is linked into grimoire-hook and stays light. It imports surface and
// governance/session; decide, core and cmd import it.
package policy
