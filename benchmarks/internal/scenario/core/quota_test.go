package core

import (
	"testing"

	"github.com/headrace/headrace/governor/quota"
)

func TestChargesNoticeWhatIsMissing(t *testing.T) {
	within := []quota.Change{change(quota.ProducerByteRate, ample), change(quota.RequestTimePercent, most)}
	above := []quota.Change{change(quota.ProducerByteRate, scarce)}
	for _, test := range []struct {
		name      string
		changes   []quota.Change
		bytes     int64
		time      int64
		throttled uint64
		ok        bool
	}{
		{"all", within, 1000, 10 * int64(busy), 0, true},
		{"bytes missing", within, 900, 10 * int64(busy), 0, false},
		{"time missing", within, 1000, 9 * int64(busy), 0, false},
		{"throttled within", within, 1000, 10 * int64(busy), 1, false},
		{"throttled above", above, 1000, 0, 9, true},
		{"not throttled above", above, 1000, 0, 0, false},
	} {
		err := checkCharges([]quota.Usage{
			{Key: quota.RequestTimePercent, Total: test.time},
			{Key: quota.ProducerByteRate, Total: test.bytes, Throttled: test.throttled},
		}, 10, test.changes)
		if (err == nil) != test.ok {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}
