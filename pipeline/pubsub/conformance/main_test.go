package conformance

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// The tests mostly wait for a broker, so many of them run at once. Nothing of
// this library may be left running after them. Of the clients of the brokers
// some is, so goleak is no use here.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	code := m.Run()
	if left := leftRunning(); len(left) > 0 && code == 0 {
		fmt.Printf("%d goroutines are left:\n\n%s\n", len(left), strings.Join(left, "\n\n"))
		code = 1
	}
	os.Exit(code)
}

// leftRunning returns the stacks of the goroutines of this library, if there
// still are some after a second.
func leftRunning() (left []string) {
	stacks := make([]byte, 1<<24)
	for range 20 {
		left = nil
		for stack := range strings.SplitSeq(string(stacks[:runtime.Stack(stacks, true)]), "\n\n") {
			if strings.Contains(stack, "/headrace/pipeline.") || strings.Contains(stack, "/pipeline/pubsub.") {
				left = append(left, stack)
			}
		}
		if len(left) == 0 {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return left
}
