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
	verbs map[string]*wrapper
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
		verbs: map[string]*wrapper{"exec": composeRun, "run": composeRun},
	}
	container = &wrapper{
		short: "Hcl", long: []string{"host", "context", "config", "log-level", "url", "connection"},
		verbs: map[string]*wrapper{
			"exec": containerExec, "run": containerRun, "create": containerRun, "compose": compose,
			"container": {verbs: map[string]*wrapper{"exec": containerExec, "run": containerRun}},
		},
	}
	podExec = &wrapper{short: "cnf", long: []string{"container", "namespace", "filename", "pod-running-timeout"}, operands: 1}
	cluster = &wrapper{
		short: "nsv", long: clusterGlobals,
		verbs: map[string]*wrapper{
			"exec": podExec, "rsh": podExec,
			"run":   {short: "nl", long: []string{"image", "namespace", "restart", "labels", "env", "port", "overrides"}, operands: 1},
			"debug": {short: "n", long: []string{"image", "namespace", "target", "copy-to", "container", "profile"}, operands: 1},
		},
	}
	packageRun = &wrapper{short: "pc", long: []string{"package", "call", "workspace", "prefix"}, text: "c", textLong: []string{"call"}}
	toolRun    = &wrapper{
		short: "pnCE", long: []string{"python", "with", "name", "prefix", "project", "directory", "env-file", "package", "group", "extra", "from", "env", "only", "config"},
	}
)

// clusterGlobals are the global options of kubectl that take a value.
var clusterGlobals = []string{"namespace", "context", "kubeconfig", "cluster", "user", "server", "token", "as", "as-group",
	"cache-dir", "request-timeout", "certificate-authority", "client-certificate", "client-key", "tls-server-name", "v"}

// wrappers lists the programs that run the program they are given, by name.
var wrappers = map[string]*wrapper{
	"sudo": {
		short: "ACDghpRrtTUu", long: []string{"user", "group", "host", "prompt", "chdir", "chroot", "role", "type", "close-from", "other-user", "command-timeout"},
		assigns: true, neutral: true, sessionFlags: "is", inert: "lvkKeV",
	},
	"doas":   {short: "Cu", neutral: true, sessionFlags: "s"},
	"pkexec": {long: []string{"user"}},
	"run0":   {short: "u", long: []string{"user", "unit", "property", "description", "slice", "nice", "chdir", "setenv"}, session: true},
	"su":     {short: "gGsw", long: []string{"group", "shell", "supp-group"}, text: "c", textLong: []string{"command", "session-command"}, textAnywhere: true, operands: 1 << 20, session: true},
	"runuser": {
		short: "ugGsw", long: []string{"user", "group", "shell", "supp-group"}, text: "c", textLong: []string{"command", "session-command"}, textAnywhere: true,
	},
	"gosu":       {operands: 1},
	"su-exec":    {operands: 1},
	"setpriv":    {long: []string{"reuid", "regid", "groups", "inh-caps", "ambient-caps", "bounding-set"}},
	"env":        {short: "uCPa", long: []string{"unset", "chdir", "argv0"}, text: "S", textLong: []string{"split-string"}, assigns: true, neutral: true},
	"command":    {neutral: true, inert: "vV"},
	"builtin":    neutral,
	"exec":       {short: "a", neutral: true},
	"nocorrect":  neutral,
	"noglob":     neutral,
	"-":          neutral,
	"time":       {short: "fo", long: []string{"format", "output"}, neutral: true},
	"gtime":      {short: "fo", long: []string{"format", "output"}, neutral: true},
	"nice":       {short: "n", long: []string{"adjustment"}, neutral: true},
	"ionice":     {short: "cnp", long: []string{"class", "classdata"}, neutral: true},
	"chrt":       {short: "TPD", operands: 1, neutral: true},
	"taskset":    {operands: 1, neutral: true},
	"numactl":    {short: "NmCpi", long: []string{"cpunodebind", "membind", "physcpubind", "interleave", "preferred"}},
	"timeout":    {short: "ks", long: []string{"kill-after", "signal"}, operands: 1, neutral: true},
	"gtimeout":   {short: "ks", long: []string{"kill-after", "signal"}, operands: 1, neutral: true},
	"stdbuf":     {short: "ioe", long: []string{"input", "output", "error"}, neutral: true},
	"unbuffer":   neutral,
	"nohup":      neutral,
	"setsid":     neutral,
	"caffeinate": {short: "tw", neutral: true},
	"chronic":    neutral,
	"ifne":       plain,
	"rtk":        neutral,
	"busybox":    neutral,
	"toybox":     neutral,
	"chroot":     {long: []string{"userspec", "groups"}, operands: 1},
	"unshare":    {short: "SGRw", long: []string{"setuid", "setgid", "root", "wd", "map-user", "map-group", "propagation"}},
	"nsenter":    {short: "tSGrw", long: []string{"target", "setuid", "setgid"}},
	"systemd-run": {
		short: "puMHE", long: []string{"property", "unit", "description", "slice", "uid", "gid", "nice", "working-directory", "setenv", "on-active", "on-calendar", "machine", "host"},
	},
	"systemd-inhibit": {long: []string{"what", "who", "why", "mode"}},
	"fakeroot":        {short: "sil", long: []string{"lib", "faked"}},
	"firejail":        plain,
	"bwrap":           {long: []string{"bind", "ro-bind", "dev-bind", "dev", "proc", "tmpfs", "chdir", "setenv", "uid", "gid", "hostname"}},
	"proot":           {short: "rbqwk"},
	"strace":          {short: "aeEIopPsSuXb", long: []string{"output", "trace"}},
	"ltrace":          {short: "aeAnopsuxl"},
	"valgrind":        plain,
	"perf":            {verbs: map[string]*wrapper{"stat": {short: "eorx"}, "record": {short: "eFocg"}}},
	"catchsegv":       plain,
	"rlwrap":          {short: "abcCDefgHlmOpPqsStz"},
	"xvfb-run":        {short: "efnpsw", long: []string{"server-args", "server-num", "auth-file", "error-file"}},
	"dbus-run-session": {
		long: []string{"config-file", "dbus-daemon"},
	},
	"proxychains":  {short: "f"},
	"proxychains4": {short: "f"},
	"torsocks":     {short: "uaP"},
	"torify":       plain,
	"tsocks":       plain,
	"cgexec":       {short: "g"},
	"prlimit":      {short: "p"},
	"softlimit":    {short: "adcfhlmnoprst"},
	"cpulimit":     {short: "lpe", long: []string{"limit", "pid", "exe"}},
	"daemonize":    {short: "aceolpuE"},
	"start-stop-daemon": {
		short: "xapunscdk", long: []string{"exec", "startas", "pidfile", "user", "name", "chdir"},
	},
	"script":    {short: "tTIOBmEo", text: "c", textLong: []string{"command"}, textAnywhere: true, operands: 1},
	"flock":     {short: "wE", long: []string{"timeout", "wait", "conflict-exit-code"}, text: "c", textLong: []string{"command"}, textAnywhere: true, operands: 1},
	"watch":     {short: "nqs", long: []string{"interval", "equexit"}, joined: true},
	"entr":      plain,
	"hyperfine": {short: "wrmMSspncCiNuL", textLong: []string{"prepare", "cleanup", "setup", "conclude"}, long: []string{"warmup", "runs", "min-runs", "max-runs", "export-json", "export-markdown", "command-name"}, joined: true},
	"retry":     {short: "tdm"},
	"repeat":    {operands: 1},
	"ssh": {
		short: "BbcDEeFIiJLlmOopPQRSWw", operands: 1, joined: true, session: true,
	},
	"autossh":        {short: "MBbcDEeFIiJLlmOopQRSWw", operands: 1, joined: true, session: true},
	"sshpass":        {short: "pfdP"},
	"mosh":           {long: []string{"ssh", "port", "server"}, operands: 1, session: true},
	"rsh":            {short: "l", operands: 1, joined: true, session: true},
	"pdsh":           {short: "wxgtuf", joined: true},
	"dsh":            {short: "mgM", joined: true},
	"clush":          {short: "wxgtuf", joined: true},
	"wsl":            {short: "du", long: []string{"distribution", "user", "cd"}, joined: true, session: true},
	"adb":            {short: "sHPt", verbs: map[string]*wrapper{"shell": {short: "e", joined: true, session: true}}},
	"docker":         container,
	"podman":         container,
	"nerdctl":        container,
	"docker-compose": compose,
	"podman-compose": compose,
	"kubectl":        cluster,
	"oc":             cluster,
	"kubecolor":      cluster,
	"lxc":            {verbs: map[string]*wrapper{"exec": {long: []string{"env", "mode", "user", "group", "cwd"}, operands: 1}}},
	"incus":          {verbs: map[string]*wrapper{"exec": {long: []string{"env", "mode", "user", "group", "cwd"}, operands: 1}}},
	"distrobox":      {verbs: map[string]*wrapper{"enter": {short: "n", long: []string{"name"}, operands: 1}}},
	"toolbox":        {verbs: map[string]*wrapper{"run": {short: "cdr", long: []string{"container", "distro", "release"}}}},
	"flatpak-spawn":  plain,
	"vagrant":        {verbs: map[string]*wrapper{"ssh": {text: "c", textLong: []string{"command"}, textAnywhere: true, operands: 1, session: true}}},
	"gcloud":         {verbs: map[string]*wrapper{"compute": {verbs: map[string]*wrapper{"ssh": {textLong: []string{"command"}, long: []string{"zone", "project"}, textAnywhere: true, operands: 1, session: true}}}}},
	"fly":            {verbs: map[string]*wrapper{"ssh": {verbs: map[string]*wrapper{"console": {text: "C", short: "a", textLong: []string{"command"}, session: true}}}}},
	"heroku":         {verbs: map[string]*wrapper{"run": {short: "as", long: []string{"app", "size"}, joined: true}}},
	"npx":            packageRun,
	"bunx":           packageRun,
	"pnpx":           packageRun,
	"npm":            {long: []string{"prefix", "workspace"}, verbs: map[string]*wrapper{"exec": packageRun, "x": packageRun}},
	"pnpm":           {short: "C", long: []string{"dir", "filter"}, verbs: map[string]*wrapper{"exec": packageRun, "dlx": packageRun}},
	"yarn":           {verbs: map[string]*wrapper{"exec": packageRun, "dlx": packageRun}},
	"bun":            {verbs: map[string]*wrapper{"x": packageRun}},
	"uv":             {long: []string{"directory", "project"}, verbs: map[string]*wrapper{"run": toolRun, "tool": {verbs: map[string]*wrapper{"run": toolRun}}}},
	"uvx":            toolRun,
	"pipx":           {verbs: map[string]*wrapper{"run": toolRun}},
	"poetry":         {short: "CP", long: []string{"directory", "project"}, verbs: map[string]*wrapper{"run": plain}},
	"pipenv":         {verbs: map[string]*wrapper{"run": plain}},
	"pdm":            {short: "p", verbs: map[string]*wrapper{"run": toolRun}},
	"rye":            {verbs: map[string]*wrapper{"run": plain}},
	"hatch":          {short: "e", verbs: map[string]*wrapper{"run": plain}},
	"bundle":         {verbs: map[string]*wrapper{"exec": plain}},
	"conda":          {verbs: map[string]*wrapper{"run": toolRun}},
	"mamba":          {verbs: map[string]*wrapper{"run": toolRun}},
	"micromamba":     {verbs: map[string]*wrapper{"run": toolRun}},
	"mise":           {short: "C", verbs: map[string]*wrapper{"exec": {short: "cj", text: "c", textLong: []string{"command"}}, "x": {short: "c", text: "c"}}},
	"asdf":           {verbs: map[string]*wrapper{"exec": plain}},
	"pyenv":          {verbs: map[string]*wrapper{"exec": plain}},
	"rbenv":          {verbs: map[string]*wrapper{"exec": plain}},
	"direnv":         {verbs: map[string]*wrapper{"exec": {operands: 1}}},
	"dotenv":         {short: "efv", assigns: true},
	"dotenvx":        {verbs: map[string]*wrapper{"run": {short: "fe"}}},
	"op":             {verbs: map[string]*wrapper{"run": {long: []string{"env-file"}}}},
	"doppler":        {verbs: map[string]*wrapper{"run": {short: "pct", long: []string{"project", "config", "token"}, textLong: []string{"command"}}}},
	"aws-vault":      {verbs: map[string]*wrapper{"exec": {short: "d", long: []string{"duration", "region"}, operands: 1, session: true}}},
	"chamber":        {verbs: map[string]*wrapper{"exec": {operands: 1}}},
	"nix":            {verbs: map[string]*wrapper{"develop": {}, "shell": {operands: 1}}},
	"nix-shell":      {short: "pAI", text: "", textLong: []string{"run", "command"}, textAnywhere: true, operands: 1 << 20, session: true},
	"guix":           {verbs: map[string]*wrapper{"shell": {operands: 1 << 20}}},
	"tmux":           {short: "fLS", verbs: map[string]*wrapper{"new-session": tmuxRun, "new": tmuxRun, "new-window": tmuxRun, "neww": tmuxRun, "split-window": tmuxRun, "splitw": tmuxRun, "run-shell": tmuxRun, "run": tmuxRun, "respawn-pane": tmuxRun, "send-keys": tmuxRun, "send": tmuxRun}},
	"screen":         {short: "cehpstTSX"},
	"start":          plain,
	"winpty":         neutral,
	"gsudo":          neutral,
	"runas":          {joined: true},
	"ansible":        {short: "iumfePtTMlo", long: []string{"inventory", "module-name", "user"}, text: "a", textLong: []string{"args"}, textAnywhere: true, operands: 1 << 20},
	"salt":           {operands: 2, joined: true},
	"eval":           {joined: true, neutral: true},
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
		sub, ok := w.verbs[rest[0].Text]
		if !ok {
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
