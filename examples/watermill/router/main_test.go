package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/headrace/headrace/examples/watermill/feed"
	"github.com/headrace/headrace/examples/watermill/internal/servers"
)

func TestRouter(t *testing.T) {
	for name, url := range servers.InProcess(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var stdout, stderr bytes.Buffer
			args := []string{"-pubsub", name, "-url", url, "-json", "-timeout", "30s"}
			if status := run(t.Context(), args, &stdout, &stderr); status != 0 {
				t.Fatalf("status %d: %s", status, &stderr)
			}
			var r feed.Result
			if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
				t.Fatal(err)
			}
			if r.Published != 1000 || r.FinalOK != 5 || r.Symbols != 5 || r.Stale != 0 || r.Handled >= r.Published/2 {
				t.Errorf("got %+v, want few of 1000 handled and 5 symbols right", r)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	for _, test := range []struct {
		args   string
		status int
		want   string
	}{
		{"-pubsub nats -url nats://127.0.0.1:1", 1, "router: no NATS server at nats://127.0.0.1:1: "},
		{"-prices 0", 2, "router: -symbols, -prices and -timeout must be more than 0"},
		{"-timeout 1ms", 1, "5 of 5 symbols did not end on their last price"},
		{"-help", 0, "Usage of router"},
	} {
		t.Run(test.args, func(t *testing.T) {
			t.Parallel()
			var stdout, stderr bytes.Buffer
			if status := run(t.Context(), strings.Fields(test.args), &stdout, &stderr); status != test.status {
				t.Errorf("status %d, want %d", status, test.status)
			}
			if !strings.Contains(stderr.String(), test.want) {
				t.Errorf("got %q, want it to have %q", &stderr, test.want)
			}
		})
	}
}
