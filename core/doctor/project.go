package doctor

import (
	"fmt"
	"strings"

	"github.com/grimoire-kit/grimoire/core/host"
	"github.com/grimoire-kit/grimoire/core/plugin"
	"github.com/grimoire-kit/grimoire/core/project"
	"github.com/grimoire-kit/grimoire/core/scaffold"
	"github.com/grimoire-kit/grimoire/emitters/bundled"
	"github.com/grimoire-kit/grimoire/governance/policy"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

func profiles() []pluginsdk.Profile {
	var all []pluginsdk.Profile
	for _, e := range bundled.Emitters() {
		all = append(all, e.Profile())
	}
	return all
}

// open reads the project; what cannot be read is its first check.
func (e *examination) open() Check {
	const name = "project_context"
	cfg, err := project.ReadConfig(e.root)
	e.hosts = enabledHosts(e.root, cfg)
	if err != nil {
		return conclude(name, []finding{{failure, host.TextOf(err)}}, surface.Text{})
	}
	var found []finding
	if !cfg.Declared {
		found = append(found, finding{warning, surface.Text{
			FR: "project-context.yaml n'existe pas ; `grimoire init` l'écrit",
			EN: "there is no project-context.yaml; `grimoire init` writes it"}})
	}
	if e.workspace, err = host.Open(e.ctx, e.root, false, e.Getenv); err != nil {
		found = append(found, finding{failure, host.TextOf(err)})
	} else {
		p := e.workspace.Project
		if e.hosts, err = e.workspace.Select(host.AllHosts, false); err != nil {
			found = append(found, finding{failure, host.TextOf(err)})
		}
		for _, t := range e.workspace.Warnings {
			found = append(found, finding{warning, t})
		}
		for _, u := range p.UnknownHosts {
			if p.NoKnownHost != nil {
				break // it names them
			}
			found = append(found, finding{warning, surface.Text{
				FR: fmt.Sprintf("%s:%d: hosts.enabled : hôte « %s » inconnu, ignoré", project.ConfigFile, u.Line, u.Name),
				EN: fmt.Sprintf("%s:%d: hosts.enabled: unknown host %q, ignored", project.ConfigFile, u.Line, u.Name)}})
		}
		if t, ok := host.BelowGitRoot(p.Root); ok {
			found = append(found, finding{note, t})
		}
	}
	names := make([]string, len(e.hosts))
	for i, h := range e.hosts {
		names[i] = h.Profile.Alias()
	}
	list := strings.Join(names, ", ")
	return conclude(name, found, surface.Text{
		FR: "lisible ; hôtes activés : " + orElse(list, "aucun"),
		EN: "readable; enabled hosts: " + orElse(list, "none")})
}

// enabledHosts are the hosts of a project that cannot be loaded, declared or
// detected: its surfaces can still be looked at.
func enabledHosts(root string, cfg project.Config) []plugin.Host {
	names := project.Detect(root, profiles())
	if cfg.Hosts.EnabledDeclared {
		names = nil
		for _, h := range cfg.Hosts.Enabled {
			names = append(names, h.Name)
		}
	}
	catalog, err := plugin.NewCatalog(bundled.Emitters())
	if err != nil {
		return nil
	}
	var hosts []plugin.Host
	for _, name := range names {
		if h, err := catalog.Resolve(name); err == nil {
			hosts = append(hosts, h)
		}
	}
	return hosts
}

// files names the personas, skills and commands that were left out or are not
// what their authors think.
func (e *examination) files() []Check {
	if e.workspace == nil {
		return nil
	}
	var found []finding
	p := e.workspace.Project
	for _, s := range p.Skipped {
		found = append(found, finding{warning, at(s.Path, s.Line, s.Reason)})
	}
	for _, w := range p.Warnings {
		switch {
		case w.Path == policy.File: // the rules have a check of their own
		case w.Path == standard.ProfileFile && p.ProfileUnread:
			found = append(found, finding{failure, at(w.Path, w.Line, w.Text)})
		default:
			found = append(found, finding{warning, at(w.Path, w.Line, w.Text)})
		}
	}
	for _, n := range p.Surface.Notes {
		found = append(found, finding{note, n})
	}
	s := p.Surface
	return []Check{conclude("project_files", found, surface.Text{
		FR: fmt.Sprintf("personas : %d, compétences : %d, commandes : %d", len(s.Agents), len(s.Skills), len(s.Commands)),
		EN: fmt.Sprintf("personas: %d, skills: %d, commands: %d", len(s.Agents), len(s.Skills), len(s.Commands))})}
}

// at puts a place in a file before a text; line 0 is the whole file.
func at(path string, line int, t surface.Text) surface.Text {
	if line > 0 {
		path = fmt.Sprintf("%s:%d", path, line)
	}
	return surface.Text{FR: path + ": " + t.FR, EN: path + ": " + t.EN}
}

// kit compares the texts of the kit with this grimoire's.
func (e *examination) kit() []Check {
	plan, err := scaffold.Prepare(e.root, scaffold.Options{Hosts: profiles(), Language: e.Language})
	if err != nil {
		if e.workspace == nil {
			return nil // project-context.yaml, which has its own check
		}
		return []Check{conclude("kit_files", []finding{{failure, host.TextOf(err)}}, surface.Text{})}
	}
	defer plan.Close()
	var found []finding
	for _, f := range plan.Pending() {
		found = append(found, finding{warning, surface.Text{
			FR: f.Path + ": " + f.Why.FR + " ; `grimoire up --fix` l'écrit",
			EN: f.Path + ": " + f.Why.EN + "; `grimoire up --fix` writes it"}})
	}
	for _, w := range plan.Warnings {
		found = append(found, finding{warning, w})
	}
	fine := surface.Text{FR: "à jour", EN: "up to date"}
	if !plan.Kit {
		fine = surface.Text{FR: "le projet n'a pas de copie des textes du kit, et n'en a pas besoin", EN: "the project has no copy of the kit's texts, and needs none"}
	}
	return []Check{conclude("kit_files", found, fine)}
}

// entry checks the persona that answers when a request names no role.
func (e *examination) entry() []Check {
	if e.workspace == nil {
		return nil
	}
	p := e.workspace.Project
	entry, ok := p.Surface.Entry()
	var found []finding
	if !ok && p.EntryDeclared != "" {
		found = append(found, finding{warning, surface.Text{
			FR: "agents.entry nomme « " + p.EntryDeclared + " », que le projet n'a pas ; \"\" n'en veut aucune",
			EN: "agents.entry names \"" + p.EntryDeclared + "\", which the project does not have; \"\" asks for none"}})
	}
	return []Check{conclude("entry_persona", found, surface.Text{
		FR: orElse(entry.Name, "aucune"), EN: orElse(entry.Name, "none")})}
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
