package locate

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A repository with a project at its top and one in app, both enrolled, and
// linked worktrees of it.
const worktrees = `
git init -q -b main main; cd main
mkdir -p _grimoire/standard app/_grimoire/standard app/src
touch _grimoire/standard/standard-profile.yaml app/_grimoire/standard/task-board.yaml app/src/f
git add -A; git commit -q -m first
git worktree add -q ../wt; git worktree add -q inside/wt -b inside; mkdir ../wt/deep
cd ..
`

func TestMainOfAWorktree(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil || runtime.GOOS == "windows" {
		t.Skip("needs git and sh")
	}
	for _, tt := range []struct {
		name, prepare string
		dir, want     string
		wrong         string
	}{
		{name: "a main worktree", dir: "main"},
		{name: "a linked worktree", dir: "wt", want: "main"},
		{name: "a project in it", dir: "wt/app", want: "main/app"},
		{name: "a folder of it", dir: "wt/deep", want: "main"},
		{name: "one inside the main worktree", dir: "main/inside/wt", want: "main"},
		{name: "relative pointers", prepare: `echo "gitdir: ../main/.git/worktrees/wt" > wt/.git; echo ../../../../wt/.git > main/.git/worktrees/wt/gitdir`, dir: "wt", want: "main"},
		{name: "by a link", prepare: "ln -s wt lnk", dir: "lnk", want: "main"},
		{name: "of a repository that moved with it, mended", prepare: "mkdir x; mv main wt x; cd x/main; git worktree repair ../wt", dir: "x/wt", want: "x/main"},
		{name: "not enrolled, with a ledger", prepare: "cd main; git rm -q -r _grimoire/standard; mkdir -p _grimoire-runtime-output/ledger; touch _grimoire-runtime-output/ledger/events.jsonl", dir: "wt", want: "main"},
		{name: "not enrolled", prepare: "rm -r main/_grimoire main/app/_grimoire", dir: "wt"},
		{name: "no project in the main worktree", prepare: "rm -r main/*", dir: "wt"},
		{name: "a project of this worktree alone", prepare: "mkdir -p wt/new/_grimoire", dir: "wt/new"},
		{name: "a folder that no project is around", prepare: "rm -r main/_grimoire wt/_grimoire", dir: "wt/deep"},
		{name: "untracked in the main worktree", prepare: "rm -r wt/_grimoire", dir: "wt/deep", want: "main"},
		{name: "a link in the main worktree", prepare: "mv main/app elsewhere; ln -s ../elsewhere main/app", dir: "wt/app"},
		{name: "a bare repository", prepare: "git clone -q --bare main bare.git; cd bare.git; git worktree add -q ../of-bare", dir: "of-bare"},
		{name: "a bare repository beside its worktrees", prepare: "mkdir hub; git clone -q --bare main hub/.git; cd hub; git worktree add -q of-bare main", dir: "hub/of-bare"},
		{name: "a submodule", prepare: "git init -q -b main sup; mkdir sup/_grimoire; git -C sup -c protocol.file.allow=always submodule --quiet add ../main sub", dir: "sup/sub"},
		{name: "a worktree of a submodule", prepare: "git init -q -b main sup; git -C sup -c protocol.file.allow=always submodule --quiet add ../main sub; git -C sup/sub worktree add -q ../../of-sub -b b", dir: "of-sub"},
		{name: "a repository kept elsewhere", prepare: "git init -q --separate-git-dir kept here", dir: "here"},
		{name: "no git at all", prepare: "mkdir -p none/_grimoire; rm -rf main/.git", dir: "none"},

		{name: "a copy of a worktree", prepare: "cp -r wt copy", dir: "copy", wrong: "belongs to another worktree"},
		{name: "a worktree that was moved", prepare: "mv wt moved", dir: "moved", wrong: "belongs to another worktree"},
		{name: "a repository that is gone", prepare: "rm -rf main", dir: "wt", wrong: "which is not there; `git worktree repair`"},
		{name: "a worktree that was pruned", prepare: "rm -r main/.git/worktrees/wt", dir: "wt", wrong: "which is not there"},
		{name: "empty", prepare: ": > wt/.git", dir: "wt", wrong: "was expected"},
		{name: "nonsense", prepare: "echo nonsense > wt/.git", dir: "wt", wrong: "was expected"},
		{name: "two lines", prepare: `printf 'gitdir: %s/main/.git/worktrees/wt\ngitdir: /' "$PWD" > wt/.git`, dir: "wt", wrong: "was expected"},
		{name: "a NUL", prepare: `printf 'gitdir: /\000x' > wt/.git`, dir: "wt", wrong: "was expected"},
		{name: "a large one", prepare: "head -c 100000 /dev/zero > wt/.git", dir: "wt", wrong: "cannot be read"},
		{name: "unknown control characters", prepare: `printf 'gitdir: /\033[31m' > wt/.git`, dir: "wt", wrong: "which is not there"},
		{name: "a device", prepare: "echo 'gitdir: /dev/zero' > wt/.git", dir: "wt", wrong: "no folder of a worktree"},
		{name: "the main worktree's own folder", prepare: `echo "gitdir: $PWD/main/.git" > wt/.git`, dir: "wt"},

		// What came in an archive, and points at a repository of the person's.
		{name: "another's records", prepare: `mkdir evil; echo "gitdir: $PWD/main/.git/worktrees/wt" > evil/.git`, dir: "evil", wrong: "belongs to another worktree"},
		{name: "records of its own that name a repository", prepare: `mkdir -p evil/r/worktrees/x; echo "gitdir: r/worktrees/x" > evil/.git; echo ../../../.git > evil/r/worktrees/x/gitdir; echo "$PWD/main/.git" > evil/r/worktrees/x/commondir`,
			dir: "evil", wrong: "no folder of a worktree"},
		{name: "records that lead on by a link", prepare: `mkdir -p evil/r/worktrees; ln -s "$PWD/main/.git/worktrees/wt" evil/r/worktrees/x; echo "gitdir: r/worktrees/x" > evil/.git`,
			dir: "evil", wrong: "belongs to another worktree"},
		{name: "a repository of its own whose .git is a link", prepare: `mkdir -p evil/r; ln -s "$PWD/main/.git" evil/r/.git; echo "gitdir: r/.git/worktrees/wt" > evil/.git`,
			dir: "evil", wrong: "belongs to another worktree"},
		{name: "a pipe for a pointer", prepare: `rm main/.git/worktrees/wt/gitdir; mkfifo main/.git/worktrees/wt/gitdir`, dir: "wt", wrong: "belongs to another worktree"},
		{name: "a pipe for a repository", prepare: `rm main/.git/worktrees/wt/commondir; mkfifo main/.git/worktrees/wt/commondir`, dir: "wt", wrong: "no folder of a worktree"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			base, err := Physical(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			sh := exec.Command("sh", "-ec", worktrees+tt.prepare)
			sh.Dir = base
			sh.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
			if out, err := sh.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			dir, err := Physical(filepath.Join(base, tt.dir))
			if err != nil {
				t.Fatal(err)
			}
			want := ""
			if tt.want != "" {
				want = filepath.Join(base, tt.want)
			}
			got, err := Main(dir)
			if got != want {
				t.Errorf("%q, want %q", got, want)
			}
			var link *LinkError
			switch {
			case tt.wrong == "" && err != nil:
				t.Error(err)
			case tt.wrong != "" && (!errors.As(err, &link) || !strings.Contains(link.Text().EN, tt.wrong) || !strings.HasPrefix(link.Text().FR, filepath.Join(dir, ".git")+" : ")):
				t.Errorf("%v, want %q", err, tt.wrong)
			case link != nil && strings.ContainsAny(link.Error(), "\033\x00"):
				t.Errorf("%q", link.Error())
			}
		})
	}
}
