package quota

import (
	"strings"
	"testing"
)

func TestLimitsAcceptAndWrite(t *testing.T) {
	tests := []struct {
		key         Key
		value, text string
	}{
		{RequestTimePercent, "1.0", "1.0"},
		{RequestTimePercent, "1", "1.0"},
		{RequestTimePercent, "100", "100.0"},
		{RequestTimePercent, "0.001", "0.001"},
		{RequestTimePercent, "1e-9", "1e-09"},
		{RequestTimePercent, "12.5", "12.5"},
		{ProducerByteRate, "1", "1"},
		{ConsumerByteRate, "9223372036854775807", "9223372036854775807"},
	}
	for _, tt := range tests {
		k, _ := tt.key.kind()
		var l Limits
		if reason := l.set(k, tt.value); reason != "" {
			t.Errorf("%s=%s: %s", tt.key, tt.value, reason)
		}
		if got := l.Text(tt.key); got != tt.text {
			t.Errorf("%s=%s is written as %q, want %q", tt.key, tt.value, got, tt.text)
		}
		var again Limits
		if reason := again.set(k, tt.text); reason != "" || again != l {
			t.Errorf("%q is read as %v, %s; want %v", tt.text, again, reason, l)
		}
		l.unset(k)
		if l != (Limits{}) || l.Text(tt.key) != "" {
			t.Errorf("%s is left after it was unset: %v", tt.key, l)
		}
	}
}

func TestLimitsRefuse(t *testing.T) {
	percents := map[string]string{
		"": "decimal", " 1": "decimal", "1 ": "decimal", "abc": "decimal", "1,5": "decimal", "0x1p3": "decimal",
		"1d": "decimal", "1_0": "decimal", "NaN": "decimal", "Inf": "decimal", "+Inf": "decimal", "infinity": "decimal",
		"0": "greater than 0", "-1": "greater than 0", "0.0": "greater than 0", "-0": "greater than 0", "1e-999": "greater than 0",
		"100.1": "at most 100", "200": "at most 100", "1e999": "at most 100", "-1e999": "greater than 0",
	}
	for value, want := range percents {
		checkRefused(t, requestTime, value, want)
	}
	rates := map[string]string{
		"": "whole number", "1.5": "whole number", "1.0": "whole number", "1e3": "whole number", "+5": "whole number",
		" 5": "whole number", "0x10": "whole number", "1_000": "whole number", "1-2": "whole number", "--1": "whole number",
		"0": "greater than 0", "-5": "greater than 0", "-99999999999999999999": "greater than 0",
		"9223372036854775808": "too large",
	}
	for value, want := range rates {
		checkRefused(t, producerBytes, value, want)
		checkRefused(t, consumerBytes, value, want)
	}
}

func checkRefused(t *testing.T, k kind, value, want string) {
	t.Helper()
	var l Limits
	if got := l.set(k, value); !strings.Contains(got, want) || l != (Limits{}) {
		t.Errorf("%s=%q: got %q and %v, want it refused because %q", keys[k], value, got, l, want)
	}
}
