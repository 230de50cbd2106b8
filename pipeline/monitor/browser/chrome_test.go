package browser

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// browse starts a browser without a window, and returns the context of its
// first tab.
func browse(t *testing.T) context.Context {
	t.Helper()
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath(chrome(t)),
		chromedp.NoSandbox, // it runs as root in containers
		chromedp.WindowSize(1280, 900),
	)
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	return newTab(t, ctx)
}

// newTab returns the context of a new tab, which the test closes.
func newTab(t *testing.T, ctx context.Context) context.Context {
	t.Helper()
	ctx, cancel := chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	return ctx
}

func chrome(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("HEADRACE_REQUIRE") != "" {
		t.Fatal("no Chromium in the path: apt-get install chromium")
	}
	t.Skip("no Chromium in the path: apt-get install chromium")
	return ""
}

// tab notes what a tab asks for and what it complains of.
type tab struct {
	mu       sync.Mutex
	requests []string
	faults   []string
}

func watch(t *testing.T, ctx context.Context) *tab {
	t.Helper()
	w := new(tab)
	err := chromedp.Listen(ctx, func(event any) {
		w.mu.Lock()
		defer w.mu.Unlock()
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			w.requests = append(w.requests, e.Request.URL)
		case *runtime.EventExceptionThrown:
			w.faults = append(w.faults, e.ExceptionDetails.Text)
		case *runtime.EventConsoleAPICalled:
			if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
				w.faults = append(w.faults, "console: "+string(e.Args[0].Value))
			}
		case *log.EventEntryAdded:
			if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
				w.faults = append(w.faults, e.Entry.Text+" "+e.Entry.URL)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// check fails the test for each complaint, and for each request that left.
func (w *tab) check(t *testing.T, host string) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, fault := range w.faults {
		t.Errorf("the browser complains: %s", fault)
	}
	if len(w.requests) < 5 {
		t.Errorf("%d requests seen, want the page and its parts", len(w.requests))
	}
	for _, url := range w.requests {
		if !strings.HasPrefix(url, host+"/") {
			t.Errorf("a request left the host: %s", url)
		}
	}
}

// text returns the text of an element.
func text(t *testing.T, ctx context.Context, selector chromedp.CSS) string {
	t.Helper()
	return get(t, ctx, chromedp.TextContent(selector))
}

// until waits until a JavaScript expression is true.
func until(t *testing.T, ctx context.Context, expression string) {
	t.Helper()
	poll := chromedp.Poll[chromedp.Void](expression,
		chromedp.WithPollingTimeout(time.Minute), chromedp.WithPollingInterval(100*time.Millisecond))
	if _, err := chromedp.Run(ctx, poll); err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
}

// do acts, and get asks.
func do(t *testing.T, ctx context.Context, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, steps...); err != nil {
		t.Fatal(err)
	}
}

func get[T any](t *testing.T, ctx context.Context, action chromedp.Action[T]) T {
	t.Helper()
	v, err := chromedp.Run(ctx, action)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
