package monitor

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	dto "github.com/prometheus/client_model/go"
)

func readFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// checkNames checks the metrics in text, and the labels in a by (...) clause,
// against what is exported. The parts of a classic histogram are names too.
func checkNames(t *testing.T, file, text string) (used map[string]bool) {
	t.Helper()
	families := exported(t)
	used = make(map[string]bool)
	for _, name := range metricName.FindAllString(text, -1) {
		used[name] = true
		if families[name] != nil {
			if families[name].GetType() == dto.MetricType_HISTOGRAM {
				t.Errorf("%s: %s is a histogram, which has _bucket, _sum and _count", file, name)
			}
			continue
		}
		base := name
		for _, part := range []string{"_bucket", "_sum", "_count"} {
			base = strings.TrimSuffix(base, part)
		}
		if base == name || families[base].GetType() != dto.MetricType_HISTOGRAM {
			t.Errorf("%s: %s is not exported", file, name)
		}
	}
	return used
}

func TestAlertsAskForWhatIsExported(t *testing.T) {
	text := readFile(t, "grafana/alerts.yml")
	used := checkNames(t, "alerts.yml", text)
	for _, name := range []string{
		"headrace_oldest_waiting_seconds", "headrace_pinned_at_max_seconds_total",
		"headrace_dropped_total", "headrace_dead_total",
	} {
		if !used[name] {
			t.Errorf("no alert looks at %s", name)
		}
	}
	alerts := regexp.MustCompile(`(?m)^      - alert: \w+\n        expr: .+$`).FindAllString(text, -1)
	if len(alerts) != 4 {
		t.Errorf("%d alerts, want 4", len(alerts))
	}
}

func TestDashboardAsksForWhatIsExported(t *testing.T) {
	var board struct {
		Panels []struct {
			ID      int
			Title   string
			Type    string
			Targets []struct{ Expr, RefID string }
		}
	}
	text := readFile(t, "grafana/dashboard.json")
	if err := json.Unmarshal([]byte(text), &board); err != nil {
		t.Fatal(err)
	}
	checkNames(t, "dashboard.json", text)
	ids := make(map[int]bool)
	for _, p := range board.Panels {
		if ids[p.ID] {
			t.Errorf("panel %q has the id %d of another", p.Title, p.ID)
		}
		ids[p.ID] = true
		if p.Type == "row" {
			continue
		}
		if len(p.Targets) == 0 {
			t.Errorf("panel %q asks for nothing", p.Title)
		}
		for _, target := range p.Targets {
			if !metricName.MatchString(target.Expr) || !strings.Contains(target.Expr, `{pipeline=~"$pipeline"}`) {
				t.Errorf("panel %q: %s does not select the pipeline", p.Title, target.Expr)
			}
		}
	}
}
