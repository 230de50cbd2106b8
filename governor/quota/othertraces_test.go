package quota

import (
	"bufio"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Bounds of zero, below zero and NaN: Kafka takes them, and then throttles not
// at all (17). Here they cannot be set. What is measured meanwhile is the same.
func TestReferenceDegenerateBounds(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(shared(t), "17_*.csv"))
	if err != nil || len(paths) != 8 {
		t.Fatalf("%d traces, %v; want 8", len(paths), err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			f := readTrace(t, path)
			q := mustNew(t, Options{})
			for _, key := range keys {
				err := q.Alter(Entity{User: Named("alice")}, Change{Key: key, Value: f.params["initial_bound"]})
				if !errors.Is(err, ErrConfig) {
					t.Errorf("%s=%s: got %v, want it refused", key, f.params["initial_bound"], err)
				}
			}
			a := newReplayed(t, f, false)
			a.bound(math.Inf(1))
			for _, row := range f.rows {
				at := row.ms(t, "t_ms")
				if out := a.charge(nil, at, at, row.int(t, "value")); out.delay != 0 {
					t.Errorf("seq %s: delay %v without a quota", row["seq"], out.delay)
				}
				a.checkReading(t, row, a.window.read(at))
			}
			t.Logf("%d rows", len(f.rows))
		})
	}
}

func TestReferenceTwoQuotas(t *testing.T) {
	for _, name := range []string{"18_coexist.csv", "18b_coexist_mild.csv"} {
		t.Run(name, func(t *testing.T) {
			f := readTrace(t, filepath.Join(shared(t), name))
			replayTwo(t, f, Options{Samples: 11, Producers: 8, MaxDelay: math.MaxInt64})
		})
	}
}

func TestOwnTwoQuotas(t *testing.T) {
	replayTwo(t, readTrace(t, filepath.Join("testdata", "two.csv")), Options{Producers: 8})
}

// replayTwo goes through a gate. The columns seq_* are the order of KIP-124.
func replayTwo(t *testing.T, f traceFile, o Options) {
	q := mustNew(t, o)
	mustAlter(t, q, Entity{User: Named("alice")},
		Change{Key: ProducerByteRate, Value: f.params["byte_bound"]}, Change{Key: RequestTimePercent, Value: "1"})
	gate := q.Producer(Identity{User: "alice"})
	for _, row := range f.rows {
		d := gate.Charge(q.epoch.Add(row.ms(t, "t_ms")), time.Duration(row.int(t, "ns")), row.int(t, "bytes"))
		for column, got := range map[string]time.Duration{
			"byte_throttle_ms": d.Bytes, "seq_req_throttle_ms": d.Time, "seq_total_ms": d.Total(),
		} {
			if want := row.ms(t, column); (got - want).Abs() > ms {
				t.Errorf("seq %s: %s is %v, want %v", row["seq"], column, got, want)
			}
		}
	}
	t.Logf("%d rows", len(f.rows))
}

// The mean of the delays is 0 where Kafka's is NaN.
func TestReferenceMeanDelay(t *testing.T) {
	f := readTrace(t, filepath.Join(shared(t), "19_throttle_time_avg.csv"))
	w := window{samples: meanSamples, size: meanSize}
	for _, row := range f.rows {
		at := row.ms(t, "t_ms")
		if row["op"] == "rec" {
			w.record(at, row.int(t, "value"))
		}
		want := row.float(t, "avg")
		if math.IsNaN(want) {
			want = 0
		}
		if got := w.mean(at); got != want {
			t.Errorf("seq %s: %v, want %v", row["seq"], got, want)
		}
	}
	t.Logf("%d rows", len(f.rows))
}

// The bucket that remembers debt. Strict is how the gate uses it: ask first, then
// do the work whatever it costs.
func TestReferenceBucket(t *testing.T) {
	for _, name := range []string{"permissive", "strict"} {
		t.Run(name, func(t *testing.T) {
			f := readTrace(t, filepath.Join(shared(t), "20_token_bucket_"+name+".csv"))
			replayBucket(t, f, name == "strict")
		})
	}
}

func replayBucket(t *testing.T, f traceFile, strict bool) {
	const rate, hold = 5, 11 * time.Second
	var b bucket
	for _, row := range f.rows {
		at := row.ms(t, "t_ms")
		b.fill(at, rate)
		accepted := !strict || b.debt(rate, hold, 1<<62) == 0
		if accepted {
			b.charge(at, rate, row.int(t, "value"))
		}
		if accepted != (row["accepted"] == "1") {
			t.Errorf("seq %s: accepted %v", row["seq"], accepted)
		}
		if got, want := b.tokens(rate, hold), row.float(t, "tokens_after"); math.Abs(got-want) > 1e-9 {
			t.Errorf("seq %s: %v tokens, want %v", row["seq"], got, want)
		}
		if strict && accepted {
			continue // strict tells no delay to those it accepts
		}
		if got, want := b.debt(rate, hold, 1<<62), row.ms(t, "throttle_ms"); (got - want).Abs() > ms {
			t.Errorf("seq %s: delay %v, want %v", row["seq"], got, want)
		}
	}
	t.Logf("%d rows", len(f.rows))
}

func TestReferenceNames(t *testing.T) {
	file, err := os.Open(filepath.Join(shared(t), "30_sanitize.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows := 0
	for lines := bufio.NewScanner(file); lines.Scan(); rows++ {
		var v struct {
			Raw, Decoded *string
			Encoded      string
			In           *string `json:"encoded_in"`
		}
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		checkName(t, v.Raw, v.In, v.Encoded, v.Decoded)
	}
	t.Logf("%d rows", rows)
}

func checkName(t *testing.T, raw, in *string, encoded string, decoded *string) {
	t.Helper()
	if raw != nil {
		if got := encode(*raw); got != encoded {
			t.Errorf("%q is encoded as %q, want %q", *raw, got, encoded)
		}
		in = &encoded
	}
	name, err := decodeName(*in)
	want := decoded
	if *in == "%E9" {
		// Java replaces what is not UTF-8 and so makes one name of many. Here the
		// bytes stay.
		bytes := "\xe9"
		want = &bytes
	}
	switch {
	case want == nil && err == nil:
		t.Errorf("%q is decoded as %q, want an error", *in, name.text)
	case want != nil && (err != nil || name != Named(*want)):
		t.Errorf("%q is decoded as %q, %v; want %q", *in, name.text, err, *want)
	}
}

func TestReferencePrecedence(t *testing.T) {
	f := readTrace(t, filepath.Join(shared(t), "31_precedence_256.csv"))
	entities := [...]Entity{
		{Named("user"), Named("client")}, {Named("user"), Default()}, {User: Named("user")},
		{Default(), Named("client")}, {Default(), Default()}, {User: Default()},
		{ClientID: Named("client")}, {ClientID: Default()},
	}
	for _, row := range f.rows {
		table := map[Entity]Limits{}
		for _, level := range strings.Split(row["set_levels"], "+") {
			if i, err := strconv.Atoi(level); err == nil {
				table[entities[i-1]] = Limits{ProducerByteRate: int64(i) * 100}
			}
		}
		key, from := newRules(0, table, 1).resolve(producerBytes, Identity{"user", "client"})
		want := Entity{nameOf(row["key_user"]), nameOf(row["key_client"])}
		limit := strconv.FormatFloat(from.value, 'f', -1, 64)
		if from.level == 0 {
			limit = "none"
			// Kafka measures those without a limit by client-id, for all users together.
			want = Entity{Named("user"), Named("client")}
		}
		if strconv.Itoa(from.level) != row["winner"] || limit != row["limit"] || key != want {
			t.Errorf("levels %s: level %d, limit %s, key %v; want %v", row["set_levels"], from.level, limit, key, row)
		}
	}
	t.Logf("%d of %d rows", len(f.rows), 256)
}

func nameOf(s string) Name {
	switch s {
	case "":
		return Name{}
	case "<default>":
		return Default()
	}
	return Named(s)
}

// Kafka's own test of precedence, at one instant.
func TestReferencePrecedenceSequence(t *testing.T) {
	f := readTrace(t, filepath.Join(shared(t), "32_precedence_upstream_sequence.csv"))
	q := mustNew(t, Options{Samples: 11})
	gates := map[Identity]*Gate{}
	for i, row := range f.rows {
		e := Entity{nameOf(row["user"]), nameOf(row["client"])}
		switch row["op"] {
		case "set":
			mustAlter(t, q, e, Change{Key: ProducerByteRate, Value: row["bound"]})
			continue
		case "remove":
			mustAlter(t, q, e, Change{Key: ProducerByteRate, Remove: true})
			continue
		}
		id := Identity{row["user"], row["client"]}
		if got := q.Describe(q.epoch, id)[1].Limit; got != row.float(t, "bound") {
			t.Errorf("row %d: %v has the limit %v, want %s", i, id, got, row["bound"])
		}
		if gates[id] == nil {
			gates[id] = q.Producer(id)
		}
		d := gates[id].Charge(q.epoch, 0, row.int(t, "value")*11)
		if throttled := d.Bytes > 0; throttled != (row["throttled"] == "1") {
			t.Errorf("row %d, %v: throttled %v (%s)", i, id, throttled, row["note"])
		}
	}
	t.Logf("%d rows", len(f.rows))
}
