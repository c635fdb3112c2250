package plugin

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"reflect"
	"sync"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"github.com/hashicorp/go-plugin/runner"
	"google.golang.org/grpc"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	pluginv1 "github.com/grimoire-kit/grimoire/pluginsdk/proto/v1"
)

// quiet is go-plugin's log. What it has to say about a failure is worked out
// here from what was seen, and said in the user's language.
var quiet = hclog.New(&hclog.LoggerOptions{Level: hclog.Off, Output: io.Discard})

// running is one plugin, from its launch to its end.
type running struct {
	run     *run
	host    Host
	process *process
	client  *goplugin.Client
	emitter pluginv1.EmitterClient
	stderr  *tail
	ended   sync.Once
}

// prepare makes everything ready to launch cmd as the plugin of host.
func (r *run) prepare(host Host, cmd *exec.Cmd) *running {
	p := &running{run: r, host: host, process: newProcess(cmd, r.supervisor), stderr: &tail{}}
	p.client = goplugin.NewClient(&goplugin.ClientConfig{
		HandshakeConfig:  pluginsdk.Handshake,
		Plugins:          goplugin.PluginSet{pluginsdk.PluginName: emitterPlugin{}},
		AllowedProtocols: []goplugin.Protocol{goplugin.ProtocolGRPC},
		AutoMTLS:         transportNeedsTLS,
		SkipHostEnv:      true,
		StartTimeout:     2 * r.start, // connect's deadline comes first: one clock decides
		Logger:           quiet,
		Stderr:           p.stderr,
		UnixSocketConfig: &goplugin.UnixSocketConfig{TempDir: r.dir},
		GRPCDialOptions: []grpc.DialOption{grpc.WithDefaultCallOptions(
			grpc.MaxCallRecvMsgSize(r.maxMessage), grpc.MaxCallSendMsgSize(r.maxMessage))},
		RunnerFunc: func(_ hclog.Logger, wanted *exec.Cmd, socketDir string) (runner.Runner, error) {
			cmd.Env = append(pluginEnv(r.dir), wanted.Env...)
			p.process.socketDir = socketDir
			return p.process, nil
		},
	})
	return p
}

// command is the program of host, checked for the last time before it runs.
func (r *run) command(host Host) (*exec.Cmd, *Failure) {
	if host.barred != nil {
		return nil, host.barred
	}
	cmd := exec.Command(r.self, emitterArg, host.Profile.ID)
	if !host.Bundled {
		digest, err := digestFile(host.program)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, failure(host, PhaseLaunch, NotTrusted, textf("La copie de confiance de %s n'existe plus.", "The trusted copy of %s is gone.", host.Name()))
		case err != nil:
			return nil, failure(host, PhaseLaunch, System, textf("Lecture de %s : %s.", "Read %s: %s.", host.Name(), err))
		case digest != host.SHA256:
			return nil, failure(host, PhaseLaunch, DigestChanged, changed(host.Name(), host.SHA256, digest))
		}
		cmd = exec.Command(host.program)
	}
	cmd.Dir = r.dir
	return cmd, nil
}

// pluginEnv is the whole environment of a plugin but for the handshake. A plan
// depends on the surface alone, so there is nothing else to know: the PATH is for
// the interpreter of a script.
func pluginEnv(dir string) []string {
	env := []string{"TMPDIR=" + dir, "TMP=" + dir, "TEMP=" + dir}
	for _, name := range []string{"PATH", "SystemRoot"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// connect starts the process and takes it to a connection. The process ends when
// ctx does before that.
func (p *running) connect(ctx context.Context) *Failure {
	deadline, cancel := context.WithTimeout(ctx, p.run.start)
	defer cancel()
	stop := context.AfterFunc(deadline, func() { _ = p.process.Kill(deadline) })
	defer stop()
	connection, err := p.client.Client()
	if err == nil {
		var raw any
		// A deadline that came this late has killed the plugin all the same.
		if raw, err = connection.Dispense(pluginsdk.PluginName); err == nil && stop() {
			p.emitter = raw.(pluginv1.EmitterClient)
			return nil
		}
	}
	p.end()
	switch {
	case ctx.Err() != nil:
		return canceled(p.host, PhaseHandshake)
	case deadline.Err() != nil:
		return slow(p.host, PhaseHandshake, p.run.start)
	}
	return p.startFailure(err)
}

// describe asks the plugin for its profile.
func (p *running) describe(ctx context.Context) (pluginsdk.Profile, *Failure) {
	deadline, cancel := context.WithTimeout(ctx, p.run.call)
	defer cancel()
	response, err := p.emitter.Describe(deadline, &pluginv1.DescribeRequest{})
	if err != nil {
		return pluginsdk.Profile{}, p.callFailure(ctx, PhaseDescribe, err)
	}
	return profileFromProto(response.GetProfile()), nil
}

// confirm holds the plugin to the profile that the user approved.
func (p *running) confirm(ctx context.Context) *Failure {
	profile, failed := p.describe(ctx)
	if failed == nil && !reflect.DeepEqual(profile, p.host.Profile) {
		failed = failure(p.host, PhaseDescribe, OtherProfile, textf(
			"%s ne se décrit plus comme au jour où tu lui as fait confiance.",
			"%s no longer describes itself as on the day you trusted it.", p.host.Name()))
	}
	return failed
}

// emit asks the plugin for its plan.
func (p *running) emit(ctx context.Context, request *pluginv1.EmitRequest) (*pluginsdk.Plan, *Failure) {
	deadline, cancel := context.WithTimeout(ctx, p.run.call)
	defer cancel()
	response, err := p.emitter.Emit(deadline, request)
	if err != nil {
		return nil, p.callFailure(ctx, PhaseEmit, err)
	}
	return planFromProto(response.GetPlan()), nil
}

// end kills the plugin and everything it started, and returns when they are gone
// and the last of their stderr was read. There is no polite way first: a plugin
// has nothing to save.
func (p *running) end() {
	p.ended.Do(func() {
		_ = p.process.Kill(context.Background())
		p.client.Kill()
	})
}

// emitterPlugin is the plugin as go-plugin's client knows it.
type emitterPlugin struct {
	goplugin.NetRPCUnsupportedPlugin
}

func (emitterPlugin) GRPCServer(*goplugin.GRPCBroker, *grpc.Server) error {
	return errors.New("core calls emitters, it serves none")
}

func (emitterPlugin) GRPCClient(_ context.Context, _ *goplugin.GRPCBroker, connection *grpc.ClientConn) (any, error) {
	return pluginv1.NewEmitterClient(connection), nil
}
