package governor

// Fixed is a limit that never changes. It must be at least 1.
type Fixed int

// Start implements Limit. The limit is the lesser of f and ceiling.
func (f Fixed) Start(ceiling int) (Algorithm, error) {
	if f < 1 {
		return nil, invalid("Fixed must be at least 1, got %d", int(f))
	}
	return &constant{limit: under(int(f), ceiling)}, nil
}

type constant struct {
	limit int
	last  Window
}

func (c *constant) Limit() int { return c.limit }

func (c *constant) Observe(s Sample) int {
	c.last = windowOf(s)
	return c.limit
}

func (c *constant) Reading() Reading { return Reading{Window: c.last} }

// under returns n, or ceiling if there is one and it is lower.
func under(n, ceiling int) int {
	if ceiling > 0 {
		return min(n, ceiling)
	}
	return n
}

func windowOf(s Sample) Window {
	return Window{End: s.At, RTT: s.RTT, InFlight: s.InFlight, Dropped: s.Dropped, Samples: 1}
}
