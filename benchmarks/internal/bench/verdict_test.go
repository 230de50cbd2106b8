package bench

import "testing"

func TestVerdict(t *testing.T) {
	even := []float64{10, 10, 10, 10, 10}
	for name, tt := range map[string]struct {
		a, b    []float64
		bar     Bar
		margin  float64
		want    Verdict
		wantErr string
	}{
		"ratio holds":           {even, []float64{20, 20, 20, 20, 20}, Bar{Rival: "b", AtMost: 0.5}, 1, Holds, ""},
		"one bad run of five":   {[]float64{10, 10, 90, 10, 10}, even, Bar{Rival: "b", AtMost: 1}, 1, Holds, ""},
		"two bad runs of five":  {[]float64{10, 90, 90, 10, 10}, even, Bar{Rival: "b", AtMost: 1}, 1, HoldsNoisy, ""},
		"three bad runs":        {[]float64{90, 90, 90, 10, 10}, even, Bar{Rival: "b", AtMost: 1}, 1, Misses, ""},
		"at least":              {even, even, Bar{Rival: "b", AtLeast: 1.1}, 1, Misses, ""},
		"with a margin":         {even, even, Bar{Rival: "b", AtLeast: 1.1}, 1.5, Holds, ""},
		"figure alone":          {even, nil, Bar{AtMost: 9}, 1, Misses, ""},
		"figure, with a margin": {even, nil, Bar{AtMost: 9}, 1.5, Holds, ""},
		"goal reached":          {even, even, Bar{Rival: "b", AtMost: 1, Goal: true}, 1, Reached, ""},
		"goal reached, noisily": {[]float64{10, 90, 90, 10, 10}, even, Bar{Rival: "b", AtMost: 1, Goal: true}, 1, Reached, ""},
		"goal not reached":      {even, even, Bar{AtLeast: 11, Goal: true}, 1, Unreached, ""},
		"goal, with a margin":   {even, even, Bar{AtLeast: 11, Goal: true}, 1.5, Unreached, ""},
		"nothing measured":      {even, nil, Bar{Rival: "b", AtMost: 1}, 1, Missing, ""},
		"a rival of 0":          {even, []float64{0, 0}, Bar{Rival: "b", AtMost: 1}, 1, Failed, "the put of b is 0, so there is no ratio"},
		"a metric never seen":   {even, even, Bar{Metric: "read", Rival: "b", AtMost: 1}, 1, Failed, "b measured no read"},
	} {
		r := measured(tt.a, tt.b, nil)
		if tt.bar.Metric == "" {
			tt.bar.Metric = "put"
		}
		r.Bars = []Bar{tt.bar}
		row := Rows([]Result{r}, tt.margin)[0]
		if row.Verdict != tt.want || row.Error != tt.wantErr {
			t.Errorf("%s: got %q, %q, want %q, %q", name, row.Verdict, row.Error, tt.want, tt.wantErr)
		}
	}
}

// TestVerdictOfFailedSide checks that a bar fails with a side that it needs, even
// if this was measured before.
func TestVerdictOfFailedSide(t *testing.T) {
	r := measured([]float64{10, 10}, []float64{20}, []float64{20})
	r.Sides[1].Error = "run 2: lost 3"
	r.Bars = []Bar{{Metric: "put", Rival: "b", AtMost: 1}, {Metric: "put", Rival: "c", AtMost: 1}}
	rows := Rows([]Result{r}, 1)
	if rows[0].Verdict != Failed || rows[0].Error != "b failed" || rows[1].Verdict != Holds {
		t.Errorf("got %q, %q and %q", rows[0].Verdict, rows[0].Error, rows[1].Verdict)
	}
}

// TestGuardIgnoresGoals checks that no goal fails a run.
func TestGuardIgnoresGoals(t *testing.T) {
	for _, v := range []Verdict{Reached, Unreached, Missing, Failed} {
		if !Guard([]Row{{Bar: &Bar{Goal: true}, Verdict: v}}) {
			t.Errorf("%q: the guard fails", v)
		}
	}
	if Guard([]Row{{Bar: &Bar{}, Verdict: Unreached}}) {
		t.Error("a bar was judged like a goal, and the guard holds")
	}
}

func TestGuard(t *testing.T) {
	for verdict, want := range map[Verdict]bool{
		"": true, Holds: true, HoldsNoisy: true, Misses: false, Failed: false, Missing: false,
	} {
		if got := Guard([]Row{{Verdict: Holds}, {Verdict: verdict}}); got != want {
			t.Errorf("%q: got %v, want %v", verdict, got, want)
		}
	}
}
