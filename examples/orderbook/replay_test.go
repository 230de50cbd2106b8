package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// checkReplay compares the rebuilt book and the counts that do not depend on
// the scheduling.
func checkReplay(t *testing.T, got, want result) {
	t.Helper()
	if got.Events != want.Events || got.Levels != want.Levels || got.Contracts != want.Contracts ||
		got.BestBid != want.BestBid || got.BestAsk != want.BestAsk {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if !got.Balanced || !got.Matches || got.Waiting != 0 || got.Updates != got.Emitted+got.Merged {
		t.Errorf("not everything is accounted for: %+v", got)
	}
}

func TestReplay(t *testing.T) {
	const rows = 5000
	for seed := range uint64(5) {
		text, live := randomFeed(seed, rows)
		want := live.result()
		want.Events = rows
		for _, file := range []string{write(t, text), write(t, compressed(t, text))} {
			for _, workers := range []string{"1", "4"} {
				got := replayed(t, "-file", file, "-workers", workers, "-consume", "200us")
				checkReplay(t, got, want)
				// At full speed no simulated time passes before the end of the
				// file: a level is emitted once, or twice if a worker had it.
				if got.Emitted > 80+4 {
					t.Errorf("emitted %d of 80 levels", got.Emitted)
				}
			}
		}
	}
}

// At the recorded pace the replay takes as long as the recording, and a
// consumer that is fast enough gets every update by itself.
func TestReplayAtPace(t *testing.T) {
	text := header + "0,0,A,B,99.75,1,1,1\n2000000000,0,M,B,99.50,1,1,1\n8000000000,0,A,B,99.5,1,2,1\n"
	got := replayed(t, "-file", write(t, text), "-speed", "2", "-consume", "1s")
	checkReplay(t, got, result{Events: 3, Levels: 1, Contracts: 2, BestBid: "99.50"})
	if got.Emitted != 4 || got.Merged != 0 {
		t.Errorf("emitted %d, merged %d, want 4, 0", got.Emitted, got.Merged)
	}
	if got.Seconds != 5 {
		t.Errorf("took %v s, want 4 s for the file and 1 s for the last update", got.Seconds)
	}
}

// Workers share the delays.
func TestReplayWorkers(t *testing.T) {
	file := write(t, header+"0,0,A,B,99.00,1,1,1\n0,0,A,B,99.25,1,2,1\n0,0,A,A,99.50,1,3,1\n0,0,A,A,99.75,1,4,1\n")
	for workers, want := range map[int]float64{1: 4, 2: 2, 4: 1} {
		got := replayed(t, "-file", file, "-consume", "1s", "-workers", fmt.Sprint(workers))
		if got.Seconds != want {
			t.Errorf("%d workers took %v s, want %v", workers, got.Seconds, want)
		}
	}
}

// realFile returns the path of a day's recording. Without it the test is
// skipped, or fails if HEADRACE_REQUIRE=1 says that nothing may be missing.
func realFile(t *testing.T) string {
	t.Helper()
	shared := cmp.Or(os.Getenv("HEADRACE_SHARED"), filepath.Join("..", "..", "..", "shared"))
	path := filepath.Join(shared, "marketdata", "esh4_mbo_2023-12-25.csv.gz")
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("HEADRACE_REQUIRE") == "1" {
			t.Fatalf("the recording is required: %v", err)
		}
		t.Skipf("the recording is not there: %v", err)
	}
	return path
}

var realBook = result{Events: 68792, Levels: 1487, Contracts: 42160, BestBid: "4810.00", BestAsk: "4810.25"}

func TestReplayOfARealDay(t *testing.T) {
	file := realFile(t)
	for _, workers := range []int{1, 4} {
		got := replayed(t, "-file", file, "-consume", "200us", "-workers", fmt.Sprint(workers))
		checkReplay(t, got, realBook)
		if got.Merged == 0 {
			t.Errorf("%d workers: nothing was merged", workers)
		}
	}
}

// The 24 hours in 24 simulated seconds.
func TestReplayOfARealDayAtPace(t *testing.T) {
	got := replayed(t, "-file", realFile(t), "-consume", "200us", "-speed", "3600")
	checkReplay(t, got, realBook)
	if got.Seconds < 23 || got.Seconds > 25 {
		t.Errorf("took %v s, want about 24", got.Seconds)
	}
}
