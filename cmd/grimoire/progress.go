package main

import (
	"fmt"
	"sync"
	"time"
)

const (
	// progressDelay is how long a command may be silent on a terminal.
	progressDelay = time.Second
	// progressEvery is the least time between two updates: more is not seen, and
	// costs a slow terminal more than the work it tells of.
	progressEvery = 100 * time.Millisecond
)

// progress shows on stderr, once a second has passed, what a command is
// doing. Off a terminal it shows nothing: logs are not a place to animate.
type progress struct {
	mu    sync.Mutex
	app   *app
	what  string
	shown bool
	drawn time.Time
	once  sync.Once
	done  chan struct{}
}

func (a *app) progress(what string) *progress {
	p := &progress{app: a, what: what, done: make(chan struct{})}
	if a.errTerm {
		go p.run()
	}
	return p
}

// step replaces what is shown.
func (p *progress) step(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.what = what
	if p.shown && time.Since(p.drawn) >= progressEvery {
		p.draw()
	}
}

// stop wipes the line. It may be called again.
func (p *progress) stop() {
	p.once.Do(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		close(p.done)
		if p.shown {
			fmt.Fprint(p.app.err, "\r\x1b[K")
		}
	})
}

func (p *progress) run() {
	select {
	case <-p.done:
	case <-time.After(progressDelay):
		p.mu.Lock()
		defer p.mu.Unlock()
		select {
		case <-p.done:
		default:
			p.shown = true
			p.draw()
		}
	}
}

func (p *progress) draw() {
	p.drawn = time.Now()
	fmt.Fprintf(p.app.err, "\r\x1b[K%s…", p.what)
}
