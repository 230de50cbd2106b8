package report

import (
	"math"
	"strconv"
	"strings"
)

// Figure returns a figure with three digits and its unit, scaled so that it can
// be read:
// 1234 ns/op is "1.23 µs/op", 12e6 updates/s is
// "12 M updates/s", and a share of 0.5 is "50 %".
func Figure(v float64, unit string) string {
	head, tail := unit, ""
	if i := strings.Index(unit, "/"); i >= 0 {
		head, tail = unit[:i], unit[i:]
	}
	switch head {
	case "ns", "us", "µs", "ms", "s":
		return scale(v*seconds[head], timeSteps) + tail
	case "B":
		return scale(v, byteSteps) + tail
	case "kB", "KB":
		return scale(v*1e3, byteSteps) + tail
	case "MB":
		return scale(v*1e6, byteSteps) + tail
	case "", "ratio", "x":
		return digits(v)
	case "share":
		return digits(100*v) + " %" + tail
	case "%":
		return digits(v) + " %" + tail
	}
	return scale(v, countSteps) + " " + unit
}

// step is a unit and how much it is worth.
type step struct {
	name  string
	worth float64
}

var (
	seconds    = map[string]float64{"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1}
	timeSteps  = []step{{"ns", 1e-9}, {"µs", 1e-6}, {"ms", 1e-3}, {"s", 1}}
	byteSteps  = []step{{"B", 1}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}}
	countSteps = []step{{"", 1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}}
)

// scale returns v in the largest unit that leaves at least one before the point.
func scale(v float64, steps []step) string {
	in := steps[0]
	for _, s := range steps[1:] {
		// What rounds to 1000 belongs to the next unit already.
		if math.Abs(v) >= s.worth*0.9995 {
			in = s
		}
	}
	return strings.TrimRight(digits(v/in.worth)+" "+in.name, " ")
}

// digits returns v with three digits, and never with an exponent.
func digits(v float64) string {
	if whole := math.Round(v); math.Abs(v-whole) < 1e-9*math.Abs(v) {
		v = whole // 30 ns are not quite 30 times a billionth
	}
	size := math.Abs(v)
	switch {
	case v == math.Trunc(v) && size < 100, size >= 99.95:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case size >= 9.995:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case size >= 0.1:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'e', 2, 64), 64) // three digits
	return strconv.FormatFloat(v, 'f', -1, 64)
}
