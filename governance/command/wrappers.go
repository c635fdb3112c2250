package command

// clusterGlobals are the global options of kubectl that take a value.
const clusterGlobals names = "namespace context kubeconfig cluster user server token as as-group " +
	"cache-dir request-timeout certificate-authority client-certificate client-key tls-server-name v"

// wrappers lists the programs that run the program they are given, by name.
var wrappers = verbs{
	{"sudo", &wrapper{
		short: "ACDghpRrtTUu", long: "user group host prompt chdir chroot role type close-from other-user command-timeout",
		assigns: true, neutral: true, sessionFlags: "is", inert: "lvKeV",
	}},
	{"doas", &wrapper{short: "Cu", neutral: true, sessionFlags: "s"}},
	{"pkexec", &wrapper{long: "user"}},
	{"run0", &wrapper{short: "u", long: "user unit property description slice nice chdir setenv", session: true}},
	{"su", &wrapper{short: "gGsw", long: "group shell supp-group", text: "c", textLong: "command session-command", textAnywhere: true, shellArgs: true, operands: 1 << 20, session: true}},
	{"sg", &wrapper{text: "c", textAnywhere: true, operands: 1, session: true}},
	{"capsh", &wrapper{long: "caps user uid gid groups addamb inh drop", shellArgs: true}},
	{"runuser", &wrapper{
		short: "ugGsw", long: "user group shell supp-group", text: "c", textLong: "command session-command", textAnywhere: true,
	}},
	{"gosu", &wrapper{operands: 1}},
	{"su-exec", &wrapper{operands: 1}},
	{"setpriv", &wrapper{long: "reuid regid groups inh-caps ambient-caps bounding-set"}},
	{"env", &wrapper{short: "uCPa", long: "unset chdir argv0", text: "S", textLong: "split-string", appends: true, assigns: true, neutral: true}},
	{"command", &wrapper{neutral: true, inert: "vV"}},
	{"builtin", neutral},
	{"exec", &wrapper{short: "a", neutral: true}},
	{"nocorrect", neutral},
	{"noglob", neutral},
	{"-", neutral},
	{"time", &wrapper{short: "fo", long: "format output", neutral: true}},
	{"gtime", &wrapper{short: "fo", long: "format output", neutral: true}},
	{"nice", &wrapper{short: "n", long: "adjustment", neutral: true}},
	{"ionice", &wrapper{short: "cnp", long: "class classdata", neutral: true}},
	{"chrt", &wrapper{short: "TPD", operands: 1, neutral: true}},
	{"taskset", &wrapper{operands: 1, neutral: true}},
	{"numactl", &wrapper{short: "NmCpi", long: "cpunodebind membind physcpubind interleave preferred"}},
	{"timeout", &wrapper{short: "ks", long: "kill-after signal", operands: 1, neutral: true}},
	{"gtimeout", &wrapper{short: "ks", long: "kill-after signal", operands: 1, neutral: true}},
	{"stdbuf", &wrapper{short: "ioe", long: "input output error", neutral: true}},
	{"unbuffer", neutral},
	{"nohup", neutral},
	{"setsid", neutral},
	{"caffeinate", &wrapper{short: "tw", neutral: true}},
	{"chronic", neutral},
	{"ifne", plain},
	{"busybox", neutral},
	{"toybox", neutral},
	{"chroot", &wrapper{long: "userspec groups", operands: 1}},
	{"unshare", &wrapper{short: "SGRw", long: "setuid setgid root wd map-user map-group propagation"}},
	{"nsenter", &wrapper{short: "tSGrw", long: "target setuid setgid"}},
	{"systemd-run", &wrapper{
		short: "puMHE", long: "property unit description slice uid gid nice working-directory setenv on-active on-calendar machine " +
			"host",
	}},
	{"systemd-inhibit", &wrapper{long: "what who why mode"}},
	{"fakeroot", &wrapper{short: "sil", long: "lib faked"}},
	{"firejail", plain},
	{"bwrap", &wrapper{long: "bind ro-bind dev-bind dev proc tmpfs chdir setenv uid gid hostname"}},
	{"proot", &wrapper{short: "rbqwk"}},
	{"strace", &wrapper{short: "aeEIopPsSuXb", long: "output trace"}},
	{"ltrace", &wrapper{short: "aeAnopsuxl"}},
	{"valgrind", plain},
	{"perf", &wrapper{verbs: verbs{{"stat", &wrapper{short: "eorx"}}, {"record", &wrapper{short: "eFocg"}}}}},
	{"catchsegv", plain},
	{"rlwrap", &wrapper{short: "abcCDefgHlmOpPqsStz"}},
	{"xvfb-run", &wrapper{short: "efnpsw", long: "server-args server-num auth-file error-file"}},
	{"dbus-run-session", &wrapper{
		long: "config-file dbus-daemon",
	}},
	{"proxychains", &wrapper{short: "f"}},
	{"proxychains4", &wrapper{short: "f"}},
	{"torsocks", &wrapper{short: "uaP"}},
	{"torify", plain},
	{"tsocks", plain},
	{"cgexec", &wrapper{short: "g"}},
	{"prlimit", &wrapper{short: "p"}},
	{"softlimit", &wrapper{short: "adcfhlmnoprst"}},
	{"cpulimit", &wrapper{short: "lpe", long: "limit pid exe"}},
	{"daemonize", &wrapper{short: "aceolpuE"}},
	{"start-stop-daemon", &wrapper{
		short: "xapunscdk", long: "exec startas pidfile user name chdir",
	}},
	{"script", &wrapper{short: "tTIOBmEo", text: "c", textLong: "command", textAnywhere: true, operands: 1}},
	{"flock", &wrapper{short: "wE", long: "timeout wait conflict-exit-code", text: "c", textLong: "command", textAnywhere: true, operands: 1}},
	{"watch", &wrapper{short: "nqs", long: "interval equexit", joined: true}},
	{"entr", plain},
	{"concurrently", &wrapper{short: "ncpltk", long: "names name-separator prefix prefix-colors max-processes restart-tries success", joined: true}},
	{"hyperfine", &wrapper{short: "wrmMSspncCiNuL", textLong: "prepare cleanup setup conclude", long: "warmup runs min-runs max-runs export-json export-markdown command-name", joined: true}},
	{"expect", &wrapper{short: "f", text: "c"}},
	{"retry", &wrapper{short: "tdm"}},
	{"repeat", &wrapper{operands: 1}},
	{"ssh", &wrapper{
		short: "BbcDEeFIiJLlmOopPQRSWw", operands: 1, joined: true, session: true,
	}},
	{"autossh", &wrapper{short: "MBbcDEeFIiJLlmOopQRSWw", operands: 1, joined: true, session: true}},
	{"sshpass", &wrapper{short: "pfdP"}},
	{"mosh", &wrapper{long: "ssh port server", operands: 1, session: true}},
	{"rsh", &wrapper{short: "l", operands: 1, joined: true, session: true}},
	{"pdsh", &wrapper{short: "wxgtuf", joined: true}},
	{"dsh", &wrapper{short: "mgM", joined: true}},
	{"pssh", fleet},
	{"parallel-ssh", fleet},
	{"clush", &wrapper{short: "wxgtuf", joined: true}},
	{"wsl", &wrapper{short: "du", long: "distribution user cd", joined: true, session: true}},
	{"adb", &wrapper{short: "sHPt", verbs: verbs{{"shell", &wrapper{short: "e", joined: true, session: true}}}}},
	{"docker", container},
	{"podman", container},
	{"nerdctl", container},
	{"docker-compose", compose},
	{"podman-compose", compose},
	{"kubectl", cluster},
	{"oc", cluster},
	{"kubecolor", cluster},
	{"lxc", &wrapper{verbs: verbs{{"exec", &wrapper{long: "env mode user group cwd", operands: 1}}}}},
	{"incus", &wrapper{verbs: verbs{{"exec", &wrapper{long: "env mode user group cwd", operands: 1}}}}},
	{"distrobox", &wrapper{verbs: verbs{{"enter", &wrapper{short: "n", long: "name", operands: 1}}}}},
	{"toolbox", &wrapper{verbs: verbs{{"run", &wrapper{short: "cdr", long: "container distro release"}}}}},
	{"flatpak-spawn", plain},
	{"vagrant", &wrapper{verbs: verbs{{"ssh", &wrapper{text: "c", textLong: "command", textAnywhere: true, operands: 1, session: true}}}}},
	{"gcloud", &wrapper{verbs: verbs{{"compute", &wrapper{verbs: verbs{{"ssh", &wrapper{textLong: "command", long: "zone project", textAnywhere: true, operands: 1, session: true}}}}}}}},
	{"fly", &wrapper{verbs: verbs{{"ssh", &wrapper{verbs: verbs{{"console", &wrapper{text: "C", short: "a", textLong: "command", session: true}}}}}}}},
	{"heroku", &wrapper{verbs: verbs{{"run", &wrapper{short: "as", long: "app size", joined: true}}}}},
	{"npx", packageRun},
	{"bunx", packageRun},
	{"pnpx", packageRun},
	{"npm", &wrapper{long: "prefix workspace", verbs: verbs{{"exec", packageRun}, {"x", packageRun}}}},
	{"pnpm", &wrapper{short: "C", long: "dir filter", verbs: verbs{{"exec", packageRun}, {"dlx", packageRun}}}},
	{"yarn", &wrapper{verbs: verbs{{"exec", packageRun}, {"dlx", packageRun}, {"workspace", &wrapper{operands: 1, verbs: verbs{{"exec", packageRun}}}},
		{"workspaces", &wrapper{verbs: verbs{{"foreach", &wrapper{short: "j", long: "include exclude from jobs since", verbs: verbs{{"exec", packageRun}}}}}}}}}},
	{"bun", &wrapper{verbs: verbs{{"x", packageRun}}}},
	{"uv", &wrapper{long: "directory project", verbs: verbs{{"run", toolRun}, {"tool", &wrapper{verbs: verbs{{"run", toolRun}}}}}}},
	{"uvx", toolRun},
	{"pipx", &wrapper{verbs: verbs{{"run", toolRun}}}},
	{"poetry", &wrapper{short: "CP", long: "directory project", verbs: verbs{{"run", plain}}}},
	{"pipenv", &wrapper{verbs: verbs{{"run", plain}}}},
	{"pdm", &wrapper{short: "p", verbs: verbs{{"run", toolRun}}}},
	{"rye", &wrapper{verbs: verbs{{"run", plain}}}},
	{"hatch", &wrapper{short: "e", verbs: verbs{{"run", plain}}}},
	{"bundle", &wrapper{verbs: verbs{{"exec", plain}}}},
	{"conda", &wrapper{verbs: verbs{{"run", toolRun}}}},
	{"mamba", &wrapper{verbs: verbs{{"run", toolRun}}}},
	{"micromamba", &wrapper{verbs: verbs{{"run", toolRun}}}},
	{"mise", &wrapper{short: "C", verbs: verbs{{"exec", &wrapper{short: "cj", text: "c", textLong: "command"}}, {"x", &wrapper{short: "c", text: "c"}}}}},
	{"asdf", &wrapper{verbs: verbs{{"exec", plain}}}},
	{"pyenv", &wrapper{verbs: verbs{{"exec", plain}}}},
	{"rbenv", &wrapper{verbs: verbs{{"exec", plain}}}},
	{"direnv", &wrapper{verbs: verbs{{"exec", &wrapper{operands: 1}}}}},
	{"dotenv", &wrapper{short: "efv", assigns: true}},
	{"dotenvx", &wrapper{verbs: verbs{{"run", &wrapper{short: "fe"}}}}},
	{"op", &wrapper{verbs: verbs{{"run", &wrapper{long: "env-file"}}}}},
	{"doppler", &wrapper{verbs: verbs{{"run", &wrapper{short: "pct", long: "project config token", textLong: "command"}}}}},
	{"aws-vault", &wrapper{verbs: verbs{{"exec", &wrapper{short: "d", long: "duration region", operands: 1, session: true}}}}},
	{"chamber", &wrapper{verbs: verbs{{"exec", &wrapper{operands: 1}}}}},
	{"nix", &wrapper{verbs: verbs{{"develop", &wrapper{}}, {"shell", &wrapper{operands: 1}}}}},
	{"nix-shell", &wrapper{short: "pAI", text: "", textLong: "run command", textAnywhere: true, operands: 1 << 20, session: true}},
	{"guix", &wrapper{verbs: verbs{{"shell", &wrapper{operands: 1 << 20}}}}},
	{"tmux", &wrapper{short: "fLS", verbs: verbs{{"new-session", tmuxRun}, {"new", tmuxRun}, {"new-window", tmuxRun}, {"neww", tmuxRun}, {"split-window", tmuxRun}, {"splitw", tmuxRun}, {"run-shell", tmuxRun}, {"run", tmuxRun}, {"respawn-pane", tmuxRun}, {"send-keys", tmuxRun}, {"send", tmuxRun}}}},
	{"screen", &wrapper{short: "cehpstTSX"}},
	{"start", plain},
	{"just", &wrapper{starts: "--command -c"}},
	{"cargo", &wrapper{verbs: verbs{{"watch", &wrapper{short: "xiwdpB", long: "exec ignore watch delay workdir features", text: "s", textLong: "shell"}}}}},
	{"watchexec", &wrapper{short: "eiwfsdrgo", long: "exts ignore watch filter signal debounce delay-run stop-signal workdir shell", joined: true}},
	{"machinectl", &wrapper{short: "HMEun", long: "host machine uid setenv", verbs: verbs{{"shell", &wrapper{long: "uid setenv", operands: 1, session: true}}}}},
	{"winpty", neutral},
	{"gsudo", neutral},
	{"runas", &wrapper{joined: true}},
	{"ansible", &wrapper{short: "iumfePtTMlo", long: "inventory module-name user", text: "a", textLong: "args", textAnywhere: true, operands: 1 << 20}},
	{"salt", &wrapper{operands: 2, joined: true}},
	{"eval", &wrapper{joined: true, neutral: true}},
}

var fleet = &wrapper{short: "hHlptoex", long: "hosts host user par timeout outdir errdir options extra-args", joined: true}

var tmuxRun = &wrapper{short: "ceFfnstxylpN", joined: true}

var (
	plain   = &wrapper{}
	neutral = &wrapper{neutral: true}

	composeRun = &wrapper{
		short: "euwvpl", long: "env user workdir index volume publish name label", program: "entrypoint",
		operands: 1, ends: true,
	}
	containerExec = &wrapper{
		short: "euw", long: "env env-file user workdir detach-keys", operands: 1,
	}
	containerRun = &wrapper{
		short: "aceghlmpuvw",
		long: "add-host annotation attach blkio-weight cap-add cap-drop cgroup-parent cgroupns cidfile cpu-period " +
			"cpu-quota cpu-shares cpus cpuset-cpus cpuset-mems device dns dns-option dns-search entrypoint env " +
			"env-file expose gpus group-add health-cmd hostname ip ip6 ipc isolation label label-file link " +
			"log-driver log-opt mac-address memory memory-swap mount name network net network-alias oom-score-adj " +
			"pid pids-limit platform publish pull restart runtime security-opt shm-size stop-signal stop-timeout " +
			"storage-opt sysctl tmpfs ulimit user userns uts volume volume-driver volumes-from workdir",
		operands: 1, ends: true, program: "entrypoint",
	}
	compose = &wrapper{
		short: "fp", long: "file project-name profile env-file project-directory ansi parallel progress",
		verbs: verbs{{"exec", composeRun}, {"run", composeRun}},
	}
	container = &wrapper{
		short: "Hcl", long: "host context config log-level url connection",
		verbs: verbs{
			{"exec", containerExec}, {"run", containerRun}, {"create", containerRun}, {"compose", compose},
			{"container", &wrapper{verbs: verbs{{"exec", containerExec}, {"run", containerRun}}}},
		},
	}
	podExec = &wrapper{short: "cnf", long: "container namespace filename pod-running-timeout", operands: 1}
	cluster = &wrapper{
		short: "nsv", long: clusterGlobals,
		verbs: verbs{
			{"exec", podExec}, {"rsh", podExec},
			{"run", &wrapper{short: "nl", long: "image namespace restart labels env port overrides", operands: 1}},
			{"debug", &wrapper{short: "n", long: "image namespace target copy-to container profile", operands: 1}},
		},
	}
	packageRun = &wrapper{short: "pc", long: "package call workspace prefix", text: "c", textLong: "call"}
	toolRun    = &wrapper{
		short: "pnCE", long: "python with name prefix project directory env-file package group extra from env only config",
	}
)
