package browser

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// open opens the page of a demo and waits for its first figures.
func open(t *testing.T, ctx context.Context, d *demo) *tab {
	t.Helper()
	w := watch(t, ctx)
	do(t, ctx, chromedp.Navigate(d.url+mount))
	until(t, ctx, `document.querySelectorAll("section.pipeline").length === 2`)
	return w
}

const (
	quotes = "#pipeline-0 "
	orders = "#pipeline-1 "
)

func TestPage(t *testing.T) {
	ctx := browse(t)
	d := start(t)
	w := open(t, ctx, d)

	if got := text(t, ctx, quotes+"h2"); got != "quotes" {
		t.Errorf("the first pipeline is %q, want quotes", got)
	}
	if got := text(t, ctx, orders+"h2"); got != "orders" {
		t.Errorf("the second pipeline is %q, want orders", got)
	}
	if got := text(t, ctx, "#link"); got != "live" {
		t.Errorf("the link is %q, want live", got)
	}
	for _, pipeline := range []chromedp.CSS{quotes, orders} {
		if got := text(t, ctx, pipeline+"[data-badge=balance]"); got != "ledger balanced" {
			t.Errorf("%sthe badge says %q, want ledger balanced", pipeline, got)
		}
		if got := text(t, ctx, pipeline+"[data-figure=balance]"); got != "balanced" {
			t.Errorf("%sthe ledger says %q, want balanced", pipeline, got)
		}
	}
	chartsMove(t, ctx)
	hottestKeys(t, ctx)
	divisorRises(t, ctx, d)
	w.check(t, d.url)
}

// chartsMove looks at the pixels of each chart, twice.
func chartsMove(t *testing.T, ctx context.Context) {
	t.Helper()
	const pixels = `[...document.querySelectorAll("figure canvas")].map(c => c.toDataURL())`
	get(t, ctx, chromedp.Evaluate[[]string](`before = `+pixels))
	// The divisor exists where there is a metronome.
	until(t, ctx, `before.length === 13`)
	until(t, ctx, pixels+`.every((now, i) => now !== before[i])`)
	until(t, ctx, `[...document.querySelectorAll("figure")].every(f => f.dataset.points > 2)`)
}

func hottestKeys(t *testing.T, ctx context.Context) {
	t.Helper()
	until(t, ctx, `[...document.querySelectorAll("[data-list=hottest] li:first-child span")].map(e => e.textContent).includes("SYM00")`)
}

func divisorRises(t *testing.T, ctx context.Context, d *demo) {
	t.Helper()
	const divisor chromedp.CSS = quotes + "[data-figure='pace.divisor']"
	if got := text(t, ctx, divisor); got != "10" {
		t.Errorf("divisor %q while the consumer is fast, want 10", got)
	}
	d.slow.Store(true)
	until(t, ctx, `Number(document.querySelector("`+string(divisor)+`").textContent) > 20`)
	until(t, ctx, `document.querySelector("`+quotes+`.decisions").textContent.includes("above the high line of 20ms")`)
	d.slow.Store(false)
	until(t, ctx, `document.querySelector("`+quotes+`.decisions").textContent.includes("Faster")`)
}

// A browser opens six connections to a host, and a stream takes one for good.
func TestManyTabs(t *testing.T) {
	ctx := browse(t)
	d := start(t)
	open(t, ctx, d)
	for n := range 8 {
		tab := newTab(t, ctx)
		open(t, tab, d)
		until(t, tab, `document.querySelector("figure").dataset.points > 1`)
		t.Logf("tab %d is live", n+2)
	}
	until(t, ctx, `document.querySelector("figure").dataset.points > 5`)
}

func TestPauseAndKeyboard(t *testing.T) {
	ctx := browse(t)
	d := start(t)
	open(t, ctx, d)
	until(t, ctx, `document.querySelector("figure").dataset.points > 3`)
	do(t, ctx,
		chromedp.Focus(chromedp.CSS("#pause")), chromedp.KeyEvent(" "),
		chromedp.WaitVisible(chromedp.CSS(`#pause[aria-pressed="true"]`)),
		chromedp.Focus(chromedp.CSS("figure[data-chart=rates]")), chromedp.KeyEvent(kb.ArrowLeft),
	)
	until(t, ctx, `/\d s ago: in .*, out /.test(document.querySelector("figure [aria-live]").textContent)`)
	const points = `Number(document.querySelector("figure").dataset.points)`
	before := get(t, ctx, chromedp.Evaluate[int](points))
	do(t, ctx, chromedp.Focus(chromedp.CSS("#pause")), chromedp.KeyEvent(" "))
	until(t, ctx, fmt.Sprintf("%s > %d", points, before))
}

// TestAppearance takes pictures, to be looked at: go test -artifacts keeps them.
func TestAppearance(t *testing.T) {
	ctx := browse(t)
	d := start(t)
	w := open(t, ctx, d)
	d.slow.Store(true)
	until(t, ctx, `document.querySelector("figure").dataset.points > 8`)
	d.slow.Store(false)
	until(t, ctx, `document.querySelector("figure").dataset.points > 12`)
	shots := []struct {
		name, scheme string
		width        int64
	}{{"light", "light", 1280}, {"dark", "dark", 1280}, {"phone", "light", 390}, {"phone-dark", "dark", 390}}
	for _, shot := range shots {
		scheme := emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: shot.scheme}},
		}
		do(t, ctx,
			chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
				_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, scheme)
				return err
			}),
			chromedp.EmulateViewport(shot.width, 900),
			chromedp.Sleep(1500*time.Millisecond), // for a frame
		)
		picture := get(t, ctx, chromedp.FullScreenshot(100))
		fits(t, ctx, shot.name)
		if err := os.WriteFile(filepath.Join(t.ArtifactDir(), shot.name+".png"), picture, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w.check(t, d.url)
}

// fits checks that nothing has to be scrolled sideways.
func fits(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	over := get(t, ctx, chromedp.Evaluate[int](`document.documentElement.scrollWidth - innerWidth`))
	if over > 0 {
		t.Errorf("%s: the page is %d pixels too wide", name, over)
	}
}
