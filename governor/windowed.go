package governor

import "time"

// Windowed makes one sample of each window of time and passes that to another
// limit: the mean RTT, the largest number in flight, and whether anything was
// dropped. Single samples vary; a Gradient2 without windows takes their
// variance for load. The zero value works.
//
// A window begins with its first sample and closes with the first one that
// ends after its length, as nothing runs between samples. If it holds fewer
// than Samples by then it stays open until it holds enough, unless all of them
// were dropped, which is news enough.
//
// A window of one nanosecond and one sample passes everything on.
type Windowed struct {
	// Limit is the limit to update. Nil means a Gradient2 with its defaults.
	Limit Limit
	// Window is the least length of a window. Zero means 1 s.
	Window time.Duration
	// MaxWindow is the largest length: between the two, a window is twice as
	// long as the least RTT of the window before it, so that a change of the
	// limit is felt before the next. Zero means Window: the length is fixed.
	MaxWindow time.Duration
	// Samples is the number of samples that a window needs. Zero means 10.
	Samples int
	// MinRTT is the RTT below which a sample is ignored altogether, dropped or
	// not. Zero means none.
	MinRTT time.Duration
	// MaxAge bounds how long a window stays open. A sample that comes later
	// begins a new one; what the old one holds is passed on if it is enough,
	// and else thrown away, so that with fewer than Samples in MaxAge the limit
	// never moves. Zero means 1 minute, or MaxWindow if that is more.
	MaxAge time.Duration
}

// Start implements Limit. The ceiling goes to the inner limit.
func (o *Windowed) Start(ceiling int) (Algorithm, error) {
	c := o.withDefaults()
	if err := c.check(); err != nil {
		return nil, err
	}
	inner, err := c.Limit.Start(ceiling)
	if err != nil {
		return nil, err
	}
	return &windows{options: c, inner: inner, length: c.Window}, nil
}

func (o *Windowed) withDefaults() Windowed {
	c := *o
	if c.Limit == nil {
		c.Limit = &Gradient2{}
	}
	setDefault(&c.Window, time.Second)
	setDefault(&c.MaxWindow, c.Window)
	setDefault(&c.Samples, 10)
	setDefault(&c.MaxAge, max(time.Minute, c.MaxWindow))
	return c
}

// check expects the defaults to be filled in.
func (o *Windowed) check() error {
	switch {
	case o.Window < 0:
		return invalid("Windowed.Window must not be negative, got %v", o.Window)
	case o.MaxWindow < o.Window:
		return invalid("Windowed.MaxWindow must be at least Window (%v), got %v", o.Window, o.MaxWindow)
	case o.Samples < 1:
		return invalid("Windowed.Samples must be at least 1, got %d", o.Samples)
	case o.MinRTT < 0:
		return invalid("Windowed.MinRTT must not be negative, got %v", o.MinRTT)
	case o.MaxAge < o.MaxWindow:
		return invalid("Windowed.MaxAge must be at least MaxWindow (%v), got %v", o.MaxWindow, o.MaxAge)
	}
	return nil
}
