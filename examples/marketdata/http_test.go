package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"
)

// waitFor returns the first match in what a running program prints.
func waitFor(t *testing.T, r io.Reader, pattern string) string {
	t.Helper()
	want := regexp.MustCompile(pattern)
	var seen bytes.Buffer
	buffer := make([]byte, 1024)
	for {
		n, err := r.Read(buffer)
		seen.Write(buffer[:n])
		if m := want.Find(seen.Bytes()); m != nil {
			go io.Copy(io.Discard, r) // the program must not wait for a reader
			return string(m)
		}
		if err != nil {
			t.Fatalf("%v after %q", err, seen.String())
		}
	}
}

func get(t *testing.T, url string) string {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", url, response.Status, err)
	}
	return string(body)
}

// Without an end it runs, and serves, until it is interrupted.
func TestHTTP(t *testing.T) {
	defer http.DefaultClient.CloseIdleConnections()
	ctx, interrupt := context.WithTimeout(t.Context(), time.Minute)
	defer interrupt()
	r, w := io.Pipe()
	status := make(chan int)
	go func() {
		code := run(ctx, []string{"-http", "127.0.0.1:0", "-duration", "0", "-rate", "1000", "-symbols", "10"}, w, io.Discard)
		w.Close()
		status <- code
	}()
	url := waitFor(t, r, `http://127\.0\.0\.1:\d+/`)
	if page := get(t, url); !strings.Contains(page, "<html") {
		t.Errorf("the page is %.80q", page)
	}
	if metrics := get(t, url+"metrics"); !strings.Contains(metrics, `headrace_puts_total{pipeline="marketdata"}`) {
		t.Errorf("no puts in the metrics:\n%.300s", metrics)
	}
	interrupt()
	if code := <-status; code != 0 {
		t.Errorf("exit status %d", code)
	}
}

func TestHTTPAddressInUse(t *testing.T) {
	var stderr strings.Builder
	if code := run(t.Context(), []string{"-http", "127.0.0.1:99999", "-duration", "1s"}, io.Discard, &stderr); code != 1 || !strings.Contains(stderr.String(), "-http 127.0.0.1:99999") {
		t.Errorf("exit status %d, %q", code, stderr.String())
	}
}
