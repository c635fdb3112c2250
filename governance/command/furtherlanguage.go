package command

// Languages that are rarer on a command line. What they are known for is what deletes and what runs a command.
var (
	julia = &language{
		extensions: "jl",
		code:       "eE", codeLong: "--eval --print", valued: "tpLJHC", inert: "-v --version -h --help", comment: "#",
		deletes: "rm", shells: "run pipeline", evaluates: "eval include_string", prints: "println print show",
	}
	elixir = &language{
		extensions: "ex exs",
		code:       "e", codeLong: "--eval --rpc-eval", valued: "Srp", inert: "-v --version -h --help", comment: "#", bare: true,
		deletes: "rm_rf", shells: "cmd shell", evaluates: "eval_string", prints: "puts inspect",
	}
	jvm = &language{
		extensions: "groovy scala sc kts swift jsh",
		code:       "e", inert: "-version --version -help --help -h", comment: "//",
		deletes: "deletedir deleterecursively deletedirectory deletequietly cleandirectory removeitem",
		shells:  "exec execute process processbuilder executeonshell", prints: "println print printf",
	}
	functional = &language{
		extensions: "ml hs erl escript nim nims",
		code:       "e", codeLong: "-eval --eval", inert: "-v -version --version -help --help", comment: "\x01", bare: true,
		deletes: "removedirectoryrecursive removepathforcibly del_dir_r",
		shells:  "command cmd callcommand callprocess system spawncommand readprocess execcmd",
		prints:  "print_endline putstrln print format",
	}
)
