package governor

import "time"

// windows is a running Windowed.
//
// In compat mode it does as the reference: the window after a close begins at
// once rather than with its first sample, so that the first sample of all
// closes one; what is too little for a window is thrown away; and leftovers
// never age. Only tests set it.
type windows struct {
	options Windowed
	inner   Algorithm
	compat  bool

	open   window
	ends   time.Duration // a sample that ends after this closes the window
	length time.Duration // of the next window
	last   Window        // that was passed on
}

// window collects the samples of one.
type window struct {
	first    time.Duration // when the first sample ended
	sum      time.Duration
	least    time.Duration
	inFlight int
	count    int
	drops    int
}

func (w *window) add(s Sample) {
	if w.count == 0 {
		w.first, w.least = s.At, s.RTT
	}
	w.count++
	w.sum += s.RTT
	w.least = min(w.least, s.RTT)
	w.inFlight = max(w.inFlight, s.InFlight)
	if s.Dropped {
		w.drops++
	}
}

// close returns the window as it is passed on.
func (w *window) close(at time.Duration) Window {
	return Window{
		End: at, RTT: w.sum / time.Duration(w.count), InFlight: w.inFlight,
		Dropped: w.drops > 0, Samples: w.count,
	}
}

func (w *windows) Limit() int { return w.inner.Limit() }

func (w *windows) Observe(s Sample) int {
	s.RTT = max(s.RTT, 1)
	if s.RTT < w.options.MinRTT {
		return w.inner.Limit()
	}
	if !w.compat {
		w.begin(s.At)
	}
	w.open.add(s)
	if s.At > w.ends {
		w.close(s.At)
	}
	return w.inner.Limit()
}

// begin makes sure that a window is open which a sample at that time may join.
func (w *windows) begin(at time.Duration) {
	if w.open.count > 0 && at-w.open.first > w.options.MaxAge {
		if w.ready() {
			w.pass(at)
		}
		w.open = window{}
	}
	if w.open.count == 0 {
		w.ends = at + w.length
	}
}

// close ends the window if it is ready, or carries it over.
func (w *windows) close(at time.Duration) {
	if w.ready() {
		w.pass(at)
	} else if !w.compat {
		return
	}
	w.length = max(w.options.Window, min(w.options.MaxWindow, 2*w.open.least))
	w.ends = at + w.length
	w.open = window{}
}

func (w *windows) ready() bool {
	return w.open.count >= w.options.Samples || w.open.count == w.open.drops && !w.compat
}

func (w *windows) pass(at time.Duration) {
	w.last = w.open.close(at)
	w.inner.Observe(Sample{At: at, RTT: w.last.RTT, InFlight: w.last.InFlight, Dropped: w.last.Dropped})
}

func (w *windows) Reading() Reading {
	r := w.inner.Reading()
	r.Window = w.last
	return r
}
