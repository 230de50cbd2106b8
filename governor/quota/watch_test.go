package quota

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func documentOf(rate string) string {
	return `{"version":2,"config":{"producer_byte_rate":"` + rate + `"}}`
}

func rateOf(q *Quotas, user string) int64 {
	return int64(q.Describe(q.epoch, Identity{User: user})[1].Limit)
}

func TestReload(t *testing.T) {
	d := tempDir(t)
	put(t, d, "users/alice.json", documentOf("1"))
	put(t, d, "users/bob.json", documentOf("2"))
	q := mustNew(t, Options{Dir: d})
	reload := func(wantError string, alice, bob int64) {
		t.Helper()
		err := q.Reload()
		if (err == nil) != (wantError == "") || err != nil && !strings.Contains(err.Error(), wantError) {
			t.Errorf("got %v, want %q", err, wantError)
		}
		if rateOf(q, "alice") != alice || rateOf(q, "bob") != bob {
			t.Errorf("rates %d and %d, want %d and %d", rateOf(q, "alice"), rateOf(q, "bob"), alice, bob)
		}
	}
	before := q.rules.Load()
	reload("", 1, 2)
	if q.rules.Load() != before {
		t.Error("nothing has changed, and yet there are new rules")
	}

	// A bad document keeps the old one; the good one beside it counts. It is
	// reported once.
	put(t, d, "users/alice.json", documentOf("zero"))
	put(t, d, "users/bob.json", documentOf("20"))
	reload(filepath.Join("users", "alice.json")+`: producer_byte_rate="zero"`, 1, 20)
	reload("", 1, 20)
	put(t, d, "users/carol.json", "{")
	reload("carol.json: is not a JSON", 1, 20)

	if _, err := d.Alter(Entity{User: Named("bob")}, produced("21")); err != nil { // same size
		t.Fatal(err)
	}
	put(t, d, "users/alice.json", documentOf("10"))
	reload("", 10, 21)

	os.Remove(filepath.Join(string(d), "users", "bob.json"))
	put(t, d, "users/<default>.json", documentOf("99"))
	reload("", 10, 99)

	// Half a listing must not remove quotas.
	os.Rename(string(d), string(d)+"-away")
	reload("no such file", 10, 99)
	os.Rename(string(d)+"-away", string(d))
	reload("", 10, 99)
}

func TestNewRefusesBadDocuments(t *testing.T) {
	d := tempDir(t)
	put(t, d, "clients/app.json", documentOf("-1"))
	if _, err := New(Options{Dir: d}); !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), `app.json: producer_byte_rate="-1"`) {
		t.Errorf("got %v", err)
	}
}

func TestAlterWritesTheDirectory(t *testing.T) {
	d := tempDir(t)
	q := mustNew(t, Options{Dir: d})
	mustAlter(t, q, alice, produced("5"))
	// Somebody else changes the document before the next scan.
	if _, err := d.Alter(alice, percent("1")); err != nil {
		t.Fatal(err)
	}
	mustAlter(t, q, alice, produced("6"))
	want := Limits{ProducerByteRate: 6, RequestTimePercent: 1}
	if l, err := d.Read(alice); err != nil || l != want || q.rules.Load().table[alice] != want {
		t.Errorf("written %v, %v, in force %v; want %v", l, err, q.rules.Load().table[alice], want)
	}
	if err := q.Reload(); err != nil || q.rules.Load().table[alice] != want {
		t.Errorf("after Reload: %v, %v", q.rules.Load().table[alice], err)
	}
	put(t, d, "users/alice.json", "broken")
	if err := q.Alter(alice, produced("7")); !errors.Is(err, ErrConfig) {
		t.Errorf("Alter of a document that cannot be read: %v", err)
	}
	if err := q.Remove(alice); err != nil || rateOf(q, "alice") != 0 {
		t.Errorf("Remove of a document that cannot be read: %v", err)
	}
}

func TestWatch(t *testing.T) {
	d := tempDir(t)
	synctest.Test(t, func(t *testing.T) {
		var told []error
		q := mustNew(t, Options{Dir: d, Expiry: time.Minute, OnError: func(err error) { told = append(told, err) }})
		ctx, cancel := context.WithCancel(t.Context())
		go q.Watch(ctx)
		put(t, d, "users/alice.json", documentOf("1"))
		time.Sleep(999 * ms)
		synctest.Wait()
		if rateOf(q, "alice") != 0 {
			t.Error("read before the second is over")
		}
		time.Sleep(ms)
		synctest.Wait()
		if rateOf(q, "alice") != 1 {
			t.Error("not read after a second")
		}
		put(t, d, "users/alice.json", "broken")
		time.Sleep(5 * time.Second)
		synctest.Wait()
		if len(told) != 1 || rateOf(q, "alice") != 1 {
			t.Errorf("told %v, rate %d; want one error and the old rate", told, rateOf(q, "alice"))
		}
		q.Producer(Identity{User: "alice"}).Charge(time.Now(), 0, 1)
		time.Sleep(100 * time.Second)
		synctest.Wait()
		if n := len(q.Stats(time.Now()).Entities); n != 0 {
			t.Errorf("%d entities after they expired", n)
		}
		cancel()
		synctest.Wait() // else the bubble deadlocks
	})
}

func TestWatchTellsTheSameOnce(t *testing.T) {
	d := tempDir(t)
	synctest.Test(t, func(t *testing.T) {
		told := 0
		q := mustNew(t, Options{Dir: d, OnError: func(error) { told++ }})
		away := func(gone bool) {
			from, to := string(d), string(d)+"-away"
			if !gone {
				from, to = to, from
			}
			if err := os.Rename(from, to); err != nil {
				t.Error(err)
			}
			time.Sleep(5 * time.Second)
		}
		go q.Watch(t.Context())
		away(true)
		away(false)
		away(true)
		away(false)
		q.Close()
		synctest.Wait()
		if told != 2 {
			t.Errorf("told %d times that the directory is gone, want once each time", told)
		}
	})
}

func TestWatchEndsWithClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := mustNew(t, Options{})
		go func() {
			time.Sleep(5 * time.Second)
			q.Close()
		}()
		q.Watch(t.Context())
	})
}
