package quota_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/headrace/headrace/governor/quota"
)

// A source whose deliveries take 2 ms each, under 20 % of one producer: 2 ms in 10.
func Example() {
	quotas, err := quota.New(quota.Options{Window: 10 * time.Millisecond})
	if err != nil {
		fmt.Println(err)
		return
	}
	alice := quota.Entity{User: quota.Named("alice")}
	if err := quotas.Alter(alice, quota.Change{Key: quota.RequestTimePercent, Value: "20"}); err != nil {
		fmt.Println(err)
		return
	}
	gate := quotas.Producer(quota.Identity{User: "alice", ClientID: "feed"})
	defer gate.Close()
	start := time.Now()
	for range 5 {
		if err := gate.Wait(context.Background()); err != nil {
			fmt.Println(err)
			return
		}
		busy := 2 * time.Millisecond // the time that handling a delivery took
		gate.Charge(time.Now(), busy, 0)
	}
	fmt.Println("held back:", time.Since(start) > 25*time.Millisecond)
	fmt.Println(quotas.Describe(time.Now(), quota.Identity{User: "alice"})[0])
	// Output:
	// held back: true
	// request_time_percent=20.0 (20 % of 1 worker = 2ms per 10ms) from users/alice
}

// eight returns quotas of 8 producers.
func eight() *quota.Quotas {
	quotas, err := quota.New(quota.Options{Producers: 8})
	if err != nil {
		panic(err)
	}
	return quotas
}

func ExampleNew() {
	_, err := quota.New(quota.Options{Samples: -1})
	fmt.Println(err)
	fmt.Println(errors.Is(err, quota.ErrOptions))
	// Output:
	// quota: invalid options: Samples must be at least 1, got -1
	// true
}

func ExampleGate_Charge() {
	quotas, now := eight(), time.Now()
	quotas.Alter(quota.Entity{User: quota.Named("alice")},
		quota.Change{Key: quota.RequestTimePercent, Value: "1"},
		quota.Change{Key: quota.ProducerByteRate, Value: "1000"})
	gate := quotas.Producer(quota.Identity{User: "alice"})
	var delay quota.Delay
	delay = gate.Charge(now, 80*time.Millisecond, 1000)
	fmt.Println("within both:", delay.Total())
	delay = gate.Charge(now, 20*time.Millisecond, 100)
	fmt.Println("1100 bytes of 1000:", delay.Bytes)
	fmt.Println("and 100 ms of 80:", delay.Time)
	// Output:
	// within both: 0s
	// 1100 bytes of 1000: 100ms
	// and 100 ms of 80: 250ms
}

func ExampleGate_Wait() {
	quotas := eight()
	quotas.Alter(quota.Entity{User: quota.Default()}, quota.Change{Key: quota.RequestTimePercent, Value: "1"})
	gate := quotas.Producer(quota.Identity{User: "alice"})
	gate.Charge(time.Now(), time.Minute, 0)
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	fmt.Println(gate.Wait(ctx))
	quotas.Close()
	fmt.Println(gate.Wait(context.Background()) == quota.ErrClosed)
	// Output:
	// context deadline exceeded
	// true
}

func ExampleGate_Close() {
	quotas, err := quota.New(quota.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	first, second := quotas.Producer(quota.Identity{}), quotas.Producer(quota.Identity{})
	fmt.Println(quotas.Stats(time.Now()).Producers)
	first.Close()
	fmt.Println(quotas.Stats(time.Now()).Producers)
	second.Close()
	// Output:
	// 2
	// 1
}

func ExampleQuotas_Consumer() {
	quotas := eight()
	quotas.Alter(quota.Entity{ClientID: quota.Named("screen")}, quota.Change{Key: quota.ConsumerByteRate, Value: "1000"})
	gate := quotas.Consumer(quota.Identity{User: "alice", ClientID: "screen"})
	fmt.Println(gate.Charge(time.Now(), 0, 1500).Bytes)
	// Output: 500ms
}

func ExampleQuotas_Alter() {
	quotas := eight()
	bob := quota.Entity{User: quota.Named("bob"), ClientID: quota.Default()}
	err := quotas.Alter(bob,
		quota.Change{Key: quota.ProducerByteRate, Value: "1024"},
		quota.Change{Key: quota.RequestTimePercent, Value: "0"})
	var bad *quota.ConfigError
	fmt.Println(errors.Is(err, quota.ErrConfig), errors.As(err, &bad))
	fmt.Println(bad.Path, bad.Key, bad.Value)
	fmt.Println(quotas.Describe(time.Now(), quota.Identity{User: "bob"})[1]) // nothing was changed
	// Output:
	// true true
	// users/bob/clients/<default> request_time_percent 0
	// producer_byte_rate: none
}

func ExampleQuotas_Load() {
	quotas := eight()
	app := quota.Entity{ClientID: quota.Named("app")}
	err := quotas.Load(app, []byte(`{"version":2,"config":{"request_time_percent":"2.5"}}`))
	fmt.Println(err, quotas.Describe(time.Now(), quota.Identity{ClientID: "app"})[0])
	err = quotas.Load(app, []byte(`{"version":2,"config":{"request_time_percent":"250"}}`))
	fmt.Println(err)
	fmt.Println(quotas.Remove(app), quotas.Describe(time.Now(), quota.Identity{ClientID: "app"})[0])
	// Output:
	// <nil> request_time_percent=2.5 (2.5 % of 8 workers = 200ms per 1s) from clients/app
	// quota: clients/app: request_time_percent="250": must be at most 100: it is a share of the time of all producers
	// <nil> request_time_percent: none
}

func ExampleQuotas_Stats() {
	quotas, now := eight(), time.Now()
	quotas.Alter(quota.Entity{User: quota.Named("alice")}, quota.Change{Key: quota.RequestTimePercent, Value: "1"})
	quotas.Producer(quota.Identity{User: "alice", ClientID: "feed"}).Charge(now, 120*time.Millisecond, 0)
	quotas.Exempt(now, 3*time.Second) // the framework's own work
	stats := quotas.Stats(now)
	for _, u := range stats.Entities {
		fmt.Printf("%s of %s: %.1f %% of %.1f %%, throttled %d times, muted for %v\n",
			u.Key, u.User, u.Used, u.Limit, u.Throttled, u.Mute)
	}
	fmt.Println("exempt:", stats.Exempt)
	fmt.Println("forgotten after two hours:", quotas.Expire(now.Add(2*time.Hour)))
	// Output:
	// request_time_percent of alice: 1.5 % of 1.0 %, throttled 1 times, muted for 500ms
	// exempt: 3s
	// forgotten after two hours: 1
}

func ExampleDir() {
	path, err := os.MkdirTemp("", "quotas")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(path)
	dir := quota.Dir(path)
	quotas, err := quota.New(quota.Options{Dir: dir, Producers: 8})
	if err != nil {
		fmt.Println(err)
		return
	}
	alice := quota.Entity{User: quota.Named("alice")}
	limits, err := dir.Alter(alice, quota.Change{Key: quota.RequestTimePercent, Value: "1"})
	fmt.Println(limits.Text(quota.RequestTimePercent), err)
	fmt.Println(quotas.Reload(), quotas.Describe(time.Now(), quota.Identity{User: "alice"})[0])
	dir.Remove(alice)
	limits, err = dir.Read(alice)
	fmt.Println(limits == quota.Limits{}, err)
	all, err := dir.All()
	fmt.Println(len(all), err)
	// Output:
	// 1.0 <nil>
	// <nil> request_time_percent=1.0 (1 % of 8 workers = 80ms per 1s) from users/alice
	// true <nil>
	// 0 <nil>
}

func ExampleQuotas_Watch() {
	quotas := eight()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		quotas.Watch(ctx)
	}()
	cancel() // when the pipeline ends
	<-done
	fmt.Println("done")
	// Output: done
}

func ExampleEntity_String() {
	fmt.Println(quota.Entity{User: quota.Named("Ann Lee")})
	fmt.Println(quota.Entity{User: quota.Default(), ClientID: quota.Named("app")})
	fmt.Println(quota.Entity{ClientID: quota.Named("<default>")})
	// Output:
	// users/Ann%20Lee
	// users/<default>/clients/app
	// clients/%3Cdefault%3E
}

func ExampleName_String() {
	var nothing quota.Name
	fmt.Printf("%q %q %q\n", nothing, quota.Named("a/b"), quota.Default())
	// Output: "" "a%2Fb" "<default>"
}

func ExampleBudget() {
	b := quota.Budget{Percent: 1, Workers: 8, Window: time.Second}
	fmt.Println(b.Time())
	fmt.Println(b)
	// Output:
	// 80ms
	// 1 % of 8 workers = 80ms per 1s
}

func ExampleConfigError() {
	var key quota.Key = "request_percentage"
	err := eight().Alter(quota.Entity{User: quota.Named("alice")}, quota.Change{Key: key, Value: "1"})
	fmt.Println(err)
	// Output: quota: users/alice: request_percentage="1": unknown key: there are request_time_percent, producer_byte_rate and consumer_byte_rate
}
