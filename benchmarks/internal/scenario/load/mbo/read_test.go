package mbo

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const header = "ts_recv_ns,ts_event_ns,action,side,price,size,order_id,sequence\n"

func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRead(t *testing.T) {
	rows := header + "5,1,A,B,4799.25,2,7,1\n6,1,T,N,,2,0,2\n"
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	w.Write([]byte(rows))
	w.Close()
	for name, content := range map[string]string{"a.csv": rows, "a.csv.gz": zipped.String()} {
		events, err := Read(write(t, name, content))
		if err != nil {
			t.Fatal(err)
		}
		want := Event{5, Add, Place{Bid, 4799_250_000_000}, 2, 7}
		if len(events) != 2 || events[0] != want || events[1].Action != Trade {
			t.Errorf("%s: %v, want %v and a trade", name, events, want)
		}
	}
}

func TestReadNamesFileAndLine(t *testing.T) {
	good := "5,1,A,B,1,2,7,1\n"
	for content, want := range map[string]string{
		"":                                   "bad.csv: line 1: ",
		"a,b\n":                              "bad.csv: line 1: ",
		header:                               "bad.csv: line 1: ",
		header + good + "6,1,X,B,1,2,7,1\n":  "bad.csv: line 3: action: ",
		header + good + "6,1,A,N,1,2,7,1\n":  "bad.csv: line 3: side: ",
		header + good + "6,1,A,B,,2,7,1\n":   "bad.csv: line 3: price: ",
		header + good + "6,1,A,B,1x,2,7,1\n": "bad.csv: line 3: price: ",
		header + good + "6,1,A,B,1,-2,7,1\n": "bad.csv: line 3: size: ",
		header + good + "6,1,A,B,1,2,7\n":    "bad.csv: line 3: ",
		header + good + "4,1,A,B,1,2,7,1\n":  "bad.csv: line 3: ts_recv_ns",
		header + good + "6,1,\"A,B\n":        "bad.csv: line 3: ",
	} {
		_, err := Read(write(t, "bad.csv", content))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q in it", content, err, want)
		}
	}
	if _, err := Read("missing.csv"); err == nil || !strings.Contains(err.Error(), "missing.csv") {
		t.Errorf("error %v of a missing file does not name it", err)
	}
}
