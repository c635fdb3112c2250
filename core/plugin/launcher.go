package plugin

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	pluginv1 "github.com/grimoire-kit/grimoire/pluginsdk/proto/v1"
	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// Deadlines of one plugin. Both are long: they are there for a plugin that
// hangs, and a busy machine is no such thing.
const (
	StartDeadline = 10 * time.Second // from its launch to a connection
	CallDeadline  = 10 * time.Second // each call
)

// Launcher starts plugins, asks them, and ends them. The zero value is ready.
type Launcher struct {
	// RunsHook judges the hooks that plans ask for. Without it none is allowed.
	RunsHook RunsHook
	// Self is the absolute path of the executable that holds the bundled
	// emitters; this one where empty.
	Self string
	// Start and Call are deadlines other than the constants, MaxMessage a bound
	// in bytes other than pluginsdk.MaxMessage, where not zero.
	Start, Call time.Duration
	MaxMessage  int
	// Widest, when not nil, is a surface that asks for every entry an emitter
	// can put into the user's files. Hosts that merge are asked for it too.
	Widest *surface.Surface
}

// Outcome is what came of one asked host: a plan or a failure, never both and
// never neither.
type Outcome struct {
	Host    Host
	Plan    *pluginsdk.Plan
	Failure *Failure
	// Table holds the merges of the widest surface, beside the plan.
	Table []pluginsdk.Merge
	// Started is the time from the launch to a connection, Emitted that of the
	// call.
	Started, Emitted time.Duration
}

// Run asks hosts for their plans, all at once, and returns an outcome for each,
// in their order. No process of theirs is left when it returns. It returns early
// when ctx ends.
func (l *Launcher) Run(ctx context.Context, hosts []Host, s *surface.Surface) []Outcome {
	outcomes := make([]Outcome, len(hosts))
	for i, host := range hosts {
		outcomes[i].Host = host
	}
	request := &pluginv1.EmitRequest{Surface: surfaceToProto(s)}
	if _, err := proto.Marshal(request); err != nil {
		return failAll(outcomes, PhaseEmit, textf("La surface du projet contient un texte qui n'est pas de l'UTF-8 : %s.", "The project's surface holds a text that is not UTF-8: %s.", err))
	}
	var widest *pluginv1.EmitRequest
	if l.Widest != nil {
		widest = &pluginv1.EmitRequest{Surface: surfaceToProto(l.Widest)}
	}
	r, err := l.begin()
	if err != nil {
		return failAll(outcomes, PhaseLaunch, fault.Text(err))
	}
	defer r.end()
	var all sync.WaitGroup
	for i := range outcomes {
		all.Go(func() { r.emit(ctx, request, widest, &outcomes[i]) })
	}
	all.Wait()
	settlePaths(outcomes)
	return outcomes
}

func failAll(outcomes []Outcome, phase Phase, what surface.Text) []Outcome {
	for i := range outcomes {
		outcomes[i].Failure = failure(outcomes[i].Host, phase, System, what)
	}
	return outcomes
}

// Describe starts a plugin to ask which host it is.
func (l *Launcher) Describe(ctx context.Context, host Host) (pluginsdk.Profile, *Failure) {
	r, err := l.begin()
	if err != nil {
		return pluginsdk.Profile{}, failure(host, PhaseLaunch, System, fault.Text(err))
	}
	defer r.end()
	var profile pluginsdk.Profile
	failed := r.with(ctx, host, func(p *running) *Failure {
		var failed *Failure
		profile, failed = p.describe(ctx)
		return failed
	})
	return profile, failed
}

// run is what the plugins of one Run share.
type run struct {
	self        string
	dir         string // holds the sockets, 0700
	supervisor  *supervisor
	start, call time.Duration
	maxMessage  int
	runsHook    RunsHook
}

func (l *Launcher) begin() (*run, error) {
	r := &run{
		self:       l.Self,
		start:      cmp.Or(l.Start, StartDeadline),
		call:       cmp.Or(l.Call, CallDeadline),
		maxMessage: cmp.Or(l.MaxMessage, pluginsdk.MaxMessage),
		runsHook:   l.RunsHook,
	}
	if r.runsHook == nil {
		r.runsHook = func(string, []string) bool { return false }
	}
	var err error
	if r.self == "" {
		if r.self, err = os.Executable(); err != nil {
			return nil, fmt.Errorf("find this executable: %w", err)
		}
	}
	if r.dir, err = filepath.Abs(filepath.Join(socketBase(), runDirPrefix+rand.Text()[:runDirRandom])); err != nil {
		return nil, fmt.Errorf("name a folder for the plugins' sockets: %w", err)
	}
	// The supervisor removes the folder when core is killed, so it comes first.
	if r.supervisor, err = startSupervisor(r.self, r.dir); err != nil {
		return nil, err
	}
	if err := os.Mkdir(r.dir, 0o700); err != nil {
		r.supervisor.end()
		return nil, fmt.Errorf("make a folder for the plugins' sockets: %w", err)
	}
	return r, nil
}

func (r *run) end() {
	r.supervisor.end()
	_ = os.RemoveAll(r.dir)
}

// The address of a unix socket is at most 104 bytes on macOS, 108 on Linux. A
// short base and a short name leave room for the two names that go-plugin adds.
const (
	maxSocketBase = 40
	runDirRandom  = 10 // characters of 5 bits each
)

// socketBase is the folder for temporary files, or the system's own where that one
// is too long a name or not there.
func socketBase() string {
	base := os.TempDir()
	if runtime.GOOS == "windows" {
		return base
	}
	if info, err := os.Stat(base); err == nil && info.IsDir() && len(base) <= maxSocketBase {
		return base
	}
	return "/tmp"
}

// emit fills one outcome.
func (r *run) emit(ctx context.Context, request, widest *pluginv1.EmitRequest, out *Outcome) {
	var plan, table *pluginsdk.Plan
	launched := time.Now()
	out.Failure = r.with(ctx, out.Host, func(p *running) *Failure {
		out.Started = time.Since(launched)
		if !out.Host.Bundled {
			if failed := p.confirm(ctx); failed != nil {
				return failed
			}
		}
		called := time.Now()
		var failed *Failure
		plan, failed = p.emit(ctx, request)
		if failed == nil && widest != nil && len(out.Host.Profile.Merges) > 0 {
			table, failed = p.emit(ctx, widest)
		}
		out.Emitted = time.Since(called)
		return failed
	})
	if out.Failure != nil {
		return
	}
	for _, p := range []*pluginsdk.Plan{plan, table} {
		if p == nil {
			continue
		}
		if err := checkPlan(out.Host.Profile, p, r.runsHook); err != nil {
			out.Failure = failure(out.Host, PhaseValidate, IllegalPlan, textf("Le plan de %s est refusé : %s.", "The plan of %s is refused: %s.", out.Host.Name(), err))
			return
		}
	}
	out.Plan = plan
	if table != nil {
		out.Table = table.Merges
	}
}

// with launches the plugin of host, hands it to use once it is connected, and
// ends it. What it wrote on stderr goes into the failure, whichever it is.
func (r *run) with(ctx context.Context, host Host, use func(*running) *Failure) *Failure {
	cmd, failed := r.command(host)
	if failed != nil {
		return failed
	}
	// See process.Start.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	p := r.prepare(host, cmd)
	defer p.end()
	if failed = p.connect(ctx); failed == nil {
		failed = use(p)
	}
	if failed != nil {
		p.end()
		failed.Stderr = p.stderr.last()
	}
	return failed
}

// settlePaths sees to it that a path belongs to one plan. Two hosts may return
// the same file with the same bytes, and may both ask for entries in one file
// of the user. Of two that disagree the later loses: a third party to a bundled
// host, else by id.
func settlePaths(outcomes []Outcome) {
	order := make([]*Outcome, 0, len(outcomes))
	for i := range outcomes {
		if outcomes[i].Plan != nil {
			order = append(order, &outcomes[i])
		}
	}
	slices.SortStableFunc(order, func(a, b *Outcome) int {
		if a.Host.Bundled != b.Host.Bundled {
			if a.Host.Bundled {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.Host.Profile.ID, b.Host.Profile.ID)
	})
	taken := newClaims()
	for _, out := range order {
		if path, owner, ok := taken.clash(out.Plan); ok {
			out.Plan = nil
			out.Failure = failure(out.Host, PhaseValidate, PathTaken, textf(
				"%s et %s rendent tous deux %q, avec un contenu différent.",
				"%s and %s both return %q, with different content.",
				owner, out.Host.Name(), path))
			continue
		}
		taken.add(out.Host.Name(), out.Plan)
	}
}
