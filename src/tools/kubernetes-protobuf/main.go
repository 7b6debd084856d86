// Writes the protobuf descriptor of the native kinds, or test vectors that the Go encoders make:
//
//	cd src/tools/kubernetes-protobuf
//	go run . descriptor > ../../planes/protobuf/descriptor.ts
//	go run . vectors > ../../../test/vectors/kubernetes-protobuf.json
//
// The descriptor comes from the struct tags of the Go types, because they also contain the names
// in JSON and whether zero values are omitted, which the .proto files do not.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == "descriptor" {
		writeDescriptor(os.Stdout)
		return
	}
	if len(os.Args) == 2 && os.Args[1] == "vectors" {
		writeVectors(os.Stdout)
		return
	}
	fmt.Fprintln(os.Stderr, "usage: go run . descriptor|vectors")
	os.Exit(2)
}
