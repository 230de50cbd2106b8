package load

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestPaceMakesUpForWhatIsLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := pace{start: time.Now(), rate: 10_000}
		if p.batch() != 10 {
			t.Errorf("batch of %d, want 10", p.batch())
		}
		time.Sleep(5 * time.Millisecond)
		for range 10 {
			p.took(10)
		}
		if took := time.Since(p.start); took != 10*time.Millisecond {
			t.Errorf("took %v, want 10ms", took)
		}
	})
}
