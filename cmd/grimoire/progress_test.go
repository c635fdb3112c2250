package main

import (
	"strings"
	"testing"
	"time"
)

func TestProgressIsThrottled(t *testing.T) {
	var shown strings.Builder
	p := &progress{app: &app{err: &shown}, shown: true, done: make(chan struct{})}
	start := time.Now()
	for range 10000 {
		p.step("writing")
	}
	draws := strings.Count(shown.String(), "writing")
	if most := int(time.Since(start)/progressEvery) + 1; draws < 1 || draws > most {
		t.Errorf("drawn %d times, at most %d", draws, most)
	}
}
