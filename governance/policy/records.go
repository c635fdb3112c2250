package policy

import (
	"strings"

	"github.com/grimoire-kit/grimoire/surface"
)

// record is a folder that grimoire alone writes: what is decided about the work
// is read from it. A tool that writes there is refused, whoever confirms; one
// that may only read, and git that takes a folder along, are asked about.
type record struct {
	folder            string
	what, why, wayOut surface.Text
	// strict: nothing that git does to its files by name, and no program that
	// names one, is only asked about.
	strict bool
}

// observed is the journal of what the hook saw, see package observe.
const observed = "_grimoire-output/.runs/evidence"

var records = []record{
	{
		folder: observed, strict: true, what: textObserved,
		why: surface.Text{
			FR: observed + "/ est ce que le hook a vu : un outil qui l'écrirait en ferait une affirmation",
			EN: observed + "/ is what the hook saw: a tool that wrote it would make it a statement"},
		wayOut: surface.Text{
			FR: "lancer le contrôle pour de bon, seul sur sa ligne ; le hook le note",
			EN: "really run the check, alone on its line; the hook notes it"},
	},
	{
		folder: "_grimoire-runtime-output/ledger",
		what:   surface.Text{FR: "écriture dans le ledger des missions", EN: "a write to the mission ledger"},
		why: surface.Text{
			FR: "_grimoire-runtime-output/ledger/ est l'histoire des tâches, dont tout est rejoué : grimoire seul y ajoute",
			EN: "_grimoire-runtime-output/ledger/ is the history of the tasks, from which all is replayed: grimoire alone adds to it"},
		wayOut: surface.Text{
			FR: "`grimoire task move`, `close`, `comment` et les autres font le changement ; `grimoire ledger verify` dit si le ledger est sain",
			EN: "`grimoire task move`, `close`, `comment` and the others make the change; `grimoire ledger verify` says whether the ledger is sound"},
	},
	{
		folder: "_grimoire-runtime-output/evidence",
		what:   surface.Text{FR: "écriture dans les preuves versées", EN: "a write to the evidence on file"},
		why: surface.Text{
			FR: "_grimoire-runtime-output/evidence/ garde les preuves avec leurs empreintes et verdicts : grimoire seul y ajoute",
			EN: "_grimoire-runtime-output/evidence/ holds the evidence with its digests and verdicts: grimoire alone adds to it"},
		wayOut: surface.Text{
			FR: "`grimoire task prove <id> --item <genre>=<fichier> --covers all` verse une preuve",
			EN: "`grimoire task prove <id> --item <kind>=<file> --covers all` files evidence"},
	},
}

// keeping is what is said of a change that reaches a record.
func (c *Call) keeping(ch Change) (opinion, bool) {
	for i := range records {
		r := &records[i]
		surely, ok := c.inRecord(ch, r)
		switch {
		case !ok:
		case surely:
			return opinion{ruleGuardFile, Block, Say(c.Tool, r.what, r.why, r.wayOut)}, true
		case ch.Git != "":
			return opinion{ruleGuardFile, Warn, Say(c.Tool, r.what, r.why, surface.Text{
				FR: "la personne confirme, ou la commande nomme les fichiers voulus, comme `git " + ch.Git + " -- <fichiers>`",
				EN: "the person confirms, or the command names the files that are meant, as `git " + ch.Git + " -- <files>`"})}, true
		default:
			return opinion{ruleGuardFile, Warn, Say(c.Tool, r.what, r.why, surface.Text{
				FR: "la personne confirme ; " + r.wayOut.FR,
				EN: "the person confirms; " + r.wayOut.EN})}, true
		}
	}
	return opinion{}, false
}

// inRecord reports whether a change reaches a record, and whether it surely
// writes or removes something there.
func (c *Call) inRecord(ch Change, r *record) (surely, ok bool) {
	rel, inside := c.relative(ch.Path)
	rel = strings.ToLower(rel)
	if !inside {
		return false, false
	}
	within := rel == r.folder || strings.HasPrefix(rel, r.folder+"/")
	above := rel == "." || strings.HasPrefix(r.folder, rel+"/")
	switch {
	case ch.Below != "":
		top := strings.HasPrefix(r.folder+"/", firstElement(rel)+"/") // a search of the whole project is daily work
		return false, (within || above && top) && (ch.Below == "*" || strings.HasSuffix(ch.Below, "jsonl")) && c.exists(r.folder)
	case ch.Into && above:
		if from := strings.TrimSuffix(ch.From, "/"); from != "" {
			rest := r.folder
			if rel != "." {
				rest = strings.TrimPrefix(rest, rel+"/")
			}
			return false, c.Exists != nil && c.Exists(from+"/"+rest)
		}
		return false, rel != "."
	case within:
		return ch.Git != "stash" && (r.strict || !ch.Maybe), true
	case rel == ".":
		return false, ch.Removed && ch.Git != "" && c.exists(r.folder)
	case ch.Removed && above:
		return ch.Git == "" && (!ch.Maybe || r.strict), ch.Git == "" || c.exists(r.folder)
	}
	return false, strings.ContainsAny(rel, "*?[{") && matchesFolder(rel, r.folder, ch.Removed) && c.exists(r.folder)
}

// matchesFolder reports whether a path with wildcards stands for one below a
// folder, or, where it is removed, for one that holds the folder.
func matchesFolder(pattern, folder string, removed bool) bool {
	p, f := strings.Split(pattern, "/"), strings.Split(folder, "/")
	if len(p) < len(f) && !removed {
		return false
	}
	for i := range min(len(p), len(f)) {
		if p[i] != f[i] && !shellMatch(p[i], f[i]) {
			return false
		}
	}
	return true
}
