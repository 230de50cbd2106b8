package kafka

import (
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"
	"pgregory.net/rapid"
)

// world is a log of three partitions, two sessions of a source, and what a
// pipeline has in hand.
type world struct {
	sessions  []*session
	log       [3][]int64 // offsets, with the gaps that compaction leaves
	owner     [3]int     // session of the partition
	next      [3]int     // index in the log of the next record to be polled
	committed [3]int64   // all below it is done

	hand map[name]map[int64]*receipt // that have not been settled
	done map[name]map[int64]bool
}

func newWorld(t *rapid.T) *world {
	w := &world{hand: make(map[name]map[int64]*receipt), done: make(map[name]map[int64]bool)}
	memory := newMemory()
	for range 2 {
		s := &session{options: Options{Window: 1000, Uncommitted: 1000}}
		s.window = newWindow(s, memory)
		w.sessions = append(w.sessions, s)
	}
	for p := range w.log {
		offset := int64(0)
		for range 30 {
			offset += rapid.Int64Range(1, 3).Draw(t, "gap")
			w.log[p] = append(w.log[p], offset)
		}
		n := name{number: int32(p)}
		w.hand[n], w.done[n] = make(map[int64]*receipt), make(map[int64]bool)
	}
	return w
}

// commit is what a client does when it is told what is done.
func (w *world) commit(t *rapid.T, mark *kgo.Record) {
	if mark == nil {
		return
	}
	p := mark.Partition
	w.committed[p] = max(w.committed[p], mark.Offset+1)
	for _, o := range w.log[p] {
		if o < w.committed[p] && !w.done[name{number: p}][o] {
			t.Fatalf("partition %d is committed up to %d, and %d is not done", p, w.committed[p], o)
		}
	}
}

// yield takes what a session yields.
func (w *world) yield(t *rapid.T, s *session) {
	for {
		r, _, _ := s.window.take()
		if r == nil {
			return
		}
		n, o := r.record.partition.name, r.record.offset
		if w.hand[n][o] != nil || w.done[n][o] {
			t.Fatalf("record %d of partition %d is yielded again; done: %v", o, n.number, w.done[n][o])
		}
		w.hand[n][o] = r
	}
}

func (w *world) poll(t *rapid.T) {
	p := rapid.IntRange(0, len(w.log)-1).Draw(t, "partition")
	var records []*kgo.Record
	for range rapid.IntRange(1, 4).Draw(t, "records") {
		if w.next[p] < len(w.log[p]) {
			records = append(records, &kgo.Record{Partition: int32(p), Offset: w.log[p][w.next[p]]})
			w.next[p]++
		}
	}
	s := w.sessions[w.owner[p]]
	for _, mark := range s.window.add(records) {
		w.commit(t, mark)
	}
	w.yield(t, s)
}

// pick returns a receipt of those in hand.
func (w *world) pick(t *rapid.T) *receipt {
	n := name{number: rapid.Int32Range(0, int32(len(w.log)-1)).Draw(t, "partition")}
	for _, o := range rapid.Permutation(w.log[n.number]).Draw(t, "order") {
		if r := w.hand[n][o]; r != nil {
			return r
		}
	}
	t.Skip("nothing in hand")
	return nil
}

func (w *world) drop(r *receipt) { delete(w.hand[r.record.partition.name], r.record.offset) }

func (w *world) ack(t *rapid.T) {
	r := w.pick(t)
	n, revoked := r.record.partition.name, r.record.partition.revoked
	w.done[n][r.record.offset] = true
	w.drop(r)
	_, mark, ok := r.acknowledge()
	if ok == revoked {
		t.Fatalf("acknowledged %v, revoked %v", ok, revoked)
	}
	if _, again, ok := r.acknowledge(); again != nil || ok {
		t.Fatal("acknowledged twice")
	}
	w.commit(t, mark)
}

func (w *world) nack(t *rapid.T) {
	r := w.pick(t)
	w.drop(r)
	s := r.refuse()
	if (s == nil) != r.record.partition.revoked {
		t.Fatalf("refused %v, revoked %v", s != nil, r.record.partition.revoked)
	}
	if r.refuse() != nil {
		t.Fatal("refused twice")
	}
	if s == nil {
		return
	}
	s.window.again(r.record)
	w.yield(t, s)
	if _, mark, ok := r.acknowledge(); mark != nil || ok {
		t.Fatal("only the last receipt of a record must settle it")
	}
}

// look is a worker that takes an entry, and drops it if it is revoked.
func (w *world) look(t *rapid.T) {
	r := w.pick(t)
	if revoked := r.record.partition.revoked; r.Revoked() != revoked {
		t.Fatalf("revoked is not %v", revoked)
	} else if revoked {
		w.drop(r)
	}
}

// move gives a partition to a session, be it the same one.
func (w *world) move(t *rapid.T) {
	p := rapid.IntRange(0, len(w.log)-1).Draw(t, "partition")
	w.sessions[w.owner[p]].window.revoke(name{number: int32(p)})
	w.owner[p] = rapid.IntRange(0, 1).Draw(t, "to")
	w.next[p] = 0
	for w.next[p] < len(w.log[p]) && w.log[p][w.next[p]] < w.committed[p] {
		w.next[p]++
	}
}

// check counts what the windows count.
func (w *world) check(t *rapid.T) {
	for i, s := range w.sessions {
		inHand, lined := 0, 0
		for _, p := range s.window.partitions {
			lined += len(p.line)
			for _, r := range p.line {
				if !r.acknowledged() {
					inHand++
				}
			}
			if len(p.line) > 0 && p.line[0].acknowledged() {
				t.Fatalf("session %d: %v does not advance", i, p.name)
			}
		}
		if s.window.inHand != inHand || s.window.lined != lined {
			t.Fatalf("session %d counts %d and %d, want %d and %d", i, s.window.inHand, s.window.lined, inHand, lined)
		}
	}
}

// finish does all that is left, and expects everything to be committed.
func (w *world) finish(t *rapid.T) {
	for p := range w.log {
		n := name{number: int32(p)}
		for w.next[p] < len(w.log[p]) {
			s := w.sessions[w.owner[p]]
			for _, mark := range s.window.add([]*kgo.Record{{Partition: int32(p), Offset: w.log[p][w.next[p]]}}) {
				w.commit(t, mark)
			}
			w.next[p]++
			w.yield(t, s)
		}
		for o, r := range w.hand[n] {
			w.done[n][o] = true
			_, mark, _ := r.acknowledge()
			w.commit(t, mark)
		}
		if last := w.log[p][len(w.log[p])-1]; w.committed[p] != last+1 {
			t.Fatalf("partition %d: committed %d, want %d", p, w.committed[p], last+1)
		}
	}
}

// Whatever the order of acknowledgements, refusals and rebalances: what is
// committed is what is done without a gap; no record is yielded while it is in
// hand or when it is done; and none is left out.
func TestModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		t.Repeat(map[string]func(*rapid.T){
			"poll": w.poll, "ack": w.ack, "nack": w.nack, "look": w.look, "move": w.move, "": w.check,
		})
		w.finish(t)
	})
}
