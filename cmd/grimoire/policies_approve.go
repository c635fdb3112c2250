package main

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/core/host"
	"github.com/grimoire-kit/grimoire/governance/policy"
	"github.com/grimoire-kit/grimoire/governance/session"
	"github.com/grimoire-kit/grimoire/governance/trace"
)

func newPoliciesApprove(a *app) *cobra.Command {
	var f sessionFlags
	cmd := &cobra.Command{
		Use:   "approve <id>",
		Short: a.text("Approuver une action qui attend, en personne", "Approve one waiting action, in person"),
		Long: a.text(`Pour un hôte qui ne peut pas poser la question. L'identifiant est dans le refus et
dans « grimoire policies status ». L'accord porte sur cette action-là, pour cette
session, et reste dans la trace. Il ne se donne qu'à un terminal, par une personne qui
recopie un code : il n'y a ni --yes ni entrée redirigée, et rien sous un hôte connu.
Un programme qui tient lui-même un terminal et cache d'où il vient n'est pas reconnu.`,
			`For a host that cannot put the question. The id is in the refusal and in
"grimoire policies status". The approval is for that one action, in that session,
and stays in the trace. It is given at a terminal, by a person who copies a code:
there is no --yes, no redirected input, and nothing below a known host. A program
that holds a terminal itself and hides where it comes from is not told.`),
		Example: `  grimoire policies approve 3fa91c02d7be`,
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			root, err := a.governed()
			if err != nil {
				return err
			}
			id, ok := f.choose(a, root)
			if !ok {
				return noSession()
			}
			rules, err := policy.Load(root)
			if err != nil {
				return err
			}
			w, err := rules.Approve(session.Read(root, id), args[0]) // of a copy: it only finds the action
			if err != nil {
				return approvalError(args[0], err)
			}
			if err := a.askInPerson(id, w); err != nil {
				return err
			}
			if err := session.Update(root, id, func(s *session.State) error {
				_, err := rules.Approve(s, w.ID)
				return err
			}); err != nil {
				return approvalError(args[0], err)
			}
			r := trace.Approval(id, w.ID, w.Rules)
			r.At = time.Now()
			if err := trace.Append(root, r); err != nil {
				a.say("grimoire: %s\n", printable(err.Error()))
			}
			if a.json() {
				return a.printJSON(struct {
					Session string `json:"session_id"`
					policy.Waiting
				}{id, w})
			}
			a.printf("%s\n", a.text("Approuvé. L'action passe quand l'agent la rejoue telle quelle.", "Approved. The action passes when the agent repeats it as it was."))
			return nil
		},
	}
	f.add(a, cmd)
	return cmd
}

// codeLength is how many characters a person copies from the terminal: what
// writes there blindly does not know them.
const codeLength = 4

// askInPerson puts an action to whoever sits at the terminal, and to nobody
// else: neither stdin nor an option can answer.
func (a *app) askInPerson(id string, w policy.Waiting) error {
	by := a.heldBy()
	if by != "" {
		return host.Refusal{
			FR: "Un accord vient de la personne, dans son propre terminal : celui-ci est tenu par " + by + ".",
			EN: "An approval comes from the person, in their own terminal: this one is held by " + by + ".",
		}
	}
	tty, err := openTerminal()
	if err != nil {
		return host.Refusal{
			FR: "Un accord vient de la personne, à un terminal : il n'y en a pas ici.",
			EN: "An approval comes from the person, at a terminal: there is none here.",
		}
	}
	defer func() { _ = tty.Close() }()
	code := rand.Text()[:codeLength]
	fmt.Fprintf(tty, "%s %s, %s %s\n%s ", a.text("session", "session"), printable(id), a.text("action", "action"), w.ID+": "+printable(w.Summary().In(a.lang)),
		a.text("Pour approuver cette action, telle quelle, pour cette session, tape "+code+" :", "To approve this action, as it is, for this session, type "+code+":"))
	line, err := bufio.NewReader(tty).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read the terminal: %w", err)
	}
	if strings.EqualFold(strings.TrimSpace(line), code) {
		return nil
	}
	return host.Refusal{FR: "Rien n'a été approuvé.", EN: "Nothing was approved."}
}

func approvalError(id string, err error) error {
	switch {
	case errors.Is(err, policy.ErrNotWaiting):
		return host.Refusal{
			FR: "Aucune action de cette session n'attend sous « " + id + " » ; `grimoire policies status` les montre.",
			EN: "No action of this session waits under \"" + id + "\"; `grimoire policies status` shows them.",
		}
	case errors.Is(err, policy.ErrAmbiguous):
		return host.Refusal{
			FR: "Plusieurs actions attendent sous « " + id + " » : donne l'identifiant entier.",
			EN: "Several actions wait under \"" + id + "\": give the whole id.",
		}
	}
	return err
}
