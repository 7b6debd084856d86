package main

import (
	"fmt"
	"sort"

	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/managedfields/managedfieldstest"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

const model = "thing"

var gvk = schema.GroupVersionKind{Version: "v1", Kind: "Thing"}

// step is one write. The result is the object, or the status code of the failure.
type step struct {
	Apply   bool     `json:"apply,omitempty"`
	Force   bool     `json:"force,omitempty"`
	Manager string   `json:"manager"`
	Object  object   `json:"object"`
	Result  object   `json:"result,omitempty"`
	Failure string   `json:"failure,omitempty"`
	Causes  []string `json:"causes,omitempty"`
}

func applyVectors(s source, thing *spec.Schema, count int) [][]step {
	thing.AddExtension("x-kubernetes-group-version-kind", []any{
		map[string]any{"group": gvk.Group, "version": gvk.Version, "kind": gvk.Kind},
	})
	converter, err := managedfields.NewTypeConverter(map[string]*spec.Schema{model: thing}, false)
	must(err)
	manager := managedfieldstest.NewFakeFieldManager(converter, gvk)
	vectors := [][]step{}
	for range count {
		vectors = append(vectors, sequence(s, manager))
	}
	return vectors
}

func sequence(s source, manager *managedfields.FieldManager) []step {
	var live runtime.Object = empty()
	steps := []step{}
	var last object
	for range 2 + s.Intn(4) {
		next := step{
			Apply:   s.chance(65),
			Force:   s.chance(45),
			Manager: []string{"one", "two", "three", "kubectl"}[s.Intn(4)],
			Object:  s.thing(20+s.Intn(40), false),
		}
		if !next.Apply {
			next.Force = false
			next.Object = s.thing(20+s.Intn(40), true)
		}
		if last != nil && s.chance(15) {
			next.Object = last
		}
		last = next.Object
		live = run(manager, live, &next)
		steps = append(steps, next)
	}
	return steps
}

func empty() *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: object{"apiVersion": "v1", "kind": "Thing"}}
}

func run(manager *managedfields.FieldManager, live runtime.Object, next *step) runtime.Object {
	object := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(next.Object)}
	var result runtime.Object
	var err error
	if next.Apply {
		result, err = manager.Apply(live.DeepCopyObject(), object, next.Manager, next.Force)
	} else {
		object.SetUID(live.(*unstructured.Unstructured).GetUID())
		result, err = manager.Update(live.DeepCopyObject(), object, next.Manager)
	}
	if err != nil {
		describe(err, next)
		return live
	}
	written := result.DeepCopyObject().(*unstructured.Unstructured)
	written.SetUID("1")
	next.Result = withoutTimes(written)
	return written
}

func describe(err error, next *step) {
	status, ok := err.(*errors.StatusError)
	if !ok {
		next.Failure = "invalid"
		return
	}
	next.Failure = "conflict"
	for _, cause := range status.ErrStatus.Details.Causes {
		next.Causes = append(next.Causes, fmt.Sprintf("%s: %s", cause.Message, cause.Field))
	}
	sort.Strings(next.Causes)
}

// withoutTimes keeps only whether managers have a time, because times differ between runs.
func withoutTimes(written *unstructured.Unstructured) object {
	result := runtime.DeepCopyJSON(written.Object)
	metadata := result["metadata"].(object)
	entries, _ := metadata["managedFields"].([]any)
	for _, entry := range entries {
		fields := entry.(object)
		if _, ok := fields["time"]; ok {
			fields["time"] = "set"
		}
	}
	sort.Slice(entries, func(i, j int) bool { return identity(entries[i]) < identity(entries[j]) })
	return result
}

func identity(entry any) string {
	fields := entry.(object)
	return fmt.Sprint(fields["operation"], " ", fields["manager"])
}
