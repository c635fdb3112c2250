package standard

import (
	"path"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/surface"
)

// Words of the registry of providers.
var (
	modelTiers = []string{"cheap", "mid", "strong"}
	currencies = []string{"quota", "api", "local"}
)

// providers examines the registry of LLM providers.
func (e *examination) providers() {
	x := e.yaml(pathOf("llm_provider_registry", e.v.Task))
	if x == nil {
		return
	}
	list := x.top.get("providers")
	if len(list.list()) == 0 {
		x.fail("providers.none", list, "providers est vide : aucun fournisseur n'est déclaré", "providers is empty: no provider is declared")
		return
	}
	ids, enabled := set{}, set{}
	providers := x.entries(list, "providers.invalid_entry")
	for _, p := range providers {
		if id := p.get("id").text(); id != "" {
			ids[id] = true
			if p.get("enabled").isTrue() {
				enabled[id] = true
			}
		}
	}
	if len(enabled) == 0 && e.v.Profile.Rank() >= surface.ProfileControlled.Rank() {
		x.warn("providers.none_enabled", list,
			"aucun fournisseur n'a enabled: true ; mets-le à celui dont l'équipe se sert, ou relance `grimoire standard init --provider claude` (ou un autre)",
			"no provider has enabled: true; set it for the one the team uses, or run `grimoire standard init --provider claude` (or another)")
	}
	for _, p := range providers {
		x.provider(p, ids)
	}
	x.routing(ids, enabled)
}

func (x *file) provider(p node, ids set) {
	id := surface.Quoted(p.get("id").text())
	if p.get("id").text() == "" {
		x.fail("providers.id_missing", p, "un fournisseur n'a pas d'id", "a provider has no id")
	}
	if _, ok := p.get("enabled").flag(); !ok {
		x.fail("providers.enabled_not_bool", p, id+" : enabled doit être true ou false", id+": enabled must be true or false")
	}
	if t := p.get("provider_type"); t.n != nil && t.text() == "" {
		x.fail("providers.provider_type_invalid", t, id+" : provider_type doit être un mot", id+": provider_type must be a word")
	}
	for _, key := range []string{"allowed_data_classes", "forbidden_data_classes"} {
		if v := p.get("data_policy").get(key); v.n != nil && (!v.isList() || slices.Contains(v.texts(), "")) {
			x.fail("providers.data_classes_invalid", v, id+" : data_policy."+key+" doit être une liste de mots", id+": data_policy."+key+" must be a list of words")
		}
	}
	if p.get("enabled").isTrue() {
		if len(p.get("allowed_capabilities").list()) == 0 {
			x.fail("providers.capabilities_missing", p, id+" : allowed_capabilities est vide", id+": allowed_capabilities is empty")
		}
		if len(p.get("default_models").list()) == 0 {
			x.warn("providers.models_missing", p, id+" : default_models est vide", id+": default_models is empty")
		}
		switch data := p.get("data_policy"); {
		case !data.isMap():
			x.fail("providers.data_policy_missing", p, id+" : data_policy manque", id+": data_policy is missing")
		case p.get("provider_type").text() == "hosted" && len(data.get("forbidden_data_classes").list()) == 0:
			x.fail("providers.hosted_forbidden_missing", data,
				id+" est hébergé : data_policy.forbidden_data_classes doit dire ce qui ne lui est jamais envoyé",
				id+" is hosted: data_policy.forbidden_data_classes must say what is never sent to it")
		}
	}
	x.unknown("providers.unknown_fallback", p.get("fallback_order"), ids)
	if c := p.get("currency"); !c.isEmpty() && !slices.Contains(currencies, c.text()) {
		x.fail("providers.currency_invalid", c, id+" : currency parmi "+strings.Join(currencies, ", "), id+": currency is one of "+strings.Join(currencies, ", "))
	}
	for _, m := range p.get("models").list() {
		if t := m.get("tier"); !t.isEmpty() && !slices.Contains(modelTiers, t.text()) {
			x.fail("providers.model_tier_invalid", t, id+" : tier parmi "+strings.Join(modelTiers, ", "), id+": tier is one of "+strings.Join(modelTiers, ", "))
		}
	}
}

func (x *file) routing(ids, enabled set) {
	r := x.top.get("routing")
	if !r.isMap() {
		x.warn("providers.routing_missing", x.top, "la section routing manque", "the section routing is missing")
		return
	}
	byDefault := r.get("default_provider")
	switch shown := surface.Quoted(byDefault.text()); {
	case len(enabled) == 0 && byDefault.text() == "": // nobody chose one yet
	case !ids[byDefault.text()]:
		x.fail("providers.default_unknown", byDefault, "routing.default_provider : "+shown+" n'est pas déclaré", "routing.default_provider: "+shown+" is not declared")
	case !enabled[byDefault.text()]:
		x.fail("providers.default_not_enabled", byDefault, "routing.default_provider : "+shown+" n'a pas enabled: true", "routing.default_provider: "+shown+" does not have enabled: true")
	}
	x.unknown("providers.routing_unknown_fallback", r.get("default_fallback_chain"), ids)
	if !r.get("require_capability_match").isTrue() || !r.get("require_data_policy_match").isTrue() {
		x.warn("providers.routing_policy_weak", r,
			"require_capability_match et require_data_policy_match devraient être true",
			"require_capability_match and require_data_policy_match should be true")
	}
}

// unknown reports the entries of a list that name no provider.
func (x *file) unknown(id string, list node, ids set) {
	for _, f := range list.list() {
		if name := f.text(); !ids[name] {
			x.fail(id, f, surface.Quoted(name)+" n'est pas un fournisseur du registre", surface.Quoted(name)+" is no provider of the registry")
		}
	}
}

// separation are the rules that keep knowledge, memory and context apart.
var separation = []string{"knowledge_is_not_memory", "knowledge_is_not_session_context", "explicit_source_of_truth_required"}

// knowledge examines the registry of outside documentation.
func (e *examination) knowledge() {
	x := e.yaml(pathOf("knowledge_source_registry", e.v.Task))
	if x == nil {
		return
	}
	if rules := x.top.get("rules"); !rules.isMap() {
		x.fail("knowledge.rules_missing", x.top, "la section rules manque", "the section rules is missing")
	} else {
		for _, key := range separation {
			if !rules.get(key).isTrue() {
				x.fail("knowledge."+key, rules, "rules."+key+" doit être true", "rules."+key+" must be true")
			}
		}
	}
	sources := x.top.get("sources")
	if len(sources.list()) == 0 {
		x.warn("knowledge.sources_missing", sources, "sources est vide : aucune source n'est déclarée", "sources is empty: no source is declared")
		return
	}
	real := 0
	for _, s := range x.entries(sources, "knowledge.invalid_source") {
		if s.get("id").text() != "" && s.get("locator").text() != "" && !strings.Contains(s.get("type").text(), "|") {
			real++
		}
		if s.get("enabled").isTrue() {
			e.source(x, s)
		}
		trust := s.get("trust")
		switch level := trust.get("level").text(); {
		case !trust.isMap():
		case level == "":
			x.warn("knowledge.trust_level_missing", trust, "trust.level manque", "trust.level is missing")
		case trust.get("source_of_truth").isTrue() && level != "high" && level != "authoritative":
			x.warn("knowledge.truth_low_trust", trust,
				"une source de vérité a trust.level high ou authoritative", "a source of truth has trust.level high or authoritative")
		}
	}
	if real == 0 && e.v.Profile.Rank() >= surface.ProfileOrchestrated.Rank() {
		x.warn("knowledge.no_real_source", sources, "aucune source n'a d'id et de locator", "no source has an id and a locator")
	}
}

// source examines a source that is in use.
func (e *examination) source(x *file, s node) {
	id, locator := surface.Quoted(s.get("id").text()), s.get("locator")
	at := locator.text()
	switch local := s.get("type").text() == "folder" || at != "" && strings.ContainsRune("./~", rune(at[0])); {
	case at == "":
		x.warn("knowledge.locator_missing", s, id+" : locator manque", id+": locator is missing")
	case !local:
	case outside(at):
		x.fail("knowledge.locator_outside_root", locator, id+" : locator sort du projet", id+": locator leaves the project")
	case !e.f.exists(path.Clean(at)):
		x.warn("knowledge.locator_not_found", locator, id+" : "+surface.Quoted(at)+" n'existe pas", id+": "+surface.Quoted(at)+" does not exist")
	}
	if !s.get("trust").isMap() {
		x.fail("knowledge.trust_missing", s, id+" : la section trust manque", id+": the section trust is missing")
	}
	manifest := s.get("evidence").get("index_manifest")
	switch at := manifest.text(); {
	case at == "" || at == "planned":
	case outside(at):
		x.fail("knowledge.index_manifest_outside_root", manifest, id+" : index_manifest sort du projet", id+": index_manifest leaves the project")
	case !e.f.exists(path.Clean(at)):
		x.warn("knowledge.index_manifest_missing", manifest, id+" : "+surface.Quoted(at)+" n'existe pas", id+": "+surface.Quoted(at)+" does not exist")
	}
}

// outside reports a path that leaves the project as it is written.
func outside(p string) bool {
	p = strings.ReplaceAll(p, `\`, "/")
	clean := path.Clean(p)
	return path.IsAbs(p) || strings.HasPrefix(p, "~") || clean == ".." || strings.HasPrefix(clean, "../") ||
		len(p) > 1 && p[1] == ':'
}

// EnabledProviders are the ids of the providers that the registry enables, the
// default one first.
func (f *Folder) EnabledProviders() []string {
	top, _, err := f.yaml(pathOf("llm_provider_registry", Bootstrap))
	if err != nil {
		return nil
	}
	var ids []string
	for _, p := range top.get("providers").list() {
		if id := p.get("id").text(); id != "" && p.get("enabled").isTrue() {
			ids = append(ids, id)
		}
	}
	if at := slices.Index(ids, top.get("routing").get("default_provider").text()); at > 0 {
		first := ids[at]
		ids = slices.Insert(slices.Delete(ids, at, at+1), 0, first)
	}
	return ids
}
