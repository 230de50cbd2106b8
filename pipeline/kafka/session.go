package kafka

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// patience bounds the last commit and the farewell to the group, which is well
// within the default of pipeline.Config.Grace.
const patience = 3 * time.Second

// session is a source at work: a client, which is a member of the group.
type session struct {
	options Options
	window  *window
	client  *kgo.Client
}

// open connects a client. What it calls back is called while no poll is being
// evaluated, so that a record never gets into the wrong assignment.
func open(o Options, m *memory) (*session, error) {
	s := &session{options: o}
	s.window = newWindow(s, m)
	client, err := kgo.NewClient(append(o.Client[:len(o.Client):len(o.Client)],
		kgo.AutoCommitMarks(),
		kgo.AutoCommitCallback(s.onCommit),
		kgo.BlockRebalanceOnPoll(),
		kgo.OnPartitionsRevoked(s.onRevoked),
		kgo.OnPartitionsLost(s.onLost),
	)...)
	if err != nil {
		return nil, fmt.Errorf("kafka: %w", err)
	}
	s.client = client
	return s, nil
}

// close leaves the group, which revokes what is still in hand and commits what
// is done: onRevoked is called before it returns.
func (s *session) close() {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := s.client.LeaveGroupContext(ctx); err != nil {
		s.options.OnError(fmt.Errorf("kafka: leave the group: %w", err))
	}
	s.client.Close()
	s.window.revokeAll() // what it had when it was not in the group
}

// next waits for a record. It returns nil and no error when ctx ends.
func (s *session) next(ctx context.Context) (*receipt, *kgo.Record, error) {
	for ctx.Err() == nil {
		r, k, room := s.window.take()
		switch {
		case r != nil:
			return r, k, nil
		case room > 0:
			if err := s.poll(ctx, room); err != nil {
				return nil, nil, err
			}
		default:
			select {
			case <-s.window.changed:
			case <-ctx.Done():
			}
		}
	}
	return nil, nil, nil
}

// poll waits for records, or until a refused one is to be yielded again.
func (s *session) poll(ctx context.Context, most int) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if !s.window.polling(cancel) {
		return nil
	}
	fetches := s.client.PollRecords(ctx, most)
	s.window.polled()
	s.client.MarkCommitRecords(s.window.add(fetches.Records())...)
	s.client.AllowRebalance()
	var fatal error
	fetches.EachError(func(topic string, partition int32, err error) {
		switch {
		case ctx.Err() != nil && errors.Is(err, ctx.Err()): // woken up
		case mends(err):
			s.options.OnError(fmt.Errorf("kafka: %w", err))
		case topic == "":
			fatal = fmt.Errorf("kafka: %w", err)
		default:
			fatal = fmt.Errorf("kafka: partition %d of topic %q: %w", partition, topic, err)
		}
	})
	return fatal
}

// mends reports whether the client goes on by itself after an error.
func mends(err error) bool {
	var lost *kgo.ErrDataLoss
	var group *kgo.ErrGroupSession
	var code *kerr.Error
	switch {
	case errors.As(err, &lost):
		return true
	case errors.Is(err, kerr.UnknownMemberID), errors.Is(err, kerr.IllegalGeneration):
		return true // it was late, and joins again
	case errors.As(err, &code):
		return code.Retriable
	case errors.As(err, &group):
		return true
	}
	return kgo.IsRetryableBrokerErr(err)
}

// onRevoked lets go of partitions and commits what was done of them, so that
// the next member begins there.
func (s *session) onRevoked(ctx context.Context, client *kgo.Client, partitions map[string][]int32) {
	s.onLost(ctx, client, partitions)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	s.report(client.CommitMarkedOffsets(ctx))
}

// onLost lets go of partitions that the group has given to others already.
func (s *session) onLost(_ context.Context, _ *kgo.Client, partitions map[string][]int32) {
	for topic, numbers := range partitions {
		for _, number := range numbers {
			s.window.revoke(name{topic, number})
		}
	}
}

func (s *session) onCommit(_ *kgo.Client, _ *kmsg.OffsetCommitRequest, _ *kmsg.OffsetCommitResponse, err error) {
	s.report(err)
}

// report tells of a failed commit. That another one took its place is no news.
func (s *session) report(err error) {
	if err != nil && !errors.Is(err, context.Canceled) {
		s.options.OnError(fmt.Errorf("kafka: commit: %w", err))
	}
}
