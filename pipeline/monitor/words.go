package monitor

import (
	"fmt"
	"slices"
	"time"

	"github.com/headrace/headrace/governor"
)

// latest returns the last n decisions in words, the latest first.
func latest(all []governor.Decision, n int) []decision {
	var told []decision
	for _, d := range slices.Backward(all[max(0, len(all)-n):]) {
		told = append(told, decision{unix(d.Time), words(&d)})
	}
	return told
}

// words says what a decision was and why.
func words(d *governor.Decision) string {
	return fmt.Sprintf("%s: %s.", verdict(d), why(d))
}

func verdict(d *governor.Decision) string {
	switch {
	case d.Reason == governor.Probe:
		return "One entry let through"
	case d.To > d.From:
		return fmt.Sprintf("Slower, divisor %d to %d", d.From, d.To)
	case d.To < d.From:
		return fmt.Sprintf("Faster, divisor %d to %d", d.From, d.To)
	case d.ReadsTo > d.ReadsFrom:
		return fmt.Sprintf("Faster, %d to %d reads a pass", d.ReadsFrom, d.ReadsTo)
	case d.ReadsTo < d.ReadsFrom:
		return fmt.Sprintf("Slower, %d to %d reads a pass", d.ReadsFrom, d.ReadsTo)
	default:
		return fmt.Sprintf("Divisor stays at %d", d.To)
	}
}

func why(d *governor.Decision) string {
	took := "entries took " + round(d.Signal).String()
	high := fmt.Sprintf("%s, above the high line of %v", took, d.High)
	busy := fmt.Sprintf("%d of %d found every worker busy", d.Queued, d.Samples)
	switch d.Reason {
	case governor.Slower, governor.FewerReads:
		return high + ", and " + busy
	case governor.AtMax:
		return high + ", and " + busy + ", but it is the largest"
	case governor.NoQueue:
		return high + ", but they do not queue, so slowing down would not help"
	case governor.Faster:
		return took + ", and " + busy
	case governor.AtBase:
		return took + ", and " + busy + ": the normal state"
	case governor.Hold:
		return took + ", and " + busy + ", which calls for no change"
	case governor.MoreReads:
		return took + ", and more entries wait than a pass reads"
	case governor.AtMaxReads:
		return fmt.Sprintf("%s, and more entries wait than a pass reads, but %d reads are the most", took, d.ReadsTo)
	case governor.Idle:
		return "nothing was in flight"
	case governor.Probe:
		return "the brake had held for long"
	default:
		return d.Reason.String()
	}
}

// round leaves three digits or so.
func round(d time.Duration) time.Duration {
	unit := time.Nanosecond
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit)
}
