package load

import "time"

// taken is what a consumer takes: a value, and what it is made of.
type taken struct {
	quote  quote     // the newest
	first  time.Time // when the oldest arrived
	merged int       // values merged into the first
}
