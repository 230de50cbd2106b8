package brokers

import (
	"sync"
	"testing"

	"github.com/ThreeDotsLabs/watermill/message"
)

// frail is a publisher that must not be closed by two at the same time.
type frail struct{ closed int }

func (*frail) Publish(string, ...*message.Message) error { return nil }

func (f *frail) Close() error { f.closed++; return nil }

func TestCloseFromTwo(t *testing.T) {
	f := new(frail)
	b := &Broker{Publisher: f}
	var wg sync.WaitGroup
	for range 100 {
		wg.Go(func() { _ = b.Close() })
	}
	wg.Wait()
	if f.closed != 100 {
		t.Errorf("closed %d times, want 100", f.closed)
	}
}
