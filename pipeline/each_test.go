package pipeline

import (
	"runtime"
	"slices"
	"testing"
)

func TestEach(t *testing.T) {
	for name, do := range map[string]func(){"return": func() {}, "panic": func() { panic("each") }, "exit": runtime.Goexit} {
		t.Run(name, func(t *testing.T) {
			var got []int
			ended := make(chan bool)
			go func() {
				returned := false
				defer func() {
					recover()
					ended <- returned
				}()
				each(3, 7, func(n int) {
					got = append(got, n)
					do()
				})
				returned = true
			}()
			if returned := <-ended; returned != (name == "return") {
				t.Errorf("returned: %v", returned)
			}
			if !slices.Equal(got, []int{3, 4, 5, 6}) {
				t.Errorf("got %v", got)
			}
		})
	}
	each(5, 5, func(int) { t.Error("called for nothing") })
}
