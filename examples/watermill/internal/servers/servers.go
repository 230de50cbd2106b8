// Package servers runs stand-ins for brokers in the process of a test.
package servers

import (
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/twmb/franz-go/pkg/kfake"
)

// InProcess returns what -url has to be for each -pubsub that needs nothing
// installed.
func InProcess(t *testing.T) map[string]string {
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cluster.Close)
	return map[string]string{
		"gochannel": "",
		"nats":      "",
		"redis":     "redis://" + miniredis.RunT(t).Addr(),
		"kafka":     cluster.ListenAddrs()[0],
	}
}
