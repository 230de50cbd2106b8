package pipeline

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor"
)

// eventRow is what the package documentation says of an event.
type eventRow struct {
	limited bool
	fields  []string
}

// documentedEvents reads the table, by level and message.
func documentedEvents(t *testing.T) map[string]eventRow {
	source, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	gap, quoted, name := regexp.MustCompile(`  +`), regexp.MustCompile(`"[^"]*"`), regexp.MustCompile(`[a-z_]+`)
	rows := map[string]eventRow{}
	for line := range strings.Lines(string(source)) {
		columns := gap.Split(strings.TrimPrefix(strings.TrimSpace(line), "//\t"), 3)
		if !strings.HasPrefix(line, "//\t") || len(columns) != 3 || columns[0] == "level" {
			continue
		}
		message, limited := strings.CutSuffix(columns[1], " *")
		fields := strings.ReplaceAll(quoted.ReplaceAllString(columns[2], ""), " after a panic", "")
		rows[columns[0]+" "+message] = eventRow{limited, name.FindAllString(fields, -1)}
	}
	return rows
}

// The table has every event that there is: level, message, fields, and whether
// it is limited.
func TestEventsTable(t *testing.T) {
	rows := documentedEvents(t)
	const times = 7 // more than are written of a limited one
	panicked := &PanicError{Value: "x", Stack: []byte("stack")}
	for _, event := range []func(e *events){
		func(e *events) { e.started(1, 1) },
		func(e *events) { e.outlasts("feed", 1, 2) },
		func(e *events) { e.stopping(cancelled) },
		func(e *events) { e.stopped(cache.Ledger{}, nil) },
		func(e *events) { e.stopped(cache.Ledger{}, errBoom) },
		func(e *events) { e.deadline(cache.Ledger{}) },
		func(e *events) { e.decision(governor.Decision{}) },
		func(e *events) { e.limit(1, 2) },
		func(e *events) { e.sourceFailed("feed", panicked, time.Second) },
		func(e *events) { e.sourceFailed("feed", panicked, 0) },
		func(e *events) { e.failed("k", 1, panicked) },
		func(e *events) { e.dead("k", 1, panicked) },
		func(e *events) { e.dropped("k", cache.Stale) },
		func(e *events) { e.invalid("feed", panicked) },
		func(e *events) { e.rejected("feed", errBoom) },
		func(e *events) { e.call("OnDrop", func() { panic("x") }) },
	} {
		var j journal
		e := newEvents(j.logger(), "quotes")
		for range times {
			event(&e)
		}
		lines := slices.Collect(strings.Lines(j.String()))
		fields := map[string]any{}
		if err := json.Unmarshal([]byte(lines[0]), &fields); err != nil {
			t.Fatal(err)
		}
		what := fmt.Sprint(fields["level"], " ", fields["message"])
		row, ok := rows[what]
		if !ok {
			t.Errorf("%q is not in the table", what)
			continue
		}
		delete(rows, what)
		for _, always := range []string{"level", "message", "pipeline"} {
			delete(fields, always)
		}
		if got, want := slices.Sorted(maps.Keys(fields)), slices.Sorted(slices.Values(row.fields)); !slices.Equal(got, want) {
			t.Errorf("%q has the fields %q, the table says %q", what, got, want)
		}
		if limited := len(lines) < times; limited != row.limited {
			t.Errorf("%q is limited: %v, the table says %v", what, limited, row.limited)
		}
	}
	for what := range rows {
		t.Errorf("%q is in the table, and no event", what)
	}
}

// The table has every reason for which a value is dropped, but those that have
// events of their own, and every callback.
func TestEventsTableValues(t *testing.T) {
	source, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for r := cache.Evicted; !strings.HasPrefix(r.String(), "Reason("); r++ {
		if r == cache.Dead || r == cache.Rejected {
			continue
		}
		if !strings.Contains(string(source), fmt.Sprintf("%q", r)) {
			t.Errorf("reason %q is not in the table", r)
		}
	}
	called := regexp.MustCompile(`log\.call\(("\w+")`)
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") || strings.HasSuffix(file.Name(), "_test.go") {
			continue
		}
		text, err := os.ReadFile(file.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range called.FindAllSubmatch(text, -1) {
			if !strings.Contains(string(source), string(match[1])) {
				t.Errorf("callback %s is not in the table", match[1])
			}
		}
	}
}
