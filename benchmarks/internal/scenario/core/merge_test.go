package core

import (
	"strings"
	"testing"
	"time"
)

// forgetful drops every hundredth value, as a benchmark that measures nothing
// would.
type forgetful struct{ mapMerger[string] }

func (f *forgetful) put(keys []string, first, n int) error {
	for v := first; v < first+n; v++ {
		if v%100 != 99 {
			f.assign(keys[v%len(keys)], numbered(v))
		}
	}
	return nil
}

func TestMergeNoticesALostValue(t *testing.T) {
	f := &forgetful{mapMerger[string]{values: map[string]value{}}}
	_, err := measureMerge(f, stringKeys(1000), false, time.Millisecond)
	if err == nil || !strings.Contains(err.Error(), "merge: key key-99 has value") {
		t.Errorf("got %v", err)
	}
}

// latestOnly says that it adds up, and does not.
type latestOnly struct{ mapMerger[string] }

func (*latestOnly) adds() bool { return true }

func TestMergeNoticesAWrongSum(t *testing.T) {
	l := &latestOnly{mapMerger[string]{values: map[string]value{}}}
	_, err := measureMerge(l, stringKeys(10), true, time.Millisecond)
	if err == nil || !strings.Contains(err.Error(), "has 1 values") {
		t.Errorf("got %v", err)
	}
}
