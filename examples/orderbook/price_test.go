package main

import (
	"testing"

	"pgregory.net/rapid"
)

func TestParsePrice(t *testing.T) {
	for _, tt := range []struct {
		in       string
		want     price
		decimals int
	}{
		{"4810.00", 4_810_000_000_000, 2},
		{"4810.25", 4_810_250_000_000, 2},
		{"0.000000001", 1, 9},
		{"-0.5", -500_000_000, 1},
		{"7", 7_000_000_000, 0},
		{"9223372036.854775807", 1<<63 - 1, 9},
		{"-9223372036.854775808", -1 << 63, 9},
	} {
		got, decimals, err := parsePrice(tt.in)
		if err != nil || got != tt.want || decimals != tt.decimals {
			t.Errorf("%q: got %d, %d decimals, %v; want %d, %d", tt.in, got, decimals, err, tt.want, tt.decimals)
		}
		if s := got.format(decimals); s != tt.in {
			t.Errorf("%q is written as %q", tt.in, s)
		}
	}
}

func TestParsePriceRefuses(t *testing.T) {
	for _, in := range []string{
		"", "-", ".", "1.", ".5", "+1", "--1", "1.-5", "1e3", "1_000", "0x1", " 1", "1,5", "1.2.3", "NaN",
		"1.0000000001", "9223372036.854775808",
	} {
		if p, _, err := parsePrice(in); err == nil {
			t.Errorf("%q: got %d, want an error", in, p)
		}
	}
}

// A price is the same with more decimals.
func TestPriceFormatAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := price(rapid.Int64().Draw(t, "price"))
		got, decimals, err := parsePrice(p.format(maxDecimals))
		if err != nil || got != p || decimals != maxDecimals {
			t.Fatalf("%d came back as %d, %d decimals, %v", p, got, decimals, err)
		}
	})
}
