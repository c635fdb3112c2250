// Command bare is a plugin written from the words at the head of emitter.proto,
// without the SDK and without go-plugin, as an author in another language has to.
package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"os"
	"path/filepath"

	"google.golang.org/grpc"

	pluginv1 "github.com/grimoire-kit/grimoire/pluginsdk/proto/v1"
)

func main() {
	if os.Getenv("GRIMOIRE_EMITTER_PLUGIN") != "6b1d4f0e0a7c4a1c9e0d-grimoire-emitter" {
		log.Fatal("bare is a grimoire plugin: it is not run by hand")
	}
	socket := filepath.Join(os.Getenv("PLUGIN_UNIX_SOCKET_DIR"), "bare")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		log.Fatal(err)
	}
	server := grpc.NewServer(grpc.MaxRecvMsgSize(256 << 20))
	pluginv1.RegisterEmitterServer(server, bare{})
	fmt.Printf("1|1|unix|%s|grpc\n", socket)
	log.Fatal(server.Serve(listener))
}

type bare struct {
	pluginv1.UnimplementedEmitterServer
}

func (bare) Describe(context.Context, *pluginv1.DescribeRequest) (*pluginv1.DescribeResponse, error) {
	return &pluginv1.DescribeResponse{Profile: &pluginv1.Profile{
		Id: "host-bare", Aliases: []string{"bare"}, Owns: []string{"bare/"},
	}}, nil
}

func (bare) Emit(_ context.Context, request *pluginv1.EmitRequest) (*pluginv1.EmitResponse, error) {
	return &pluginv1.EmitResponse{Plan: &pluginv1.Plan{Files: []*pluginv1.File{{
		Path:      "bare/agents.txt",
		Content:   fmt.Appendf(nil, "# grimoire:managed\n%d agents\n", len(request.GetSurface().GetAgents())),
		Ownership: "marker",
	}}}}, nil
}
