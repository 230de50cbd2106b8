package kafka

import (
	"errors"
	"io"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
)

// The source ends with an error that does not go away by itself.
func TestSessionMends(t *testing.T) {
	for _, test := range []struct {
		err  error
		want bool
	}{
		{&kgo.ErrDataLoss{}, true},
		{&kgo.ErrGroupSession{Err: kerr.UnknownMemberID}, true},
		{&kgo.ErrGroupSession{Err: kerr.IllegalGeneration}, true},
		{&kgo.ErrGroupSession{Err: kerr.CoordinatorNotAvailable}, true},
		{&kgo.ErrGroupSession{Err: errors.New("unable to dial")}, true},
		{&kgo.ErrGroupSession{Err: kerr.GroupAuthorizationFailed}, false},
		{&kgo.ErrGroupSession{Err: kerr.FencedInstanceID}, false},
		{kerr.NotLeaderForPartition, true},
		{kerr.TopicAuthorizationFailed, false},
		{io.EOF, true},
		{&kgo.ErrDecompressTooLarge{}, false},
		{kgo.ErrClientClosed, false},
		{errors.New("strange"), false},
	} {
		if got := mends(test.err); got != test.want {
			t.Errorf("%v: mends is %v, want %v", test.err, got, test.want)
		}
	}
}
