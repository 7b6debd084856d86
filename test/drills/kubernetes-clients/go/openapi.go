package main

import (
	"context"
	"fmt"

	openapi "github.com/google/gnostic-models/openapiv3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"
)

const protobufType = "application/com.github.proto-openapi.spec.v3.v1.0+protobuf"

// openapiDocuments compares every document as protobuf with the one that gnostic reads from JSON.
func openapiDocuments(_ context.Context, config *rest.Config) error {
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return err
	}
	paths, err := client.OpenAPIV3().Paths()
	if err != nil {
		return err
	}
	if len(paths) == 0 {
		return fmt.Errorf("no documents")
	}
	for path, groupVersion := range paths {
		text, err := groupVersion.Schema("application/json")
		if err != nil {
			return err
		}
		encoded, err := groupVersion.Schema(protobufType)
		if err != nil {
			return err
		}
		want, err := openapi.ParseDocument(text)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		got := &openapi.Document{}
		if err := proto.Unmarshal(encoded, got); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		for _, document := range []*openapi.Document{want, got} {
			if err := normalize(document.ProtoReflect()); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
		}
		if !proto.Equal(want, got) {
			return fmt.Errorf("%s: the protobuf differs from the JSON", path)
		}
	}
	return nil
}

// normalize writes values of any type, which are YAML, in one style.
func normalize(message protoreflect.Message) error {
	var failure error
	message.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		switch {
		case field.Name() == "yaml":
			var text []byte
			if text, failure = yaml.YAMLToJSON([]byte(value.String())); failure == nil {
				message.Set(field, protoreflect.ValueOfString(string(text)))
			}
		case field.Kind() != protoreflect.MessageKind:
		case field.IsList():
			for i := 0; i < value.List().Len() && failure == nil; i++ {
				failure = normalize(value.List().Get(i).Message())
			}
		default:
			failure = normalize(value.Message())
		}
		return failure == nil
	})
	return failure
}
