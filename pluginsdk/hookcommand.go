package pluginsdk

import "github.com/grimoire-kit/grimoire/surface"

// hookPath widens the PATH of a host's shell, which is often poorer than the
// user's: a desktop application's, a service's. What the user's PATH finds
// goes first, and no part can be empty, which a shell would read as the
// current folder.
const hookPath = `PATH="${PATH:-/usr/bin:/bin}${GOBIN:+:$GOBIN}:$HOME/go/bin:$HOME/.local/bin:/usr/local/bin:/opt/homebrew/bin"; `

// What stands in for a hook that is missing (exit code 127) or crashed. Each
// says the message, $m, in every form a host was observed to read.
const (
	// refuseTool: exit 2 refuses under Claude Code and Copilot; the first
	// hands the model stderr, the second a JSON reason only.
	refuseTool = `printf '{"permissionDecision":"deny","permissionDecisionReason":"%s"}\n' "$m"; echo "$m" >&2; exit 2`
	// tellSession: Copilot CLI reads the outer field, Claude Code and VS Code
	// the inner one.
	tellSession = `printf '{"additionalContext":"%s","hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"%s"}}\n' "$m" "$m"`
)

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
// with the remedy in the text, or runs; the session is told once, when it
// starts. No other event is ever held up: a stop refused by a hook that cannot
// run would run the agent for ever.
func HookCommand(host, event string, h surface.Hook, l surface.Language) string {
	call := "grimoire-hook --host " + host + " --event " + event
	outcome, answer := nothingIsChecked, tellSession
	switch refuse := h.OnFailure == surface.FailRefuse; {
	case h.Event == surface.SessionStart && refuse:
		outcome = toolsWillBeRefused
	case h.Event == surface.SessionStart:
	case h.Event == surface.PreToolUse && refuse:
		outcome, answer = toolRefused, refuseTool
	default:
		return hookPath + call + " || :"
	}
	// The answer is held back until the hook has ended well: what a crash
	// leaves of it would make Copilot drop the reason of the refusal.
	message := hookIsAbsent.In(l) + outcome.In(l) + hookRemedy.In(l)
	return hookPath + "if a=$(" + call + `); then printf %s "$a"; else m="` + message + `"; ` + answer + "; fi"
}
