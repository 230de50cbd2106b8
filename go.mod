module github.com/headrace/headrace

go 1.26

require (
	github.com/ThreeDotsLabs/watermill v1.5.1
	github.com/rs/zerolog v1.35.1
	github.com/tidwall/btree v1.8.2
	go.uber.org/goleak v1.3.0
	pgregory.net/rapid v1.3.0
)

require (
	github.com/google/uuid v1.6.0 // indirect
	github.com/lithammer/shortuuid/v3 v3.0.7 // indirect
	github.com/mattn/go-colorable v0.1.14 // indirect
	github.com/mattn/go-isatty v0.0.20 // indirect
	github.com/oklog/ulid v1.3.1 // indirect
	github.com/pkg/errors v0.9.1 // indirect
	golang.org/x/sys v0.35.0 // indirect
)
