package jetstream

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/pipeline"
)

// process is a pipeline in a process of its own, which a test can kill.
type process struct {
	t     *testing.T
	cmd   *exec.Cmd
	stdin io.Closer
	lines chan string // what it prints

	done  map[string][]int // the values that its handler has processed, by key
	ended bool
}

// spawn runs the test binary as a pipeline that reads from a broker. A mode
// with "hold" is stuck in its fourth entry; one with "sum" adds up, others take the last.
func spawn(t *testing.T, mode, broker string) *process {
	t.Helper()
	p := &process{t: t, cmd: exec.Command(os.Args[0]), lines: make(chan string, 1000), done: make(map[string][]int)}
	p.cmd.Env = append(os.Environ(), "HEADRACE_CHILD="+mode, "HEADRACE_BROKER="+broker)
	p.cmd.Stderr = os.Stderr
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.lines)
		for scanner := bufio.NewScanner(stdout); scanner.Scan(); {
			p.lines <- scanner.Text()
		}
	}()
	t.Cleanup(p.kill)
	return p
}

// until reads what the process prints until a condition holds.
func (p *process) until(what string, condition func(line string) bool) {
	p.t.Helper()
	timeout := time.After(30 * time.Second)
	for {
		select {
		case line, ok := <-p.lines:
			if !ok {
				p.t.Fatalf("the process has ended; waited until it %s", what)
			}
			p.note(line)
			if condition(line) {
				return
			}
		case <-timeout:
			p.t.Fatalf("timed out; waited until the process %s", what)
		}
	}
}

func (p *process) note(line string) {
	var key string
	var n int
	if _, err := fmt.Sscanf(line, "done %s %d", &key, &n); err == nil {
		p.done[key] = append(p.done[key], n)
	}
}

// untilAdmitted waits until so many values are in the cache or beyond.
func (p *process) untilAdmitted(n int) {
	p.t.Helper()
	p.until(fmt.Sprintf("has admitted %d", n), func(line string) bool {
		var admitted int
		_, err := fmt.Sscanf(line, "admitted %d", &admitted)
		return err == nil && admitted >= n
	})
}

// kill is a crash: the process does not get to do anything any more.
func (p *process) kill() {
	if !p.ended {
		p.cmd.Process.Kill()
		p.wait()
	}
}

// stop ends the process gracefully.
func (p *process) stop() {
	p.t.Helper()
	p.stdin.Close()
	if err := p.wait(); err != nil {
		p.t.Errorf("the process: %v", err)
	}
}

func (p *process) wait() error {
	p.ended = true
	for line := range p.lines {
		p.note(line)
	}
	return p.cmd.Wait()
}

// serve is what the process does.
func serve(mode string, source pipeline.Source[quote]) {
	config := pipeline.Config[string, quote]{Key: quote.Key}
	if strings.Contains(mode, "sum") {
		config.Cache.Merge = add
	}
	p, err := pipeline.New(config)
	if err != nil {
		panic(err)
	}
	p.Produce(pipeline.Producer[quote]{Source: source, Acknowledge: pipeline.AckOnDone})
	entries := 0
	p.Consume(func(_ context.Context, e cache.Entry[string, quote]) error {
		if entries++; entries == 4 && strings.Contains(mode, "hold") {
			fmt.Println("stuck")
			select {}
		}
		fmt.Println("done", e.Key, e.Value.n)
		return nil
	})
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	go func() {
		for range time.Tick(20 * ms) {
			fmt.Println("admitted", p.Stats().Producers[0].Admitted)
		}
	}()
	if err := p.Run(ctx); err != nil {
		panic(err)
	}
}

func add(waiting, arriving quote) quote {
	waiting.n += arriving.n
	return waiting
}
