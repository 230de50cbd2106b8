package monitor

import (
	"testing"
	"time"

	"github.com/headrace/headrace/governor"
)

func TestWords(t *testing.T) {
	const ms = time.Millisecond
	base := governor.Decision{
		From: 14, To: 14, ReadsFrom: 1, ReadsTo: 1, Signal: 81234567,
		High: 50 * ms, Low: 25 * ms, Samples: 2, Queued: 2,
	}
	with := func(change func(*governor.Decision)) governor.Decision {
		d := base
		change(&d)
		return d
	}
	for _, c := range []struct {
		d    governor.Decision
		want string
	}{
		{with(func(d *governor.Decision) { d.Reason, d.To = governor.Slower, 15 }),
			"Slower, divisor 14 to 15: entries took 81.2ms, above the high line of 50ms, and 2 of 2 found every worker busy."},
		{with(func(d *governor.Decision) { d.Reason, d.To, d.Queued, d.Signal = governor.Faster, 13, 0, 3*ms }),
			"Faster, divisor 14 to 13: entries took 3ms, and 0 of 2 found every worker busy."},
		{with(func(d *governor.Decision) { d.Reason, d.To = governor.Idle, 13 }),
			"Faster, divisor 14 to 13: nothing was in flight."},
		{with(func(d *governor.Decision) { d.Reason, d.ReadsFrom = governor.Idle, 2 }),
			"Slower, 2 to 1 reads a pass: nothing was in flight."},
		{with(func(d *governor.Decision) { d.Reason = governor.Hold }),
			"Divisor stays at 14: entries took 81.2ms, and 2 of 2 found every worker busy, which calls for no change."},
		{with(func(d *governor.Decision) { d.Reason = governor.NoQueue }),
			"Divisor stays at 14: entries took 81.2ms, above the high line of 50ms, but they do not queue, so slowing down would not help."},
		{with(func(d *governor.Decision) { d.Reason = governor.AtMax }),
			"Divisor stays at 14: entries took 81.2ms, above the high line of 50ms, and 2 of 2 found every worker busy, but it is the largest."},
		{with(func(d *governor.Decision) { d.Reason = governor.AtBase }),
			"Divisor stays at 14: entries took 81.2ms, and 2 of 2 found every worker busy: the normal state."},
		{with(func(d *governor.Decision) { d.Reason = governor.Probe }),
			"One entry let through: the brake had held for long."},
		{with(func(d *governor.Decision) { d.Reason, d.ReadsTo = governor.MoreReads, 2 }),
			"Faster, 1 to 2 reads a pass: entries took 81.2ms, and more entries wait than a pass reads."},
		{with(func(d *governor.Decision) { d.Reason, d.ReadsFrom = governor.FewerReads, 2 }),
			"Slower, 2 to 1 reads a pass: entries took 81.2ms, above the high line of 50ms, and 2 of 2 found every worker busy."},
		{with(func(d *governor.Decision) { d.Reason = governor.AtMaxReads }),
			"Divisor stays at 14: entries took 81.2ms, and more entries wait than a pass reads, but 1 reads are the most."},
		{with(func(d *governor.Decision) { d.Reason = 200 }), "Divisor stays at 14: unknown."},
	} {
		if got := words(&c.d); got != c.want {
			t.Errorf("%v:\n got %s\nwant %s", c.d.Reason, got, c.want)
		}
	}
}

func TestLatestIsFirst(t *testing.T) {
	var all []governor.Decision
	for i := range 15 {
		all = append(all, governor.Decision{Time: time.Unix(int64(i), 0), Reason: governor.Idle})
	}
	got := latest(all, 10)
	if len(got) != 10 || got[0].Time != 14 || got[9].Time != 5 {
		t.Errorf("%v, want those of 14 down to 5", got)
	}
	if got := latest(nil, 10); len(got) != 0 {
		t.Errorf("%v of nothing", got)
	}
}

func TestRound(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", 123: "123ns", 123456: "123µs", 1234567: "1.23ms", 81234567: "81.2ms", 1234567890: "1.23s",
	} {
		if got := round(d).String(); got != want {
			t.Errorf("round(%d) = %s, want %s", d, got, want)
		}
	}
}
