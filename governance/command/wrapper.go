package command

import (
	"slices"
	"strings"
)

// wrapper says how a program that runs another one is called. One table describes them all; what has a syntax of its
// own (find, xargs, shells, interpreters) has a function in programs.
type wrapper struct {
	// short and long are the options whose value is a word of its own.
	short string
	long  []string
	// text and textLong are the options whose value is given to a shell.
	text     string
	textLong []string
	// textAnywhere says that those options count after the operands too (su, script, flock).
	textAnywhere bool
	// operands is how many words stand before the command.
	operands int
	// ends says that no option of the wrapper stands after its last operand.
	ends bool
	// assigns says that NAME=value words may stand before the command.
	assigns bool
	// joined says that the words of the command are joined and given to a shell.
	joined bool
	// program is the long option whose value is the program itself (docker run --entrypoint).
	program string
	// verbs are the sub-commands that run something; the options above then are the global ones.
	verbs verbs
	// neutral says that the wrapped program decides whether the whole only reads.
	neutral bool
	// session says that without a command it opens a shell on the terminal, as the options in sessionFlags do.
	session      bool
	sessionFlags string
	// inert are short options with which nothing is run (sudo -l, command -v).
	inert string
}

var (
	plain   = &wrapper{}
	neutral = &wrapper{neutral: true}

	composeRun = &wrapper{
		short: "euwvpl", long: []string{"env", "user", "workdir", "index", "volume", "publish", "name", "label"}, program: "entrypoint",
		operands: 1, ends: true,
	}
	containerExec = &wrapper{
		short: "euw", long: []string{"env", "env-file", "user", "workdir", "detach-keys"}, operands: 1,
	}
	containerRun = &wrapper{
		short: "aceghlmpuvw",
		long: []string{"add-host", "annotation", "attach", "blkio-weight", "cap-add", "cap-drop", "cgroup-parent", "cgroupns",
			"cidfile", "cpu-period", "cpu-quota", "cpu-shares", "cpus", "cpuset-cpus", "cpuset-mems", "device", "dns",
			"dns-option", "dns-search", "entrypoint", "env", "env-file", "expose", "gpus", "group-add", "health-cmd",
			"hostname", "ip", "ip6", "ipc", "isolation", "label", "label-file", "link", "log-driver", "log-opt",
			"mac-address", "memory", "memory-swap", "mount", "name", "network", "net", "network-alias", "oom-score-adj",
			"pid", "pids-limit", "platform", "publish", "pull", "restart", "runtime", "security-opt", "shm-size",
			"stop-signal", "stop-timeout", "storage-opt", "sysctl", "tmpfs", "ulimit", "user", "userns", "uts", "volume",
			"volume-driver", "volumes-from", "workdir"},
		operands: 1, ends: true, program: "entrypoint",
	}
	compose = &wrapper{
		short: "fp", long: []string{"file", "project-name", "profile", "env-file", "project-directory", "ansi", "parallel", "progress"},
		verbs: verbs{{"exec", composeRun}, {"run", composeRun}},
	}
	container = &wrapper{
		short: "Hcl", long: []string{"host", "context", "config", "log-level", "url", "connection"},
		verbs: verbs{
			{"exec", containerExec}, {"run", containerRun}, {"create", containerRun}, {"compose", compose},
			{"container", &wrapper{verbs: verbs{{"exec", containerExec}, {"run", containerRun}}}},
		},
	}
	podExec = &wrapper{short: "cnf", long: []string{"container", "namespace", "filename", "pod-running-timeout"}, operands: 1}
	cluster = &wrapper{
		short: "nsv", long: clusterGlobals,
		verbs: verbs{
			{"exec", podExec}, {"rsh", podExec},
			{"run", &wrapper{short: "nl", long: []string{"image", "namespace", "restart", "labels", "env", "port", "overrides"}, operands: 1}},
			{"debug", &wrapper{short: "n", long: []string{"image", "namespace", "target", "copy-to", "container", "profile"}, operands: 1}},
		},
	}
	packageRun = &wrapper{short: "pc", long: []string{"package", "call", "workspace", "prefix"}, text: "c", textLong: []string{"call"}}
	toolRun    = &wrapper{
		short: "pnCE", long: []string{"python", "with", "name", "prefix", "project", "directory", "env-file", "package", "group", "extra", "from", "env", "only", "config"},
	}
)

// verbs lists wrappers by name. It is a slice, which is laid out when the program is built: a map would be filled at the
// start of every hook.
type verbs []verb

type verb struct {
	name string
	*wrapper
}

func (vs verbs) find(name string) *wrapper {
	for _, v := range vs {
		if v.name == name {
			return v.wrapper
		}
	}
	return nil
}

// clusterGlobals are the global options of kubectl that take a value.
var clusterGlobals = []string{"namespace", "context", "kubeconfig", "cluster", "user", "server", "token", "as", "as-group",
	"cache-dir", "request-timeout", "certificate-authority", "client-certificate", "client-key", "tls-server-name", "v"}

// wrappers lists the programs that run the program they are given, by name.
var wrappers = verbs{
	{"sudo", &wrapper{
		short: "ACDghpRrtTUu", long: []string{"user", "group", "host", "prompt", "chdir", "chroot", "role", "type", "close-from", "other-user", "command-timeout"},
		assigns: true, neutral: true, sessionFlags: "is", inert: "lvkKeV",
	}},
	{"doas", &wrapper{short: "Cu", neutral: true, sessionFlags: "s"}},
	{"pkexec", &wrapper{long: []string{"user"}}},
	{"run0", &wrapper{short: "u", long: []string{"user", "unit", "property", "description", "slice", "nice", "chdir", "setenv"}, session: true}},
	{"su", &wrapper{short: "gGsw", long: []string{"group", "shell", "supp-group"}, text: "c", textLong: []string{"command", "session-command"}, textAnywhere: true, operands: 1 << 20, session: true}},
	{"runuser", &wrapper{
		short: "ugGsw", long: []string{"user", "group", "shell", "supp-group"}, text: "c", textLong: []string{"command", "session-command"}, textAnywhere: true,
	}},
	{"gosu", &wrapper{operands: 1}},
	{"su-exec", &wrapper{operands: 1}},
	{"setpriv", &wrapper{long: []string{"reuid", "regid", "groups", "inh-caps", "ambient-caps", "bounding-set"}}},
	{"env", &wrapper{short: "uCPa", long: []string{"unset", "chdir", "argv0"}, text: "S", textLong: []string{"split-string"}, assigns: true, neutral: true}},
	{"command", &wrapper{neutral: true, inert: "vV"}},
	{"builtin", neutral},
	{"exec", &wrapper{short: "a", neutral: true}},
	{"nocorrect", neutral},
	{"noglob", neutral},
	{"-", neutral},
	{"time", &wrapper{short: "fo", long: []string{"format", "output"}, neutral: true}},
	{"gtime", &wrapper{short: "fo", long: []string{"format", "output"}, neutral: true}},
	{"nice", &wrapper{short: "n", long: []string{"adjustment"}, neutral: true}},
	{"ionice", &wrapper{short: "cnp", long: []string{"class", "classdata"}, neutral: true}},
	{"chrt", &wrapper{short: "TPD", operands: 1, neutral: true}},
	{"taskset", &wrapper{operands: 1, neutral: true}},
	{"numactl", &wrapper{short: "NmCpi", long: []string{"cpunodebind", "membind", "physcpubind", "interleave", "preferred"}}},
	{"timeout", &wrapper{short: "ks", long: []string{"kill-after", "signal"}, operands: 1, neutral: true}},
	{"gtimeout", &wrapper{short: "ks", long: []string{"kill-after", "signal"}, operands: 1, neutral: true}},
	{"stdbuf", &wrapper{short: "ioe", long: []string{"input", "output", "error"}, neutral: true}},
	{"unbuffer", neutral},
	{"nohup", neutral},
	{"setsid", neutral},
	{"caffeinate", &wrapper{short: "tw", neutral: true}},
	{"chronic", neutral},
	{"ifne", plain},
	{"rtk", neutral},
	{"busybox", neutral},
	{"toybox", neutral},
	{"chroot", &wrapper{long: []string{"userspec", "groups"}, operands: 1}},
	{"unshare", &wrapper{short: "SGRw", long: []string{"setuid", "setgid", "root", "wd", "map-user", "map-group", "propagation"}}},
	{"nsenter", &wrapper{short: "tSGrw", long: []string{"target", "setuid", "setgid"}}},
	{"systemd-run", &wrapper{
		short: "puMHE", long: []string{"property", "unit", "description", "slice", "uid", "gid", "nice", "working-directory", "setenv", "on-active", "on-calendar", "machine", "host"},
	}},
	{"systemd-inhibit", &wrapper{long: []string{"what", "who", "why", "mode"}}},
	{"fakeroot", &wrapper{short: "sil", long: []string{"lib", "faked"}}},
	{"firejail", plain},
	{"bwrap", &wrapper{long: []string{"bind", "ro-bind", "dev-bind", "dev", "proc", "tmpfs", "chdir", "setenv", "uid", "gid", "hostname"}}},
	{"proot", &wrapper{short: "rbqwk"}},
	{"strace", &wrapper{short: "aeEIopPsSuXb", long: []string{"output", "trace"}}},
	{"ltrace", &wrapper{short: "aeAnopsuxl"}},
	{"valgrind", plain},
	{"perf", &wrapper{verbs: verbs{{"stat", &wrapper{short: "eorx"}}, {"record", &wrapper{short: "eFocg"}}}}},
	{"catchsegv", plain},
	{"rlwrap", &wrapper{short: "abcCDefgHlmOpPqsStz"}},
	{"xvfb-run", &wrapper{short: "efnpsw", long: []string{"server-args", "server-num", "auth-file", "error-file"}}},
	{"dbus-run-session", &wrapper{
		long: []string{"config-file", "dbus-daemon"},
	}},
	{"proxychains", &wrapper{short: "f"}},
	{"proxychains4", &wrapper{short: "f"}},
	{"torsocks", &wrapper{short: "uaP"}},
	{"torify", plain},
	{"tsocks", plain},
	{"cgexec", &wrapper{short: "g"}},
	{"prlimit", &wrapper{short: "p"}},
	{"softlimit", &wrapper{short: "adcfhlmnoprst"}},
	{"cpulimit", &wrapper{short: "lpe", long: []string{"limit", "pid", "exe"}}},
	{"daemonize", &wrapper{short: "aceolpuE"}},
	{"start-stop-daemon", &wrapper{
		short: "xapunscdk", long: []string{"exec", "startas", "pidfile", "user", "name", "chdir"},
	}},
	{"script", &wrapper{short: "tTIOBmEo", text: "c", textLong: []string{"command"}, textAnywhere: true, operands: 1}},
	{"flock", &wrapper{short: "wE", long: []string{"timeout", "wait", "conflict-exit-code"}, text: "c", textLong: []string{"command"}, textAnywhere: true, operands: 1}},
	{"watch", &wrapper{short: "nqs", long: []string{"interval", "equexit"}, joined: true}},
	{"entr", plain},
	{"hyperfine", &wrapper{short: "wrmMSspncCiNuL", textLong: []string{"prepare", "cleanup", "setup", "conclude"}, long: []string{"warmup", "runs", "min-runs", "max-runs", "export-json", "export-markdown", "command-name"}, joined: true}},
	{"retry", &wrapper{short: "tdm"}},
	{"repeat", &wrapper{operands: 1}},
	{"ssh", &wrapper{
		short: "BbcDEeFIiJLlmOopPQRSWw", operands: 1, joined: true, session: true,
	}},
	{"autossh", &wrapper{short: "MBbcDEeFIiJLlmOopQRSWw", operands: 1, joined: true, session: true}},
	{"sshpass", &wrapper{short: "pfdP"}},
	{"mosh", &wrapper{long: []string{"ssh", "port", "server"}, operands: 1, session: true}},
	{"rsh", &wrapper{short: "l", operands: 1, joined: true, session: true}},
	{"pdsh", &wrapper{short: "wxgtuf", joined: true}},
	{"dsh", &wrapper{short: "mgM", joined: true}},
	{"clush", &wrapper{short: "wxgtuf", joined: true}},
	{"wsl", &wrapper{short: "du", long: []string{"distribution", "user", "cd"}, joined: true, session: true}},
	{"adb", &wrapper{short: "sHPt", verbs: verbs{{"shell", &wrapper{short: "e", joined: true, session: true}}}}},
	{"docker", container},
	{"podman", container},
	{"nerdctl", container},
	{"docker-compose", compose},
	{"podman-compose", compose},
	{"kubectl", cluster},
	{"oc", cluster},
	{"kubecolor", cluster},
	{"lxc", &wrapper{verbs: verbs{{"exec", &wrapper{long: []string{"env", "mode", "user", "group", "cwd"}, operands: 1}}}}},
	{"incus", &wrapper{verbs: verbs{{"exec", &wrapper{long: []string{"env", "mode", "user", "group", "cwd"}, operands: 1}}}}},
	{"distrobox", &wrapper{verbs: verbs{{"enter", &wrapper{short: "n", long: []string{"name"}, operands: 1}}}}},
	{"toolbox", &wrapper{verbs: verbs{{"run", &wrapper{short: "cdr", long: []string{"container", "distro", "release"}}}}}},
	{"flatpak-spawn", plain},
	{"vagrant", &wrapper{verbs: verbs{{"ssh", &wrapper{text: "c", textLong: []string{"command"}, textAnywhere: true, operands: 1, session: true}}}}},
	{"gcloud", &wrapper{verbs: verbs{{"compute", &wrapper{verbs: verbs{{"ssh", &wrapper{textLong: []string{"command"}, long: []string{"zone", "project"}, textAnywhere: true, operands: 1, session: true}}}}}}}},
	{"fly", &wrapper{verbs: verbs{{"ssh", &wrapper{verbs: verbs{{"console", &wrapper{text: "C", short: "a", textLong: []string{"command"}, session: true}}}}}}}},
	{"heroku", &wrapper{verbs: verbs{{"run", &wrapper{short: "as", long: []string{"app", "size"}, joined: true}}}}},
	{"npx", packageRun},
	{"bunx", packageRun},
	{"pnpx", packageRun},
	{"npm", &wrapper{long: []string{"prefix", "workspace"}, verbs: verbs{{"exec", packageRun}, {"x", packageRun}}}},
	{"pnpm", &wrapper{short: "C", long: []string{"dir", "filter"}, verbs: verbs{{"exec", packageRun}, {"dlx", packageRun}}}},
	{"yarn", &wrapper{verbs: verbs{{"exec", packageRun}, {"dlx", packageRun}}}},
	{"bun", &wrapper{verbs: verbs{{"x", packageRun}}}},
	{"uv", &wrapper{long: []string{"directory", "project"}, verbs: verbs{{"run", toolRun}, {"tool", &wrapper{verbs: verbs{{"run", toolRun}}}}}}},
	{"uvx", toolRun},
	{"pipx", &wrapper{verbs: verbs{{"run", toolRun}}}},
	{"poetry", &wrapper{short: "CP", long: []string{"directory", "project"}, verbs: verbs{{"run", plain}}}},
	{"pipenv", &wrapper{verbs: verbs{{"run", plain}}}},
	{"pdm", &wrapper{short: "p", verbs: verbs{{"run", toolRun}}}},
	{"rye", &wrapper{verbs: verbs{{"run", plain}}}},
	{"hatch", &wrapper{short: "e", verbs: verbs{{"run", plain}}}},
	{"bundle", &wrapper{verbs: verbs{{"exec", plain}}}},
	{"conda", &wrapper{verbs: verbs{{"run", toolRun}}}},
	{"mamba", &wrapper{verbs: verbs{{"run", toolRun}}}},
	{"micromamba", &wrapper{verbs: verbs{{"run", toolRun}}}},
	{"mise", &wrapper{short: "C", verbs: verbs{{"exec", &wrapper{short: "cj", text: "c", textLong: []string{"command"}}}, {"x", &wrapper{short: "c", text: "c"}}}}},
	{"asdf", &wrapper{verbs: verbs{{"exec", plain}}}},
	{"pyenv", &wrapper{verbs: verbs{{"exec", plain}}}},
	{"rbenv", &wrapper{verbs: verbs{{"exec", plain}}}},
	{"direnv", &wrapper{verbs: verbs{{"exec", &wrapper{operands: 1}}}}},
	{"dotenv", &wrapper{short: "efv", assigns: true}},
	{"dotenvx", &wrapper{verbs: verbs{{"run", &wrapper{short: "fe"}}}}},
	{"op", &wrapper{verbs: verbs{{"run", &wrapper{long: []string{"env-file"}}}}}},
	{"doppler", &wrapper{verbs: verbs{{"run", &wrapper{short: "pct", long: []string{"project", "config", "token"}, textLong: []string{"command"}}}}}},
	{"aws-vault", &wrapper{verbs: verbs{{"exec", &wrapper{short: "d", long: []string{"duration", "region"}, operands: 1, session: true}}}}},
	{"chamber", &wrapper{verbs: verbs{{"exec", &wrapper{operands: 1}}}}},
	{"nix", &wrapper{verbs: verbs{{"develop", &wrapper{}}, {"shell", &wrapper{operands: 1}}}}},
	{"nix-shell", &wrapper{short: "pAI", text: "", textLong: []string{"run", "command"}, textAnywhere: true, operands: 1 << 20, session: true}},
	{"guix", &wrapper{verbs: verbs{{"shell", &wrapper{operands: 1 << 20}}}}},
	{"tmux", &wrapper{short: "fLS", verbs: verbs{{"new-session", tmuxRun}, {"new", tmuxRun}, {"new-window", tmuxRun}, {"neww", tmuxRun}, {"split-window", tmuxRun}, {"splitw", tmuxRun}, {"run-shell", tmuxRun}, {"run", tmuxRun}, {"respawn-pane", tmuxRun}, {"send-keys", tmuxRun}, {"send", tmuxRun}}}},
	{"screen", &wrapper{short: "cehpstTSX"}},
	{"start", plain},
	{"winpty", neutral},
	{"gsudo", neutral},
	{"runas", &wrapper{joined: true}},
	{"ansible", &wrapper{short: "iumfePtTMlo", long: []string{"inventory", "module-name", "user"}, text: "a", textLong: []string{"args"}, textAnywhere: true, operands: 1 << 20}},
	{"salt", &wrapper{operands: 2, joined: true}},
	{"eval", &wrapper{joined: true, neutral: true}},
}

var tmuxRun = &wrapper{short: "ceFfnstxylpN", joined: true}

// inner is what a wrapper runs.
type inner struct {
	words   []Word   // the program and its arguments
	texts   []Word   // shell lines
	assigns []string // NAME=value words
	session bool     // it opens a shell on the terminal
	inert   bool     // it runs nothing
	neutral bool     // what it runs decides whether the whole only reads
	// ordinary says that this call of it wraps nothing (docker ps).
	ordinary bool
}

// split takes the words of a call of w apart; words[0] is the wrapper itself.
func (w *wrapper) split(words []Word) inner {
	in := inner{neutral: w.neutral}
	operands, options, session := w.operands, true, w.session
	var entry []Word
	i := 1
scan:
	for ; i < len(words); i++ {
		t := words[i].Text
		switch {
		case options && t == "--":
			options = false
			if !w.textAnywhere {
				// What follows is the command: no operand of the wrapper may stand there, but for those that still miss.
				if operands == 0 || operands > 1 {
					i++
					operands = 0
					break scan
				}
			}
			continue
		case options && len(t) > 2 && strings.HasPrefix(t, "--"):
			name, val, glued := strings.Cut(t[2:], "=")
			switch {
			case contains(w.textLong, name):
				if !glued && i+1 < len(words) {
					i++
					in.texts = append(in.texts, words[i])
				} else if glued {
					in.texts = append(in.texts, Word{Text: val, Source: words[i].Source, Quoted: words[i].Quoted})
				}
			case w.program != "" && name == w.program:
				if !glued && i+1 < len(words) {
					i++
					entry = words[i : i+1]
				} else if glued {
					entry = []Word{part(words[i], val)}
				}
			case name == "help" || name == "version":
				in.inert = true
				return in
			case !glued && contains(w.long, name):
				i++
			}
			continue
		case options && len(t) > 1 && t[0] == '-':
			for j := 1; j < len(t); j++ {
				c := t[j : j+1]
				switch {
				case strings.Contains(w.text, c):
					if j+1 < len(t) {
						in.texts = append(in.texts, Word{Text: strings.TrimPrefix(t[j+1:], "="), Source: words[i].Source})
					} else if i+1 < len(words) {
						i++
						in.texts = append(in.texts, words[i])
					}
					j = len(t)
				case strings.Contains(w.short, c):
					if j+1 == len(t) {
						i++
					}
					j = len(t)
				case strings.Contains(w.inert, c):
					in.inert = true
					return in
				case strings.Contains(w.sessionFlags, c):
					session = true
				}
			}
			continue
		case w.assigns && isAssignment(t):
			in.assigns = append(in.assigns, t)
			continue
		}
		if operands > 0 {
			if operands--; operands == 0 && w.ends {
				i++
				break scan
			}
			continue
		}
		break scan
	}
	rest := words[min(i, len(words)):]
	if entry != nil {
		rest = append(slices.Clip(entry), rest...)
	}
	if w.verbs != nil {
		if len(rest) == 0 {
			return inner{ordinary: true}
		}
		sub := w.verbs.find(rest[0].Text)
		if sub == nil {
			return inner{ordinary: true}
		}
		return sub.split(rest)
	}
	if w.textAnywhere {
		for j := i; j < len(words); j++ {
			t := words[j].Text
			if len(t) > 1 && t[0] == '-' && (strings.Contains(w.text, t[len(t)-1:]) && t[1] != '-' || contains(w.textLong, strings.TrimLeft(t, "-"))) && j+1 < len(words) {
				in.texts = append(in.texts, words[j+1])
				return in
			}
		}
	}
	switch {
	case len(rest) == 0:
		in.session = session && len(in.texts) == 0
	case w.joined:
		text := rest[0]
		if len(rest) > 1 {
			text = Word{Text: join(rest), Source: join(rest), Quoted: true}
		}
		in.texts = append(in.texts, text)
	default:
		in.words = rest
	}
	return in
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// isAssignment says that s has the form NAME=value.
func isAssignment(s string) bool {
	name, _, ok := strings.Cut(s, "=")
	if !ok || name == "" {
		return false
	}
	for i := 0; i < len(name); i++ {
		c := name[i]
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return true
}
