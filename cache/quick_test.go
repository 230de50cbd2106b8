package cache

import (
	"reflect"
	"runtime"
	"testing"
	"time"
)

// Which option turns which quick way off.
func TestWays(t *testing.T) {
	type options = Options[string, int]
	all := ways{overwrites: true, inserts: true, behind: true}
	user := ways{merges: true, inserts: true, behind: true}
	newer := func(_, _ int) bool { return true }
	into := func(waiting, arriving *int) { *waiting += *arriving }
	for name, test := range map[string]struct {
		o    options
		want ways
	}{
		"none":       {options{}, all},
		"MaxEntries": {options{MaxEntries: 1}, all},
		"Reject":     {options{MaxEntries: 1, Overflow: Reject}, all},
		"Evict":      {options{MaxEntries: 1, Overflow: EvictOldest}, all},
		"Annihilate": {options{Annihilate: true}, all},
		"MaxAge":     {options{MaxAge: 1, Expiry: Drop}, all},
		"Replaces":   {options{Replaces: true}, all},
		"OnDrop":     {options{OnDrop: func(Entry[string, int], Reason) {}}, all},

		"Newer":     {options{Newer: newer}, ways{inserts: true}},
		"SizeOf":    {options{SizeOf: sized}, ways{behind: true}},
		"MaxBytes":  {options{SizeOf: sized, MaxBytes: 1}, ways{behind: true}},
		"HeadStart": {options{HeadStart: func(string, int) time.Duration { return 0 }}, ways{overwrites: true, behind: true}},

		"Merge":           {options{Merge: Sum[int]}, user},
		"Merge, Replaces": {options{Merge: Latest[int], Replaces: true}, user},
		"Merge, Newer":    {options{Merge: Sum[int], Newer: newer}, ways{inserts: true}},
		"Merge, SizeOf":   {options{Merge: Sum[int], SizeOf: sized}, ways{behind: true}},

		"MergeInto":         {options{MergeInto: into}, user},
		"MergeInto, Newer":  {options{MergeInto: into, Newer: newer}, ways{inserts: true}},
		"MergeInto, SizeOf": {options{MergeInto: into, SizeOf: sized}, ways{behind: true}},
	} {
		c := mustNew(t, test.o)
		if c.ways != test.want {
			t.Errorf("%s: %+v, want %+v", name, c.ways, test.want)
		}
		if c.Close(); c.ways != (ways{}) {
			t.Errorf("%s, closed: %+v", name, c.ways)
		}
	}
	if c := mustNew(t, Options[float64, int]{}); c.ways != (ways{overwrites: true, behind: true}) || !c.odd {
		t.Errorf("a key that may be NaN: %+v, %v", c.ways, c.odd)
	}
}

func TestOddKeys(t *testing.T) {
	for want, all := range map[bool][]any{
		true: {
			float32(0), float64(0), complex64(0), complex128(0), [2]float64{}, [0]any{},
			struct{ f float32 }{}, struct {
				name string
				at   [1]struct{ v any }
			}{}, struct{ error }{},
		},
		false: {
			"", 0, uint8(0), uintptr(0), false, new(float64), make(chan float64), [2]string{},
			struct{}{}, struct{ p *[]float64 }{}, time.Time{},
		},
	} {
		for _, v := range all {
			if got := odd(reflect.TypeOf(v)); got != want {
				t.Errorf("odd(%T) = %v", v, got)
			}
		}
	}
	if !odd(reflect.TypeFor[any]()) || !odd(reflect.TypeFor[error]()) {
		t.Error("an interface is not odd")
	}
}

// Ways into a slot that is not as it was: every entry tells its own making.
func TestQuickInsertStartsAfresh(t *testing.T) {
	c := mustNew(t, Options[string, int]{})
	at := time.Now()
	c.Admit(arrival{Key: "a", Value: 1, Op: Insert, At: at, Sequence: 3})
	c.Admit(arrival{Key: "a", Value: 2, At: at.Add(time.Hour), Sequence: 9})
	e, _ := c.TryTake()
	c.Return(e, 0)
	e, _ = c.TryTake()
	c.Done(e)
	for range 2 { // in the slot that idled, and behind its lease
		c.Admit(arrival{Key: "a", Value: 5, At: at.Add(time.Second), Sequence: 4})
	}
	e, _ = c.TryTake()
	if e.Op != Upsert || e.Merged != 1 || e.Attempts != 1 || e.First != 4 || e.Last != 4 || !e.Newest().Equal(at.Add(time.Second)) || !e.Inserted().Equal(e.Newest()) {
		t.Errorf("took %+v", e)
	}
	c.PutAt("a", 6, at.Add(2*time.Second))
	c.Done(e)
	e, _ = c.TryTake()
	if e.Value != 6 || e.Merged != 0 || e.Attempts != 1 || e.First != 0 || e.Last != 0 || !e.Newest().Equal(at.Add(2*time.Second)) {
		t.Errorf("took %+v", e)
	}
}

// Values that wait with a receipt, or behind an appended one, are no matter for
// the quick way.
func TestNotQuick(t *testing.T) {
	for name, merge := range map[string]func(_, _ int) int{"Latest": nil, "Sum": Sum[int]} {
		var diary []string
		c := mustNew(t, Options[string, int]{Merge: merge})
		c.Admit(arrival{Key: "a", Value: 1, Receipt: &stub{name: "first", diary: &diary}})
		c.PutAt("a", 2, time.Now())
		c.AdmitBatch(t.Context(), []arrival{{Key: "a", Value: 4}})
		if acked := len(diary) > 0; acked != (merge == nil) {
			t.Errorf("%s: receipts %v", name, diary)
		}
		c.Append("b", 1)
		c.PutAt("b", 2, time.Now())
		c.Append("b", 3)
		c.AdmitBatch(t.Context(), []arrival{{Key: "b", Value: 4}})
		c.Delete("c", 1)
		c.PutAt("c", 2, time.Now())
		c.Delete("d", 1)
		c.AdmitBatch(t.Context(), []arrival{{Key: "d", Value: 2}})
		for e := range c.All() {
			if want := e.Key > "b"; (e.Op == Replace) != want {
				t.Errorf("%s: %v %s", name, e.Op, e.Key)
			}
		}
		if l := c.Ledger(); l.Inserted != 7 || l.Merged != 4 || l.Check() != nil {
			t.Errorf("%s: ledger %+v", name, l)
		}
		takeAll(c)
		takeAll(c)
		if len(diary) != 1 {
			t.Errorf("%s: receipts %v", name, diary)
		}
	}
}

// Which values go the quick way. What goes another way would go unnoticed but
// for its cost.
func TestQuick(t *testing.T) {
	newer := func(_, _ int) bool { return true }
	type prepare func(c *Cache[string, int])
	put := func(c *Cache[string, int]) { c.Put("a", 1) }
	leased := func(c *Cache[string, int]) { c.Put("a", 1); c.TryTake() }
	idle := func(c *Cache[string, int]) { c.Put("a", 1); takeAll(c) }
	for name, test := range map[string]struct {
		o       Options[string, int]
		prepare prepare
		want    bool
	}{
		"a new key":                 {prepare: func(*Cache[string, int]) {}, want: true},
		"a waiting key":             {prepare: put, want: true},
		"a waiting key, with Merge": {o: Options[string, int]{Merge: Sum[int]}, prepare: put, want: true},
		"a waiting key, with Newer": {o: Options[string, int]{Newer: newer}, prepare: put},
		"a leased key":              {prepare: leased, want: true},
		"a leased key, with Newer":  {o: Options[string, int]{Newer: newer}, prepare: leased},
		"an idle key":               {prepare: idle, want: true},
		"an idle key, with Newer":   {o: Options[string, int]{Newer: newer}, prepare: idle, want: true},
		"an idle key that was appended": {prepare: func(c *Cache[string, int]) {
			c.Append("a", 1)
			c.Append("a", 2)
			takeAll(c)
			c.Put("a", 3)
		}, want: true},
		"a deleted key":   {prepare: func(c *Cache[string, int]) { c.Delete("a", 1) }},
		"an inserted key": {prepare: func(c *Cache[string, int]) { c.Admit(arrival{Key: "a", Op: Insert}) }, want: true},
		"a replaced key":  {prepare: func(c *Cache[string, int]) { c.Admit(arrival{Key: "a", Op: Replace}) }, want: true},
		"an appended key": {prepare: func(c *Cache[string, int]) { c.Append("a", 1) }},
		"below the bound": {o: Options[string, int]{MaxEntries: 1, Overflow: EvictOldest}, prepare: idle, want: true},
		"at the bound":    {o: Options[string, int]{MaxEntries: 1}, prepare: func(c *Cache[string, int]) { c.Put("b", 1) }},
		"after Close":     {prepare: func(c *Cache[string, int]) { c.Put("a", 1); c.Close() }},
	} {
		c := mustNew(t, test.o)
		test.prepare(c)
		value := 2
		in := incoming[string]{key: "a"}
		c.mu.Lock()
		if got := c.quick(c.slots.get("a"), &in, &value); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
		c.unlock()
		if err := c.Ledger().Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Merge runs under the lock, whichever way a value goes.
func TestMergeRunsUnderTheLock(t *testing.T) {
	var c *Cache[string, int]
	merges := 0
	c = mustNew(t, Options[string, int]{Merge: func(waiting, arriving int) int {
		if merges++; c.mu.TryLock() {
			t.Errorf("merge %d runs without the lock", merges)
			c.mu.Unlock()
		}
		return waiting + arriving
	}})
	a := arrival{Key: "a", Value: 1}
	c.Put("a", 1)
	c.Put("a", 1)
	c.PutAt("a", 1, time.Now())
	c.Admit(a)
	c.AdmitBatch(t.Context(), []arrival{a, {Key: "a", Value: 1, Receipt: &stub{diary: new([]string)}}})
	e, _ := c.TryTake()
	c.Put("a", 1)
	c.Return(e, 0)
	if merges != 6 {
		t.Errorf("%d merges, want 6", merges)
	}
}

// A PutAt whose Merge panics, or ends the goroutine, leaves the cache unlocked and
// as it was.
func TestPutAtWhoseMergePanics(t *testing.T) {
	for name, end := range map[string]func(){"panic": func() { panic("no") }, "Goexit": runtime.Goexit} {
		c := mustNew(t, Options[string, int]{Merge: func(_, _ int) int { end(); return 0 }})
		at := time.Now()
		c.PutAt("a", 1, at)
		over := make(chan any)
		go func() {
			defer func() { over <- recover() }()
			c.PutAt("a", 2, at.Add(time.Second))
		}()
		if got := <-over; (got == "no") != (name == "panic") {
			t.Errorf("%s: recovered %v", name, got)
		}
		if !c.mu.TryLock() {
			t.Fatalf("%s: the cache is locked", name)
		}
		c.mu.Unlock()
		e, _ := c.TryTake()
		if e.Value != 1 || e.Merged != 0 || !e.Newest().Equal(at) {
			t.Errorf("%s: took %+v", name, e)
		}
		if l := c.Ledger(); l != (Ledger{Puts: 1, Inserted: 1, Leased: 1}) {
			t.Errorf("%s: ledger %+v", name, l)
		}
	}
}

// A value that PutAt merges counts for the time of the newest, if it is that.
func TestPutAtThatMergesTellsTheNewest(t *testing.T) {
	for name, merge := range map[string]func(_, _ int) int{"Latest": nil, "Sum": Sum[int]} {
		c := mustNew(t, Options[string, int]{Merge: merge})
		at := time.Now()
		for _, s := range []int{1, 9, 4} {
			c.PutAt("a", s, at.Add(time.Duration(s)*time.Second))
		}
		e, _ := c.TryTake()
		if first, newest := e.Inserted().Sub(at), e.Newest().Sub(at); first != time.Second || newest != 9*time.Second || e.Merged != 2 {
			t.Errorf("%s: %d merged from %v to %v, want 2 from 1s to 9s", name, e.Merged, first, newest)
		}
	}
}
