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
	config := &rest.Config{Host: os.Args[1]}
	if len(os.Args) > 2 {
		keepMetadata(config, os.Args[2])
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
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

// keepMetadata keeps caches of metadata for a duration such as 10m.
func keepMetadata(config *rest.Config, text string) {
	duration, err := time.ParseDuration(text)
	if err == nil {
		err = metadataCaches(context.Background(), config, duration)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "metadata caches: %v\n", err)
		os.Exit(1)
	}
}
