package main

import "io"

// output is the standard output. It remembers the first error, so that a run
// whose figures went nowhere does not end as a success.
type output struct {
	w      io.Writer
	err    error
	failed func() // called with the first error
}

// Write implements io.Writer. After an error it writes nothing more.
func (o *output) Write(p []byte) (n int, err error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err = o.w.Write(p)
	if err != nil {
		o.err = err
		o.failed()
	}
	return n, err
}
