package monitor

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// patience is how long a tab may take to read a frame before it is let go. It
// comes back by itself.
const patience = 30 * time.Second

// events writes server-sent events until its context ends. No write may outlive
// the request that it answers, so the end makes one that hangs fail, and all
// that follow.
type events struct {
	w       http.ResponseWriter
	control *http.ResponseController
	stop    func() bool
	stopped chan struct{} // closed when the context has ended and that has been dealt with

	// mu makes the look at over and the deadline that follows one step: a
	// deadline set after the one of the end would undo that.
	mu   sync.Mutex
	over bool
}

func newEvents(ctx context.Context, w http.ResponseWriter) *events {
	e := &events{w: w, control: http.NewResponseController(w), stopped: make(chan struct{})}
	e.stop = context.AfterFunc(ctx, func() {
		defer close(e.stopped)
		e.end()
	})
	return e
}

// close is to be called before the request ends.
func (e *events) close() {
	if !e.stop() {
		<-e.stopped
	}
}

func (e *events) end() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.over = true
	_ = e.control.SetWriteDeadline(time.Now())
}

// begin reports whether a write may begin, and gives it its time. Not every
// ResponseWriter has deadlines; then the tab has all the time.
func (e *events) begin() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.over {
		_ = e.control.SetWriteDeadline(time.Now().Add(patience))
	}
	return !e.over
}

func (e *events) send(f *frame) error {
	data, err := json.Marshal(f)
	if err != nil {
		return err
	}
	if !e.begin() {
		return context.Canceled
	}
	if _, err := fmt.Fprintf(e.w, "data: %s\n\n", data); err != nil {
		return err
	}
	return e.control.Flush()
}
