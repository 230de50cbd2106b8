package governor

import "time"

// Decision says what the governor decided, from what, and why.
//
// A decision that changes neither divisor nor reads is reported only if its
// Reason differs from that of the decision reported before it. A steady
// consumer is therefore silent, and the history shows turning points.
type Decision struct {
	Time   time.Time
	From   int // divisor before, in beats per pass
	To     int // divisor after
	Reason Reason

	ReadsFrom int // reads per pass before
	ReadsTo   int // reads per pass after

	Signal  time.Duration // of the samples: see Options.Signal; zero for Idle and Probe
	High    time.Duration // thresholds in force
	Low     time.Duration
	Samples int  // samples behind Signal
	Queued  int  // how many of them found every worker busy
	Braked  bool // passes were being held back at that moment
}

// Reason is why a decision was made. Its zero value belongs to no decision.
type Reason uint8

const (
	// Slower: latency above High, and most samples were queued. Divisor +1.
	Slower Reason = iota + 1
	// Faster: latency below Low, or no sample was queued. An asynchronous
	// consumer above High does not get faster.
	// Divisor -1.
	Faster
	// Idle: nothing was in flight for a fifth of the base period. Divisor -1.
	// Or, with extra reads, for two base periods. Reads -1.
	Idle
	// Hold: nothing calls for a change.
	Hold
	// NoQueue: latency above High, but entries do not queue, so that slowing
	// down would not help.
	NoQueue
	// AtMax: Slower was called for at the largest divisor.
	AtMax
	// AtBase: Faster was called for at the smallest divisor, the normal state,
	// and nothing calls for more reads.
	AtBase
	// Probe: the brake held for so long that one entry was let through.
	Probe
	// MoreReads: at the smallest divisor, latency low, and more entries waited
	// at each pass than it reads. Reads per pass +1.
	MoreReads
	// FewerReads: latency above High. Extra reads go before the divisor rises.
	// Reads per pass -1.
	FewerReads
	// AtMaxReads: MoreReads was called for at Options.MaxReads.
	AtMaxReads
)

var reasons = [...]string{
	"none", "slower", "faster", "idle", "hold", "no queue", "at max", "at base", "probe",
	"more reads", "fewer reads", "at max reads",
}

// String returns the reason in lower-case words.
func (r Reason) String() string {
	if int(r) >= len(reasons) {
		return "unknown"
	}
	return reasons[r]
}
