package plugin

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

// startFailure explains why a plugin that has ended never was connected to. It
// judges by what the plugin did, not by the words of err: how it ended, and what
// it wrote where the handshake belongs ("1|1|unix|/…/plugin123|grpc|").
func (p *running) startFailure(err error) *Failure {
	name := p.host.Name()
	if !p.process.started() {
		cause := System
		// A file without #! that is no program; a script whose interpreter is missing.
		if errors.Is(err, syscall.ENOEXEC) || errors.Is(err, fs.ErrNotExist) {
			cause = NotAPlugin
		}
		return failure(p.host, PhaseLaunch, cause, textf("%s ne peut être lancé : %s.", "%s cannot be launched: %s.", name, err))
	}
	line := p.process.handshake()
	if line == "" {
		return p.silent()
	}
	parts := strings.Split(line, "|")
	if len(parts) < 4 {
		return failure(p.host, PhaseHandshake, Garbage, textf(
			"%s a écrit %q sur stdout, à la place de la poignée de main.",
			"%s wrote %q on stdout, in the place of the handshake.", name, shorten(line)))
	}
	version, notANumber := strconv.Atoi(parts[1])
	switch {
	case notANumber != nil:
		return failure(p.host, PhaseHandshake, Garbage, textf("%s annonce le protocole %q.", "%s announces protocol %q.", name, shorten(parts[1])))
	case version != pluginsdk.ProtocolVersion:
		return protocol(p.host, version)
	case p.process.crashed():
		return p.crash(PhaseHandshake)
	}
	return failure(p.host, PhaseHandshake, Garbage, textf("Pas de connexion à %s : %s.", "No connection to %s: %s.", name, err))
}

// silent explains a plugin that ended without a word on stdout.
func (p *running) silent() *Failure {
	panicked := slices.ContainsFunc(p.stderr.last(), func(line string) bool {
		return strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ")
	})
	if panicked || p.process.crashed() {
		return p.crash(PhaseHandshake)
	}
	return failure(p.host, PhaseHandshake, NotAPlugin, textf(
		"%s s'est terminé (%s) sans la poignée de main : ce n'est pas un plugin de grimoire.",
		"%s ended (%s) without the handshake: it is no plugin of grimoire.", p.host.Name(), p.process.state))
}

// callFailure explains a call that failed, once the plugin has ended.
func (p *running) callFailure(ctx context.Context, phase Phase, err error) *Failure {
	p.end()
	name, answer := p.host.Name(), status.Convert(err)
	switch {
	case ctx.Err() != nil:
		return canceled(p.host, phase)
	case answer.Code() == codes.DeadlineExceeded:
		return slow(p.host, phase, p.run.call)
	case answer.Code() == codes.Unavailable:
		return p.crash(phase)
	case answer.Code() == codes.ResourceExhausted:
		return failure(p.host, phase, TooLarge, textf(
			"Un message entre grimoire et %s dépasse %d Mio : %s.",
			"A message between grimoire and %s is larger than %d MiB: %s.", name, p.run.maxMessage>>20, shorten(answer.Message())))
	case answer.Code() == codes.Unknown:
		return failure(p.host, phase, EmitterError, textf("%s a échoué : %s", "%s failed: %s", name, shorten(answer.Message())))
	}
	return failure(p.host, phase, Garbage, textf("La réponse de %s est illisible : %s.", "The answer of %s cannot be read: %s.", name, shorten(answer.Message())))
}

func (p *running) crash(phase Phase) *Failure {
	return failure(p.host, phase, Crashed, textf("%s s'est arrêté (%s).", "%s ended by itself (%s).", p.host.Name(), p.process.state))
}

func canceled(host Host, phase Phase) *Failure {
	return failure(host, phase, Canceled, textf("%s a été interrompu.", "%s was interrupted.", host.Name()))
}

// changed says that a program is not the one that was pinned.
func changed(name, pinned, found string) surface.Text {
	return textf(
		"%s a changé depuis que tu lui as fait confiance (sha256 %.12s…, maintenant %.12s…).",
		"%s changed since you trusted it (sha256 %.12s…, now %.12s…).", name, pinned, found)
}

// shorten keeps what a person needs to recognise what a plugin wrote.
func shorten(s string) string {
	const most = 200
	runes := []rune(printable([]byte(strings.ReplaceAll(s, "\n", " "))))
	if len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return string(runes)
}
