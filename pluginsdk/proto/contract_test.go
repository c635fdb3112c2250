package proto

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/protoutil"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"

	pluginv1 "github.com/grimoire-kit/grimoire/pluginsdk/proto/v1"
)

var update = flag.Bool("update", false, "add what is new in the contract to testdata")

// TestGeneratedCodeIsCurrent fails when emitter.proto was changed and the code
// was not generated again.
func TestGeneratedCodeIsCurrent(t *testing.T) {
	compiler := protocompile.Compiler{Resolver: &protocompile.SourceResolver{ImportPaths: []string{"../.."}}}
	compiled, err := compiler.Compile(context.Background(), "pluginsdk/proto/v1/emitter.proto")
	if err != nil {
		t.Fatal(err)
	}
	source := protoutil.ProtoFromFileDescriptor(compiled[0])
	source.SourceCodeInfo = nil
	if generated := protodesc.ToFileDescriptorProto(pluginv1.File_pluginsdk_proto_v1_emitter_proto); !proto.Equal(source, generated) {
		t.Error("emitter.proto is not what the code was generated from: go generate ./pluginsdk/proto/...")
	}
}

// TestContractKeepsItsPromises compares version 1 with what plugins in the field
// were built against: a line of testdata/v1.txt never changes and never goes.
func TestContractKeepsItsPromises(t *testing.T) {
	const file = "testdata/v1.txt"
	now := contract(pluginv1.File_pluginsdk_proto_v1_emitter_proto)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	promised := strings.FieldsFunc(string(data), func(r rune) bool { return r == '\n' })
	for _, line := range promised {
		if !slices.Contains(now, line) {
			t.Errorf("broken promise: %s", line)
		}
	}
	if t.Failed() || len(now) == len(promised) {
		return
	}
	if !*update {
		t.Fatalf("the contract has %d lines, %s has %d: go test ./pluginsdk/proto -update", len(now), file, len(promised))
	}
	if err := os.WriteFile(file, []byte(strings.Join(now, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// contract lists what a plugin can depend on, a line each.
func contract(file protoreflect.FileDescriptor) []string {
	var lines []string
	services := file.Services()
	for i := range services.Len() {
		methods := services.Get(i).Methods()
		for j := range methods.Len() {
			m := methods.Get(j)
			lines = append(lines, fmt.Sprintf("rpc %s(%s) %s", m.FullName(), m.Input().Name(), m.Output().Name()))
		}
	}
	messages := file.Messages()
	for i := range messages.Len() {
		fields := messages.Get(i).Fields()
		for j := range fields.Len() {
			f := fields.Get(j)
			kind := f.Kind().String()
			if f.Message() != nil {
				kind = string(f.Message().Name())
			}
			presence := f.Cardinality().String()
			if f.HasOptionalKeyword() {
				presence = "present or absent"
			}
			lines = append(lines, fmt.Sprintf("%s = %d %s %s", f.FullName(), f.Number(), kind, presence))
		}
	}
	slices.Sort(lines)
	return lines
}

// TestUnknownFieldsAreIgnored plays a newer side that sends a field this one
// does not know.
func TestUnknownFieldsAreIgnored(t *testing.T) {
	data, err := proto.Marshal(&pluginv1.Plan{Files: []*pluginv1.File{{Path: "a"}}})
	if err != nil {
		t.Fatal(err)
	}
	const field1000, length3 = "\xc2\x3e", "\x03"
	var plan pluginv1.Plan
	if err := proto.Unmarshal(append(data, field1000+length3+"new"...), &plan); err != nil {
		t.Fatal(err)
	}
	if len(plan.GetFiles()) != 1 || plan.GetFiles()[0].GetPath() != "a" {
		t.Errorf("%v", &plan)
	}
}
