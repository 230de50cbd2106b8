package governor

import "testing"

func TestReasonString(t *testing.T) {
	tests := map[Reason]string{
		0: "none", Slower: "slower", Faster: "faster", Idle: "idle", Hold: "hold", NoQueue: "no queue",
		AtMax: "at max", AtBase: "at base", Probe: "probe",
		MoreReads: "more reads", FewerReads: "fewer reads", AtMaxReads: "at max reads", AtMaxReads + 1: "unknown",
	}
	for reason, want := range tests {
		if got := reason.String(); got != want {
			t.Errorf("Reason(%d) is %q, want %q", reason, got, want)
		}
	}
}
