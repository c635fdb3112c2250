#!/usr/bin/env bash
# Compares `grimoire host sync` with `ruler apply` (npm @intellectronica/ruler):
# the same ten personas and five skills, the same six hosts, nothing to change.
# The two take turns in one run, so that a busy machine slows down both, and the
# figure is the median of the ratios of neighbours.
#
#   golden/bench/ruler.sh [rounds]      at least 10; default 20
#
# Needs go, bash 5, node and npm, and the network for npm. Not part of CI.
set -euo pipefail
export LC_ALL=C

rounds=${1:-20}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{home,npm,ours,theirs}
(cd "$here" && go build -o "$work/grimoire" ../../cmd/grimoire)
npm install --prefix "$work/npm" --loglevel=error --no-audit --no-fund @intellectronica/ruler >&2
ruler=$work/npm/node_modules/.bin/ruler
version=$(node -p "require('$work/npm/node_modules/@intellectronica/ruler/package.json').version")
export HOME=$work/home XDG_CONFIG_HOME=$work/home/.config # neither finds what is this user's

# The content, once.
paragraph=$(for _ in {1..20}; do
	echo "Read the definition first, then answer within the boundary: no file outside the part."
done)
persona() {
	printf -- '---\nname: "persona-%s"\ndescription: "Specialist number %s"\n%s---\n# Specialist %s\n\n%s\n' \
		"$1" "$1" "$2" "$1" "$paragraph"
}
skill() {
	printf -- '---\nname: "skill-%s"\ndescription: "How part %s is reviewed"\n---\n%s\n' "$1" "$1" "$paragraph"
}

mkdir -p "$work"/ours/_grimoire/kit/{agents,skills} "$work"/theirs/.ruler/{agents,skills}
for i in {0..9}; do
	persona "$i" 'tools: [read, search, edit]
' >"$work/ours/_grimoire/kit/agents/persona-$i.md"
	persona "$i" '' >"$work/theirs/.ruler/agents/persona-$i.md"
done
for i in {0..4}; do
	skill "$i" >"$work/ours/_grimoire/kit/skills/skill-$i.md"
	mkdir "$work/theirs/.ruler/skills/skill-$i"
	skill "$i" >"$work/theirs/.ruler/skills/skill-$i/SKILL.md"
done
cat >"$work/ours/project-context.yaml" <<'YAML'
project:
  name: "bench"
hosts:
  enabled: [claude, copilot, opencode, codex, cursor, gemini]
YAML
printf '# bench\n\n%s\n' "$paragraph" >"$work/theirs/.ruler/AGENTS.md"
cat >"$work/theirs/.ruler/ruler.toml" <<'TOML'
default_agents = ["claude", "copilot", "opencode", "codex", "cursor", "gemini-cli"]
[agents]
enabled = true
TOML
git init --quiet "$work/ours"
git init --quiet "$work/theirs"

ours() { "$work/grimoire" host sync --project-root "$work/ours" >/dev/null; }
theirs() { "$ruler" apply --local-only --no-backup --project-root "$work/theirs" >/dev/null 2>&1; }
# spent runs a command and leaves its wall time in $took, in microseconds.
spent() {
	local start=${EPOCHREALTIME/./}
	"$@"
	took=$((${EPOCHREALTIME/./} - start))
}
median() { sort -n "$1" | awk '{v[NR]=$1} END {print v[int((NR+1)/2)]}'; }

ours && theirs && ours && theirs # the first writes, the second warms the caches
if ! "$work/grimoire" host sync --check --project-root "$work/ours" >/dev/null; then
	echo "grimoire still has something to write: this would not be a no-op" >&2
	exit 1
fi
for ((i = 0; i < rounds; i++)); do
	spent ours && a=$took
	spent theirs && b=$took
	echo "$a" >>"$work/a"
	echo "$b" >>"$work/b"
	echo "$((b * 100 / a))" >>"$work/ratio"
done

printf '%s rounds, medians: grimoire host sync %s ms, ruler %s apply %s ms; ratio %s\n' "$rounds" \
	"$(($(median "$work/a") / 1000))" "$version" "$(($(median "$work/b") / 1000))" \
	"$(median "$work/ratio" | sed 's/..$/.&/')"
