package main

import (
	"strings"
	"testing"
)

func TestSummary(t *testing.T) {
	s := session{
		options: options{workers: 3}, sink: newSink(), group: &group{moves: 12},
		feed: &feed{produced: 9, versions: []uint64{5, 3, 0, 1}},
	}
	s.sink.write(batch{Worker: "w1", Entries: []entry{{Symbol: symbol(0), Version: 5}, {Symbol: symbol(1), Version: 2}}})
	sum := s.sumUp()
	if sum.Keys != 3 || sum.FinalOK != 1 || sum.Lost != 2 || sum.Written != 2 || sum.right() {
		t.Errorf("%+v: of 3 symbols one is right, one is old and one is missing", sum)
	}
	s.sink.write(batch{Entries: []entry{{Symbol: symbol(1), Version: 3}, {Symbol: symbol(3), Version: 1}}})
	if sum = s.sumUp(); sum.FinalOK != 3 || sum.Lost != 0 || !sum.right() {
		t.Errorf("%+v, want all right", sum)
	}
	var b strings.Builder
	sum.print(&b, true)
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	want := `{"produced":9,"keys":3,"final_ok":3,"lost":0,"stale":0,"redelivered":0,"workers":3,`
	if last := lines[len(lines)-1]; !strings.HasPrefix(last, want) {
		t.Errorf("got %s, want it to begin with %s", last, want)
	}
	s.sink.write(batch{Entries: []entry{{Symbol: symbol(0), Version: 4}}})
	if s.sumUp().right() {
		t.Error("stale entries are not right")
	}
}
