// Generates vectors of server-side apply and strategic merge patches with Kubernetes' own packages.
//
//	go run . > ../../vectors/kubernetes-patches.json
package main

import (
	_ "embed"
	"encoding/json"
	"flag"
	"math/rand"
	"os"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

//go:embed schema.json
var schemaText []byte

func main() {
	flag.Parse()
	s := source{rand.New(rand.NewSource(*seed))}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	must(encoder.Encode(map[string]any{
		"apply":   applyVectors(s, thing(), *applyCount),
		"patches": patchVectors(s, thing(), *patchCount),
	}))
}

var (
	seed       = flag.Int64("seed", 20260101, "seed of the random values")
	applyCount = flag.Int("apply", 50, "number of sequences of writes")
	patchCount = flag.Int("patches", 60, "number of patches")
)

func thing() *spec.Schema {
	schema := &spec.Schema{}
	must(json.Unmarshal(schemaText, schema))
	return schema
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
