package plugin

import (
	"context"
	"reflect"
	"testing"

	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	pluginv1 "github.com/grimoire-kit/grimoire/pluginsdk/proto/v1"
	"github.com/grimoire-kit/grimoire/surface"
)

// A surface goes through core's half of the conversions, the wire, and the
// SDK's half; a plan and a profile the other way. What comes out is what went
// in, for any value of every field: values are made by reflection, so a field
// that is added to a type and forgotten in a conversion fails here.

func TestEverythingSurvivesTheWire(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkWire(t, value[surface.Surface](t), value[pluginsdk.Plan](t), value[pluginsdk.Profile](t))
	})
}

// TestNoFieldIsForgotten is the same with every field set, which rapid may take
// long to find.
func TestNoFieldIsForgotten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		full := &filler{draw: t, everything: true}
		var s surface.Surface
		var plan pluginsdk.Plan
		var profile pluginsdk.Profile
		full.fill(reflect.ValueOf(&s).Elem())
		full.fill(reflect.ValueOf(&plan).Elem())
		full.fill(reflect.ValueOf(&profile).Elem())
		checkWire(t, s, plan, profile)
	})
}

func checkWire(t *rapid.T, s surface.Surface, plan pluginsdk.Plan, profile pluginsdk.Profile) {
	fake := &recorder{plan: &plan, profile: profile}
	service := pluginsdk.Service(fake)

	request := overWire(t, &pluginv1.EmitRequest{Surface: surfaceToProto(&s)}, &pluginv1.EmitRequest{})
	answer, err := service.Emit(context.Background(), request)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(*fake.received, s) {
		t.Errorf("surface:\n got %+v\nwant %+v", *fake.received, s)
	}
	got := planFromProto(overWire(t, answer, &pluginv1.EmitResponse{}).GetPlan())
	if !reflect.DeepEqual(*got, plan) {
		t.Errorf("plan:\n got %+v\nwant %+v", *got, plan)
	}
	described, err := service.Describe(context.Background(), &pluginv1.DescribeRequest{})
	if err != nil {
		t.Fatal(err)
	}
	back := profileFromProto(overWire(t, described, &pluginv1.DescribeResponse{}).GetProfile())
	if !reflect.DeepEqual(back, profile) {
		t.Errorf("profile:\n got %+v\nwant %+v", back, profile)
	}
}

// overWire encodes message and decodes it into empty.
func overWire[M proto.Message](t *rapid.T, message, empty M) M {
	data, err := proto.Marshal(message)
	if err != nil {
		t.Fatal(err)
	}
	if err := proto.Unmarshal(data, empty); err != nil {
		t.Fatal(err)
	}
	return empty
}

// recorder is an emitter that keeps what it is asked with.
type recorder struct {
	plan     *pluginsdk.Plan
	profile  pluginsdk.Profile
	received *surface.Surface
}

func (r *recorder) Profile() pluginsdk.Profile { return r.profile }

func (r *recorder) Emit(_ context.Context, s *surface.Surface) (*pluginsdk.Plan, error) {
	r.received = s
	return r.plan, nil
}

func value[T any](t *rapid.T) T {
	var v T
	(&filler{draw: t}).fill(reflect.ValueOf(&v).Elem())
	return v
}

// filler gives a value to every field of a type. The contract does not tell an
// empty list from none, so it makes no empty one.
type filler struct {
	draw       *rapid.T
	everything bool // no field is left zero
}

func (f *filler) fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			f.fill(v.Field(i))
		}
	case reflect.Slice:
		if n := f.length(); n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				f.fill(v.Index(i))
			}
		}
	case reflect.Pointer:
		if f.everything || rapid.Bool().Draw(f.draw, "present") {
			v.Set(reflect.New(v.Type().Elem()))
			f.fill(v.Elem())
		}
	case reflect.String:
		least := 0
		if f.everything {
			least = 1
		}
		v.SetString(rapid.StringN(least, 12, -1).Draw(f.draw, "string"))
	case reflect.Bool:
		v.SetBool(f.everything || rapid.Bool().Draw(f.draw, "bool"))
	case reflect.Int:
		v.SetInt(rapid.Int64Range(int64(f.length()), 1<<31-1).Draw(f.draw, "int"))
	case reflect.Uint8:
		v.SetUint(uint64(rapid.Byte().Draw(f.draw, "byte")))
	default:
		f.draw.Fatalf("no value for a %s: teach the filler", v.Type())
	}
}

func (f *filler) length() int {
	if f.everything {
		return 1
	}
	return rapid.IntRange(0, 3).Draw(f.draw, "length")
}
