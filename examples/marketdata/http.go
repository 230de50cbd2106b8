package main

import (
	"fmt"
	"io"
	"net"
	"net/http"

	live "github.com/headrace/headrace/pipeline/monitor"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// serve serves the live page and the metrics of a pipeline, prints where, and
// returns what stops it.
func serve(address string, p live.Pipeline, out io.Writer) (stop func(), err error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("-http %s: %w", address, err)
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(live.NewCollector(p))
	mux := http.NewServeMux()
	mux.Handle("/metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	mux.Handle("/", live.Handler(p))

	server := &http.Server{Handler: mux}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.Serve(listener) // ends with ErrServerClosed
	}()
	fmt.Fprintf(out, "live page: http://%s/  metrics: http://%[1]s/metrics\n", reachable(listener.Addr()))
	return func() {
		_ = server.Close() // the page's streams would keep Shutdown waiting
		<-ended
	}, nil
}

// reachable returns an address that a browser on this machine can open.
func reachable(a net.Addr) string {
	tcp := a.(*net.TCPAddr)
	if tcp.IP.IsUnspecified() {
		return fmt.Sprintf("localhost:%d", tcp.Port)
	}
	return tcp.String()
}
