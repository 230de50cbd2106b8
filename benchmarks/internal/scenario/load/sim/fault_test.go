package sim

import "testing"

func TestStall(t *testing.T) {
	handed, err := Consumer{FIFO, 4, true, 0.7, 10}.Stall()
	if err != nil || handed < 4 || handed > 24 {
		t.Errorf("handed out %d, %v", handed, err)
	}
}

func TestLostLease(t *testing.T) {
	cost, err := Consumer{FIFO, 1, true, 0.7, 10}.LostLease()
	if err != nil || cost <= 0 || cost > 0.05 {
		t.Errorf("cost %.3f, %v", cost, err)
	}
}
