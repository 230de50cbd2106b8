// Package conformance runs Watermill's own suite for Pub/Subs (pubsub/tests)
// against pubsub.Conflate over five brokers, and then has each of them conflate.
// It holds nothing but tests, in a module of its own, so that a user of the
// library does not inherit the clients of five brokers.
//
// # The suite
//
// The suite wants every message back, so here each message is a key of its own
// and nothing is merged. Credit is 1, which the suite's NoAck asks for: with 4 and
// AckOnAdmit it fails.
//
//	               GoChannel   Redis Streams        Kafka          NATS JetStream   RabbitMQ
//	client         gochannel   redisstream v1.4.5   kafka v3.0.6   pkg/nats v2.1.3  amqp v3.0.2
//	server         in process  miniredis and        kfake,         2.15 embedded    3.10
//	                           redis-server 7.0     4 partitions
//	claims
//	  consumer groups    no    yes                  yes            yes              yes
//	  persistent         no    done                 done           done             done
//	  order              no    one subscriber       yes            one subscriber   one subscriber
//	  exactly once       yes   no                   no             no               no
//	  new group gets     no    yes                  yes            yes              no
//	    old messages
//	  context preserved  yes   no                   no             no               no
//	plain          passes      passes               passes         passes           passes
//	AckOnDone      passes      passes               passes         passes           passes
//	AckOnAdmit     passes      all but two          all but two    all but two      all but two
//
// What the decorator claims is what the broker's own subscriber claims, with one
// exception. "done" means with AckOnDone: in ContinueAfterSubscribeClose and
// ContinueAfterErrors a subscriber is closed and nobody takes what it has at
// hand. With AckOnAdmit that has been acknowledged, so it is lost when
// DrainTimeout is over, as the documentation of pipeline.AckOnAdmit says. These
// two are skipped there. If they are run, ContinueAfterErrors fails on every
// broker, and ContinueAfterSubscribeClose on Kafka, NATS and redis-server.
//
// For GoChannel exactly once means within the process; it also needs one
// instance for all (RequireSingleInstance), and the suite skips for it what
// needs persistence. RabbitMQ's queues get what is published after they are
// bound, so a new group gets nothing old.
//
// Reconnect is not run: it has to restart the server.
//
// Two things had to be set on the brokers' side. Without them their own
// subscribers fail, not decorated:
//
//   - NATS: the durable consumer of a group is made before anybody subscribes.
//     One that Subscribe makes is deleted by the subscription that made it, when
//     that ends; the others of its group get "consumer not found"
//     (ConcurrentClose).
//   - NATS: MaxAckPending of the consumer is 1. With 64 the message that waits
//     behind the one in hand, when a subscriber closes, did not come again within
//     90 s (ContinueAfterErrors; 7 runs of 8).
//
// # Merging
//
// With five keys and a consumer that holds its first message, all that is
// published meanwhile must meet in the cache.
//
//   - AckOnAdmit, one subscription, on every broker: a few values instead of all
//     messages, the last one of each key is the last one published, and nothing
//     stale comes after something newer. GoChannel needs
//     BlockPublishUntilSubscriberAck for it, and Kafka messages that are
//     partitioned by key.
//   - AckOnDone, 16 subscriptions of a group and Newer (Redis, NATS, RabbitMQ):
//     messages merge, and the newest of each key arrives. But the subscriptions
//     reorder, and Newer does not know what is done already, so older values do
//     come after newer ones: a consumer has to compare versions. With NATS it is
//     most pronounced, because messages stay behind the one that a subscription
//     has in flight.
//   - AckOnDone, one subscription: nothing merges, and all comes in order. The
//     brokers hand out the next message of a key only when the one before is
//     acknowledged. For Kafka that holds however many subscriptions there are: a
//     key has one partition, and that one subscriber.
//   - AckOnAdmit and Newer over a GoChannel that does not block its publishers,
//     and so reorders: the newest of each key, and nothing stale, as long as what
//     is out of order meets in the cache.
//
// # Running it
//
// The suite runs in its short form (100 messages where it would send up to
// 10,000, and 10 subscribers instead of 50); -full sends all of them. -plain runs
// it without the decorator, to see what a broker does by itself. Neither flag
// concerns GoChannel, which has it all but with -short. With -full each broker
// needs five minutes for ContinueAfterErrors: it refuses a message 300 times, and
// the decorator hands it out again after a back-off of up to a second.
//
//	go test ./...
//	go test -full -timeout 20m
//	go test -run TestKafka -plain
//
// Redis and RabbitMQ must run on this machine, or where HEADRACE_REDIS
// (host:port) and HEADRACE_AMQP (a URL) say. Without them their tests are
// skipped and tell how to start one; with HEADRACE_REQUIRE=1 they fail. Each run
// leaves topics and queues behind on them.
package conformance
