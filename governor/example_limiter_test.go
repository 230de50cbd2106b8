package governor_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/headrace/headrace/governor"
)

func ExampleLimiter() {
	limiter, err := governor.NewLimiter(governor.LimiterOptions{
		Limit: &governor.Windowed{Limit: &governor.Gradient2{Initial: 2, Max: 50}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	for _, name := range []string{"a", "b"} {
		token, err := limiter.Acquire(ctx)
		if err != nil {
			return
		}
		fmt.Println("work", name)
		token.Success()
	}
	s := limiter.Stats()
	fmt.Println("limit", s.Limit, "in flight", s.InFlight, "succeeded", s.Succeeded)
	// Output:
	// work a
	// work b
	// limit 2 in flight 0 succeeded 2
}

func ExampleNewLimiter() {
	_, err := governor.NewLimiter(governor.LimiterOptions{Limit: &governor.Gradient2{Tolerance: 0.5}})
	fmt.Println(err)
	fmt.Println(errors.Is(err, governor.ErrOptions))
	// Output:
	// governor: invalid options: Gradient2.Tolerance must be a number of at least 1, got 0.5
	// true
}

func ExampleLimiterOptions() {
	errBusy := errors.New("busy")
	limiter, _ := governor.NewLimiter(governor.LimiterOptions{
		Limit:   halving(100),
		Ceiling: 10,
		Errors: func(err error) governor.Outcome {
			if errors.Is(err, errBusy) {
				return governor.Dropped
			}
			return governor.Ignored
		},
		OnLimit: func(from, to int) { fmt.Println("limit", from, "->", to) },
	})
	ctx := context.Background()
	limiter.Do(ctx, func(context.Context) error { return errors.New("no such user") })
	limiter.Do(ctx, func(context.Context) error { return errBusy })
	// Output: limit 10 -> 5
}

func ExampleLimiter_TryAcquire() {
	limiter, _ := governor.NewLimiter(governor.LimiterOptions{Limit: governor.Fixed(1)})
	token, ok := limiter.TryAcquire()
	fmt.Println(ok)
	_, ok = limiter.TryAcquire()
	fmt.Println(ok)
	token.Success()
	// Output:
	// true
	// false
}

func ExampleLimiter_Acquire() {
	limiter, _ := governor.NewLimiter(governor.LimiterOptions{Limit: governor.Fixed(1)})
	limiter.TryAcquire()
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	_, err := limiter.Acquire(ctx)
	fmt.Println(err)
	// Output: context deadline exceeded
}

// A worker that holds a permit before it has work is not in flight.
func ExampleLimiter_Reserve() {
	limiter, _ := governor.NewLimiter(governor.LimiterOptions{Limit: governor.Fixed(4)})
	token, err := limiter.Reserve(context.Background())
	if err != nil {
		return
	}
	s := limiter.Stats()
	fmt.Println("held", s.Held, "in flight", s.InFlight)
	begin := time.Now() // the work has come
	token.Start(begin)
	s = limiter.Stats()
	fmt.Println("held", s.Held, "in flight", s.InFlight)
	token.End(begin.Add(3*time.Millisecond), governor.Succeeded)
	fmt.Println("took", limiter.Stats().Reading.Window.RTT)
	// Output:
	// held 1 in flight 0
	// held 1 in flight 1
	// took 3ms
}

func ExampleLimiter_Do() {
	limiter, _ := governor.NewLimiter(governor.LimiterOptions{})
	err := limiter.Do(context.Background(), func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, time.Millisecond)
		defer cancel()
		<-ctx.Done()
		return ctx.Err()
	})
	fmt.Println(err)
	fmt.Println("dropped", limiter.Stats().Dropped)
	// Output:
	// context deadline exceeded
	// dropped 1
}

func ExampleLimiter_Outcome() {
	limiter, _ := governor.NewLimiter(governor.LimiterOptions{})
	fmt.Println(limiter.Outcome(nil))
	fmt.Println(limiter.Outcome(errors.New("no such user")))
	fmt.Println(limiter.Outcome(fmt.Errorf("insert: %w", context.DeadlineExceeded)))
	// Output:
	// succeeded
	// ignored
	// dropped
}

func ExampleLimiterStats() {
	limiter, _ := governor.NewLimiter(governor.LimiterOptions{Limit: governor.Fixed(1)})
	limiter.TryAcquire()
	s := limiter.Stats()
	fmt.Println(s.Limit, s.Held, s.InFlight, s.Waiting)
	// Output: 1 1 1 0
}

// Ending a permit twice is harmless, and so is ending a copy.
func ExampleToken() {
	limiter, _ := governor.NewLimiter(governor.LimiterOptions{Limit: governor.Fixed(3)})
	a, _ := limiter.TryAcquire()
	b, _ := limiter.TryAcquire()
	c, _ := limiter.TryAcquire()
	a.Success()
	a.Success()
	b.Ignore()
	c.Dropped()
	s := limiter.Stats()
	fmt.Println("held", s.Held, "succeeded", s.Succeeded, "ignored", s.Ignored, "dropped", s.Dropped)
	// Output: held 0 succeeded 1 ignored 1 dropped 1
}

func ExampleOutcome() {
	fmt.Println(governor.Succeeded, governor.Ignored, governor.Dropped)
	// Output: succeeded ignored dropped
}
