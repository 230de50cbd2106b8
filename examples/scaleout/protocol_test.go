package main

import (
	"errors"
	"testing"
	"time"
)

func TestAsk(t *testing.T) {
	t.Parallel()
	conn := newWorker(t).conn
	if _, err := serve(conn, "half", func(n int) error {
		if n%2 == 1 {
			return errors.New("odd")
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := ask(conn, "half", 4, patience); err != nil {
		t.Error(err)
	}
	if err := ask(conn, "half", 5, patience); err == nil || err.Error() != "half: odd" {
		t.Errorf("got %v, want the error of the other side", err)
	}
	if err := ask(conn, "half", "x", patience); err == nil {
		t.Error("want an error: it is no number")
	}
	if err := ask(conn, "nobody", 1, time.Second); err == nil {
		t.Error("want an error: nobody listens")
	}
}
