package command_test

import (
	"testing"

	"github.com/grimoire-kit/grimoire/governance/command"
	"github.com/grimoire-kit/grimoire/governance/secrets"
)

// kind is a way to give a call to something that is no shell: what must be caught of it, and its daily use.
type kind struct {
	name          string
	caught, quiet []string
}

var kinds = []kind{
	{"paths of git", []string{
		`git diff -- secrets`, `git diff secrets/`, `git diff HEAD -- config/secrets`, `git -C secrets show`, `git -C secrets log -p`,
		`git -C secrets show HEAD:./token`, `cd secrets && git diff`, `git show HEAD -- secrets`, `git show HEAD:secrets/token`,
		`git log -p -- secrets`, `git grep -n x -- secrets`, `git format-patch -1 --stdout -- secrets`, `git diff-tree -p HEAD -- secrets`,
		`git fast-export HEAD -- secrets`, `git log -L1,5:.env`,
	}, []string{
		`git log -- secrets`, `git log --oneline -5 -- secrets/`, `git log --oneline -- .env`, `git diff main..feature/secrets`,
		`git show feature/secrets`, `git grep secrets`, `git diff -- src/secrets/`, `git log --grep secrets -p`, `git show --stat HEAD -- secrets`,
		`git checkout HEAD -- secrets`, `git diff -- . ':!secrets'`, `git -C secrets-service show`, `git -C secrets log --oneline`, `git add secrets/`,
	}},
	{"editors of the vi kind", []string{
		`vim -c 'call system("rm -rf build")' x`, `vim -c ':!rm -rf build'`, `vim -c '!cat .env' -c q`, `vim -c 'exe "!rm -rf build"' -c q`,
		`vim --cmd 'silent! !rm -rf d' f`, `vim -c 'argdo !rm -rf %' *.txt`, `vim -c 'set nu | !rm -rf x'`, `vim -c 'g/x/!rm -rf d' f`,
		`vim -S <(echo '!rm -rf d') f`, `printf '!rm -rf d\n' > s.vim; vim -S s.vim f`, `vim -es x <<< '!rm -rf d'`,
		`nvim -c "lua vim.cmd('!rm -rf d')" +q`, `nvim -c 'lua vim.fn.system({"rm","-rf","d"})' +q`, `nvim -c 'terminal rm -rf d'`,
		`nvim -c 'lua vim.fs.rm("d", {recursive=true})' +q`, `nvim -c 'call delete("d", "rf")' +q`, `vim -c 'py3 import shutil; shutil.rmtree("d")' +q`,
		`vim -c 'autocmd BufRead * !rm -rf d' f`, `vim -c 'r !cat .env' -c wq x`, `vim -c 'echo readfile(".env")' +q`, `ed f <<< 'r .env'`,
		`ed -s f <<< '!rm -rf d'`, `ex -sc '%!rm -rf build' -cq f`,
	}, []string{
		`vim -c 'call delete("x.tmp")' +q`, `vim -c '%s/rm -rf/rm -r/g' -c wq notes.md`, `vim -c 'normal! ggVG=' -c wq main.go`,
		`vim +'/func main' main.go`, `vim -c 'set nu!' f`, `vim -es -c '%s/foo/bar/e' -c wq f`, `nvim --headless '+Lazy! sync' +qa`,
		`nvim --headless -c 'PlenaryBustedDirectory tests/ {minimal_init="tests/init.lua"}' -c q`, `nvim -u NONE -c 'lua print(vim.version())' -c q`,
		"ed -s f <<< $'g/^$/d\\nw\\nq'",
	}},
	{"Lisps, emacs among them", []string{
		`emacs --batch --eval '(delete-directory "d" t)'`, `emacs --batch --eval '(shell-command "rm -rf d")'`, `emacsclient -e '(delete-directory "d" t)'`,
		`emacs --batch -l <(echo '(delete-directory "d" t)')`, `emacs --batch --eval '(call-process "rm" nil nil nil "-rf" "d")'`,
		`emacs --batch --eval '(make-process :name "x" :command (list "rm" "-rf" "d"))'`,
		`emacs --batch --eval='(mapc (quote delete-file) (directory-files "d" t))'`, `emacs --batch --eval '(insert-file-contents ".env")'`,
		`guile -c '(system "rm -rf d")'`, `racket -e '(delete-directory/files "d")'`, `sbcl --eval '(uiop:run-program "rm -rf d")'`,
		`bb -e '(shell "rm -rf d")'`, `clj -M -e '(clojure.java.shell/sh "rm" "-rf" "d")'`,
	}, []string{
		`emacs --batch -l org --eval '(org-babel-tangle-file "README.org")'`, `emacs -nw README.md`, `emacsclient -n file.go`,
		`racket -e '(displayln "rm -rf d")'`, `emacs --batch --eval '(delete-file "x.elc")'`, `emacs --batch --eval '(message "rm -rf d")'`,
	}},
	{"further languages", []string{
		`elixir -e 'System.cmd("rm", ["-rf", "d"])'`, `elixir -e 'File.rm_rf!("d")'`, `erl -noshell -eval 'os:cmd("rm -rf d"), init:stop().'`,
		`ghc -e 'System.Process.callCommand "rm -rf d"'`, `ocaml -e 'Sys.command "rm -rf d"'`, `scala -e 'import sys.process._; "rm -rf d".!'`,
		`jshell - <<< 'Runtime.getRuntime().exec("rm -rf d");'`, `groovy -e '"rm -rf d".execute()'`, `groovy -e 'new File("d").deleteDir()'`,
		"julia -e 'run(`rm -rf d`)'", `julia -e 'rm("d", recursive=true)'`, `R -q -e 'system("rm -rf d")'`, `R -e 'unlink("d", recursive=TRUE)'`,
		`tclsh <<< 'exec rm -rf d'`, `tclsh <<< 'file delete -force d'`,
	}, []string{
		`R CMD check pkg_1.0.tar.gz`, `R -e 'devtools::test()'`, `julia --project=. -e 'using Pkg; Pkg.test()'`, `julia -e 'rm("a.tmp")'`,
		`swift build -c release`, `groovy script.groovy`, `tclsh build.tcl`, `tclsh <<< 'puts "rm -rf d"'`, `scala-cli test .`,
	}},
	{"programs that are names in Python", []string{
		`python3 -c "import sh; sh.rm('-rf','x')"`, `python3 -c "import sh as s; s.bash('-c','rm -rf x')"`, `python3 -c "from sh import git; git.reset('--hard')"`,
		`python3 -c "import sh; print(sh.cat('.env'))"`, `python3 -c "from plumbum import local; local['rm']['-rf','x']()"`,
		`python3 -c "from plumbum.cmd import git; git('push','-f')"`, `python3 -c "from invoke import run; run('git push -f origin main')"`,
		`python3 -c 'import ctypes; ctypes.CDLL(None).system(b"rm -rf x")'`,
	}, []string{
		`python3 -c "import sh; print(sh.git.status())"`, `python3 -c "import openpyxl; sh=openpyxl.load_workbook('a.xlsx').active; sh.delete_rows(1)"`,
		`python3 -c "import ctypes; print(ctypes.sizeof(ctypes.c_long))"`,
	}},
	{"scripts of sed", []string{
		`sed -f <(printf '1e rm -rf x\n') f`, `echo '1e rm -rf x' > s.sed; sed -n -f s.sed f`, `sed '/foo/e rm -rf x' f`, `sed -e 's/a/b/' -e '$r .env' f`, `sed e f`,
	}, []string{
		`sed 's/remove/r e/' f`, `sed -i -e 's/old/new/g;s/x/y/' a.md`, `sed -E 's#^(.*)/w (.*)$#\2#' f`, `sed -n '/re/{p;q}' f`, `sed -i '/^import/r header.txt' main.py`,
	}},
	{"what was found and is run", []string{
		`find . -name '*.tmp' -exec sh {} \;`, `find . -type f -exec bash {} +`, `find . -exec python3 {} \;`, `find . -type f | xargs -n1 bash`,
		`fd -e tmp -x sh {}`, `ls | xargs -I{} sh {}`,
	}, []string{
		`find . -name '*.sh' -exec bash {} \;`, `find . -name '*.tmp' -exec bash -n {} \;`, `find tests -name 'test_*.py' -exec python3 {} \;`,
		`find . -name '*.inc' -exec php -l {} \;`, `find . -name '*.rb' -exec ruby -c {} +`, `git ls-files '*.sh' | xargs -n1 bash -n`,
		`find . -name '*.md' -exec sh -c 'wc -l "$1"' _ {} \;`, `ls tests/*.sh | xargs -n1 bash`, `fd -e py -x python {}`,
	}},
	{"wrappers and what stands for one", []string{
		`machinectl shell web /bin/rm -rf x`, `just --command rm -rf x`, `just -c rm -rf x`, `yarn workspaces foreach -A exec rm -rf dist`,
		`yarn workspace web exec rm -rf dist`, `cargo watch -s 'rm -rf target'`, `watchexec -e go 'rm -rf d'`, `eb ssh --command 'rm -rf /srv'`,
		`xterm -e 'rm -rf d'`, `az vm run-command invoke -g g -n vm --command-id RunShellScript --scripts 'rm -rf /srv'`,
		`aws ssm send-command --document-name AWS-RunShellScript --parameters 'commands=["rm -rf /srv"]'`,
		`docker run --rm -v "$PWD":/w hashicorp/terraform:1.9 destroy`, `docker run bitnami/kubectl delete pod web`,
	}, []string{
		`just test -- rm`, `just --list`, `yarn workspace web run build`, `cargo watch -x 'test --lib'`, `cargo test rm`, `machinectl list`,
		`zgrep -e 'rm -rf x' log.gz`, `docker run hashicorp/terraform:1.9 plan`, `docker run --rm amazon/aws-cli s3 ls`, `aws ssm list-commands`,
		`mytool -c config.yml -e 'some text'`, `watchexec -e go go test ./...`,
	}},
	{"what goes away whole", []string{
		`docker run --rm -v $PWD/secrets:/s alpine cat /s/token`, `docker run --mount type=bind,source=./secrets,target=/s alpine ls`,
		`rclone copy secrets remote:bucket`, `aws s3 sync secrets s3://b`, `gsutil -m cp -r secrets gs://b`, `kubectl cp secrets web:/tmp`,
	}, []string{
		`docker run --rm -v secrets:/run/secrets alpine ls`, `docker run -v ./src/secrets:/s node:20 npm test`, `rclone ls remote:bucket`,
		`aws s3 sync dist s3://bucket`, `aws s3 ls s3://bucket/secrets/`, `aws secretsmanager list-secrets`, `docker cp web:/app/log .`,
	}},
	{"disks and rights", []string{
		`shred -n1 /dev/sdb`, `blkdiscard /dev/nvme0n1`, `sgdisk --zap-all /dev/sda`, `cryptsetup luksFormat /dev/sdb1`, `parted -s /dev/sdb mklabel gpt`,
		`nvme format /dev/nvme0n1`, `find . -type d -exec chmod 777 {} +`, `ls | xargs chmod a+w`,
	}, []string{
		`parted /dev/sdb print`, `nvme list`, `hdparm -I /dev/sda`, `cryptsetup status root`, `sgdisk -p /dev/sda`, `find . -name '*.sh' -exec chmod +x {} +`,
	}},
	{"no shell left open", []string{`node`, `python3 -i`, `julia`, `iex -S mix`, `R`}, []string{
		`node --test`, `node --run build`, `node --test --test-reporter=spec`, `emacs notes.org`, `R CMD build .`, `erl -version`,
	}},
	{"doors of frameworks", []string{
		`python manage.py dbshell <<< 'drop table users;'`, `python manage.py shell -c 'import shutil; shutil.rmtree("media")'`,
		`rails runner 'ActiveRecord::Base.connection.execute("DROP TABLE users")'`, `bin/rails runner 'FileUtils.rm_rf("tmp")'`,
		`bundle exec rake db:drop`, `php artisan db:wipe --force`, `php artisan tinker --execute='system("rm -rf x");'`, `mix ecto.drop`,
		`mix run -e 'File.rm_rf!("x")'`, `wp db query 'DROP TABLE wp_users'`, `heroku pg:psql -c 'drop table users'`,
		`npx prisma db execute --stdin <<< 'DROP TABLE users'`, `mongosh app --eval 'db.dropDatabase()'`, `mongosh app --eval 'db.users.drop()'`,
		`php bin/console doctrine:database:drop --force`,
	}, []string{
		`python manage.py shell -c 'from app.models import U; print(U.objects.count())'`, `python manage.py dbshell <<< 'select 1;'`,
		`rails runner 'puts User.count'`, `rails db:migrate`, `rails g migration DropUsers`, `php artisan migrate:status`, `mix run priv/repo/seeds.exs`,
		`wp db export backup.sql`, `npx prisma db push`, `mongosh --eval 'db.users.dropIndex("email_1")'`, `mongosh --eval 'db.users.countDocuments()'`,
	}},
}

func TestKinds(t *testing.T) {
	alarmed := func(call string) bool {
		f := command.Analyze(call, command.Options{})
		_, secret := secrets.InCommand(f)
		return secret || f.Interactive != "" || len(f.Destructive) > 0 || len(f.Opaque) > 0 || f.Unjudged != ""
	}
	for _, k := range kinds {
		for _, call := range k.caught {
			if !alarmed(call) {
				t.Errorf("%s: not caught: %s", k.name, call)
			}
		}
		for _, call := range k.quiet {
			if alarmed(call) {
				f := command.Analyze(call, command.Options{})
				t.Errorf("%s: a false alarm: %s: %s", k.name, call, summary(f))
			}
		}
	}
}
