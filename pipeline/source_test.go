package pipeline

import (
	"context"
	"errors"
	"iter"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"
	"weak"
)

// yielding is a source of deliveries that are there at once.
func yielding[T any](deliveries ...Delivery[T]) Source[T] {
	return func(context.Context) iter.Seq2[Delivery[T], error] {
		return func(yield func(Delivery[T], error) bool) {
			for _, d := range deliveries {
				if !yield(d, nil) {
					return
				}
			}
		}
	}
}

func values(t *testing.T, s iter.Seq2[Delivery[int], error]) (all []int) {
	for d, err := range s {
		if err != nil || !d.At.IsZero() || d.Sequence != 0 || d.Receipt != nil {
			t.Errorf("got %+v, %v", d, err)
		}
		all = slices.AppendSeq(all, d.Values())
	}
	return all
}

func TestFromSeq(t *testing.T) {
	source := FromSeq(slices.Values([]int{1, 2, 3}))
	for range 2 {
		if got := values(t, source(t.Context())); !slices.Equal(got, []int{1, 2, 3}) {
			t.Errorf("got %v", got)
		}
	}
	for range source(t.Context()) {
		break
	}
}

func TestFromChannel(t *testing.T) {
	ch := make(chan int, 3)
	ch <- 1
	ch <- 2
	close(ch)
	if got := values(t, FromChannel(ch)(t.Context())); !slices.Equal(got, []int{1, 2}) {
		t.Errorf("got %v", got)
	}
	for d := range FromChannel(ch)(t.Context()) {
		t.Errorf("got %v of a closed channel", d)
	}
	one := make(chan int, 1)
	one <- 1
	for d := range FromChannel(one)(t.Context()) {
		if d.Value != 1 || d.Batch != nil {
			t.Errorf("got %+v", d)
		}
		break
	}
}

func TestFromChannelBreak(t *testing.T) {
	ch := make(chan int, staged+1)
	for n := range cap(ch) {
		ch <- n
	}
	for d := range FromChannel(ch)(t.Context()) {
		if d.len() != staged {
			t.Errorf("%d values in a batch, want %d", d.len(), staged)
		}
		break
	}
	if len(ch) != 1 {
		t.Errorf("%d values left, want 1", len(ch))
	}
}

// A source keeps nothing alive of what it has yielded while it waits.
func TestFromChannelKeepsNothing(t *testing.T) {
	ch := make(chan *item, 2)
	value := &item{"a", 1}
	kept := weak.Make(value)
	ch <- value
	ch <- nil
	yielded := make(chan int, 2)
	go func() {
		for d := range FromChannel(ch)(t.Context()) {
			yielded <- d.len()
		}
		close(yielded)
	}()
	<-yielded
	value = nil
	for range 100 {
		if runtime.GC(); kept.Value() == nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if kept.Value() != nil {
		t.Error("a value that was yielded is kept")
	}
	close(ch)
	for range yielded {
	}
}

func TestFromChannelCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		for range FromChannel(make(chan int))(cancelAt(t, 10*ms)) {
			t.Error("a value out of nothing")
		}
		d.note("end")
		d.check(t, "10ms end")
	})
}

func TestFromFunc(t *testing.T) {
	broken := errors.New("broken")
	source := FromFunc(func(ctx context.Context) iter.Seq2[int, error] {
		return func(yield func(int, error) bool) {
			_ = yield(1, nil) && yield(2, nil) && yield(0, broken)
		}
	})
	var got []int
	var last error
	for d, err := range source(t.Context()) {
		got, last = append(got, d.Value), err
	}
	if !slices.Equal(got, []int{1, 2, 0}) || last != broken {
		t.Errorf("got %v, %v", got, last)
	}
	for range source(t.Context()) {
		break // must not go on
	}
}

// A source with nothing to acknowledge ends when the stop begins, another one
// when all is processed.
func TestSourcesStop(t *testing.T) {
	slow := func(handling, entry) error { time.Sleep(50 * ms); return nil }
	for name, test := range map[string]struct {
		source func(d *diary) Source[item]
		want   string
	}{
		"FromFunc":        {func(d *diary) Source[item] { return FromFunc(d.dripping(7 * ms)) }, "10ms close"},
		"FromFunc, chain": {func(d *diary) Source[item] { return toiling(FromFunc(d.dripping(7*ms)), 0) }, "10ms close"},
		"other":           {func(d *diary) Source[item] { return direct(d.dripping(99 * ms)) }, "50ms close"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDiary()
				p := mustNew(t, Config[string, item]{})
				p.Produce(Producer[item]{Source: test.source(d)})
				p.Produce(Producer[item]{Source: yielding(Delivery[item]{Value: five[0]})})
				p.Consume(slow)
				if err := p.Run(cancelAt(t, 10*ms)); err != nil {
					t.Error(err)
				}
				d.check(t, "0s open", test.want)
			})
		})
	}
}

// What is in the channel when the stop begins stays there.
func TestFromChannelStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		ch := make(chan item, 9)
		ch <- five[0]
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{Source: FromChannel(ch)})
		p.Consume(func(_ handling, e entry) error {
			d.note("%v", e.Value)
			time.Sleep(50 * ms)
			return nil
		})
		time.AfterFunc(20*ms, func() { ch <- five[1] })
		if err := p.Run(cancelAt(t, 10*ms)); err != nil {
			t.Error(err)
		}
		d.check(t, "0s a1")
		if len(ch) != 1 || p.Stats().Producers[0].Received != 1 {
			t.Errorf("%d left in the channel, %+v", len(ch), p.Stats().Producers[0])
		}
	})
}
