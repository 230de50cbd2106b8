package cache

import (
	"reflect"
	"runtime"
	"slices"
	"testing"
	"time"
)

// appendInto writes into what waits before it knows that it can.
func appendInto(end func()) func(waiting, arriving *[]int) {
	return func(waiting, arriving *[]int) {
		was := *waiting
		*waiting = nil
		if slices.Contains(*arriving, 0) {
			end()
		}
		*waiting = slices.Concat(was, *arriving)
	}
}

// A merge in place that panics, or ends the goroutine, leaves what waits as it
// was, whichever way the value came, and keeps nothing alive.
func TestMergeIntoThatEndsInTheMidst(t *testing.T) {
	type cache = *Cache[string, []int]
	for name, put := range map[string]func(c cache, v ...int){
		"PutAt":  func(c cache, v ...int) { c.PutAt("a", v, time.Now()) },
		"Put":    func(c cache, v ...int) { c.Put("a", v) },
		"Insert": func(c cache, v ...int) { c.Admit(Arrival[string, []int]{Key: "a", Value: v, Op: Insert}) },
		"AdmitBatch": func(c cache, v ...int) {
			var batch []Arrival[string, []int]
			for _, one := range append([]int{3}, v...) {
				batch = append(batch, Arrival[string, []int]{Key: "a", Value: []int{one}})
			}
			c.AdmitBatch(t.Context(), batch)
		},
	} {
		for _, end := range []func(){func() { panic("no") }, runtime.Goexit} {
			c := mustNew(t, Options[string, []int]{MergeInto: appendInto(end)})
			put(c, 1)
			over := make(chan struct{})
			go func() {
				defer close(over)
				defer func() { _ = recover() }()
				put(c, 0)
			}()
			<-over
			if p := &c.inPlace; p.was != nil || p.arriving != nil || p.changing != nil {
				t.Errorf("%s: it keeps %v and %v", name, p.was, p.arriving)
			}
			put(c, 2)
			want := []int{1, 2}
			if name == "AdmitBatch" { // where 3 goes in before each
				want = []int{3, 1, 3, 3, 2}
			}
			e, _ := c.TryTake()
			if !slices.Equal(e.Value, want) || e.Merged != len(want)-1 {
				t.Errorf("%s: took %v of %d, want %v", name, e.Value, e.Merged+1, want)
			}
			if l := c.Ledger(); l.Puts != uint64(len(want)) || l.Check() != nil {
				t.Errorf("%s: ledger %+v", name, l)
			}
		}
	}
}

// What has been merged in place is kept alive by its entry only.
func TestMergeIntoKeepsNothing(t *testing.T) {
	for name, newer := range map[string]func(_, _ []int) bool{"quickly": nil, "by value": func(_, _ []int) bool { return true }} {
		c := mustNew(t, Options[string, []int]{MergeInto: appendInto(nil), Newer: newer})
		c.Put("a", []int{1})
		c.Put("a", []int{2})
		if p := &c.inPlace; p.was != nil || p.arriving != nil || p.changing != nil {
			t.Errorf("%s: it keeps %v and %v", name, p.was, p.arriving)
		}
	}
}

// Replaces counts for a merge in place, too.
func TestMergeIntoThatReplaces(t *testing.T) {
	c := mustNew(t, Options[string, int]{
		MergeInto: func(waiting, arriving *int) { *waiting = *arriving }, Replaces: true,
		Newer: func(waiting, arriving int) bool { return arriving > waiting },
	})
	c.Put("a", 2)
	c.Put("a", 1)
	if l := c.Ledger(); l.Stale != 1 || l.Merged != 0 {
		t.Errorf("ledger %+v", l)
	}
}

// Nobody sees a value in the midst of a merge, nor after one that panicked.
func TestMergeIntoIsSeenByNobody(t *testing.T) {
	for name, put := range map[string]func(c *Cache[string, int], v int){
		"PutAt": func(c *Cache[string, int], v int) { c.PutAt("a", v, time.Now()) },
		"Put":   func(c *Cache[string, int], v int) { c.Put("a", v) },
		"AdmitBatch": func(c *Cache[string, int], v int) {
			c.AdmitBatch(t.Context(), []Arrival[string, int]{{Key: "a", Value: v}, {Key: "b", Value: v}})
		},
	} {
		var c *Cache[string, int]
		got := make(chan int)
		c = mustNew(t, Options[string, int]{MergeInto: func(waiting, _ *int) {
			*waiting = -1
			go func() {
				v, _ := c.Get("a")
				got <- v
			}()
			for range 1000 { // until it stands at the lock
				runtime.Gosched()
			}
			panic("no")
		}})
		put(c, 1)
		func() {
			defer func() { _ = recover() }()
			put(c, 2)
		}()
		if v := <-got; v != 1 {
			t.Errorf("%s: got %d, want 1", name, v)
		}
	}
}

func TestPoints(t *testing.T) {
	for _, test := range []struct {
		value any
		want  bool
	}{
		{true, false}, {1, false}, {uint8(1), false}, {uintptr(1), false}, {1.5, false}, {complex64(1), false}, {complex128(1), false},
		{[2]int{}, false}, {struct{ a, b int }{}, false}, {struct{}{}, false},
		{"", true}, {new(int), true}, {[]int{}, true}, {map[int]int{}, true}, {make(chan int), true}, {func() {}, true},
		{[2]string{}, true}, {[2]any{}, true}, {struct {
			a int
			b [1]struct{ c string }
		}{}, true},
	} {
		if got := points(reflect.TypeOf(test.value)); got != test.want {
			t.Errorf("points(%T) = %v", test.value, got)
		}
	}
	if !points(reflect.TypeFor[any]()) {
		t.Error("an interface points nowhere")
	}
}
