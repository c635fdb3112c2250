package pluginsdk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	pluginv1 "github.com/grimoire-kit/grimoire/pluginsdk/proto/v1"
	"github.com/grimoire-kit/grimoire/surface"
)

// ProtocolVersion is the version of the contract that this SDK serves: the
// folder of pluginsdk/proto it was generated from.
const ProtocolVersion = 1

// PluginName is what grimoire asks the plugin process for.
const PluginName = "emitter"

// MaxMessage bounds one message between core and a plugin, in bytes, either
// way. gRPC's own 4 MiB is less than a large project's personas.
const MaxMessage = 256 << 20

// Handshake tells a plugin that grimoire started it, and grimoire that what it
// started is one of its plugins. It is no secret and protects nothing: it turns
// a mistake into a sentence.
var Handshake = plugin.HandshakeConfig{
	ProtocolVersion:  ProtocolVersion,
	MagicCookieKey:   "GRIMOIRE_EMITTER_PLUGIN",
	MagicCookieValue: "6b1d4f0e0a7c4a1c9e0d-grimoire-emitter",
}

var runByHand = surface.Text{
	FR: "%s est un plugin de grimoire : il ne se lance pas à la main.\n" +
		"Déclare-le sous hosts.plugins dans project-context.yaml, accorde-lui ta confiance avec `grimoire plugin trust <chemin>`, puis lance `grimoire host sync`.\n",
	EN: "%s is a grimoire plugin: it is not run by hand.\n" +
		"Declare it under hosts.plugins in project-context.yaml, trust it with `grimoire plugin trust <path>`, then run `grimoire host sync`.\n",
}

// Serve makes the program a plugin that serves e. It is the whole of a plugin's
// main: it returns when grimoire has ended the plugin, and exits with code 1
// and a sentence on stderr when someone runs the program by hand.
//
// Emit finds a logger in its context (hclog.FromContext). What it writes, and
// what the emitter prints on stdout or stderr, is shown to the user when the
// plugin fails.
func Serve(e Emitter) {
	if os.Getenv(Handshake.MagicCookieKey) != Handshake.MagicCookieValue {
		fmt.Fprintf(os.Stderr, runByHand.In(userLanguage()), filepath.Base(os.Args[0]))
		os.Exit(1)
	}
	log := hclog.New(&hclog.LoggerOptions{
		Name:        e.Profile().Alias(),
		Level:       hclog.Info,
		Output:      os.Stderr,
		DisableTime: true,
	})
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig: Handshake,
		Plugins:         plugin.PluginSet{PluginName: &served{emitter: e, log: log, stderr: os.Stderr}},
		Logger:          log,
		GRPCServer: func(opts []grpc.ServerOption) *grpc.Server {
			return grpc.NewServer(append(opts, grpc.MaxRecvMsgSize(MaxMessage), grpc.MaxSendMsgSize(MaxMessage))...)
		},
	})
}

// userLanguage is the language of the user's locale.
func userLanguage() surface.Language {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if value := os.Getenv(name); value != "" {
			l, _ := surface.ParseLanguage(value)
			return l
		}
	}
	return surface.English
}

// served is the emitter as go-plugin registers it.
type served struct {
	plugin.NetRPCUnsupportedPlugin
	emitter Emitter
	log     hclog.Logger
	stderr  *os.File
}

func (s *served) GRPCServer(_ *plugin.GRPCBroker, server *grpc.Server) error {
	var once sync.Once
	before := func(ctx context.Context) context.Context {
		// go-plugin has replaced both files with pipes that are read over the
		// connection: the last words of a plugin that crashes would be lost in
		// them. Stdout goes to stderr too, it carries the handshake.
		once.Do(func() { os.Stdout, os.Stderr = s.stderr, s.stderr })
		return hclog.WithContext(ctx, s.log)
	}
	pluginv1.RegisterEmitterServer(server, &service{emitter: s.emitter, before: before})
	return nil
}

func (s *served) GRPCClient(context.Context, *plugin.GRPCBroker, *grpc.ClientConn) (any, error) {
	return nil, errors.New("an emitter plugin is served, not called")
}

// Service returns e as the gRPC service that Serve serves, for tests that want
// the wire without the process.
func Service(e Emitter) pluginv1.EmitterServer {
	return &service{emitter: e, before: func(ctx context.Context) context.Context { return ctx }}
}

// service answers the calls of the contract.
type service struct {
	pluginv1.UnimplementedEmitterServer
	emitter Emitter
	before  func(context.Context) context.Context
}

func (s *service) Describe(context.Context, *pluginv1.DescribeRequest) (*pluginv1.DescribeResponse, error) {
	return &pluginv1.DescribeResponse{Profile: profileToProto(s.emitter.Profile())}, nil
}

func (s *service) Emit(ctx context.Context, request *pluginv1.EmitRequest) (*pluginv1.EmitResponse, error) {
	plan, err := s.emitter.Emit(s.before(ctx), surfaceFromProto(request.GetSurface()))
	if err != nil {
		return nil, err
	}
	if plan == nil {
		plan = &Plan{}
	}
	return &pluginv1.EmitResponse{Plan: planToProto(plan)}, nil
}
