package sim

// Stall returns how many entries a consumer is handed while it stands still for
// 5 s.
func (c Consumer) Stall() (int, error) {
	const from, to = 5, 10
	g, err := c.governor()
	if err != nil {
		return 0, err
	}
	w := c.world(g)
	w.changes, w.end = []change{{from, 0}, {to, 1}}, to
	w.run()
	handed := 0
	for _, at := range w.handed {
		if at >= from {
			handed++
		}
	}
	return handed, nil
}

// LostLease returns the share of the work of a minute that one lease costs which
// never ends.
func (c Consumer) LostLease() (float64, error) {
	const at, end = 10, 60
	var counts [2]int
	for i, lose := range []float64{0, at} {
		g, err := c.governor()
		if err != nil {
			return 0, err
		}
		w := c.world(g)
		w.lose, w.end = lose, end
		w.run()
		counts[i] = len(w.done)
	}
	return 1 - float64(counts[1])/float64(counts[0]), nil
}
