package cache_test

import (
	"fmt"

	"github.com/headrace/headrace/cache"
)

// message is what came from a broker, and its own receipt.
type message struct {
	text string
	gone bool // the broker has given it to somebody else
}

func (m *message) Ack() bool     { fmt.Println("ack", m.text); return true }
func (m *message) Nack() bool    { fmt.Println("nack", m.text); return true }
func (m *message) Revoked() bool { return m.gone }

func admit(c *cache.Cache[string, *message], m *message) {
	c.Admit(cache.Arrival[string, *message]{Key: "a", Value: m, Receipt: m})
}

// A message is acknowledged when it needs no more: when a newer one has taken
// its place, or when it is done.
func ExampleReceipt() {
	c := newCache(cache.Options[string, *message]{})
	admit(c, &message{text: "one"})
	admit(c, &message{text: "two"})
	e, _ := c.TryTake()
	fmt.Println("took", e.Value.text)
	c.Done(e)
	// Output:
	// ack one
	// took two
	// ack two
}

func ExampleCache_NackWaiting() {
	c := newCache(cache.Options[string, *message]{})
	admit(c, &message{text: "one"})
	c.Close()
	c.NackWaiting() // nobody will process it
	fmt.Println(c.Len())
	// Output:
	// nack one
	// 1
}

// A consumer that does not process what was given to another.
func ExampleCache_Revoke() {
	c := newCache(cache.Options[string, *message]{})
	admit(c, &message{text: "one", gone: true})
	e, _ := c.TryTake()
	if e.Revoked() {
		fmt.Println(c.Revoke(e), c.Ledger().Revoked)
	}
	// Output: true 1
}

func ExampleEntry_Revoked() {
	c := newCache(cache.Options[string, *message]{})
	m := &message{text: "one"}
	admit(c, m)
	e, _ := c.TryTake()
	fmt.Println(e.Revoked())
	m.gone = true
	fmt.Println(e.Revoked())
	// Output:
	// false
	// true
}
