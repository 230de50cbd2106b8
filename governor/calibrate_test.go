package governor

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// spread is a distribution given by its figures.
type spread struct{ mean, median, tail time.Duration }

func (s spread) Mean() time.Duration { return s.mean }

func (s spread) Quantile(q float64) time.Duration {
	if q == 0.5 {
		return s.median
	}
	return s.tail
}

func TestCalibrate(t *testing.T) {
	const us = time.Microsecond
	tests := []struct {
		name    string
		run     spread
		workers int
		load    float64
		want    Calibration
	}{
		{"the first row of the tables", spread{7 * ms, 7 * ms, 7 * ms}, 1, 0.7,
			Calibration{High: 70 * ms, Base: 10, Interval: ms, Rate: 100}},
		{"four workers", spread{28 * ms, 28 * ms, 28 * ms}, 4, 0.7,
			Calibration{High: 280 * ms, Base: 10, Interval: ms, Rate: 100}},
		{"the mean paces, the median sets High", spread{20 * ms, 10 * ms, 99 * ms}, 1, 0.5,
			Calibration{High: 100 * ms, Base: 10, Interval: 4 * ms, Rate: 25}},
		{"a long tail", spread{20 * ms, 10 * ms, 101 * ms}, 1, 0.5,
			Calibration{High: 101 * ms, Base: 10, Interval: 4 * ms, Rate: 25}},
		{"beats of a millisecond", spread{2 * ms, 2 * ms, 2 * ms}, 1, 0.5,
			Calibration{High: 20 * ms, Base: 4, Interval: ms, Rate: 250}},
		{"no finer than that", spread{1800 * us, 1800 * us, 1800 * us}, 1, 0.5,
			Calibration{High: 18 * ms, Base: 3, Interval: 1200 * us, Rate: 1 / 0.0036}},
		{"below it", spread{100 * us, 100 * us, 100 * us}, 4, 0.5,
			Calibration{High: ms, Base: 1, Interval: 50 * us, Rate: 20_000}},
		{"at once", spread{1, 1, 1}, 1000, 1,
			Calibration{High: 10, Base: 1, Interval: 1, Rate: 1e12}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Calibrate(tt.run, tt.workers, tt.load)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(got.Rate/tt.want.Rate-1) > 1e-9 {
				t.Errorf("rate %v, want %v", got.Rate, tt.want.Rate)
			}
			if got.Rate = tt.want.Rate; got != tt.want {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

func TestCalibrateRefuses(t *testing.T) {
	fine := Durations{ms}
	tests := []struct {
		run     Latencies
		workers int
		load    float64
		want    string
	}{
		{Durations{}, 1, 0.7, "Calibrate needs latencies with a mean above 0, got 0s"},
		{fine, 0, 0.7, "workers must be at least 1, got 0"},
		{fine, 1, 0, "load must be above 0 and at most 1, got 0"},
		{fine, 1, 1.1, "load must be above 0 and at most 1, got 1.1"},
		{fine, 1, math.NaN(), "load must be above 0 and at most 1, got NaN"},
	}
	for _, tt := range tests {
		_, err := Calibrate(tt.run, tt.workers, tt.load)
		if want := "governor: invalid options: " + tt.want; !errors.Is(err, ErrOptions) || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

func TestDurations(t *testing.T) {
	d := Durations{4 * ms, 1 * ms, 3 * ms, 2 * ms}
	for q, want := range map[float64]time.Duration{-1: ms, 0: ms, 0.25: ms, 0.5: 2 * ms, 0.51: 3 * ms, 1: 4 * ms, 2: 4 * ms} {
		if got := d.Quantile(q); got != want {
			t.Errorf("quantile %v is %v, want %v", q, got, want)
		}
	}
	if d.Mean() != 2500*time.Microsecond || d[0] != 4*ms {
		t.Errorf("mean %v, want 2.5ms; %v is not to be sorted", d.Mean(), d)
	}
	if got := (Durations{}).Quantile(0.5); got != 0 {
		t.Errorf("of none: %v, want 0", got)
	}
}

// What is proposed for the services of the simulation is what it runs with.
func TestCalibrateFindsTheScenario(t *testing.T) {
	for _, service := range simServices {
		s := scenario{load: 0.7, servers: 4, service: service}
		draw, random := service.of(s.mean()), rand.New(rand.NewPCG(1, 1))
		run := make(Durations, 20_000)
		for i := range run {
			run[i] = seconds(draw(random))
		}
		got, err := Calibrate(run, s.servers, s.load)
		if err != nil {
			t.Fatal(err)
		}
		if off := math.Abs(got.Rate/100 - 1); off > 0.03 || got.Base != simBase {
			t.Errorf("%s: %.1f/s with Base %d, want 100/s with %d", service.name, got.Rate, got.Base, simBase)
		}
		if highs := got.High.Seconds() / s.mean(); highs < 5 || highs > 10 {
			t.Errorf("%s: High is %.1f mean services, want 5 to 10", service.name, highs)
		}
	}
}
