package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// console prints lines with the time since the start.
type console struct {
	mu    sync.Mutex
	w     io.Writer
	start time.Time
}

func newConsole(w io.Writer) *console { return &console{w: w, start: time.Now()} }

func (c *console) printf(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	fmt.Fprintf(c.w, "%6.1fs  %s\n", time.Since(c.start).Seconds(), fmt.Sprintf(format, args...))
}
