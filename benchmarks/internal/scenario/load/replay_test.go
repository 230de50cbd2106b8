package load

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/headrace/headrace/benchmarks/internal/bench"
)

const file = `ts_recv_ns,ts_event_ns,action,side,price,size,order_id,sequence
1000,1,A,B,10.00,5,1,1
1000,1,A,A,10.25,5,2,2
2000,1,C,B,10.00,2,1,3
2500,1,M,A,10.50,5,2,4
`

func replayOf(t *testing.T, content string) []bench.Case {
	t.Helper()
	path := filepath.Join(t.TempDir(), "events.csv")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return Replay(bench.Options{Quick: true, Replay: path})
}

func TestReplayReadsAFile(t *testing.T) {
	for _, c := range replayOf(t, file) {
		if !strings.Contains(c.Name, "events.csv") {
			t.Errorf("case %q does not name the file", c.Name)
		}
		for _, s := range c.Sides {
			if _, err := s.Measure(t.Context(), about); err != nil {
				t.Errorf("%s: %s: %v", c.Name, s.Name, err)
			}
		}
	}
}

func TestReplayNamesABadLine(t *testing.T) {
	for _, c := range replayOf(t, file+"3000,1,A,B,ten,5,3,5\n") {
		_, err := c.Sides[0].Measure(t.Context(), about)
		if err == nil || !strings.Contains(err.Error(), "events.csv: line 6: price") {
			t.Errorf("%s: error %v", c.Name, err)
		}
	}
}

// TestReplayChecksTheBook: a side that loses an update is an error.
func TestReplayChecksTheBook(t *testing.T) {
	r := newRecording(bench.Options{})
	_, err := measureReplay(t.Context(), r, 0, about, func(ctx context.Context, s stretch, c *reader) error {
		lost := s
		lost.events = s.events[1:]
		return replayThroughChannel(ctx, lost, c)
	})
	if err == nil {
		t.Error("no error")
	}
}
