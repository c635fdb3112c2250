package enrol

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/grimoire-kit/grimoire/governance/git"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
)

// upstreamWait bounds how long the upstream standard may take to answer.
const upstreamWait = 20 * time.Second

// UpstreamStatus is how a project's pinned standard stands to its origin.
type UpstreamStatus string

const (
	Pinned      UpstreamStatus = "pinned" // the pinned commit is the head
	Moved       UpstreamStatus = "moved"
	Unreachable UpstreamStatus = "unreachable"
	Unpinned    UpstreamStatus = "unpinned"
)

// Upstream is what became of asking the origin.
type Upstream struct {
	Status     UpstreamStatus
	Repository string
	Pinned     string
	Head       string // "" where it was not learned
	Why        surface.Text
}

// CheckUpstream compares the commit that the profile file pins with the head of
// the repository it names: upstream_standard.repository, an https address, and
// upstream_standard.commit. It asks that address and no other, without
// credentials, and changes nothing. A value that is wrong is a
// *standard.FileError.
func CheckUpstream(ctx context.Context, f *standard.Folder) (*Upstream, error) {
	repository, commit, err := f.Upstream()
	if err != nil {
		return nil, err
	}
	u := &Upstream{Status: Unpinned, Repository: repository.Text, Pinned: commit.Text}
	wrong := func(v standard.Value, key, fr, en string) error {
		return &standard.FileError{Path: standard.ProfileFile, Why: surface.Text{
			FR: fmt.Sprintf("ligne %d : upstream_standard.%s : %s", v.Line, key, fr), EN: fmt.Sprintf("line %d: upstream_standard.%s: %s", v.Line, key, en)}}
	}
	switch {
	case commit.Text == "":
		u.Why = surface.Text{
			FR: "rien n'est épinglé : écris le commit suivi dans upstream_standard.commit de " + standard.ProfileFile + ", et l'adresse https du dépôt dans repository",
			EN: "nothing is pinned: write the commit that is followed into upstream_standard.commit of " + standard.ProfileFile + ", and the repository's https address into repository"}
		return u, nil
	case len(commit.Text) != 40 && len(commit.Text) != 64, strings.Trim(commit.Text, "0123456789abcdef") != "":
		return nil, wrong(commit, "commit", surface.Quoted(commit.Text)+" n'est pas un commit entier (40 ou 64 chiffres hexadécimaux)",
			surface.Quoted(commit.Text)+" is no whole commit (40 or 64 hexadecimal digits)")
	}
	// The address comes with the repository: nothing but https, which runs no
	// program that the address names, and nothing that carries a secret.
	at, err := url.Parse(repository.Text)
	if err != nil || at.Scheme != "https" || at.Host == "" || at.User != nil || strings.ContainsAny(repository.Text, " \t\r\n\\") || !surface.Printable(repository.Text) {
		return nil, wrong(repository, "repository", surface.Quoted(repository.Text)+" n'est pas une adresse https sans identifiants",
			surface.Quoted(repository.Text)+" is no https address without credentials")
	}
	ctx, cancel := context.WithTimeout(ctx, upstreamWait)
	defer cancel()
	answer, err := git.Ask(ctx, os.TempDir(), "-c", "credential.helper=", "-c", "protocol.allow=never", "-c", "protocol.https.allow=always",
		"-c", "http.followRedirects=false", "ls-remote", "--", repository.Text, "HEAD")
	head, _, _ := strings.Cut(answer, "\t")
	switch {
	case err != nil:
		u.Status = Unreachable
		u.Why = surface.Text{
			FR: repository.Text + " ne répond pas (" + surface.Shown(err.Error()) + ") ; rien n'est su de plus que le commit épinglé",
			EN: repository.Text + " does not answer (" + surface.Shown(err.Error()) + "); nothing is known beyond the pinned commit"}
	case len(head) != 40 && len(head) != 64, strings.Trim(head, "0123456789abcdef") != "":
		u.Status = Unreachable
		u.Why = surface.Text{FR: repository.Text + " ne nomme aucun HEAD", EN: repository.Text + " names no HEAD"}
	case head == commit.Text:
		u.Status, u.Head = Pinned, head
		u.Why = surface.Text{FR: "le commit épinglé est le dernier", EN: "the pinned commit is the latest"}
	default:
		u.Status, u.Head = Moved, head
		u.Why = surface.Text{FR: "le standard a avancé depuis le commit épinglé", EN: "the standard has moved since the pinned commit"}
	}
	return u, nil
}
