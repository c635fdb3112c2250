package observe

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/grimoire-kit/grimoire/governance/git"
	"github.com/grimoire-kit/grimoire/governance/locate"
	"github.com/grimoire-kit/grimoire/governance/standard"
)

// What a look at the files may cost. The hook takes one after a check that
// ran, and for no other call.
const (
	lookWait    = 2 * time.Second  // for the hook: within decide.MaxDeadline, or the entry is lost
	compareWait = 10 * time.Second // for a gate, which a person waits for
	maxChanged  = 200              // files that differ from the commit
	maxNames    = 16 << 10         // bytes of their names: they stand in one line of the journal
	maxContent  = 32 << 20         // bytes of their contents
)

// Files is what the project's files were at one moment: a commit, and the
// content of each file that was not as that commit has it. Files that git
// ignores are no part of it, nor are the records of grimoire itself.
type Files struct {
	// Digest is over Base and Changed: two looks with the same one saw the same.
	Digest string `json:"digest,omitempty"`
	Base   string `json:"base,omitempty"` // a commit; the empty tree where there is none
	// Changed are digests of contents by path, relative to the project; of
	// what is no regular file it is what stands there instead.
	Changed map[string]string `json:"changed,omitempty"`
	// Unknown is why nothing is known, in English; the rest is then empty.
	Unknown string `json:"unknown,omitempty"`
}

// Look sees what the project's files are now. It never fails: what cannot be
// told within its bounds is Unknown.
func Look(root string) *Files { return lookWithin(root, lookWait) }

func lookWithin(root string, wait time.Duration) *Files {
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	f, err := look(ctx, root)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return &Files{Unknown: fmt.Sprintf("git did not answer within %s", wait)}
	case err != nil:
		return &Files{Unknown: Line(err.Error())}
	}
	return f
}

func look(ctx context.Context, root string) (*Files, error) {
	if locate.GitRoot(root) == "" {
		return nil, errors.New("the project is in no git repository")
	}
	f := &Files{}
	base, err := git.Ask(ctx, root, "rev-parse", "--verify", "-q", "HEAD^{commit}")
	if err != nil { // before the first commit every file differs from nothing
		if base, err = git.Ask(ctx, root, "hash-object", "-t", "tree", "--stdin"); err != nil {
			return nil, err
		}
	}
	f.Base = strings.TrimSpace(base)
	tracked, err := differing(ctx, root, f.Base)
	if err != nil {
		return nil, err
	}
	fresh, err := names(ctx, root, untracked...)
	if err != nil {
		return nil, err
	}
	all := append(tracked, fresh...)
	if len(all) > maxChanged {
		return nil, fmt.Errorf("more than %d files differ from the last commit", maxChanged)
	}
	size := 0
	for _, name := range all {
		if size += len(name); size > maxNames || !utf8.ValidString(name) {
			return nil, errors.New("the names of the files that differ from the last commit do not fit into the journal")
		}
	}
	if f.Changed, err = contents(ctx, root, all); err != nil {
		return nil, err
	}
	f.Digest = f.digest()
	return f, nil
}

// untracked asks for the files that git neither knows nor ignores.
var untracked = []string{"ls-files", "--others", "--exclude-standard", "-z"}

// differing are the files that git knows and that are not as in base, by
// their names in the project.
func differing(ctx context.Context, root, base string) ([]string, error) {
	return names(ctx, root, "diff", "--name-only", "--relative", "--no-renames", "--no-ext-diff", "--no-textconv",
		"--ignore-submodules=dirty", "-z", base, "--", ".")
}

func names(ctx context.Context, root string, question ...string) ([]string, error) {
	answer, err := git.Ask(ctx, root, question...)
	if err != nil {
		return nil, err
	}
	list := strings.Split(answer, "\x00")
	return slices.DeleteFunc(list, func(name string) bool { return name == "" || standard.IsRecord(name) }), nil
}

func contents(ctx context.Context, root string, names []string) (map[string]string, error) {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	out := make(map[string]string, len(names))
	left := int64(maxContent)
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if out[name], err = content(dir, filepath.FromSlash(name), &left); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// content is the digest of a file's content, or what stands there instead.
func content(dir *os.Root, name string, left *int64) (string, error) {
	info, err := dir.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return "absent", nil
	case err != nil:
		return "", err
	case info.IsDir(): // a repository in the repository
		return "folder", nil
	case info.Mode()&fs.ModeSymlink != 0:
		to, err := dir.Readlink(name)
		return "link " + short([]byte(to)), err
	case !info.Mode().IsRegular():
		return "special", nil
	}
	f, err := dir.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, io.LimitReader(f, *left+1))
	if *left -= n; err == nil && *left < 0 {
		err = fmt.Errorf("more than %d MiB differ from the last commit", maxContent>>20)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16]), err
}

func short(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}

func (f *Files) digest() string {
	var b strings.Builder
	b.WriteString(f.Base)
	for _, name := range slices.Sorted(maps.Keys(f.Changed)) {
		b.WriteString("\x00" + name + "\x00" + f.Changed[name])
	}
	return "sha256:" + short([]byte(b.String()))
}

// ChangedSince names a file that is not as it was at an earlier look, "" where
// all are. A commit in between changes nothing by itself. A file that git does
// not know counts unless git ignores it: a test may be new.
func ChangedSince(ctx context.Context, root string, then *Files) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, compareWait)
	defer cancel()
	if !isObject(then.Base) {
		return "", fmt.Errorf("the journal of evidence has %q for a commit", Line(then.Base))
	}
	if now, err := look(ctx, root); err == nil && now.Digest == then.Digest {
		return "", nil
	}
	tracked, err := differing(ctx, root, then.Base)
	if err != nil {
		return "", err
	}
	for _, name := range tracked {
		if _, ok := then.Changed[name]; !ok {
			return name, nil
		}
	}
	seen := slices.DeleteFunc(slices.Sorted(maps.Keys(then.Changed)), standard.IsRecord) // an older journal has some
	now, err := contents(ctx, root, seen)
	if err != nil {
		return "", err
	}
	for _, name := range seen {
		if now[name] != then.Changed[name] {
			return name, nil
		}
	}
	fresh, err := names(ctx, root, untracked...)
	if err != nil {
		return "", err
	}
	for _, name := range fresh {
		if _, ok := then.Changed[name]; !ok {
			return name, nil
		}
	}
	return "", nil
}

// isObject reports the id of an object of git: the journal is a file of the
// project, and git takes what begins with "-" for an option.
func isObject(id string) bool {
	return len(id) >= 40 && len(id) <= 64 && strings.Trim(id, "0123456789abcdef") == ""
}
