package governor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
)

// punctual is an error that could be a timeout and is none.
type punctual struct{}

func (punctual) Error() string { return "refused in time" }
func (punctual) Timeout() bool { return false }

func TestOutcome(t *testing.T) {
	errBusy, errRefused := errors.New("busy"), errors.New("refused")
	classify := func(err error) Outcome {
		if errors.Is(err, errBusy) {
			return Dropped
		}
		return Succeeded
	}
	tests := []struct {
		err            error
		want, byErrors Outcome
	}{
		{nil, Succeeded, Succeeded},
		{context.DeadlineExceeded, Dropped, Dropped},
		{fmt.Errorf("handler: %w", context.DeadlineExceeded), Dropped, Dropped},
		{os.ErrDeadlineExceeded, Dropped, Dropped},
		{errors.Join(punctual{}, context.DeadlineExceeded), Dropped, Dropped},
		{punctual{}, Ignored, Succeeded},
		{context.Canceled, Ignored, Succeeded},
		{errBusy, Ignored, Dropped},
		{errRefused, Ignored, Succeeded},
	}
	plain, configured := newLimiter(t, LimiterOptions{}), newLimiter(t, LimiterOptions{Errors: classify})
	for _, test := range tests {
		if got := plain.Outcome(test.err); got != test.want {
			t.Errorf("%v: %v, want %v", test.err, got, test.want)
		}
		if got := configured.Outcome(test.err); got != test.byErrors {
			t.Errorf("%v as configured: %v, want %v", test.err, got, test.byErrors)
		}
	}
}

func TestOutcomeString(t *testing.T) {
	for o, want := range map[Outcome]string{Ignored: "ignored", Succeeded: "succeeded", Dropped: "dropped", 3: "unknown"} {
		if got := o.String(); got != want {
			t.Errorf("%d: %q, want %q", o, got, want)
		}
	}
}
