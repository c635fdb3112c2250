package plugin

import (
	"context"
	"path/filepath"
	"runtime"
	"testing"
)

func TestRunAsksEveryBundledHost(t *testing.T) {
	hosts := bundledHosts(t)
	l := &Launcher{RunsHook: onlyHook}
	for _, out := range l.Run(context.Background(), hosts, sampleProject(3)) {
		if out.Failure != nil {
			t.Fatalf("%s: %v\n%v", out.Host.Name(), out.Failure, out.Failure.Stderr)
		}
		if len(out.Plan.Files) != 3 {
			t.Errorf("%s: %d files, want 3", out.Host.Name(), len(out.Plan.Files))
		}
	}
}

// The contract is enough to write a plugin: one that uses neither the SDK nor
// go-plugin is trusted and asked like any other.
func TestPluginWithoutTheSDK(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the plugin listens on a unix socket")
	}
	store := StoreAt(filepath.Join(t.TempDir(), "plugins"))
	l := &Launcher{RunsHook: onlyHook}
	if _, err := l.Trust(context.Background(), store, fixture(t, "bare"), nil, func(Grant) bool { return true }); err != nil {
		t.Fatal(err)
	}
	grants, err := store.Grants()
	if err != nil || len(grants) != 1 {
		t.Fatalf("%v, %v", grants, err)
	}
	out := l.Run(context.Background(), []Host{store.host(grants[0])}, sampleProject(4))[0]
	if out.Failure != nil {
		t.Fatalf("%v\n%v", out.Failure, out.Failure.Stderr)
	}
	if got := string(out.Plan.Files[0].Content); got != "# grimoire:managed\n4 agents\n" {
		t.Errorf("%q", got)
	}
}
