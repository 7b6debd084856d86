// Runs client-go and controller-runtime against the plane at a URL: informers, leader election with
// leases and events in protobuf, a controller with a finalizer and a status subresource, and OpenAPI
// v3 as protobuf.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"k8s.io/client-go/rest"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	config := &rest.Config{Host: os.Args[1]}
	for _, step := range []struct {
		name string
		run  func(context.Context, *rest.Config) error
	}{
		{"typed client", typedClient},
		{"informer", informer},
		{"leader election", leaderElection},
		{"controller", controller},
		{"OpenAPI v3 as protobuf", openapiDocuments},
	} {
		if err := step.run(ctx, rest.CopyConfig(config)); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", step.name, err)
			os.Exit(1)
		}
		fmt.Println("ok:", step.name)
	}
}
