package cache

import (
	"runtime"
	"slices"
	"testing"
	"time"
)

// stub is a receipt that notes in a diary how it was settled.
type stub struct {
	name    string
	diary   *[]string
	revoked bool
}

func (s *stub) Ack() bool     { *s.diary = append(*s.diary, s.name+" acked"); return true }
func (s *stub) Nack() bool    { *s.diary = append(*s.diary, s.name+" nacked"); return true }
func (s *stub) Revoked() bool { return s.revoked }

// plainReceipt has no method Revoked.
type plainReceipt struct{ Receipt }

// receive admits a value whose receipt has the name of the value.
func receive(c *Cache[string, string], diary *[]string, key, value string, op Op) error {
	return c.Admit(Arrival[string, string]{Key: key, Value: value, Op: op, Receipt: &stub{name: value, diary: diary}})
}

// A receipt is acknowledged when nothing more is to be done for its value, and
// no earlier.
func TestReceiptIsAcknowledged(t *testing.T) {
	type cache = *Cache[string, string]
	tests := []struct {
		name    string
		options Options[string, string]
		play    func(c cache, receive func(value string, op Op))
		want    []string
	}{
		{"done", Options[string, string]{}, func(c cache, receive func(string, Op)) {
			receive("1", Upsert)
			takeAll(c)
		}, []string{"1 acked"}},
		{"leased", Options[string, string]{}, func(c cache, receive func(string, Op)) {
			receive("1", Upsert)
			c.TryTake()
		}, nil},
		{"replaced", Options[string, string]{}, func(c cache, receive func(string, Op)) {
			receive("1", Upsert)
			receive("2", Upsert)
		}, []string{"1 acked"}},
		{"replaced by a value without a receipt", Options[string, string]{}, func(c cache, receive func(string, Op)) {
			receive("1", Upsert)
			c.Put("k", "2")
		}, []string{"1 acked"}},
		{"added up", Options[string, string]{Merge: Sum[string]}, func(c cache, receive func(string, Op)) {
			receive("1", Upsert)
			receive("2", Upsert)
			e, _ := c.TryTake()
			receive("3", Upsert)
			c.Done(e)
		}, []string{"1 acked", "2 acked"}},
		{"deleted", Options[string, string]{Merge: Sum[string]}, func(c cache, receive func(string, Op)) {
			receive("1", Upsert)
			receive("2", Delete)
			receive("3", Upsert)
		}, []string{"1 acked", "2 acked"}},
		{"given up", Options[string, string]{}, func(c cache, receive func(string, Op)) {
			receive("1", Upsert)
			e, _ := c.TryTake()
			c.GiveUp(e)
		}, []string{"1 acked"}},
		{"returned and replaced", Options[string, string]{}, func(c cache, receive func(string, Op)) {
			receive("1", Upsert)
			e, _ := c.TryTake()
			receive("2", Upsert)
			c.Return(e, 0)
			takeAll(c)
		}, []string{"1 acked", "2 acked"}},
		{"returned into a line", Options[string, string]{}, func(c cache, receive func(string, Op)) {
			receive("1", Append)
			receive("2", Append)
			e, _ := c.TryTake()
			c.Return(e, 0)
			takeAll(c)
		}, []string{"1 acked", "2 acked"}},
		{"stale", Options[string, string]{Newer: func(w, a string) bool { return a > w }}, func(c cache, receive func(string, Op)) {
			receive("2", Upsert)
			receive("1", Upsert)
		}, []string{"1 acked"}},
		{"older than what it is merged with", Options[string, string]{
			Merge: Sum[string], Newer: func(w, a string) bool { return a > w },
		}, func(c cache, receive func(string, Op)) {
			receive("2", Delete)
			receive("1", Upsert) // the delete has undone it
		}, []string{"1 acked"}},
		{"annihilated", Options[string, string]{Annihilate: true}, func(c cache, receive func(string, Op)) {
			receive("1", Insert)
			receive("2", Delete)
		}, []string{"1 acked", "2 acked"}},
		{"evicted", Options[string, string]{MaxEntries: 1, Overflow: EvictOldest}, func(c cache, receive func(string, Op)) {
			receive("1", Upsert)
			c.Put("other", "")
		}, []string{"1 acked"}},
		{"expired", Options[string, string]{MaxAge: time.Minute, Expiry: Drop}, func(c cache, receive func(string, Op)) {
			c.PutAt("k", "0", time.Now().Add(-time.Hour))
			receive("1", Upsert) // and so is this, which merges
			c.Eligible()
		}, []string{"1 acked"}},
		{"refused", Options[string, string]{MaxEntries: 1}, func(c cache, receive func(string, Op)) {
			c.Put("other", "")
			receive("1", Upsert)
		}, nil},
		{"revoked", Options[string, string]{}, func(c cache, receive func(string, Op)) {
			receive("1", Upsert)
			e, _ := c.TryTake()
			c.Revoke(e)
		}, nil},
		{"refused at the end", Options[string, string]{}, func(c cache, receive func(string, Op)) {
			receive("0", Append)
			e, _ := c.TryTake()
			receive("1", Append)
			receive("2", Append)
			c.NackWaiting()
			c.NackWaiting() // once
			takeAll(c)
			c.Done(e)
			takeAll(c) // the entries are still there
		}, []string{"1 nacked", "2 nacked", "0 acked"}},
	}
	for _, test := range tests {
		var diary []string
		c := mustNew(t, test.options)
		test.play(c, func(value string, op Op) { receive(c, &diary, "k", value, op) })
		if !slices.Equal(diary, test.want) {
			t.Errorf("%s: %v, want %v", test.name, diary, test.want)
		}
		if err := c.Ledger().Check(); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// OnDrop is told before the receipt is settled, which is settled even so if
// OnDrop panics. Both happen outside the lock.
func TestReceiptIsAcknowledgedAfterOnDrop(t *testing.T) {
	var diary []string
	var c *Cache[string, string]
	c = mustNew(t, Options[string, string]{OnDrop: func(e Entry[string, string], _ Reason) {
		c.Len()
		diary = append(diary, "dropped "+e.Value)
		panic("no")
	}})
	receive(c, &diary, "k", "1", Upsert)
	e, _ := c.TryTake()
	func() {
		defer func() {
			if recover() != "no" {
				t.Error("the panic did not reach the caller")
			}
		}()
		c.GiveUp(e)
	}()
	if want := []string{"dropped 1", "1 acked"}; !slices.Equal(diary, want) {
		t.Errorf("%v, want %v", diary, want)
	}
}

func TestRevoke(t *testing.T) {
	var reason Reason
	c := mustNew(t, Options[string, string]{OnDrop: func(_ Entry[string, string], r Reason) { reason = r }})
	c.Put("k", "1")
	e, _ := c.TryTake()
	c.Put("k", "2")
	if !c.Revoke(e) || c.Revoke(e) || reason != Revoked {
		t.Errorf("the lease was open once; reported %v", reason)
	}
	if l := c.Ledger(); l.Revoked != 1 || l.Leased != 0 || l.Check() != nil {
		t.Errorf("ledger %+v", l)
	}
	if next, ok := c.TryTake(); !ok || next.Value != "2" {
		t.Errorf("took %+v, %v, want what waited", next, ok)
	}
}

// An entry is revoked when all of its receipts are.
func TestEntryIsRevoked(t *testing.T) {
	tests := []struct {
		name     string
		receipts []Receipt
		want     bool
	}{
		{"no receipt", nil, false},
		{"one that is", []Receipt{&stub{revoked: true}}, true},
		{"one of two", []Receipt{&stub{revoked: true}, &stub{}}, false},
		{"two", []Receipt{&stub{revoked: true}, &stub{revoked: true}}, true},
		{"one that cannot be", []Receipt{&stub{revoked: true}, plainReceipt{}}, false},
	}
	for _, test := range tests {
		c := mustNew(t, Options[string, string]{Merge: Sum[string]})
		c.Put("k", "")
		for _, r := range test.receipts {
			c.Admit(Arrival[string, string]{Key: "k", Receipt: r})
		}
		if e, _ := c.TryTake(); e.Revoked() != test.want {
			t.Errorf("%s: Revoked = %v, want %v", test.name, e.Revoked(), test.want)
		}
	}
}

// What a batch is taken into may hold the receipts of the one before.
func TestReceiptsOfAnEntryThatIsUsedAgain(t *testing.T) {
	c := mustNew(t, Options[string, string]{})
	var diary []string
	entries := make([]Entry[string, string], 1)
	receive(c, &diary, "a", "1", Upsert)
	c.Put("b", "2")
	for range 2 {
		c.TakeBatch(t.Context(), entries)
		c.Done(entries...)
	}
	if len(diary) != 1 {
		t.Errorf("receipts: %v, want one", diary)
	}
}

// One receipt that panics, or ends the goroutine, does not keep the others from
// being settled.
func TestReceiptsAreAllSettled(t *testing.T) {
	for name, end := range map[string]func(){"panic": func() { panic("no") }, "Goexit": runtime.Goexit} {
		for _, refuse := range []bool{false, true} {
			var diary []string
			c := mustNew(t, Options[string, int]{Merge: Sum[int]})
			for n, r := range []Receipt{&stub{name: "1", diary: &diary}, fatal{end}, fatal{end}, &stub{name: "4", diary: &diary}} {
				if err := c.Admit(Arrival[string, int]{Key: "a", Value: n, Receipt: r}); err != nil {
					t.Fatal(err)
				}
			}
			over := make(chan any)
			go func() {
				defer func() { over <- recover() }()
				if refuse {
					c.NackWaiting()
					return
				}
				e, _ := c.TryTake()
				c.Done(e)
			}()
			if got := <-over; (got == "no") != (name == "panic") {
				t.Errorf("%s: recovered %v", name, got)
			}
			if len(diary) != 2 {
				t.Errorf("%s, refused %v: settled %q, want 2", name, refuse, diary)
			}
		}
	}
}

// fatal is a receipt that does not return.
type fatal struct{ end func() }

func (f fatal) Ack() bool  { f.end(); return true }
func (f fatal) Nack() bool { f.end(); return true }
