package monitor

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/pipeline"
)

// tab is a browser that reads when it is told to. Its connection holds nothing:
// what is not read hangs in Write.
type tab struct {
	net.Conn // the server's end
	header   http.Header
	browser  net.Conn
	lines    *bufio.Scanner
}

func newTab() *tab {
	server, browser := net.Pipe()
	return &tab{Conn: server, header: make(http.Header), browser: browser, lines: bufio.NewScanner(browser)}
}

func (w *tab) Header() http.Header { return w.header }
func (w *tab) WriteHeader(int)     {}
func (w *tab) FlushError() error   { return nil }

// read returns the next n frames.
func (w *tab) read(t *testing.T, n int) (frames []frame) {
	t.Helper()
	for len(frames) < n && w.lines.Scan() {
		if w.lines.Text() == "" {
			continue
		}
		var f frame
		if err := json.Unmarshal(bytes.TrimPrefix(w.lines.Bytes(), []byte("data: ")), &f); err != nil {
			t.Fatal(err)
		}
		frames = append(frames, f)
	}
	if len(frames) < n {
		t.Fatalf("%d frames, want %d: %v", len(frames), n, w.lines.Err())
	}
	return frames
}

// counted is a pipeline that counts how often it was read.
type counted struct {
	*fake
	reads atomic.Int64
}

func (c *counted) Stats() pipeline.Stats {
	c.reads.Add(1)
	return c.fake.Stats()
}

// watch opens a stream of two pipelines, which ends when end is called.
func watch(t *testing.T) (w *tab, first *counted, end func(), ended chan struct{}) {
	w, first = newTab(), &counted{fake: full()}
	second := full()
	second.stats.Name = "orders"
	ctx, cancel := context.WithCancel(t.Context())
	ended = make(chan struct{})
	go func() {
		defer close(ended)
		r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/headrace/events", nil)
		Handler(first, second).ServeHTTP(w, r)
	}()
	return w, first, cancel, ended
}

func TestStreamSendsEachPipelineEverySecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _, end, ended := watch(t)
		began := time.Now()
		seen := make(map[string]int)
		for i, f := range w.read(t, 6) {
			seen[f.Name]++
			// The first frames are since the start, the others since the one before.
			if first := i < 2; first != (f.In > 0) {
				t.Errorf("frame %d: %v a second in", i, f.In)
			}
			if f.Skipped != 0 {
				t.Errorf("%d frames skipped, want none", f.Skipped)
			}
		}
		if seen["quotes"] != 3 || seen["orders"] != 3 {
			t.Errorf("frames of %v, want 3 of each", seen)
		}
		if took := time.Since(began); took != 2*every {
			t.Errorf("3 frames took %v, want %v", took, 2*every)
		}
		if got := w.header.Get("Content-Type"); got != "text/event-stream" {
			t.Errorf("content type %q", got)
		}
		end()
		<-ended
	})
}

// A tab that does not read holds up no readings, and gets the latest frames when
// it reads again.
func TestSlowTabIsConflated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, p, end, ended := watch(t)
		w.read(t, 2)
		time.Sleep(10*every + every/2)
		if got := p.reads.Load(); got != 11 {
			t.Errorf("%d readings in 10.5 s, want 11: one a second", got)
		}
		// The first hung in Write. Behind it the other pipeline's waited, from the
		// same second on, and its own from the next.
		frames := w.read(t, 3)
		if frames[0].Skipped != 0 || frames[1].Skipped != 9 || frames[2].Skipped != 8 {
			t.Errorf("skipped %d, %d and %d, want 0, 9 and 8", frames[0].Skipped, frames[1].Skipped, frames[2].Skipped)
		}
		end()
		<-ended
	})
}

// A tab that never reads again is let go.
func TestStreamLosesPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _, _, ended := watch(t)
		w.read(t, 2)
		began := time.Now()
		<-ended
		if took := time.Since(began); took < patience || took > patience+3*every {
			t.Errorf("it ended after %v, want %v after the next frame", took, patience)
		}
	})
}

// The stream ends with its request though a write hangs.
func TestStreamEndsWhileATabHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _, end, ended := watch(t)
		w.read(t, 2)
		time.Sleep(2 * every)
		began := time.Now()
		end()
		<-ended
		if took := time.Since(began); took > every {
			t.Errorf("it took %v", took)
		}
	})
}
