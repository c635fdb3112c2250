// Command incompatible is a plugin of a protocol that this grimoire does not
// speak.
package main

import (
	"context"

	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/grimoire-kit/grimoire/pluginsdk"
)

func main() {
	handshake := pluginsdk.Handshake
	handshake.ProtocolVersion = 99
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig: handshake,
		Plugins:         plugin.PluginSet{pluginsdk.PluginName: nothing{}},
		GRPCServer:      plugin.DefaultGRPCServer,
	})
}

// nothing serves no call: it is never asked.
type nothing struct{ plugin.NetRPCUnsupportedPlugin }

func (nothing) GRPCServer(*plugin.GRPCBroker, *grpc.Server) error { return nil }

func (nothing) GRPCClient(context.Context, *plugin.GRPCBroker, *grpc.ClientConn) (any, error) {
	return nil, nil
}
