package report

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
)

// Machine is where a run took place, and what was run.
type Machine struct {
	CPU        string `json:"cpu"`
	Cores      int    `json:"cores"`
	GOMAXPROCS int    `json:"gomaxprocs"`
	Go         string `json:"go"`
	OS         string `json:"os"`             // as "linux/amd64"
	Load       string `json:"load,omitempty"` // load averages before the run, where Linux tells
	Commit     string `json:"commit"`         // "unknown" if it is
	Dirty      bool   `json:"dirty"`          // the tree differed from the commit
}

// ThisMachine returns the machine that the program runs on.
func ThisMachine() Machine {
	m := Machine{
		CPU:        cpu(),
		Cores:      runtime.NumCPU(),
		GOMAXPROCS: runtime.GOMAXPROCS(0),
		Go:         runtime.Version(),
		OS:         runtime.GOOS + "/" + runtime.GOARCH,
		Load:       load(),
	}
	m.Commit, m.Dirty = commit()
	return m
}

// String returns the machine in one line.
func (m Machine) String() string {
	s := fmt.Sprintf("%s, %d cores, GOMAXPROCS %d, %s, %s, commit %s", m.CPU, m.Cores, m.GOMAXPROCS, m.Go, m.OS, m.ShortCommit())
	if m.Load != "" {
		s += ", load before " + m.Load
	}
	return s
}

// ShortCommit returns the commit as git abbreviates it, with a word if the tree
// differed.
func (m Machine) ShortCommit() string {
	s := m.Commit
	if len(s) == 40 {
		s = s[:12]
	}
	if m.Dirty {
		s += " (changed)"
	}
	return s
}

// cpu returns the model of the processor.
func cpu() string {
	info, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(info)) {
		name, value, _ := strings.Cut(line, ":")
		if strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	if runtime.GOOS == "darwin" {
		if model, err := exec.Command("sysctl", "-n", "machdep.cpu.brand_string").Output(); err == nil {
			return strings.TrimSpace(string(model))
		}
	}
	return "unknown " + runtime.GOARCH
}

// load returns the load averages of 1, 5 and 15 minutes.
func load() string {
	line, _ := os.ReadFile("/proc/loadavg")
	if f := strings.Fields(string(line)); len(f) >= 3 {
		return strings.Join(f[:3], " ")
	}
	return ""
}

// commit returns what the program was built from. The go command does not stamp
// it into what "go run" builds, so then the checkout is asked.
func commit() (hash string, dirty bool) {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				hash = s.Value
			case "vcs.modified":
				dirty = s.Value == "true"
			}
		}
	}
	if hash != "" {
		return hash, dirty
	}
	_, file, _, _ := runtime.Caller(0)
	dir := filepath.Dir(file)
	head, err := git(dir, "rev-parse", "HEAD")
	if err != nil {
		return "unknown", false
	}
	changes, err := git(dir, "status", "--porcelain")
	return head, err != nil || changes != ""
}

func git(dir string, args ...string) (string, error) {
	out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).Output()
	return strings.TrimSpace(string(out)), err
}
