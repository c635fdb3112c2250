// Package git asks git one thing at a time: about worktrees before a lease is
// taken away, and about files when a check was seen.
//
// It changes nothing in a repository, and runs nothing that the repository or
// the environment names. It is linked into grimoire-hook, which starts git for
// a check that ran, for a stash that is about to be made, and for nothing else;
// governance, core and cmd may import it.
package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// maxAnswer bounds what is read of an answer, in bytes.
const maxAnswer = 4 << 20

// ErrAnswer is an answer that is longer than what is read.
var ErrAnswer = errors.New("the answer is too long")

// Ask runs git in dir and returns what it wrote. The context bounds the time.
// The error of a git that refuses holds the first line of its reason.
func Ask(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{
		"-C", dir, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-optional-locks"}, args...)...)
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "GIT_") {
			cmd.Env = append(cmd.Env, kv)
		}
	}
	cmd.Env = append(cmd.Env, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0")
	cmd.WaitDelay = 100 * time.Millisecond // for a child of git that holds the pipe
	out, said := &bounded{left: maxAnswer}, &bounded{left: 4 << 10}
	cmd.Stdout, cmd.Stderr = out, said
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case out.left < 0:
		return "", fmt.Errorf("git %s: %w", args[0], ErrAnswer)
	case ctx.Err() != nil:
		return "", fmt.Errorf("git %s: %w", args[0], ctx.Err())
	case errors.As(err, &exit):
		first, _, _ := strings.Cut(strings.TrimSpace(said.kept.String()), "\n")
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, first)
	case err != nil:
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return out.kept.String(), nil
}

// bounded keeps so many bytes; left is negative once there were more.
type bounded struct {
	kept bytes.Buffer
	left int
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.left >= 0 {
		b.kept.Write(p[:min(len(p), b.left)])
		b.left -= len(p)
	}
	return len(p), nil
}
