package report

import (
	"bytes"
	"html"
	"regexp"
	"strings"
	"testing"

	nethtml "golang.org/x/net/html"
)

func render(t *testing.T, r Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPageLoadsNothing checks that the page has no script and refers to nothing
// outside of itself.
func TestPageLoadsNothing(t *testing.T) {
	page := render(t, sample())
	for _, not := range []string{"http://", "https://", "<script", "@import", "url(", "<link rel=\"stylesheet"} {
		if strings.Contains(page, not) {
			t.Errorf("the page has %q", not)
		}
	}
	for _, m := range regexp.MustCompile(`(?:href|src)="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if !strings.HasPrefix(m[1], "#") && m[1] != "data:," {
			t.Errorf("the page refers to %q", m[1])
		}
	}
}

// TestPageIsWhole checks that all elements are closed, and that what links lead
// to is there once.
func TestPageIsWhole(t *testing.T) {
	page := render(t, sample())
	open := map[string]int{}
	z := nethtml.NewTokenizer(strings.NewReader(page))
	for z.Next() != nethtml.ErrorToken {
		token := z.Token()
		switch token.Type {
		case nethtml.StartTagToken:
			open[token.Data]++
		case nethtml.EndTagToken:
			open[token.Data]--
		}
	}
	for name, n := range open {
		if n != 0 && name != "meta" && name != "link" && name != "input" {
			t.Errorf("%d <%s> more begin than end", n, name)
		}
	}
	for _, m := range regexp.MustCompile(`href="#([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if n := strings.Count(page, `id="`+m[1]+`"`); n != 1 {
			t.Errorf("there are %d places for the link #%s", n, m[1])
		}
	}
}

func TestPageSays(t *testing.T) {
	page := html.UnescapeString(render(t, sample()))
	if strings.Contains(page, "ZgotmplZ") {
		t.Error("the template refused a value")
	}
	for _, want := range []string{
		"A quick run",
		"<b>2</b> bars hold", "<b>1</b> hold (noisy)", "<b>1</b> missed", "<b>2</b> failed", "<b>1</b> of 2 goals reached",
		"merge: 1,000 <string> keys", "Each side puts & nothing is taken.",
		"0.93 (0.47 to 0.96)", "<= 1.1", "goal <= 0.5", `class="goal"><span>not reached</span>`, `class="good"><span>reached</span>`, "does not hold", "<span>failed:</span> run 1: lost 3 values",
		"Headrace 28 ns/op, map 28 ns/op", // the chart in words
		"The bar for put against map: the design", "The goal for put against map: the plan",
		`<i class="mark-bar">bar</i>`, `<i class="mark-goal">goal</i>`,
		"Test CPU", "2, GOMAXPROCS 2", "0123456789ab (changed)", "0.10 0.20 0.30", "1m1s",
		"Noise: between its quartiles",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if n := strings.Count(page, "<svg"); n != 3 {
		t.Errorf("there are %d charts, want one for each metric: 3", n)
	}
}

func TestPageOfInterruptedRun(t *testing.T) {
	r := sample()
	r.Interrupted = true
	r.Options.Margin = 1.5
	for i := range r.Results[1].Sides {
		r.Results[1].Sides[i].Measured = nil
	}
	page := render(t, r)
	for _, want := range []string{"partial results", "made easier by a factor of 1.50"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}
