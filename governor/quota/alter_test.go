package quota

import (
	"errors"
	"strings"
	"testing"
)

func TestAlterIsAllOrNothing(t *testing.T) {
	q := set(t, Options{}, percent("1"), produced("1000"))
	before := q.rules.Load()
	err := q.Alter(alice, produced("2000"), percent("x"), Change{Key: "request_percentage", Value: "5"}, Change{Key: ConsumerByteRate, Value: "0"})
	for _, want := range []string{
		`users/alice: request_time_percent="x": `, `users/alice: request_percentage="5": unknown key`, `users/alice: consumer_byte_rate="0": `,
	} {
		if err == nil || !strings.Contains(err.Error(), want) || !errors.Is(err, ErrConfig) {
			t.Errorf("got %v, want it to name %s", err, want)
		}
	}
	if q.rules.Load() != before {
		t.Error("something was changed")
	}
	if err := q.Alter(alice, percent("1"), percent("2")); !errors.Is(err, ErrConfig) {
		t.Errorf("a key twice: %v", err)
	}
	if err := q.Alter(Entity{}, percent("1")); !errors.Is(err, ErrConfig) {
		t.Errorf("no entity: %v", err)
	}
	if err := q.Remove(Entity{User: Named("")}); !errors.Is(err, ErrConfig) {
		t.Errorf("an empty name: %v", err)
	}
}

func TestAlterChangesKeysByThemselves(t *testing.T) {
	q := set(t, Options{}, percent("1"), produced("1000"))
	mustAlter(t, q, alice, Change{Key: RequestTimePercent, Remove: true}, Change{Key: ConsumerByteRate, Value: "5"}, Change{Key: "producer_byte_rate", Value: "2000"})
	if got, want := q.rules.Load().table[alice], (Limits{ProducerByteRate: 2000, ConsumerByteRate: 5}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	before := q.rules.Load()
	mustAlter(t, q, alice, Change{Key: RequestTimePercent, Remove: true}, produced("2000"))
	if q.rules.Load() != before {
		t.Error("a change to what is there already makes every gate resolve again")
	}
	mustAlter(t, q, alice, Change{Key: ProducerByteRate, Remove: true}, Change{Key: ConsumerByteRate, Remove: true})
	if n := len(q.rules.Load().table); n != 0 {
		t.Errorf("%d entities are left of which nothing is set", n)
	}
}

func TestLoadReplaces(t *testing.T) {
	q := set(t, Options{}, percent("1"), produced("1000"))
	if err := q.Load(alice, []byte(`{"version":2,"config":{"consumer_byte_rate":"7"}}`)); err != nil {
		t.Fatal(err)
	}
	want := Limits{ConsumerByteRate: 7}
	if got := q.rules.Load().table[alice]; got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	err := q.Load(alice, []byte(`{"version":2,"config":{"consumer_byte_rate":"8","request_time_percent":"-1"}}`))
	if err == nil || !strings.Contains(err.Error(), `users/alice: request_time_percent="-1"`) {
		t.Errorf("got %v", err)
	}
	if got := q.rules.Load().table[alice]; got != want {
		t.Errorf("a bad document was applied in part: %+v", got)
	}
}
