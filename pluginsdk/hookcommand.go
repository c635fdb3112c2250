package pluginsdk

import "github.com/grimoire-kit/grimoire/surface"

// hookPath widens the PATH of a host's shell, which is often poorer than the
// user's: a desktop application's, a service's. What the user's PATH finds
// goes first, and no part can be empty, which a shell would read as the
// current folder.
const hookPath = `PATH="${PATH:-/usr/bin:/bin}${GOBIN:+:$GOBIN}:$HOME/go/bin:$HOME/.local/bin:/usr/local/bin:/opt/homebrew/bin"; `

// What follows stands in for a hook that is missing (exit code 127) or
// crashed, and says the message, $m, in every form a host was observed to read.

// refuse refuses the tool. Copilot CLI reads the outer fields, Claude Code and
// VS Code the inner ones. Exit code 2 would refuse too, but Claude Code then
// puts the whole command line in front of the reason; it is for a shell that
// cannot print.
func refuse(event string) string {
	return `printf '{"permissionDecision":"deny","permissionDecisionReason":"%s","hookSpecificOutput":{"hookEventName":"` + event +
		`","permissionDecision":"deny","permissionDecisionReason":"%s"}}\n' "$m" "$m" || exit 2`
}

// markWarned succeeds once for each process of a host: the folder, named after
// the shell's parent, is there from then on.
const markWarned = `mkdir "${TMPDIR:-/tmp}/grimoire-hook-$PPID" 2>/dev/null`

// tell says the message and lets everything go on. Claude Code shows
// systemMessage to the user. Of additionalContext, for the model, Copilot CLI
// reads the outer one when a session starts, Claude Code and VS Code the inner
// one.
func tell(event string) string {
	return `printf '{"systemMessage":"%s","additionalContext":"%s","hookSpecificOutput":{"hookEventName":"` + event +
		`","additionalContext":"%s"}}\n' "$m" "$m" "$m"`
}

// Remedies name what a person types. They stand between double quotes in a
// shell and in JSON, so they hold no quote, backslash, dollar or backtick.
var (
	hookIsAbsent = surface.Text{
		FR: "Grimoire : grimoire-hook est introuvable ou en panne (code $?), ",
		EN: "Grimoire: grimoire-hook is missing or crashed (code $?), ",
	}
	toolRefused = surface.Text{
		FR: "l'outil est donc refusé. ",
		EN: "so the tool is refused. ",
	}
	toolsWillBeRefused = surface.Text{
		FR: "les outils seront donc refusés dans ce projet. ",
		EN: "so tools will be refused in this project. ",
	}
	nothingIsChecked = surface.Text{
		FR: "aucune règle de ce projet n'est donc appliquée ; préviens l'utilisateur une fois. ",
		EN: "so no rule of this project is applied; tell the user once. ",
	}
	hookRemedy = surface.Text{
		FR: "Remède, dans un terminal : go install github.com/grimoire-kit/grimoire/cmd/...@latest, puis grimoire doctor.",
		EN: "Remedy, in a terminal: go install github.com/grimoire-kit/grimoire/cmd/...@latest, then grimoire doctor.",
	}
)

// HookCommand is the line a host gives its shell for hook h. host is the
// host's short name and event the host's own word for h.Event.
//
// The line is POSIX shell and depends on neither the current folder nor a
// complete PATH. grimoire-hook exits 0 whatever it decides, so any other code
// means that it is missing or crashed. Then, by h.OnFailure, a tool is refused
// with the remedy in the text, or runs and the session is told once: when it
// starts, else at its first tool. No other event is ever held up: a stop
// refused by a hook that cannot run would run the agent for ever.
//
// A refusal is written as JSON, in the form that Claude Code, Copilot and VS
// Code share: a host that reads another one needs a line of its own. The hook's
// answer is held back until it has ended well, so that half of one never mixes
// with it.
func HookCommand(host, event string, h surface.Hook, l surface.Language) string {
	call := "a=$(grimoire-hook --host " + host + " --event " + event + ")"
	refuses := h.OnFailure == surface.FailRefuse
	outcome, answer := nothingIsChecked, tell(event)
	switch {
	case h.Event == surface.SessionStart && refuses:
		outcome = toolsWillBeRefused
	case h.Event == surface.SessionStart:
		answer = markWarned + "; " + answer
	case h.Event == surface.PreToolUse && refuses:
		outcome, answer = toolRefused, refuse(event)
	case h.Event == surface.PreToolUse:
		answer = "if " + markWarned + "; then " + answer + "; fi"
	default:
		return hookPath + call + ` && printf %s "$a" || :`
	}
	message := hookIsAbsent.In(l) + outcome.In(l) + hookRemedy.In(l)
	return hookPath + "if " + call + `; then printf %s "$a"; else m="` + message + `"; ` + answer + "; fi"
}
