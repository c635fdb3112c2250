// Command generate writes the Go code of .proto files. It stands in for protoc:
// it compiles the files itself and hands them to the two generators that go.mod
// pins as tools, so that a checkout and a Go toolchain are enough.
//
//	generate <root> <file>...
//
// Files are named from root. The name is also the one the file has in protobuf's
// registry, which a whole process shares: it has to be long enough to be ours.
package main

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/protoutil"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/pluginpb"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("generate: ")
	if len(os.Args) < 3 {
		log.Fatal("usage: generate <root> <file>...")
	}
	if err := os.Chdir(os.Args[1]); err != nil {
		log.Fatal(err)
	}
	request, err := compile(os.Args[2:])
	if err != nil {
		log.Fatal(err)
	}
	for _, tool := range []string{"protoc-gen-go", "protoc-gen-go-grpc"} {
		if err := generate(tool, request); err != nil {
			log.Fatalf("%s: %v", tool, err)
		}
	}
}

// compile reads the files, relative to the working directory, into the request
// a generator expects on its stdin.
func compile(files []string) ([]byte, error) {
	compiler := protocompile.Compiler{
		Resolver:       &protocompile.SourceResolver{},
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	linked, err := compiler.Compile(context.Background(), files...)
	if err != nil {
		return nil, err
	}
	request := &pluginpb.CodeGeneratorRequest{
		FileToGenerate: files,
		Parameter:      proto.String("paths=source_relative"),
	}
	for _, file := range linked {
		request.ProtoFile = append(request.ProtoFile, protoutil.ProtoFromFileDescriptor(file))
	}
	return proto.Marshal(request)
}

// generate runs one generator and writes the files it answers with.
func generate(tool string, request []byte) error {
	cmd := exec.Command("go", "tool", tool)
	cmd.Stdin = bytes.NewReader(request)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return err
	}
	var response pluginpb.CodeGeneratorResponse
	if err := proto.Unmarshal(out, &response); err != nil {
		return fmt.Errorf("read its answer: %w", err)
	}
	if response.Error != nil {
		return fmt.Errorf("%s", response.GetError())
	}
	for _, file := range response.File {
		if err := os.WriteFile(filepath.FromSlash(file.GetName()), []byte(file.GetContent()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
