package command

import "strings"

// language is what the analysis knows of a scripting language: how a program is given on the line, which calls delete,
// and which run a command.
type language struct {
	// code are the letters of the options whose value is a program; codeLong are the long ones.
	code     string
	codeLong names
	// valued are the letters of the other options that take a value.
	valued string
	// inert are options that run nothing.
	inert names
	// operand says that the first operand is the program itself (awk).
	operand bool
	// verb is the sub-command after which the program stands (deno eval).
	verb string

	comment string
	// backticks says that `…` is a string (JavaScript) rather than a command.
	backticks bool
	// deletes are the last names of calls that delete; shells, of calls that run a command line or a list of words.
	deletes, shells names
	// evaluates are the calls that run a text of the same language.
	evaluates names
	// prints are the calls whose texts are only shown.
	prints names
	// bare says that calls need no parentheses.
	bare bool
	// extensions are those of its scripts.
	extensions names
}

var (
	python = &language{
		extensions: "py",
		code:       "c", valued: "mWX", inert: "-V --version -h --help", comment: "#",
		deletes: names("rmtree remove unlink removedirs rmdir"),
		shells: names("system popen run call check_call check_output popen2 spawn spawnl spawnle spawnlp spawnlpe spawnv spawnve spawnvp spawnvpe " +
			"posix_spawn posix_spawnp execl execle execlp execlpe execv execve execvp execvpe " +
			"getoutput getstatusoutput create_subprocess_shell create_subprocess_exec sh"),
		evaluates: names("exec eval compile"),
		prints:    names("print write debug info warning error log"),
	}
	javascript = &language{
		extensions: "js mjs cjs ts mts cts",
		code:       "ep", codeLong: "--eval --print", valued: "rC", verb: "eval", inert: "-v --version -h --help --check --test --run", comment: "//", backticks: true,
		deletes:   names("rm rmsync rmdir rmdirsync unlink unlinksync rimraf emptydir emptydirsync remove removesync rimrafsync"),
		shells:    names("exec execsync spawn spawnsync execfile execfilesync execa execacommand shell $"),
		evaluates: names("eval function runinthiscontext runinnewcontext"),
		prints:    names("log info warn error debug write"),
	}
	perl = &language{
		extensions: "pl t",
		code:       "eE", valued: "IMm", inert: "-v --version -h", comment: "#", bare: true,
		deletes:   names("unlink rmtree remove_tree rmdir"),
		shells:    names("system exec qx open popen"),
		evaluates: names("eval"),
		prints:    names("print printf say warn die"),
	}
	ruby = &language{
		extensions: "rb",
		code:       "e", valued: "IrEC", inert: "-v --version -h --help", comment: "#", bare: true,
		deletes:   names("rm rm_r rm_rf rm_f rmtree remove_dir remove_entry remove_entry_secure remove_file delete unlink rmdir remove_dir"),
		shells:    names("system exec spawn popen popen2 popen3 capture2 capture2e capture3 sh %x x"),
		evaluates: names("eval instance_eval class_eval"),
		prints:    names("puts print p pp warn printf"),
	}
	php = &language{
		extensions: "php",
		code:       "rBRE", valued: "dcz", inert: "-v --version -h -i -m", comment: "//", bare: true,
		deletes:   names("unlink rmdir"),
		shells:    names("system exec shell_exec passthru popen proc_open pcntl_exec"),
		evaluates: names("eval assert create_function"),
		prints:    names("echo print print_r var_dump printf"),
	}
	awk = &language{
		valued: "Fvf", operand: true, inert: "--version --help -h -W", comment: "#", bare: true,
		deletes: names(""), shells: names("system"), evaluates: names(""), prints: names("print printf"),
	}
	lua = &language{
		extensions: "lua",
		code:       "e", valued: "l", inert: "-v", comment: "--",
		deletes: names("remove"), shells: names("execute popen"), evaluates: names("load loadstring dostring"), prints: names("print write"), bare: true,
	}
	rscript = &language{
		extensions: "r",
		code:       "e", inert: "--version --help", comment: "#",
		deletes: names("unlink remove"), shells: names("system system2 shell"), evaluates: names("eval parse"), prints: names("print cat message"),
	}
	appleScript = &language{
		code: "e", valued: "l", comment: "--", bare: true,
		deletes: names("delete"), shells: names("script"), evaluates: names(""), prints: names("dialog log say"),
	}
)

// languages lists the interpreters of each language.
var languages = []struct {
	programs names
	*language
}{
	{"python pypy py ipython bpython jython", python},
	{"node nodejs deno bun tsx ts-node qjs zx", javascript},
	{"perl", perl},
	{"ruby jruby irb", ruby},
	{"php", php},
	{"awk gawk mawk nawk", awk},
	{"lua luajit", lua},
	{"rscript r", rscript},
	{"osascript", appleScript},
	{"julia", julia},
	{"elixir iex", elixir},
	{"groovy groovysh scala scala-cli kotlin kotlinc jshell swift", jvm},
	{"ocaml ghc runghc erl nim", functional},
}

// languageOf returns the language of an interpreter, whose name may end in a version (python3.12).
func languageOf(name string) *language {
	bare := strings.TrimRight(name, "0123456789.-")
	for _, l := range languages {
		if l.programs.has(name) || l.programs.has(bare) {
			return l.language
		}
	}
	return nil
}
