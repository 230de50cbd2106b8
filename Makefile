.DEFAULT_GOAL := help
MODULES := $(shell go list -m -f '{{.Dir}}')
TOOL := GOWORK=off go tool -modfile=$(CURDIR)/.ci/tools/go.mod

.PHONY: help check test race lint bench fuzz demo

help: ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 10

check: ## everything that CI checks
	bash .ci/run

test: ## the tests of all modules
	go test work

race: ## the tests with the race detector, in random order
	go test -race -shuffle=on work

lint: ## gofmt, vet and staticcheck
	@test -z "$$(gofmt -l .)" || { gofmt -l .; exit 1; }
	@for m in $(MODULES); do (cd $$m && GOWORK=off go vet ./... && $(TOOL) staticcheck ./...) || exit 1; done

bench: ## the micro-benchmarks
	go test -run '^$$' -bench . -benchmem ./...

fuzz: ## fuzz the cache for a minute
	go test -run '^$$' -fuzz . -fuzztime 1m ./cache

demo: ## the main example
	go run ./examples/marketdata
