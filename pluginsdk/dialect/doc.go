// Package dialect reads and writes the wire format of a host's hooks from a
// JSON document, so that a host is added by writing data.
//
// It decides nothing and touches no file: bytes of a payload in, a neutral
// Call out; a decided Outcome in, bytes and an exit code out. grimoire-hook
// links it, so it imports nothing of ours but surface. Any package may import
// it, and so may the authors of emitters.
//
// # Writing a dialect
//
// A dialect is one document, dialect.json, beside the host's emitter. Its
// schema, with a description of every key, is dialect.schema.json in this
// folder. The smallest one that guards tools:
//
//	{
//	  "version": 1,
//	  "host": "lantern",
//	  "host_id": "host-lantern",
//	  "observed": ["3.2.0"],
//	  "asks": false,
//	  "limits": {"timeout_s": 30, "on_timeout": "run", "on_crash": "run"},
//	  "root": ["payload", "process"],
//	  "tools": {
//	    "sh": {"as": "Bash", "family": "execute", "args": {"line": "command"}},
//	    "*": {"family": "other", "args": {"path": "path"}}
//	  },
//	  "variants": [{
//	    "id": "lantern",
//	    "event": {"paths": ["event"], "names": {"before_tool": "pre_tool_use"}},
//	    "fields": {"session": ["session"], "tool": ["tool"], "tool_input": ["args"], "cwd": ["cwd"]}
//	  }],
//	  "answers": {
//	    "pre_tool_use": {"refuse": {"stdout": {"verdict": "no", "why": "{reason}"}}}
//	  }
//	}
//
// # Reading a payload
//
// The variants are tried in order; the first whose predicates (`when`) all
// hold reads the payload. One without predicates fits everything and goes
// last. A variant may also say that such a payload is not to be judged
// (`ignored`, with the reason) or is another host's (`belongs_to`): hosts run
// each other's hook files.
//
// Where things stand is given by paths: keys joined by dots, and in the input
// of a tool `#` for each element of an array and "." for the input itself. Of
// several paths the first that is there and is not empty counts. There are no
// expressions.
//
// The event is the one the payload names. Events of the host for which there
// is no decision stand under `ignored` with the reason. A payload that names
// no event, or one the dialect has never heard of, is of the event the hook
// was called for.
//
// A tool is found by its exact name, else by the pattern with the most literal
// characters. `args` says what each argument means. Without `args` those of
// "*" are read, which names what tools call a command, a path and so on; a
// tool that only "*" fits and that has a command is taken to run it. `words`
// are put behind the command that stands before them in `args`. Targets
// inside a patch are found, also in one that a command line feeds to
// apply_patch, and file: URIs are turned into paths.
//
// # Answering
//
// An answer is what goes to stdout (a JSON object, or plain text), to stderr,
// and the exit code. {reason}, {context} and {event} stand for the texts and
// the host's word for the event; each is a whole string. A key whose text is
// empty is left out. No answer may let a tool run: a hook that does not object
// says nothing, and the host goes on with its own permissions.
//
// An outcome for which the host has no answer becomes the nearest that it has:
// an ask a refusal, a refusal a text for the model, a text silence. Can tells
// beforehand. A context longer than the host takes is cut, and ends in a
// pointer to the rest.
//
// Write down only answers that were seen to work. A refusal that a host does
// not understand is an open door: most hosts run the tool, in silence.
//
// # Proving it
//
// Parse finds what is badly written. That the dialect is true is shown by
// replaying payloads of the real host through Decode, and by answers that were
// seen to stop a tool: record both, and test them. The bundled dialects do so
// in packages emitters and governance/contract.
package dialect
