package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const header = "ts_recv_ns,ts_event_ns,action,side,price,size,order_id,sequence\n"

// write writes a file for a test and returns its path.
func write(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "feed.csv")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func compressed(t *testing.T, content string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(content)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestFeedNumbersRows(t *testing.T) {
	rows := header + "1,0,T,N,,0,0,9\n\n1,0,A,B,4810.00,3,18446744073709551615,7\r\n2,0,C,B,4810.125,1,5,8"
	for _, content := range []string{rows, compressed(t, rows), compressed(t, rows[:50]) + compressed(t, rows[50:])} {
		f := feed{path: write(t, content)}
		var got []event
		for d, err := range f.events(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, d.Value)
			if d.Sequence != uint64(len(got)) {
				t.Errorf("row %d has number %d", len(got), d.Sequence)
			}
		}
		if len(got) != 3 || f.decimals != 3 {
			t.Fatalf("read %v with %d decimals", got, f.decimals)
		}
		want := event{1, add, place{bid, 4_810_000_000_000}, 3, 1<<64 - 1, 2}
		if got[1] != want {
			t.Errorf("got %+v, want %+v", got[1], want)
		}
	}
}

// A region that breaks off asks for nothing more.
func TestFeedBreak(t *testing.T) {
	f := feed{path: write(t, header+"1,0,T,N,,0,0,9\nbroken\n")}
	for _, err := range f.events(t.Context()) {
		if err != nil {
			t.Errorf("read on: %v", err)
		}
		break
	}
}

// Bad input ends the replay with its file, line and column.
func TestBadInput(t *testing.T) {
	row := "5,5,A,B,10.00,1,1,1\n"
	long := compressed(t, header+strings.Repeat(row, 5000))
	for _, tt := range []struct{ name, content, want string }{
		{"an empty file", "", `line 1, column 1 (ts_recv_ns): the file is empty`},
		{"a wrong header", strings.Replace(header, "price", "prise", 1), `line 1, column 5 (price): the header must have "price" here, got "prise"`},
		{"a short header", "ts_recv_ns,ts_event_ns\n", `line 1, column 3 (action): missing: the row has 2 columns, not 8`},
		{"no header", row, `line 1, column 1 (ts_recv_ns): the header must have "ts_recv_ns" here, got "5"`},
		{"a short row", header + row + "5,5,A\n", `line 3, column 4 (side): missing: the row has 3 columns, not 8`},
		{"a long row", header + row + "\n5,5,A,B,10.00,1,1,1,\n", `line 4, column 9: one too many: the row has 9 columns, not 8`},
		{"a bad time", header + "now,5,A,B,10.00,1,1,1\n", `line 2, column 1 (ts_recv_ns): expected a whole number from 0 to 9223372036854775807, got "now"`},
		{"time going backwards", header + row + "4,5,A,B,10.00,1,1,1\n", `line 3, column 1 (ts_recv_ns): earlier than in the row before`},
		{"a bad exchange time", header + "5,,A,B,10.00,1,1,1\n", `line 2, column 2 (ts_event_ns): expected a whole number`},
		{"an unknown action", header + "5,5,R,B,10.00,1,1,1\n", `line 2, column 3 (action): expected one of the letters ACMTF, got "R"`},
		{"two actions", header + "5,5,AC,B,10.00,1,1,1\n", `line 2, column 3 (action): expected one of the letters ACMTF, got "AC"`},
		{"an unknown side", header + "5,5,A,X,10.00,1,1,1\n", `line 2, column 4 (side): expected one of the letters BAN, got "X"`},
		{"an order without a side", header + "5,5,A,N,10.00,1,1,1\n", `line 2, column 4 (side): the order needs a side, B or A`},
		{"a bad price", header + "5,5,A,B,abc,1,1,1\n", `line 2, column 5 (price): expected a decimal number of at most 9 decimals, got "abc"`},
		{"an order without a price", header + "5,5,M,B,,1,1,1\n", `line 2, column 5 (price): the order needs a price`},
		{"a negative size", header + "5,5,A,B,10.00,-1,1,1\n", `line 2, column 6 (size): expected a whole number from 0 to 4294967295, got "-1"`},
		{"a bad order", header + "5,5,A,B,10.00,1,x,1\n", `line 2, column 7 (order_id): expected a whole number`},
		{"a bad sequence", header + "5,5,A,B,10.00,1,1,1.5\n", `line 2, column 8 (sequence): expected a whole number`},
		{"two mistakes", header + "5,5,A,B,10.00,x,y,1\n", `line 2, column 6 (size)`},
		{"a bare quote", header + row + "5,5,A,\"B,10.00,1,1,1\n" + row, `line 3, column 4 (side): extraneous or missing " in quoted-field`},
		{"a quote within", header + row + "5,5,A,B,10\".00,1,1,1\n", `line 3, column 5 (price): bare " in non-quoted-field`},
		{"half a gzip header", long[:5], `line 1, column 1 (ts_recv_ns): unexpected EOF`},
		{"half a gzip file", long[:len(long)-9], `unexpected EOF`},
		{"a damaged gzip file", long[:len(long)-8] + "12345678", `gzip: invalid checksum`},
	} {
		path := write(t, tt.content)
		code, stdout, stderr := command(t, "-file", path, "-json")
		if code != 1 || stdout != "" {
			t.Errorf("%s: exit %d, output %q", tt.name, code, stdout)
		}
		if !strings.Contains(stderr, path+": line ") || !strings.Contains(stderr, tt.want) {
			t.Errorf("%s: got %s\nwant %s", tt.name, stderr, tt.want)
		}
	}
}
