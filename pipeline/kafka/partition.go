package kafka

import "github.com/twmb/franz-go/pkg/kgo"

// partition is a partition for as long as it is assigned to a session. Its
// records are acknowledged in any order, but Kafka knows only one offset, up
// to which all are done. It is guarded by the mutex of its window.
type partition struct {
	session *session
	name    name
	line    []*record // in the order of their offsets, from the first that is not acknowledged
	revoked bool
}

type name struct {
	topic  string
	number int32
}

// record is a record in hand.
type record struct {
	partition *partition
	offset    int64
	epoch     int32

	kafka    *kgo.Record // nil when acknowledged, so that it does not hold memory
	delivery int         // how often it was yielded; only the last receipt counts
	refused  bool        // it is to be yielded again
}

func (r *record) acknowledged() bool { return r.kafka == nil }

// advance takes off what is done without a gap, and returns how much that is,
// and the last of it as the client wants to be told.
func (p *partition) advance() (n int, mark *kgo.Record) {
	for n < len(p.line) && p.line[n].acknowledged() {
		last := p.line[n]
		mark = &kgo.Record{Topic: p.name.topic, Partition: p.name.number, Offset: last.offset, LeaderEpoch: last.epoch}
		p.line[n] = nil
		n++
	}
	if p.line = p.line[n:]; len(p.line) == 0 {
		p.line = nil // so that the array of a peak is given back
	}
	return n, mark
}
