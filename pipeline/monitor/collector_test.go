package monitor

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/headrace/headrace/pipeline"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	dto "github.com/prometheus/client_model/go"
)

func gather(t *testing.T, pipelines ...Pipeline) map[string]*dto.MetricFamily {
	t.Helper()
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(NewCollector(pipelines...))
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	byName := make(map[string]*dto.MetricFamily)
	for _, f := range families {
		byName[f.GetName()] = f
	}
	return byName
}

// sample writes a metric as name{label="value"...}.
func sample(f *dto.MetricFamily, m *dto.Metric) string {
	var labels []string
	for _, l := range m.Label {
		if l.GetName() != "pipeline" {
			labels = append(labels, l.GetName()+"="+l.GetValue())
		}
	}
	return strings.TrimPrefix(f.GetName(), "headrace_") + "{" + strings.Join(labels, ",") + "}"
}

func TestCollect(t *testing.T) {
	got := make(map[string]float64)
	for _, f := range gather(t, full()) {
		for _, m := range f.Metric {
			if !hasPipeline(m, "quotes") {
				t.Errorf("%v is of no pipeline", m)
			}
			if m.Histogram == nil {
				got[sample(f, m)] = m.GetCounter().GetValue() + m.GetGauge().GetValue()
			}
		}
	}
	want := map[string]float64{
		"puts_total{}": 1000, "inserted_total{}": 400, "merged_total{}": 500, "annihilated_total{}": 10,
		"done_total{}": 300, "dead_total{}": 8, "joined_total{}": 7,
		"dropped_total{reason=rejected}": 50, "dropped_total{reason=stale}": 40,
		"dropped_total{reason=evicted}": 20, "dropped_total{reason=expired}": 30, "dropped_total{reason=revoked}": 0,
		"waiting_entries{}": 22, "waiting_bytes{}": 2200, "oldest_waiting_seconds{}": 1.5,
		"in_flight_entries{}": 3, "oldest_in_flight_seconds{}": 0.25,
		"failed_attempts_total{}": 15, "panics_total{}": 2, "overdue_total{}": 4,
		"limit{}": 12, "limit_in_flight{}": 4,
		"limit_ended_total{reason=succeeded}": 280, "limit_ended_total{reason=ignored}": 11, "limit_ended_total{reason=dropped}": 13,
		"divisor{}": 14, "gear{}": 1, "effective_reads_per_second{}": 71.5, "high_seconds{}": 0.02, "low_seconds{}": 0.01,
		"pinned_at_max_seconds_total{}": 19, "braking_seconds_total{}": 21, "stuck_entries{}": 17,
		"decisions_total{reason=slower}": 31, "decisions_total{reason=at base}": 32,
		"producer_received_total{producer=a}": 600, "producer_received_total{producer=b}": 450,
		"producer_admitted_total{producer=a}": 550, "producer_admitted_total{producer=b}": 400,
		"producer_rejected_total{producer=a}": 45, "producer_rejected_total{producer=b}": 50,
		"producer_invalid_total{producer=a}": 5, "producer_invalid_total{producer=b}": 0,
		"producer_failures_total{producer=a}": 6, "producer_failures_total{producer=b}": 0,
		"producer_restarts_total{producer=a}": 9, "producer_restarts_total{producer=b}": 0,
		"producer_connected{producer=a}": 1, "producer_connected{producer=b}": 0,
		"quota_request_seconds_total{client_id=,user=alice}": 3, "quota_request_utilization_ratio{client_id=,user=alice}": 0.5,
		"quota_request_throttle_seconds_total{client_id=,user=alice}": 6, "quota_request_wait_seconds_total{client_id=,user=alice}": 5,
		"quota_producer_bytes_total{client_id=desk,user=alice}": 7000, "quota_producer_utilization_ratio{client_id=desk,user=alice}": 0.25,
		"quota_producer_throttle_seconds_total{client_id=desk,user=alice}": 0, "quota_producer_wait_seconds_total{client_id=desk,user=alice}": 0,
		"quota_consumer_bytes_total{client_id=,user=(others)}": 9000, "quota_consumer_utilization_ratio{client_id=,user=(others)}": 0,
		"quota_consumer_throttle_seconds_total{client_id=,user=(others)}": 0, "quota_consumer_wait_seconds_total{client_id=,user=(others)}": 0,
	}
	for name, v := range want {
		if g, ok := got[name]; !ok || g != v {
			t.Errorf("%s = %v (there: %v), want %v", name, g, ok, v)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s was not expected", name)
		}
	}
}

func hasPipeline(m *dto.Metric, name string) bool {
	return slices.ContainsFunc(m.Label, func(l *dto.LabelPair) bool {
		return l.GetName() == "pipeline" && l.GetValue() == name
	})
}

func TestCollectorIsCleanForPromlint(t *testing.T) {
	problems, err := testutil.CollectAndLint(NewCollector(full()))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}

// What a pipeline has not is left out, not 0.
func TestCollectLeavesOut(t *testing.T) {
	plain := full()
	plain.seen = pipeline.Observation{}
	plain.stats.Limit.Limit = 0
	plain.stats.Quotas.Entities = nil
	families := gather(t, plain)
	for name := range families {
		for _, part := range []string{"limit", "divisor", "gear", "effective", "high", "low", "pinned", "braking", "stuck", "decisions", "quota"} {
			if strings.HasPrefix(name, "headrace_"+part) {
				t.Errorf("%s is there", name)
			}
		}
	}
	if len(families) < 15 {
		t.Errorf("%d families, want those of the cache and the producers", len(families))
	}
}

func TestCollectTellsEqualNamesApart(t *testing.T) {
	f := gather(t, full(), full(), full())["headrace_divisor"]
	var got []string
	for _, m := range f.Metric {
		got = append(got, m.Label[0].GetValue())
	}
	slices.Sort(got)
	if want := []string{"quotes", "quotes-2", "quotes-3"}; !slices.Equal(got, want) {
		t.Errorf("pipelines %v, want %v", got, want)
	}
}

// A real pipeline is a Pipeline, and its histograms come through.
func TestCollectFromAPipeline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		families := gather(t, ran(t, pacedConfig, 50))
		if got := families["headrace_done_total"].Metric[0].GetCounter().GetValue(); got != 50 {
			t.Errorf("done %v, want 50", got)
		}
		if got := families["headrace_service_seconds"].Metric[0].GetHistogram().GetSampleCount(); got != 50 {
			t.Errorf("service measured %v times, want 50", got)
		}
	})
}

// exported are the names of all metrics.
func exported(t *testing.T) map[string]*dto.MetricFamily { return gather(t, full()) }

var metricName = regexp.MustCompile(`headrace_[a-z_]+`)

func TestTheDocumentationListsTheMetrics(t *testing.T) {
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	listed := make(map[string]bool)
	for _, name := range metricName.FindAllString(string(text), -1) {
		listed[name] = true
		if exported(t)[name] == nil {
			t.Errorf("doc.go lists %s, which is not exported", name)
		}
	}
	for name := range exported(t) {
		if !listed[name] {
			t.Errorf("doc.go does not list %s", name)
		}
	}
}

func BenchmarkCollect(b *testing.B) {
	c := NewCollector(ran(b, pipeline.Config[int, int]{Workers: 100}, 1000))
	samples := make(chan prometheus.Metric, 1000)
	for b.Loop() {
		c.Collect(samples)
		for len(samples) > 0 {
			<-samples
		}
	}
}
