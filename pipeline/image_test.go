package pipeline

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/headrace/headrace/cache"
)

// imaged is what an image shows, in the order of the keys.
func imaged(p *Pipeline[string, item]) (all []string) {
	known := maps.Collect(p.Images())
	for _, k := range slices.Sorted(maps.Keys(known)) {
		all = append(all, known[k].String())
	}
	return all
}

func TestImageSet(t *testing.T) {
	tests := []struct {
		name    string
		size    int
		entries []entry
		want    []string
	}{
		{"none", 0, []entry{{Key: "a", Value: item{"a", 1}}}, nil},
		{"last value", 9, []entry{{Key: "a", Value: item{"a", 1}}, {Key: "a", Value: item{"a", 2}}}, []string{"a2"}},
		{"the least recent makes room", 2, []entry{
			{Key: "a", Value: item{"a", 1}}, {Key: "b", Value: item{"b", 1}}, {Key: "a", Value: item{"a", 2}}, {Key: "c", Value: item{"c", 1}},
		}, []string{"a2", "c1"}},
		{"a delete removes", 9, []entry{
			{Key: "a", Value: item{"a", 1}}, {Key: "b", Value: item{"b", 1}}, {Key: "a", Value: item{"a", 2}, Op: cache.Delete}, {Key: "c", Op: cache.Delete},
		}, []string{"b1"}},
		{"and makes room", 1, []entry{
			{Key: "a", Value: item{"a", 1}}, {Key: "a", Op: cache.Delete}, {Key: "b", Value: item{"b", 1}},
		}, []string{"b1"}},
		{"replace and insert set", 9, []entry{
			{Key: "a", Value: item{"a", 1}, Op: cache.Insert}, {Key: "b", Value: item{"b", 2}, Op: cache.Replace},
		}, []string{"a1", "b2"}},
		{"an event is no state", 9, []entry{
			{Key: "a", Value: item{"a", 1}}, {Key: "a", Value: item{"a", 2}, Op: cache.Append}, {Key: "b", Value: item{"b", 1}, Op: cache.Append},
		}, []string{"a1"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := mustNew(t, Config[string, item]{Image: test.size})
			for i := range test.entries {
				p.image.set(&test.entries[i])
			}
			if got := imaged(p); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
			for _, k := range []string{"a", "b", "c"} {
				got, ok := p.Image(k)
				want := slices.Contains(test.want, fmt.Sprint(got)) && got.key == k
				if ok != want {
					t.Errorf("Image(%q) returned %v, %v", k, got, ok)
				}
			}
			if p.image != nil && p.image.recent.Len() != len(p.image.entries) {
				t.Errorf("%d in the list, %d in the map", p.image.recent.Len(), len(p.image.entries))
			}
		})
	}
}

// The image knows what was done, not what waits, failed, or is dead.
func TestImageOfRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{Image: 9, Attempts: 1})
		p.Consume(func(_ handling, e entry) error {
			d.note("%v, image %v", e.Value, imaged(p))
			if e.Value.n < 0 {
				return errBoom
			}
			return nil
		})
		mustEnd(t, p, script(90*ms, at(0, item{"a", 1}), at(2*ms, item{"a", -1}), at(3*ms, item{"b", -1}), at(4*ms, item{"a", 3})))
		d.check(t, "0s a1, image []", "2ms a-1, image [a1]", "3ms b-1, image [a1]", "4ms a3, image [a1]")
		if got := imaged(p); !slices.Equal(got, []string{"a3"}) {
			t.Errorf("after the run: %q", got)
		}
	})
}

// Batches and asynchronous handlers are part of it.
func TestImageOfOtherForms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := mustNew(t, Config[string, item]{Image: 9, Attempts: 1})
		p.ConsumeBatch(9, func(_ handling, entries []entry) error {
			errs := make(BatchErrors, len(entries))
			for i, e := range entries {
				if e.Key == "b" {
					errs[i] = errBoom
				}
			}
			return errs
		})
		mustEnd(t, p, script(ms, at(0, five[:3]...)))
		if got := imaged(p); !slices.Equal(got, []string{"a1", "c1"}) {
			t.Errorf("of batches: %q", got)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		p := mustNew(t, Config[string, item]{Image: 9})
		p.ConsumeAsync(newDiary().later())
		mustEnd(t, p, script(ms, at(0, five[:2]...)))
		if got := imaged(p); !slices.Equal(got, []string{"a1", "b1"}) {
			t.Errorf("of an asynchronous handler: %q", got)
		}
	})
}

// The loop may use the pipeline, and end early.
func TestImagesBreak(t *testing.T) {
	p := mustNew(t, Config[string, item]{Image: 9})
	for _, k := range []string{"a", "b"} {
		p.image.set(&entry{Key: k})
	}
	n := 0
	for k := range p.Images() {
		p.image.set(&entry{Key: k, Op: cache.Delete})
		if n++; n == 1 {
			break
		}
	}
	if got := len(imaged(p)); got != 1 {
		t.Errorf("%d left, want 1", got)
	}
}
