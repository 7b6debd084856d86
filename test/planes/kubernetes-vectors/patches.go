package main

import (
	"encoding/json"
	"strings"

	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

type patched struct {
	Live   object `json:"live"`
	Patch  object `json:"patch"`
	Result object `json:"result"`
}

// patchVectors applies patches that clients compute to live objects that others have changed.
func patchVectors(s source, thing *spec.Schema, count int) []patched {
	lookup := strategicpatch.PatchMetaFromOpenAPIV3{Schema: thing}
	vectors := []patched{}
	for len(vectors) < count {
		live, patch := s.thing(50, false), clientPatch(s, lookup)
		if s.chance(30) {
			// The client has seen this object.
			live = patch.before
		}
		if len(patch.patch) == 0 || isAmbiguous(patch.patch) {
			continue
		}
		vector := patched{Live: plain(live), Patch: plain(patch.patch)}
		result, err := strategicpatch.StrategicMergeMapPatchUsingLookupPatchMeta(
			plain(live), plain(patch.patch), lookup)
		if err != nil {
			// Flotilla accepts these: patches of unknown fields, and orders of empty lists.
			continue
		}
		vector.Result = decoded(object(result)).(object)
		vectors = append(vectors, vector)
	}
	return vectors
}

type computed struct{ before, patch object }

func clientPatch(s source, lookup strategicpatch.LookupPatchMeta) computed {
	before, after := s.thing(60, false), s.thing(60, false)
	bytes, err := strategicpatch.CreateTwoWayMergePatchUsingLookupPatchMeta(
		text(before), text(after), lookup)
	if s.chance(40) {
		current := s.thing(60, false)
		bytes, err = strategicpatch.CreateThreeWayMergePatch(
			text(before), text(after), text(current), lookup, true)
		before = current
	}
	if err != nil {
		return computed{}
	}
	patch := object{}
	must(json.Unmarshal(bytes, &patch))
	return computed{before, patch}
}

func text(value object) []byte {
	bytes, err := json.Marshal(value)
	must(err)
	return bytes
}

func plain(value object) object {
	copied := object{}
	must(json.Unmarshal(text(value), &copied))
	return copied
}

// isAmbiguous reports whether a list of the patch both removes and changes items. The order of the
// result then depends on the capacity of a slice.
func isAmbiguous(patch any) bool {
	switch value := patch.(type) {
	case object:
		for _, member := range value {
			if isAmbiguous(member) {
				return true
			}
		}
	case []any:
		removed, changed := 0, 0
		for _, item := range value {
			if members, ok := item.(object); ok && members["$patch"] != nil {
				removed++
			} else {
				changed++
			}
			if isAmbiguous(item) {
				return true
			}
		}
		return removed > 0 && changed > 0
	}
	return false
}

// decoded removes what disappears when Kubernetes decodes the result into a type: nulls, and
// directives of objects that are new.
func decoded(result any) any {
	switch value := result.(type) {
	case object:
		members := object{}
		for name, member := range value {
			if member != nil && !strings.HasPrefix(name, "$") {
				members[name] = decoded(member)
			}
		}
		return members
	case []any:
		items := []any{}
		for _, item := range value {
			items = append(items, decoded(item))
		}
		return items
	}
	return result
}
