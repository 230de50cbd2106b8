package report

import "testing"

func TestFigure(t *testing.T) {
	for _, tt := range []struct {
		v    float64
		unit string
		want string
	}{
		{28.04, "ns/op", "28.0 ns/op"},
		{1234, "ns/op", "1.23 µs/op"},
		{999.9, "ns", "1.00 µs"},
		{0.25, "ns/op", "0.25 ns/op"},
		{0.0123, "ms", "12.3 µs"},
		{1500, "ms", "1.50 s"},
		{1e5, "s", "100000 s"},
		{12e6, "updates/s", "12 M updates/s"},
		{12.34e6, "updates/s", "12.3 M updates/s"},
		{23_600, "updates/s", "23.6 k updates/s"},
		{7, "entries", "7 entries"},
		{150, "B/key", "150 B/key"},
		{2.5e6, "B", "2.50 MB"},
		{3, "MB", "3 MB"},
		{0.87, "ratio", "0.87"},
		{0.0123, "ratio", "0.0123"},
		{12.5, "%", "12.5 %"},
		{0.125, "share", "12.5 %"},
		{0.05, "share", "5 %"},
		{0.00003075787401574803, "allocs/op", "0.0000308 allocs/op"},
		{0, "allocs/op", "0 allocs/op"},
		{0.0004, "allocs/op", "0.0004 allocs/op"},
		{-1234, "ns", "-1.23 µs"},
		{435, "", "435"},
	} {
		if got := Figure(tt.v, tt.unit); got != tt.want {
			t.Errorf("Figure(%v, %q): got %q, want %q", tt.v, tt.unit, got, tt.want)
		}
	}
}
