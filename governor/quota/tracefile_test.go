package quota

import (
	"encoding/csv"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// traceFile is a trace: parameters in a comment, a header, rows.
type traceFile struct {
	params map[string]string
	rows   []row
}

type row map[string]string

func readTrace(t *testing.T, path string) traceFile {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f := traceFile{params: map[string]string{}}
	comment, rest, _ := strings.Cut(string(data), "\n")
	for _, word := range strings.Fields(comment) {
		if k, v, ok := strings.Cut(word, "="); ok {
			f.params[k] = v
		}
	}
	records, err := csv.NewReader(strings.NewReader(rest)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, record := range records[1:] {
		r := row{}
		for i, name := range records[0] {
			r[name] = record[i]
		}
		f.rows = append(f.rows, r)
	}
	return f
}

func (r row) float(t *testing.T, column string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(r[column], 64)
	if err != nil {
		t.Fatalf("seq %s: %s: %v", r["seq"], column, err)
	}
	return v
}

func (r row) int(t *testing.T, column string) int64 {
	t.Helper()
	v, err := strconv.ParseInt(r[column], 10, 64)
	if err != nil {
		t.Fatalf("seq %s: %s: %v", r["seq"], column, err)
	}
	return v
}

func (r row) ms(t *testing.T, column string) time.Duration {
	t.Helper()
	return time.Duration(r.int(t, column)) * time.Millisecond
}

func (f traceFile) number(t *testing.T, param string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(f.params[param], 64)
	if err != nil {
		t.Fatalf("parameter %s: %v", param, err)
	}
	return v
}
