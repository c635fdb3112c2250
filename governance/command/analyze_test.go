package command_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/grimoire-kit/grimoire/governance/command"
	"github.com/grimoire-kit/grimoire/surface"
)

func TestPrograms(t *testing.T) {
	f := command.Analyze("sudo -u root timeout 5 bash -c 'cat \"$1\" | wc -l' _ notes.txt", command.Options{})
	var got []string
	for _, p := range f.Programs {
		words := []string{p.Name}
		for _, w := range p.Args {
			words = append(words, w.Text)
		}
		got = append(got, strings.Join(p.Via, ">")+": "+strings.Join(words, " "))
	}
	want := []string{"sudo>timeout>bash: cat notes.txt", "sudo>timeout>bash: wc -l"}
	if !slices.Equal(got, want) {
		t.Errorf("programs = %q\nwant %q", got, want)
	}
	if !f.ReadOnly {
		t.Errorf("not read-only: %q", f.Mutation)
	}
}

func TestTargets(t *testing.T) {
	tests := []struct {
		call string
		want []string
	}{
		{"cp a b", []string{"read a", "write b"}},
		{"cat < in > out 2>/dev/null", []string{"read in", "write out"}},
		{"grep -r KEY --include='*.go' src", []string{"read *.go", "read src/*.go", "read src"}},
		{"git show HEAD:a.txt", []string{"read HEAD:a.txt"}},
		{"curl -F f=@a.bin -o b https://example.com", []string{"read a.bin", "write b"}},
		{"git commit -m 'a b' -- c", []string{"read c"}},
		{"ls a", []string{"touch a"}},
		{"echo a", nil},
		{"tee a b", []string{"write a", "write b"}},
		{"python3 -c \"open('a.txt', 'w')\"", []string{"write a.txt", "read w"}},
	}
	for _, tt := range tests {
		var got []string
		for _, target := range command.Analyze(tt.call, command.Options{}).Targets {
			got = append(got, string(target.Access)+" "+target.Word.Text)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s\n got %q\nwant %q", tt.call, got, tt.want)
		}
	}
}

// A message shows the words that would run, not the whole line.
func TestFragments(t *testing.T) {
	tests := []struct{ call, want string }{
		{"echo start && sudo rm -rf build && echo done", "rm -rf build"},
		{`X="rm -rf"; $X "$DIR"/build`, "rm -rf …/build"},
		{"git -C repo push -f origin main", "git -C repo push -f origin main"},
	}
	for _, tt := range tests {
		f := command.Analyze(tt.call, command.Options{})
		if len(f.Destructive) != 1 || f.Destructive[0].Fragment != tt.want {
			t.Errorf("%s: got %+v, want fragment %q", tt.call, f.Destructive, tt.want)
		}
	}
	long := command.Analyze("rm -rf "+strings.Repeat("é", 4000), command.Options{})
	if got := long.Destructive[0].Fragment; len(got) > 200 || !strings.HasSuffix(got, "…") {
		t.Errorf("a long fragment is %d bytes: %q", len(got), got)
	}
}

func TestShells(t *testing.T) {
	tests := []struct {
		shell command.Shell
		call  string
		want  command.Label
	}{
		{command.PowerShell, "Remove-Item -Recurse -Force build", command.RecursiveDelete},
		{command.PowerShell, "$x = 1; git reset --hard", command.HardReset},
		{command.PowerShell, "Get-ChildItem | Remove-Item", command.RecursiveDelete},
		{command.PowerShell, "Write-Output 'Remove-Item -Recurse x'", ""},
		{command.PowerShell, "# Remove-Item -Recurse x", ""},
		{command.PowerShell, "Remove-Item notes.txt", ""},
		{command.PowerShell, "Get-Content a.txt | Select-String 'rm -rf'", ""},
		{command.Cmd, `rd /s /q C:\build`, command.RecursiveDelete},
		{command.Cmd, `rd/s/q build`, command.RecursiveDelete},
		{command.Cmd, `cd build & del /s *.obj`, command.RecursiveDelete},
		{command.Cmd, `echo "rd /s build"`, ""},
		{command.Cmd, `dir /s`, ""},
	}
	for _, tt := range tests {
		f := command.Analyze(tt.call, command.Options{Shell: tt.shell})
		var got command.Label
		if len(f.Destructive) > 0 {
			got = f.Destructive[0].Label
		}
		if got != tt.want {
			t.Errorf("%s %q: got %q, want %q", tt.shell, tt.call, got, tt.want)
		}
	}
}

func TestLabels(t *testing.T) {
	for _, l := range command.Labels() {
		if text := l.Text(); text.FR == "" || text.EN == "" || text.In(surface.French) == text.In(surface.English) {
			t.Errorf("%s has no text in both languages: %+v", l, text)
		}
	}
}

// Input beyond the limits is told apart from input that is judged, quickly, whatever it nests.
func TestLimits(t *testing.T) {
	tests := []struct {
		name, call string
		want       command.Reason
	}{
		{"longest", "echo " + strings.Repeat("a", command.MaxBytes-5), ""},
		{"too long", "echo " + strings.Repeat("a", command.MaxBytes), command.TooLong},
		{"subshells", nest("(", "ls", ")", 60), ""},
		{"deep subshells", nest("(", "ls", ")", 120), command.TooDeep},
		{"deep substitutions", nest("echo $(", "ls", ")", 120), command.TooDeep},
		{"deep substitutions in quotes", nest(`echo "$(`, "ls", `)"`, 120), command.TooDeep},
		{"deep blocks", nest("if true; then ", "ls", "; fi", 120), command.TooDeep},
		{"deep groups", nest("{ ", "ls", "; }", 120), command.TooDeep},
		{"deep defaults", nest("${x:-", "a", "}", 120), command.TooDeep},
		{"many operators", strings.Repeat("ls && ", 5000) + "ls", ""},
		{"many pipes", strings.Repeat("cat | ", 5000) + "cat", ""},
		{"many statements", strings.Repeat("ls;", 25_000), command.TooComplex},
		{"fan of braces", "echo " + strings.Repeat("{a,b,c,d}", 20), ""},
		{"recursion", "f() { f; f; }; f", ""},
		{"self alias", "alias a=a; a", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if f := command.Analyze(tt.call, command.Options{}); f.Unjudged != tt.want {
				t.Errorf("unjudged = %q (%s), want %q", f.Unjudged, f.Detail, tt.want)
			}
		})
	}
	for _, opener := range []string{"(", "((", "$(", "$((", "${x:-", "`", "{ ", "if ", "while ", "case x in x) ", "<(", "a[", "time ", "$((-", "f()", "a|", `"$(`, "${a[", "cat <<A $("} {
		if f := command.Analyze(strings.Repeat(opener, command.MaxBytes/len(opener)), command.Options{}); f.ReadOnly {
			t.Errorf("%q repeated is read-only", opener)
		}
	}
}

// Lines made to cost much: the work is cut, not the answer delayed.
func TestBoundedWork(t *testing.T) {
	fill := func(head, piece, tail string) string {
		return head + strings.Repeat(piece, (command.MaxBytes-len(head)-len(tail))/len(piece)) + tail
	}
	for _, line := range []string{
		fill("x ", "rm ", ""), fill("x ", "find ", ""), fill("x ", "bash -c 'x' ", ""), fill("", "sudo ", ""), fill("", "eval ", ""),
		fill("", "eval '", ""), fill("", "ssh a ", ""), fill("", "xargs ", ""), fill("", "parallel ", ""), fill("X=a;", "X=$X$X;", "$X"),
		fill("cat ", ".e* ", ""), fill("for i in ", "a ", "; do $i; done"), fill("node -e '", "exec(a);", "'"), fill("python3 -c '", `"";`, "'"), fill("perl -e '", "a ", "'"), fill("ruby -e '", "system a;", "'"),
		fill("", "a=b ", ""),
		fill("echo ", "a ", "| xargs rm"), fill("", "f() { f; };", "f"), fill("A=(", "a ", "); ${A[@]} ${A[@]}"), fill("", "cmd /c ", ""),
		fill("python3 -c '", "a(", "'"), fill("pwsh -c '", "iex ", "'"), fill("printf ", "%s ", "| sh"),
	} {
		for _, shell := range []command.Shell{command.POSIX, command.PowerShell, command.Cmd} {
			start := time.Now()
			command.Analyze(line, command.Options{Shell: shell})
			// The hook answers within 4 s at most; these take some tens of milliseconds.
			if took := time.Since(start); took > 2*time.Second {
				t.Errorf("%s %.40q… takes %v", shell, line, took)
			}
		}
	}
}

func nest(open, inside, end string, n int) string {
	return strings.Repeat(open, n) + inside + strings.Repeat(end, n)
}

// What stands beyond the limits of the analysis is a lower bound, never silence about what was seen.
func TestDestructiveBeforeLimit(t *testing.T) {
	f := command.Analyze("rm -rf x; "+strings.Repeat("ls;", 25_000), command.Options{})
	if f.Unjudged != command.TooComplex || len(f.Destructive) != 1 {
		t.Errorf("unjudged %q, destructive %v", f.Unjudged, f.Destructive)
	}
}

// A line with more files than are listed is not taken for one without the last of them.
func TestFilesThatAreNotListed(t *testing.T) {
	line := "cat" + strings.Repeat(" a", 2000) + "; cat .env"
	if f := command.Analyze(line, command.Options{}); f.Unjudged != command.TooComplex {
		t.Errorf("Unjudged = %q with %d files", f.Unjudged, len(f.Targets))
	}
	line = "ls" + strings.Repeat(" a", 2000) + "; rm x"
	if f := command.Analyze(line, command.Options{}); f.Unjudged != "" {
		t.Errorf("names alone: Unjudged = %q", f.Unjudged)
	}
}

func FuzzAnalyze(f *testing.F) {
	for _, entries := range corpus(f) {
		for _, e := range entries {
			f.Add(e.Call)
		}
	}
	f.Fuzz(func(t *testing.T, line string) {
		for _, shell := range []command.Shell{command.POSIX, command.PowerShell, command.Cmd} {
			start := time.Now()
			facts := command.Analyze(line, command.Options{Shell: shell})
			if took := time.Since(start); took > 4*time.Second {
				t.Errorf("%d bytes take %v", len(line), took)
			}
			if facts.ReadOnly && (len(facts.Destructive) > 0 || len(facts.Opaque) > 0 || facts.Unjudged != "") {
				t.Errorf("%q is read-only and %+v", line, facts)
			}
			if len(facts.Destructive) > 0 && facts.Destructive[0].Label.Text().EN == "" {
				t.Errorf("%q: unknown label %q", line, facts.Destructive[0].Label)
			}
		}
	})
}

func BenchmarkAnalyze(b *testing.B) {
	for _, bench := range []struct{ name, call string }{
		{"plain", "git status"},
		{"chain", "cd src && go test ./... 2>&1 | tail -20"},
		{"destructive", "touch PROOF && rm -rf build"},
		{"nested", `sudo bash -c "cd /srv && sh -c 'rm -rf data'"`},
		{"heredoc", "cat > notes.md <<'EOF'\n" + strings.Repeat("a line of text, if any (really)\n", 200) + "EOF\n"},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				command.Analyze(bench.call, command.Options{})
			}
		})
	}
}
