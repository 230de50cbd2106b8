package monitor

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"regexp"
	"strings"
	"testing"
	"time"
)

// serve serves the page of a full pipeline under a path.
func serve(t *testing.T, mount string) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle(mount, Handler(full()))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server
}

func get(t *testing.T, url string) (*http.Response, string) {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	return r, string(body)
}

// The page works at the root and anywhere below, and so does all it refers to.
func TestPageIsComplete(t *testing.T) {
	references := regexp.MustCompile(`(?:src|href)="([^"#]+)"|from '\./([^']+)'|(?:SharedWorker|EventSource)\('([^']+)'\)`)
	for _, mount := range []string{"/", "/debug/headrace/"} {
		server := serve(t, mount)
		seen := map[string]bool{"": true, "events": true}
		todo := []string{""}
		for len(todo) > 0 {
			name := todo[0]
			todo = todo[1:]
			r, body := get(t, server.URL+mount+name)
			if r.StatusCode != http.StatusOK || r.Header.Get("Content-Security-Policy") != policy {
				t.Errorf("%s: status %d, policy %q", mount+name, r.StatusCode, r.Header.Get("Content-Security-Policy"))
			}
			if want := contentTypes[path.Ext(name)]; name != "" && r.Header.Get("Content-Type") != want {
				t.Errorf("%s is %q, want %q", name, r.Header.Get("Content-Type"), want)
			}
			if strings.HasPrefix(name, "uPlot") {
				continue
			}
			for _, m := range references.FindAllStringSubmatch(body, -1) {
				if next := m[1] + m[2] + m[3]; !seen[next] {
					seen[next] = true
					todo = append(todo, next)
				}
			}
		}
		if len(seen) != 14 {
			t.Errorf("%d parts, want 14: %v", len(seen), seen)
		}
	}
}

func TestPageOnlyReads(t *testing.T) {
	server := serve(t, "/")
	for _, name := range []string{"", "events", "page.js"} {
		r, err := http.Post(server.URL+"/"+name, "text/plain", strings.NewReader("x"))
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		if r.StatusCode != http.StatusMethodNotAllowed || r.Header.Get("Allow") != "GET, HEAD" {
			t.Errorf("POST %q: status %d, allow %q", name, r.StatusCode, r.Header.Get("Allow"))
		}
	}
	r, err := http.Head(server.URL + "/")
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if r.StatusCode != http.StatusOK {
		t.Errorf("HEAD: status %d", r.StatusCode)
	}
}

func TestPageServesNothingElse(t *testing.T) {
	server := serve(t, "/")
	for _, name := range []string{"nothing", "nothing.js", "README.md", "uPlot.LICENSE", "..%2fdoc.go", "..%2f..%2fgo.mod", "index"} {
		if r, _ := get(t, server.URL+"/"+name); r.StatusCode != http.StatusNotFound {
			t.Errorf("%s: status %d, want not found", name, r.StatusCode)
		}
	}
}

// A stream over a real connection ends when the browser goes away: goleak would
// tell.
func TestStreamOverAConnection(t *testing.T) {
	server := serve(t, "/")
	r, err := http.Get(server.URL + "/events")
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(r.Body).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, `data: {"id":0,"name":"quotes"`) {
		t.Errorf("first line %q, error %v", line, err)
	}
	r.Body.Close()
	closed := make(chan struct{})
	go func() {
		server.Close() // waits for the handlers
		close(closed)
	}()
	select {
	case <-closed:
	case <-time.After(5 * time.Second):
		t.Error("the stream goes on though its reader has gone")
	}
}
