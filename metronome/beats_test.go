package metronome_test

import (
	"context"
	"iter"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/metronome"
)

const ms = time.Millisecond

// beatAt is a beat with its times given since the start of the test.
type beatAt struct {
	sequence uint64
	due      time.Duration
	missed   uint64
	yielded  time.Duration
}

func beats(t *testing.T, ctx context.Context, o metronome.Options) iter.Seq[metronome.Beat] {
	t.Helper()
	seq, err := metronome.Beats(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	return seq
}

// record collects the beats of a whole run. Before it asks for the next beat
// it stays in the body for as long as body says.
func record(t *testing.T, ctx context.Context, o metronome.Options, body map[uint64]time.Duration) []beatAt {
	t.Helper()
	start := time.Now()
	var got []beatAt
	for b := range beats(t, ctx, o) {
		got = append(got, beatAt{b.Sequence, b.Time.Sub(start), b.Missed, time.Since(start)})
		time.Sleep(body[b.Sequence])
	}
	return got
}

func TestBeats(t *testing.T) {
	third := time.Second / 3
	tests := []struct {
		name string
		o    metronome.Options
		body map[uint64]time.Duration
		want []beatAt
	}{
		{
			name: "steady",
			o:    metronome.Options{Interval: 10 * ms, Limit: 3},
			want: []beatAt{{1, 10 * ms, 0, 10 * ms}, {2, 20 * ms, 0, 20 * ms}, {3, 30 * ms, 0, 30 * ms}},
		},
		{
			name: "an interval that does not divide a second",
			o:    metronome.Options{Interval: third, Limit: 4},
			want: []beatAt{{1, third, 0, third}, {2, 2 * third, 0, 2 * third}, {3, 3 * third, 0, 3 * third}, {4, 4 * third, 0, 4 * third}},
		},
		{
			name: "a body shorter than the interval moves no beat",
			o:    metronome.Options{Interval: 10 * ms, Limit: 3},
			body: map[uint64]time.Duration{1: 9 * ms, 2: ms},
			want: []beatAt{{1, 10 * ms, 0, 10 * ms}, {2, 20 * ms, 0, 20 * ms}, {3, 30 * ms, 0, 30 * ms}},
		},
		{
			name: "a body as long as the interval misses nothing",
			o:    metronome.Options{Interval: 10 * ms, Limit: 3},
			body: map[uint64]time.Duration{1: 10 * ms},
			want: []beatAt{{1, 10 * ms, 0, 10 * ms}, {2, 20 * ms, 0, 20 * ms}, {3, 30 * ms, 0, 30 * ms}},
		},
		{
			name: "a slow body gets the last due beat at once, then the old phase",
			o:    metronome.Options{Interval: 10 * ms, Limit: 6},
			body: map[uint64]time.Duration{1: 35 * ms},
			want: []beatAt{{1, 10 * ms, 0, 10 * ms}, {4, 40 * ms, 2, 45 * ms}, {5, 50 * ms, 0, 50 * ms}, {6, 60 * ms, 0, 60 * ms}},
		},
		{
			name: "an hour in the body is followed by one beat",
			o:    metronome.Options{Interval: time.Second, Limit: 3602},
			body: map[uint64]time.Duration{1: time.Hour},
			want: []beatAt{{1, time.Second, 0, time.Second}, {3601, 3601 * time.Second, 3599, 3601 * time.Second}, {3602, 3602 * time.Second, 0, 3602 * time.Second}},
		},
		{
			name: "the last beat is exactly the limit",
			o:    metronome.Options{Interval: 10 * ms, Limit: 3},
			body: map[uint64]time.Duration{1: 75 * ms},
			want: []beatAt{{1, 10 * ms, 0, 10 * ms}, {3, 30 * ms, 1, 85 * ms}},
		},
		{
			name: "a limit of one",
			o:    metronome.Options{Interval: 10 * ms, Limit: 1},
			want: []beatAt{{1, 10 * ms, 0, 10 * ms}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				got := record(t, t.Context(), tt.o, tt.body)
				if !slices.Equal(got, tt.want) {
					t.Errorf("got  %v\nwant %v", got, tt.want)
				}
			})
		})
	}
}

func TestNoDrift(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		interval := time.Second / 7
		var n, missed uint64
		for b := range beats(t, t.Context(), metronome.Options{Interval: interval, Limit: 100_000}) {
			n++
			missed += b.Missed
			if want := start.Add(time.Duration(b.Sequence) * interval); !b.Time.Equal(want) {
				t.Fatalf("beat %d is due at %v, want %v", b.Sequence, b.Time, want)
			}
			time.Sleep(time.Duration(n%4) * 100 * ms) // 0, 0.7, 1.4 and 2.1 intervals
		}
		if n+missed != 100_000 || missed == 0 {
			t.Errorf("%d beats and %d missed, want 100000 together and some of them missed", n, missed)
		}
	})
}

func TestEachRangeStartsAfresh(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seq := beats(t, t.Context(), metronome.Options{Interval: 10 * ms, Limit: 2})
		time.Sleep(time.Hour) // no beat is due before the range
		for range 2 {
			start := time.Now()
			var got []beatAt
			for b := range seq {
				got = append(got, beatAt{b.Sequence, b.Time.Sub(start), b.Missed, time.Since(start)})
			}
			want := []beatAt{{1, 10 * ms, 0, 10 * ms}, {2, 20 * ms, 0, 20 * ms}}
			if !slices.Equal(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
		}
	})
}

func TestBreakEndsTheMetronome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var n int
		for b := range beats(t, t.Context(), metronome.Options{Interval: 10 * ms}) {
			n++
			if b.Sequence == 2 {
				break
			}
		}
		if n != 2 {
			t.Errorf("%d beats, want 2", n)
		}
	})
}

func TestHugeIntervalDoesNotOverflow(t *testing.T) {
	const years = 365 * 24 * time.Hour
	synctest.Test(t, func(t *testing.T) { // its clock starts in the year 2000 and can go to 2262
		ctx, cancel := context.WithTimeout(t.Context(), 200*years)
		defer cancel()
		got := record(t, ctx, metronome.Options{Interval: 150 * years}, nil)
		want := []beatAt{{1, 150 * years, 0, 150 * years}} // the second would be due after 300 years, beyond a Duration
		if !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

func TestTimeKeepsTheMonotonicReading(t *testing.T) {
	for b := range beats(t, t.Context(), metronome.Options{Interval: 1, Align: true, Limit: 1}) {
		if b.Time == b.Time.Round(0) { // Round strips the reading
			t.Errorf("%v has no monotonic reading", b.Time)
		}
	}
}

func TestStartsNoGoroutine(t *testing.T) {
	before := runtime.NumGoroutine()
	for range beats(t, t.Context(), metronome.Options{Interval: 1, Limit: 1}) {
		if got := runtime.NumGoroutine(); got > before {
			t.Errorf("%d goroutines in the body, %d before", got, before)
		}
	}
}

func TestBeatsDoNotAllocate(t *testing.T) {
	const n = 1000
	synctest.Test(t, func(t *testing.T) {
		var before, after runtime.MemStats
		for b := range beats(t, t.Context(), metronome.Options{Interval: ms, Limit: 10 + n}) {
			switch b.Sequence {
			case 10:
				runtime.ReadMemStats(&before)
			case 10 + n:
				runtime.ReadMemStats(&after)
			}
		}
		if got := after.Mallocs - before.Mallocs; got > n/10 { // the runtime allocates a little beside it
			t.Errorf("%d allocations in %d beats", got, n)
		}
	})
}
