package kafka

import "github.com/twmb/franz-go/pkg/kgo"

// window has the records in hand of a session, and bounds them. The mutex of
// its memory guards it.
type window struct {
	*memory
	session     *session
	most        int // of inHand
	uncommitted int // the most of lined

	partitions map[name]*partition
	inHand     int       // not acknowledged
	lined      int       // in the lines of the partitions
	ready      []*record // to be yielded, in order
	changed    chan struct{}
	wake       func() // ends the poll that is going on; nil if none is
}

func newWindow(s *session, m *memory) *window {
	return &window{
		memory: m, session: s,
		most: s.options.Window, uncommitted: s.options.Uncommitted,
		partitions: make(map[name]*partition),
		changed:    make(chan struct{}, 1),
	}
}

// add takes the records of a poll in hand. It returns what to tell the client,
// since some may have been acknowledged while their partition was away.
func (w *window) add(records []*kgo.Record) (marks []*kgo.Record) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, k := range records {
		p := w.partition(k)
		r := w.recall(p.name, k.Offset, k.LeaderEpoch)
		if r == nil {
			r = &record{offset: k.Offset, epoch: k.LeaderEpoch, kafka: k}
			w.ready = append(w.ready, r)
		}
		r.partition = p
		p.line = append(p.line, r)
		w.lined++
		if !r.acknowledged() {
			w.inHand++
		} else if mark := w.advance(p); mark != nil {
			marks = append(marks, mark)
		}
	}
	return marks
}

func (w *window) partition(k *kgo.Record) *partition {
	n := name{k.Topic, k.Partition}
	p := w.partitions[n]
	if p == nil {
		p = &partition{session: w.session, name: n}
		w.partitions[n] = p
		w.forgetBelow(n, k.Offset)
	}
	return p
}

func (w *window) advance(p *partition) *kgo.Record {
	n, mark := p.advance()
	w.lined -= n
	return mark
}

// take returns what is to be yielded next, or how many records there is room
// for if there is nothing.
func (w *window) take() (r *receipt, k *kgo.Record, room int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.ready) > 0 {
		r := w.ready[0]
		w.ready[0] = nil
		if w.ready = w.ready[1:]; len(w.ready) == 0 {
			w.ready = nil // so that the array of a peak is given back
		}
		if !r.partition.revoked {
			r.refused = false
			r.delivery++
			return &receipt{memory: w.memory, record: r, delivery: r.delivery}, r.kafka, 0
		}
	}
	return nil, nil, min(w.most-w.inHand, w.uncommitted-w.lined)
}

// again lets a refused record be yielded.
func (w *window) again(r *record) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ready = append(w.ready, r)
	w.signal()
	if w.wake != nil {
		w.wake()
	}
}

// revoke lets go of a partition: what is done of it from now on is remembered,
// and not committed.
func (w *window) revoke(n name) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if p := w.partitions[n]; p != nil {
		w.letGo(p)
	}
}

func (w *window) revokeAll() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range w.partitions {
		w.letGo(p)
	}
}

func (w *window) letGo(p *partition) {
	delete(w.partitions, p.name)
	p.revoked = true
	for _, r := range p.line {
		w.keep(r)
		if !r.acknowledged() {
			w.inHand--
		}
	}
	w.lined -= len(p.line)
	p.line = nil
	w.signal()
}

// polling notes how to end the poll that begins, unless there is something to
// be yielded before.
func (w *window) polling(wake func()) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.ready) > 0 {
		return false
	}
	w.wake = wake
	return true
}

func (w *window) polled() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.wake = nil
}

func (w *window) signal() {
	select {
	case w.changed <- struct{}{}:
	default:
	}
}
