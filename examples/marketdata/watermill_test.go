package main

import (
	"testing"
	"testing/synctest"

	"github.com/ThreeDotsLabs/watermill/message"
)

func TestWatermill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := start(t.Context(), "-via", "watermill", "-duration", "2s", "-rate", "5000", "-symbols", "50", "-json")
		if s := p.mustPass(t); s.In < 9000 || s.In > 10_500 {
			t.Errorf("%d quotes, want about 10000", s.In)
		}
	})
}

func TestDecodeRefuses(t *testing.T) {
	if _, err := decode(message.NewMessage("1", []byte("no tick"))); err == nil {
		t.Error("got no error for a message that is no tick")
	}
}
