package governor

import "testing"

func TestWaiters(t *testing.T) {
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 0, 2}, {1, 2, 0}, {0, 2, 1}} {
		var l waiters
		var all [3]*waiter
		for i := range all {
			all[i] = &waiter{}
			l.push(all[i])
		}
		left := map[int]bool{0: true, 1: true, 2: true}
		for n, i := range order {
			l.remove(all[i])
			delete(left, i)
			if all[i].waiting || l.count != 2-n {
				t.Errorf("%v: waiting %v, %d left", order, all[i].waiting, l.count)
			}
			var last *waiter
			for w := l.front; w != nil; last, w = w, w.next {
				if w.prev != last {
					t.Errorf("%v: a broken link", order)
				}
			}
			if l.back != last {
				t.Errorf("%v: a wrong end", order)
			}
			for j := range all {
				if all[j].waiting != left[j] {
					t.Errorf("%v: waiter %d waiting %v", order, j, all[j].waiting)
				}
			}
		}
		if l.front != nil || l.back != nil {
			t.Errorf("%v: not empty at the end", order)
		}
	}
}
