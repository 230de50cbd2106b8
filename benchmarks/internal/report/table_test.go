package report

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

// TestTable checks the rows, with runs of spaces and lines made one space.
func TestTable(t *testing.T) {
	var b bytes.Buffer
	if err := sample().WriteTable(&b, false); err != nil {
		t.Fatal(err)
	}
	got := regexp.MustCompile(`[ │]+`).ReplaceAllString(b.String(), " ")
	for _, want := range []string{
		" figure rival ratio (quartiles) bar holds ",
		" merge: 1,000 <string> keys ",
		" put, Headrace against map 28 ns/op 28 ns/op 0.93 (0.47 to 0.96) <= 1.1 holds ",
		" put, Headrace 28 ns/op <= 29 ns/op holds (noisy) ",
		" throughput, Headrace against Benthos 9.60 M updates/s 24 k updates/s 400 >= 500 does not hold ",
		" throughput, Headrace against channel 9.60 M updates/s >= 1 failed: channel failed ",
		" channel failed: run 1: lost 3 values ",
		"Test CPU, 2 cores, GOMAXPROCS 2, go1.26, linux/amd64, commit 0123456789ab (changed), load before 0.10 0.20 0.30\n",
		"3 of 5 bars hold",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, b.String())
		}
	}
	if strings.Contains(got, "\x1b") {
		t.Error("there are colours")
	}
}

func TestTableInColour(t *testing.T) {
	var b bytes.Buffer
	if err := sample().WriteTable(&b, true); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\x1b[32mholds\x1b[0m", "\x1b[33mholds (noisy)\x1b[0m", "\x1b[31mdoes not hold\x1b[0m"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing", want)
		}
	}
}
