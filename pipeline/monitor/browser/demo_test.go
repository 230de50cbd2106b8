package browser

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor"
	"github.com/headrace/headrace/governor/quota"
	"github.com/headrace/headrace/metronome"
	"github.com/headrace/headrace/pipeline"
	"github.com/headrace/headrace/pipeline/monitor"
)

type quote struct {
	symbol string
	price  int
}

// feed gives a quote each millisecond, the first symbols far more often.
func feed(ctx context.Context) iter.Seq2[quote, error] {
	return func(yield func(quote, error) bool) {
		ticker := time.NewTicker(time.Millisecond)
		defer ticker.Stop()
		for price := 0; ; price++ {
			select {
			case <-ticker.C:
			case <-ctx.Done():
				return
			}
			symbol := fmt.Sprintf("SYM%02d", int(rand.ExpFloat64()*4)%40)
			if !yield(quote{symbol, price}, nil) {
				return
			}
		}
	}
}

// demo is two pipelines at work, and their page.
type demo struct {
	slow atomic.Bool // the consumer of quotes, far more than its governor likes
	url  string      // of the server
}

const mount = "/debug/headrace/"

func start(t *testing.T) *demo {
	t.Helper()
	d := new(demo)
	quotes := d.quotes(t)
	orders := d.orders(t)
	mux := http.NewServeMux()
	mux.Handle(mount, monitor.Handler(quotes, orders))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections) // a stream does not end by itself
	d.url = server.URL
	run(t, quotes)
	run(t, orders)
	return d
}

func run(t *testing.T, p *pipeline.Pipeline[string, quote]) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- p.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// quotes has a metronome and a governor.
func (d *demo) quotes(t *testing.T) *pipeline.Pipeline[string, quote] {
	p, err := pipeline.New(pipeline.Config[string, quote]{
		Name: "quotes", Key: func(q quote) string { return q.symbol },
		Metronome: metronome.Options{Interval: time.Millisecond},
		Governor:  governor.Options{High: 20 * time.Millisecond, Max: 60},
	})
	if err != nil {
		t.Fatal(err)
	}
	p.Produce(pipeline.Producer[quote]{Name: "exchange", Source: pipeline.FromFunc(feed)})
	p.Produce(pipeline.Producer[quote]{Name: "backup exchange", Source: pipeline.FromFunc(feed)})
	p.Consume(func(context.Context, cache.Entry[string, quote]) error {
		if d.slow.Load() {
			time.Sleep(50 * time.Millisecond)
		} else {
			time.Sleep(time.Millisecond)
		}
		return nil
	})
	return p
}

// orders has a limit, quotas, and a handler that fails at times.
func (d *demo) orders(t *testing.T) *pipeline.Pipeline[string, quote] {
	quotas, err := quota.New(quota.Options{})
	if err != nil {
		t.Fatal(err)
	}
	err = quotas.Alter(quota.Entity{User: quota.Named("alice")}, quota.Change{Key: quota.RequestTimePercent, Value: "50"})
	if err != nil {
		t.Fatal(err)
	}
	p, err := pipeline.New(pipeline.Config[string, quote]{
		Name: "orders", Key: func(q quote) string { return q.symbol },
		Workers: 8, Limit: &governor.Gradient2{}, Quotas: quotas, Attempts: 2,
	})
	if err != nil {
		t.Fatal(err)
	}
	p.Produce(pipeline.Producer[quote]{Name: "gateway", User: "alice", ClientID: "desk-1", Source: pipeline.FromFunc(feed)})
	p.Consume(func(_ context.Context, e cache.Entry[string, quote]) error {
		time.Sleep(time.Duration(2+rand.IntN(6)) * time.Millisecond)
		if e.Value.price%500 == 0 {
			return errors.New("no such account")
		}
		return nil
	})
	return p
}
