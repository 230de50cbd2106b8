package sim

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/headrace/headrace/governor"
)

// Base is the divisor at the normal pace.
const Base = 10

const millisecond = 0.001

// Kind says how a consumer takes and serves entries.
type Kind string

const (
	FIFO    Kind = "fifo"    // asynchronous, in the order of arrival
	Sharing Kind = "sharing" // asynchronous, all at once on shared processors
	Pulling Kind = "pulling" // each worker takes an entry when it is free
)

// Consumer is a consumer under a load.
type Consumer struct {
	Kind        Kind
	Servers     int
	Exponential bool    // its service; else deterministic
	Load        float64 // share of its capacity that the normal pace asks for while it is well
	Highs       float64 // High in mean unstressed services
}

// String names the consumer.
func (c Consumer) String() string {
	service := "deterministic"
	if c.Exponential {
		service = "exponential"
	}
	servers := "1 server"
	if c.Servers > 1 {
		servers = fmt.Sprintf("%d servers", c.Servers)
	}
	return fmt.Sprintf("%s, %s, %s, load %.2f", c.Kind, servers, service, c.Load)
}

// mean is the mean unstressed service in seconds.
func (c Consumer) mean() float64 { return c.Load * Base * millisecond * float64(c.Servers) }

func (c Consumer) high() float64 { return c.Highs * c.mean() }

// Ideal is the divisor that keeps the consumer just busy while it takes six
// times as long.
func (c Consumer) Ideal() float64 { return slowness * c.mean() / (millisecond * float64(c.Servers)) }

func (c Consumer) world(p pacer) *world {
	return &world{
		beat:    millisecond,
		pulling: c.Kind == Pulling,
		draw:    c.draw,
		pacer:   p,
		station: station{servers: c.Servers, sharing: c.Kind == Sharing},
	}
}

func (c Consumer) draw(r *rand.Rand) float64 {
	if c.Exponential {
		return c.mean() * r.ExpFloat64()
	}
	return c.mean()
}

func (c Consumer) governor() (*governor.Governor, error) {
	return governor.New(time.Millisecond, c.Kind != Pulling, governor.Options{
		High:     time.Duration(c.high() * 1e9),
		Base:     Base,
		Parallel: c.Servers,
	})
}
