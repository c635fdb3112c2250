package task

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// EvidenceDir is where packs and verdicts are kept, relative to the project.
const EvidenceDir = "_grimoire-runtime-output/evidence"

// ItemKinds are the kinds of evidence there are.
var ItemKinds = []string{"test", "log", "diff", "doc", "schema", "trace", "screenshot", "report"}

// owedKinds are the kinds that a task of a risk must show.
var owedKinds = map[string][]string{
	"light":             {"test"},
	"standard":          {"test", "log"},
	"strict":            {"test", "log", "diff"},
	"security_critical": {"test", "log", "diff", "report"},
	"release":           {"test", "log", "diff", "doc", "report"},
}

// Owed are the kinds of evidence that a task must show.
func Owed(t *ledger.Task) []string {
	if kinds, ok := owedKinds[t.Risk]; ok {
		return kinds
	}
	return owedKinds["standard"]
}

// itemsWord spells the options that would show what is owed.
func itemsWord(t *ledger.Task) string {
	var words []string
	for _, k := range Owed(t) {
		words = append(words, "--item "+k+"=<file>")
	}
	return strings.Join(words, " ")
}

// coversWord spells the options that name the criteria, in their own words, or
// all of them where they are long.
func coversWord(t *ledger.Task) string {
	var words strings.Builder
	for _, c := range t.Acceptance {
		words.WriteString(" --covers " + argument(c))
	}
	if words.Len() > 300 {
		return " --covers all"
	}
	return words.String()
}

// Pack is a set of evidence for a task (grimoire.evidence_pack.v1).
type Pack struct {
	ID       string    `json:"id"`
	Schema   string    `json:"schema_version"`
	Task     string    `json:"task_id"`
	Workflow string    `json:"workflow_instance_id"`
	Profile  string    `json:"profile"`
	Items    []Item    `json:"items"`
	Created  string    `json:"created_at"`
	Coverage *Coverage `json:"coverage,omitempty"`
}

// Item is one piece of evidence (grimoire.evidence_item.v1).
type Item struct {
	ID      string `json:"id"`
	Schema  string `json:"schema_version"`
	Kind    string `json:"kind"`
	URI     string `json:"uri"`    // a file of the project
	Digest  string `json:"digest"` // sha256-<hex>
	Summary string `json:"summary"`
	// Tree is the folder of the project in the linked worktree of git that holds
	// the file, "" for the main one.
	Tree string `json:"worktree,omitempty"`
}

// Coverage is which criteria of acceptance the evidence speaks of.
type Coverage struct {
	Covered []string `json:"acceptance_covered"`
	Missing []string `json:"acceptance_missing"`
}

// Verdict is what a pack is worth (grimoire.verification_verdict.v1).
type Verdict struct {
	ID      string   `json:"id"`
	Schema  string   `json:"schema_version"`
	Task    string   `json:"task_id"`
	Pack    string   `json:"evidence_pack_id"`
	Verdict string   `json:"verdict"` // passed, failed, skipped
	Profile string   `json:"profile"`
	Checks  []Result `json:"checks"`
	// Decision is what the verdict asks for; the ledger decides.
	Decision struct {
		Close    bool `json:"close_task"`
		Reopen   bool `json:"reopen_task"`
		Incident bool `json:"create_incident"`
	} `json:"decision"`
	By      string `json:"created_by"`
	Created string `json:"created_at"`
}

// Result is one check of a verdict.
type Result struct {
	ID     string `json:"id"`
	Result string `json:"result"` // passed or failed
	Reason string `json:"reason"`
}

func (v *Verdict) failed() []string {
	var out []string
	for _, c := range v.Checks {
		if c.Result != "passed" {
			out = append(out, c.ID)
		}
	}
	return out
}

// NewItem is a file that is shown as evidence.
type NewItem struct{ Kind, Path string }

// Proof is a pack with its verdict.
type Proof struct {
	Pack    Pack    `json:"pack"`
	Verdict Verdict `json:"verdict"`
	Remedy  string  `json:"remedy,omitempty"` // the command that shows all that is owed, where the verdict is not passed
}

// Prove records files of the project as evidence for a task, with their
// digests, and the verdict on them. covers are the criteria that the evidence
// is for, in the words of the task; "all" is every one of them. What is
// recorded is what was declared: that the check was really run is not proved
// by it.
func (d *Desk) Prove(_ context.Context, id string, items []NewItem, covers []string) (*Proof, error) {
	t, err := d.Find(id)
	if err != nil {
		return nil, err
	}
	if len(items) == 0 {
		return nil, refuse(t.ID, "prove", "items",
			surface.Text{FR: "aucune preuve n'est donnée", EN: "no evidence is given"}, both("`grimoire task prove "+t.ID+" "+itemsWord(&t)+coversWord(&t)+"`"))
	}
	if slices.Equal(covers, []string{"all"}) {
		covers = t.Acceptance
	}
	packs, err := d.packs(t.ID)
	if err != nil {
		return nil, err
	}
	now := ledger.FormatTime(d.clock().Truncate(time.Microsecond))
	p := Pack{ID: fmt.Sprintf("EVD-%s-%03d", t.ID, len(packs)+1), Schema: "grimoire.evidence_pack.v1", Task: t.ID, Profile: t.Risk, Created: now}
	for i, x := range items {
		if !slices.Contains(ItemKinds, x.Kind) {
			shown, list := surface.Quoted(x.Kind), strings.Join(ItemKinds, ", ")
			return nil, say("Genre de preuve inconnu : %s (attendu : %s)", "Unknown kind of evidence: %s (expected %s)", shown, list)
		}
		tree, name, ok := d.proofPath(x.Path)
		if !ok {
			return nil, say("%s n'est pas un fichier du projet.", "%s is no file of the project.", surface.Quoted(x.Path))
		}
		digest, err := d.digest(tree, name)
		if err != nil {
			return nil, err
		}
		p.Items = append(p.Items, Item{ID: fmt.Sprintf("%s-%02d", p.ID, i+1), Schema: "grimoire.evidence_item.v1",
			Kind: x.Kind, URI: name, Digest: digest, Summary: strings.Join(covers, "; "), Tree: tree})
	}
	p.Coverage = cover(&t, p.Items)
	v := d.verdict(&t, &p)
	v.Created = now
	if err := d.appendLine(d.EvidenceDir+"/packs.jsonl", p); err != nil {
		return nil, fmt.Errorf("record the evidence: %w", err)
	}
	if err := d.appendLine(d.EvidenceDir+"/verdicts.jsonl", v); err != nil {
		return nil, fmt.Errorf("record the verdict: %w", err)
	}
	proof := &Proof{Pack: p, Verdict: v}
	if v.Verdict != "passed" {
		proof.Remedy = "grimoire task prove " + t.ID + " " + itemsWord(&t) + coversWord(&t)
	}
	return proof, nil
}

// proofPath is the path of a piece of evidence, and the worktree that holds it
// where it is not the main one: typed where the person stands, else relative to
// the project, as in scripts that are run from anywhere.
func (d *Desk) proofPath(f string) (tree, name string, ok bool) {
	first, fine := d.projectPath(f)
	if d.Tree != d.Root {
		tree = d.Tree
	}
	if strings.TrimSpace(f) == "" || fine && (&Desk{Root: d.tree()}).isFile(first) {
		return tree, first, fine
	}
	for _, root := range []string{d.tree(), d.Root} {
		if name, ok := within(root, root, strings.ReplaceAll(f, `\`, "/")); ok && (&Desk{Root: root}).isFile(name) {
			if root == d.Root {
				tree = ""
			}
			return tree, name, true
		}
	}
	return tree, first, fine
}

// digest is that of a file that is there, in the main worktree where tree is "".
func (d *Desk) digest(tree, name string) (string, error) {
	root, err := d.place(tree)
	if err != nil {
		return "", err
	}
	f, size, err := (&Desk{Root: root}).open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", say("%s n'existe pas : une preuve est un fichier du projet.", "%s does not exist: evidence is a file of the project.", surface.Quoted(name))
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	if size > maxItem {
		return "", &fileError{name, say("le fichier dépasse %d Mio", "the file is larger than %d MiB", maxItem>>20)}
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.LimitReader(f, maxItem)); err != nil {
		return "", &fileError{name, err}
	}
	return digestBegin + hex.EncodeToString(sum.Sum(nil)), nil
}

const digestBegin = "sha256-"

// maxItem bounds a piece of evidence, in bytes.
const maxItem = 1 << 30

// changedItem is why a piece of evidence is not what it was when it was
// recorded, nil where all are. What has no digest, or is no file of the
// project, is taken at its word.
func (d *Desk) changedItem(p *Pack) *surface.Text {
	for _, i := range p.Items {
		root, gone := d.place(i.Tree)
		if gone != nil {
			why := fault.Text(gone)
			return &surface.Text{FR: surface.Shown(i.URI) + ", montré par " + p.ID + " : " + why.FR, EN: surface.Shown(i.URI) + ", shown by " + p.ID + ": " + why.EN}
		}
		name, ok := within(root, root, strings.ReplaceAll(i.URI, `\`, "/"))
		if !ok || name == "." || strings.Contains(i.URI, "://") || !strings.HasPrefix(i.Digest, digestBegin) {
			continue
		}
		shown := surface.Shown(i.URI)
		switch now, err := d.digest(i.Tree, name); {
		case !(&Desk{Root: root}).isFile(name):
			return &surface.Text{FR: shown + ", montré par " + p.ID + ", n'est plus là", EN: shown + ", shown by " + p.ID + ", is gone"}
		case isRecord(name):
		case err != nil:
			why := fault.Text(err)
			return &surface.Text{FR: shown + ", montré par " + p.ID + ", ne se lit pas : " + why.FR, EN: shown + ", shown by " + p.ID + ", cannot be read: " + why.EN}
		case !strings.EqualFold(now, i.Digest):
			return &surface.Text{FR: shown + " a changé depuis que " + p.ID + " le montre", EN: shown + " has changed since " + p.ID + " shows it"}
		}
	}
	return nil
}

// isRecord reports a file that grimoire itself goes on writing while a task is
// worked on: that it changes says nothing of the evidence.
func isRecord(name string) bool {
	return standard.IsRecord(name) && (!strings.HasPrefix(name, standard.EvidenceDir+"/") || path.Base(name) == "evidence-pack.md")
}

// cover tells which criteria some piece of evidence speaks of, as the existing
// kit does: the criterion stands in its summary or its path.
func cover(t *ledger.Task, items []Item) *Coverage {
	c := &Coverage{Covered: []string{}, Missing: []string{}}
	for _, criterion := range t.Acceptance {
		low := strings.ToLower(strings.TrimSpace(criterion))
		if slices.ContainsFunc(items, func(i Item) bool {
			return strings.Contains(strings.ToLower(i.Summary), low) || strings.Contains(strings.ToLower(i.URI), low)
		}) {
			c.Covered = append(c.Covered, criterion)
		} else {
			c.Missing = append(c.Missing, criterion)
		}
	}
	return c
}

// verdict judges a pack.
func (d *Desk) verdict(t *ledger.Task, p *Pack) Verdict {
	v := Verdict{ID: fmt.Sprintf("ver-%s-%s", t.ID, p.ID[len(p.ID)-3:]), Schema: "grimoire.verification_verdict.v1", Task: t.ID, Pack: p.ID,
		Verdict: "passed", Profile: t.Risk, By: "verifier-runtime"}
	l := d.Language
	check := func(id string, ok bool, reason string) {
		r := Result{ID: id, Result: "passed"}
		if !ok {
			r.Result, r.Reason, v.Verdict = "failed", reason, "failed"
		}
		v.Checks = append(v.Checks, r)
	}
	check("evidence-present", len(p.Items) > 0, l.Text("aucune preuve", "no item"))
	for _, kind := range Owed(t) {
		check("kind-"+kind+"-present", slices.ContainsFunc(p.Items, func(i Item) bool { return i.Kind == kind }), l.Text("aucune preuve du genre ", "no item of kind ")+kind)
	}
	changed := ""
	for _, i := range p.Items {
		if now, err := d.digest(i.Tree, i.URI); err != nil || now != i.Digest {
			changed = i.URI
		}
	}
	check("digests-valid", changed == "", changed+l.Text(" n'est plus ce qu'il était", " is not what it was"))
	check("acceptance-coverage", len(p.Coverage.Missing) == 0, strings.Join(p.Coverage.Missing, "; "))
	v.Decision.Close, v.Decision.Reopen = v.Verdict == "passed", v.Verdict != "passed"
	return v
}

// FindPack is a task's pack with that id.
func (d *Desk) FindPack(task, id string) (*Pack, error) {
	t, err := d.Find(task)
	if err != nil {
		return nil, err
	}
	packs, err := d.packs(t.ID)
	if err != nil {
		return nil, err
	}
	for _, p := range packs {
		if p.ID == id {
			return &p, nil
		}
	}
	var names []string
	for _, p := range packs {
		names = append(names, p.ID)
	}
	shown, list := surface.Quoted(id), strings.Join(names, ", ")
	if list == "" {
		list = "–"
	}
	return nil, say("La tâche %[1]s n'a pas de dossier de preuves %[2]s (elle a : %[3]s).", "Task %[1]s has no evidence pack %[2]s (it has: %[3]s).", t.ID, shown, list)
}

// lastEvidence is the last pack of a task and the verdict on it, each nil where
// there is none.
func (d *Desk) lastEvidence(task string) (*Pack, *Verdict, error) {
	packs, err := d.packs(task)
	if err != nil || len(packs) == 0 {
		return nil, nil, err
	}
	var last *Verdict
	err = d.verdicts(task, func(v Verdict) { last = &v })
	return &packs[len(packs)-1], last, err
}

// verdicts calls visit with those on a task's evidence, in their order.
func (d *Desk) verdicts(task string, visit func(Verdict)) error {
	return lines(d, "verdicts.jsonl", func(v Verdict) {
		if v.Task == task {
			visit(v)
		}
	})
}

// packs are those of a task, the last object with an id in its first place.
func (d *Desk) packs(task string) ([]Pack, error) {
	var out []Pack
	err := lines(d, "packs.jsonl", func(p Pack) {
		if p.Task != task || p.ID == "" {
			return
		}
		if i := slices.IndexFunc(out, func(q Pack) bool { return q.ID == p.ID }); i >= 0 {
			out[i] = p
		} else {
			out = append(out, p)
		}
	})
	return out, err
}

// lines reads a file of the evidence's folder; lines that are no JSON are
// skipped.
func lines[T any](d *Desk, name string, visit func(T)) error {
	_, err := d.eachLine(d.EvidenceDir, name, func(line gjson.Result) {
		var v T
		if json.Unmarshal([]byte(line.Raw), &v) == nil {
			visit(v)
		}
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
