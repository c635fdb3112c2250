package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/governance/current"
	"github.com/grimoire-kit/grimoire/governance/decide"
)

// newHostHook is grimoire-hook for people: the same decision, the same bytes
// and exit code. Hosts call the small program, which starts faster.
func newHostHook(a *app) *cobra.Command {
	var name, event, decision string
	cmd := &cobra.Command{
		Use:   "hook",
		Short: a.text("Décider un appel de hook lu sur l'entrée standard, comme grimoire-hook", "Decide a hook call read from stdin, as grimoire-hook does"),
		Long: a.text(`Lit la charge utile d'un hôte sur l'entrée standard et répond dans les mots de
l'hôte, octets et code de sortie compris. Compte et trace comme le vrai appel ;
« grimoire policies explain » n'enregistre rien.`,
			`Reads a host's payload from stdin and answers in the host's words, byte for byte
and with its exit code. It counts and traces as the real call does;
"grimoire policies explain" records nothing.`),
		Example: `  grimoire host hook --host claude --event PreToolUse < payload.json`,
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if !decide.Knows(name) {
				return usageError{fmt.Errorf(a.text("--host %q : hôte inconnu", "--host %q: unknown host"), name)}
			}
			r, err := a.hookRequest(name, event)
			if err != nil {
				return err
			}
			r.Payload = a.in
			answer := decide.Run(r)
			if _, err := a.out.Write(answer.Stdout); err != nil {
				return err
			}
			if _, err := a.err.Write(answer.Stderr); err != nil {
				return err
			}
			if answer.Exit != 0 {
				return ownExit(answer.Exit)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&name, "host", "", a.text("hôte qui appelle", "host that calls"))
	cmd.Flags().StringVar(&event, "event", "", a.text("événement, dans le mot de l'hôte ou le mot neutre", "event, in the host's word or the neutral one"))
	cmd.Flags().StringVar(&decision, "decision", "", a.text("décision attendue ; l'événement la détermine", "decision expected; the event settles it"))
	_ = cmd.MarkFlagRequired("host")
	_ = cmd.MarkFlagRequired("event")
	_ = cmd.RegisterFlagCompletionFunc("host", completeHosts())
	return cmd
}

// hookRequest is a call of the hook without its payload, made from where
// grimoire was run.
func (a *app) hookRequest(host, event string) (decide.Request, error) {
	r := decide.Request{Host: host, Event: event, Getenv: a.environ, Now: time.Now, Ledger: current.NewHook(a.environ)}
	var err error
	if r.Dir, err = os.Getwd(); err != nil {
		return r, err
	}
	if a.dir != "" {
		r.Root, err = filepath.Abs(a.dir)
	}
	return r, err
}

// openPayload opens a payload from a file, or from stdin for "-".
func (a *app) openPayload(name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(a.in), nil
	}
	return os.Open(name)
}
