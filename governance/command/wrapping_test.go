package command_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/governance/command"
	"github.com/grimoire-kit/grimoire/governance/secrets"
	"pgregory.net/rapid"
)

var destructiveCalls = []struct {
	call  string
	label command.Label
}{
	{"rm -rf build", command.RecursiveDelete},
	{"git push --force origin main", command.ForcePush},
	{"git -C repo push origin +main", command.ForcePush},
	{"git reset --hard HEAD~1", command.HardReset},
	{"git clean -fdx", command.ForcedClean},
	{"git checkout -- .", command.DiscardChanges},
	{"dd if=/dev/zero of=/dev/sda", command.RawDeviceWrite},
	{"mkfs.ext4 /dev/sdb1", command.FilesystemFormat},
	{"chmod -R 777 .", command.WorldWritable},
	{"terraform destroy", command.InfraDestroy},
	{"kubectl -n prod delete pod web", command.ClusterDelete},
	{"docker system prune -af", command.DockerPrune},
	{"find . -name x -delete", command.RecursiveDelete},
}

// wrappers put a call where it runs.
var wrappings = []func(string) string{
	prefix("sudo "), prefix("sudo -u root -E A=b "), prefix("doas "), prefix("env "), prefix("env -i A=b "), prefix("nice -n 5 "),
	prefix("ionice -c 3 "), prefix("timeout -k 1 10 "), prefix("nohup "), prefix("stdbuf -oL "), prefix("setsid "), prefix("time "),
	prefix("command "), prefix("exec "), prefix("rtk "), prefix("busybox "), prefix("toybox "), prefix("chroot /mnt "),
	prefix("flock /tmp/l "), prefix("strace -f "), prefix("systemd-run --user "), prefix("unshare -r "), prefix("xvfb-run "),
	prefix("ssh host "), prefix("ssh -p 22 -i k user@host "), prefix("docker exec -it web "), prefix("docker run --rm -v a:b alpine "),
	prefix("podman exec web "), prefix("docker compose exec -T web "), prefix("kubectl exec -n a web -- "), prefix("watch -n 1 "),
	prefix("A=b "), prefix("ls && "), prefix("ls; "), prefix("ls | "), prefix("ls & "), prefix("false || "), prefix("ls\n"), prefix("! "),
	prefix("xargs "), prefix("parallel "), prefix("find . -exec "), prefix("git bisect run "), prefix("poetry run "), prefix("uv run "),
	prefix("aws-vault exec prod -- "), prefix("op run -- "), prefix("direnv exec . "), prefix("unknown-wrapper --flag "),
	around("(", ")"), around("{ ", "; }"), around("if true; then ", "; fi"), around("for i in 1 2; do ", "; done"),
	around("f() { ", "; }; f"), around("echo $(", ")"), around("echo \"$(", ")\""), around("cat <(", ")"), around("case a in a) ", ";; esac"),
	around("while ", "; do break; done"), around("cat <<EOF\n$(", ")\nEOF"),
	text("bash -c "), text("sh -ec "), text("zsh -lc "), text("eval "), text("su -c "), text("su - user -c "), text("ssh host "),
	text("docker exec web sh -c "), text("kubectl exec web -- sh -c "), text("env -S "), text("script -qc "), text("flock /tmp/l -c "),
	text("bash <<< "), text("git -c alias.x=!true submodule foreach "), text("watch "), text("hyperfine "),
	text("python3 -c 'import os,sys; os.system(\"true\")'; bash -c "), text("nix-shell -p x --run "),
	around("bash <<'EOF'\n", "\nEOF"), around("cat <<'EOF' | sh\n", "\nEOF"), around("ssh host bash <<'EOF'\n", "\nEOF"),
	func(call string) string { return "trap " + quote(call) + " EXIT" },
	func(call string) string { return "echo " + quote(call) + " | sh" },
	func(call string) string { return "X=" + quote(call) + "; eval \"$X\"" },
	func(call string) string { return "python3 -c " + quote("import os; os.system("+literal(call)+")") },
	func(call string) string {
		return "node -e " + quote("require('child_process').execSync("+literal(call)+")")
	},
	func(call string) string { return "perl -e " + quote("system("+literal(call)+")") },
	func(call string) string { return "ruby -e " + quote("system("+literal(call)+")") },
	func(call string) string { return "php -r " + quote("system("+literal(call)+");") },
	func(call string) string { return "awk " + quote("BEGIN { system("+literal(call)+") }") },
}

// quotings hand a call to a program that treats it as text.
var quotings = []func(string) string{
	text("echo "), text("printf '%s' "), text("git commit -m "), text("git commit --message="), text("git tag -a v1 -m "),
	text("grep -rn "), text("rg "), text("gh pr create --title x --body "), text("gh issue create --title "), text("git log --grep "),
	text("MSG="), text("logger "), text("notify-send "), text("curl https://example.com -d "), text("git stash push -m "), text("true "),
	around("cat <<'EOF'\n", "\nEOF"), around("cat > notes.md <<'EOF'\n", "\nEOF"), around("tee notes.md <<'EOF'\n", "\nEOF"),
	around("git commit -F - <<'EOF'\n", "\nEOF"), around("gh pr create --body-file - <<'EOF'\n", "\nEOF"), around("ls # ", ""),
	func(call string) string { return "python3 -c " + quote("print("+literal(call)+")") },
	func(call string) string { return "node -e " + quote("console.log("+literal(call)+")") },
	func(call string) string { return "perl -e " + quote("print "+literal(call)) },
	func(call string) string { return "ruby -e " + quote("puts "+literal(call)) },
	func(call string) string { return "[ \"$x\" = " + quote(call) + " ]" },
	func(call string) string { return "jq --arg x " + quote(call) + " . package.json" },
	func(call string) string { return "bash -c " + quote("echo "+quote(call)) },
}

func prefix(before string) func(string) string { return around(before, "") }

func around(before, after string) func(string) string {
	return func(call string) string { return before + call + after }
}

func text(before string) func(string) string {
	return func(call string) string { return before + quote(call) }
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// literal writes s as a string of the scripting languages.
func literal(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

func labels(f command.Facts) []command.Label {
	var out []command.Label
	for _, d := range f.Destructive {
		out = append(out, d.Label)
	}
	return out
}

func TestEachWrappingStaysDestructive(t *testing.T) {
	for _, wrap := range wrappings {
		for _, d := range destructiveCalls {
			line := wrap(d.call)
			if got := labels(command.Analyze(line, command.Options{})); !slices.Contains(got, d.label) {
				t.Errorf("%q: labels %v, want %s", line, got, d.label)
			}
		}
	}
}

// Wrapping a destructive call, to any depth, leaves it destructive.
func TestWrappingStaysDestructive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SampledFrom(destructiveCalls).Draw(t, "call")
		line := d.call
		for n := rapid.IntRange(1, 4).Draw(t, "depth"); n > 0; n-- {
			// A here-document inside another text would need tags of its own; text wrappings nest freely.
			line = "bash -c " + quote(rapid.SampledFrom(wrappings).Draw(t, "wrapping")(line))
		}
		f := command.Analyze(line, command.Options{})
		if !slices.Contains(labels(f), d.label) && f.Unjudged == "" {
			t.Fatalf("%q: labels %v, want %s", line, labels(f), d.label)
		}
		if f.ReadOnly {
			t.Fatalf("%q is read-only", line)
		}
	})
}

// Quoting a destructive call as data, alone or in a shell, raises no alarm.
func TestQuotingIsQuiet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SampledFrom(destructiveCalls).Draw(t, "call")
		line := rapid.SampledFrom(quotings).Draw(t, "quoting")(d.call)
		if rapid.Bool().Draw(t, "in a shell") {
			line = "bash -c " + quote(line)
		}
		f := command.Analyze(line, command.Options{})
		if len(f.Destructive) > 0 || len(f.Opaque) > 0 || f.Unjudged != "" {
			t.Fatalf("%q: %+v %q %s", line, f.Destructive, f.Opaque, f.Unjudged)
		}
	})
}

// Quoting the name of a secret as data raises no alarm either.
func TestQuotedSecretIsQuiet(t *testing.T) {
	for _, quoting := range quotings {
		line := quoting("copy .env.example to .env and cat .env")
		if m, ok := secrets.InCommand(command.Analyze(line, command.Options{})); ok {
			t.Errorf("%q: %+v", line, m)
		}
	}
}

// Harmless words around a call that raises no alarm raise none.
func TestHarmlessWordsStayQuiet(t *testing.T) {
	var quiet []string
	for _, entries := range corpus(t) {
		for _, e := range entries {
			if e.Expect == "quiet" && e.Shell == command.POSIX && !strings.Contains(e.Call, "\n") && !strings.Contains(e.Call, "#") {
				quiet = append(quiet, e.Call)
			}
		}
	}
	slices.Sort(quiet)
	around := []string{"ls; %", "% && git status", "cd src && %", "( % )", "%; echo done", "true || %", "{ %; }", "%\nls"}
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom(quiet).Draw(t, "call")
		for n := rapid.IntRange(1, 3).Draw(t, "times"); n > 0; n-- {
			line = strings.ReplaceAll(rapid.SampledFrom(around).Draw(t, "words"), "%", line)
		}
		f := command.Analyze(line, command.Options{})
		if len(f.Destructive) > 0 || len(f.Opaque) > 0 {
			t.Fatalf("%q: %+v %q", line, f.Destructive, f.Opaque)
		}
	})
}
