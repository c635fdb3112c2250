package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// ancestors are the programs below which this one runs, nearest first. What
// belongs to somebody else cannot be read and is left out.
func ancestors() []process {
	var out []process
	for pid := os.Getppid(); pid > 1 && len(out) < 64; {
		dir := fmt.Sprintf("/proc/%d/", pid)
		args, _ := os.ReadFile(dir + "cmdline")
		env, _ := os.ReadFile(dir + "environ")
		out = append(out, process{fields(args), fields(env)})
		stat, err := os.ReadFile(dir + "stat")
		if err != nil {
			break
		}
		// pid (name) state ppid …, where the name may hold anything
		rest := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		if len(rest) < 2 {
			break
		}
		if pid, err = strconv.Atoi(rest[1]); err != nil {
			break
		}
	}
	return out
}
