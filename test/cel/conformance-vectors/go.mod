module flotilla/cel-conformance-vectors

go 1.25.0

require (
	cel.dev/expr v0.25.2
	google.golang.org/protobuf v1.36.10
)
