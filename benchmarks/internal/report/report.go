package report

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/headrace/headrace/benchmarks/internal/bench"
)

// Report is a run with all that is needed to judge and to repeat it.
type Report struct {
	Machine Machine   `json:"machine"`
	Options Options   `json:"options"`
	Started time.Time `json:"started"`
	Seconds float64   `json:"seconds"` // it took
	// Interrupted says that not all has been measured: it was stopped, or a side
	// hung.
	Interrupted bool           `json:"interrupted"`
	Rows        []bench.Row    `json:"rows"`
	Results     []bench.Result `json:"results"`
}

// Options are what the run was asked for.
type Options struct {
	Scenarios []string `json:"scenarios"`
	Quick     bool     `json:"quick"`
	Runs      int      `json:"runs"`
	AboutMS   float64  `json:"about_ms"` // what a measurement should take
	Margin    float64  `json:"margin"`   // that made the bars easier; 1 is none
	Replay    string   `json:"replay,omitempty"`
}

// Names of the files that Write writes.
const (
	PageFile    = "report.html"
	JSONFile    = "results.json"
	BarsFile    = "bars.csv"
	SamplesFile = "samples.csv"
)

// Write writes the page and the raw results into a directory that exists.
func (r Report) Write(dir string) error {
	return errors.Join(
		writeFile(filepath.Join(dir, PageFile), r.WriteHTML),
		writeFile(filepath.Join(dir, JSONFile), r.WriteJSON),
		writeFile(filepath.Join(dir, BarsFile), r.WriteBars),
		writeFile(filepath.Join(dir, SamplesFile), r.WriteSamples),
	)
}

func writeFile(name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}
