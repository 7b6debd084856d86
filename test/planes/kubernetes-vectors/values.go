package main

import "math/rand"

type object = map[string]any

var letters = []string{"a", "b", "c", "d<", "e.f/g", "h\"i"}

type source struct{ *rand.Rand }

func (s source) chance(percent int) bool { return s.Intn(100) < percent }

func (s source) text() string { return letters[s.Intn(len(letters))] }

// pick returns a random subset of the members.
func (s source) pick(percent int, members map[string]func() any, names []string) object {
	picked := object{}
	for _, name := range names {
		if s.chance(percent) {
			picked[name] = members[name]()
		}
	}
	return picked
}

func (s source) list(max int, item func() any) []any {
	items := []any{}
	for range s.Intn(max + 1) {
		items = append(items, item())
	}
	return items
}

// unique removes items with the same key.
func unique(items []any, key func(any) any) []any {
	seen := map[any]bool{}
	kept := []any{}
	for _, item := range items {
		if k := key(item); !seen[k] {
			seen[k] = true
			kept = append(kept, item)
		}
	}
	return kept
}

func byField(name string) func(any) any {
	return func(item any) any { return item.(object)[name] }
}

func itself(item any) any { return item }

func (s source) textMap() any {
	members := object{}
	for range s.Intn(4) {
		members[s.text()] = s.text()
	}
	return members
}

func (s source) texts(max int) []any {
	return s.list(max, func() any { return s.text() })
}

func (s source) free(depth int) any {
	switch n := s.Intn(6); {
	case n < 2 && depth > 0:
		members := object{}
		for range s.Intn(3) {
			members[s.text()] = s.free(depth - 1)
		}
		return members
	case n == 2 && depth > 0:
		return s.list(2, func() any { return s.free(depth - 1) })
	case n == 3:
		return int64(s.Intn(3))
	case n == 4:
		return s.chance(50)
	default:
		return s.text()
	}
}

func (s source) intOrString() any {
	if s.chance(50) {
		return int64(s.Intn(3))
	}
	return s.text()
}

func (s source) env() any {
	items := s.list(3, func() any { return object{"name": s.text(), "value": s.text()} })
	return unique(items, byField("name"))
}

func (s source) container() any {
	container := s.pick(50, map[string]func() any{
		"image":  func() any { return s.text() },
		"args":   func() any { return s.texts(2) },
		"env":    s.env,
		"limits": func() any { return object{"cpu": s.intOrString()} },
	}, []string{"image", "args", "env", "limits"})
	container["name"] = s.text()
	return container
}

func (s source) port() any {
	port := object{"port": int64(80 + s.Intn(3))}
	if s.chance(40) {
		port["protocol"] = []string{"TCP", "UDP"}[s.Intn(2)]
	}
	if s.chance(50) {
		port["title"] = s.text()
	}
	return port
}

func portKey(item any) any {
	port := item.(object)
	if protocol, ok := port["protocol"]; ok {
		return [2]any{port["port"], protocol}
	}
	return [2]any{port["port"], "TCP"}
}

func (s source) strategy() any {
	if s.chance(50) {
		return object{"type": "Recreate"}
	}
	return object{"type": "Rolling", "rolling": object{"max": int64(s.Intn(3))}}
}

var specNames = []string{
	"replicas", "name", "flag", "settings", "fixed", "ports", "containers", "tags", "numbers",
	"command", "strategy", "free", "any", "size", "nested",
}

// spec returns a random spec. Lists have duplicates only if they are allowed.
func (s source) spec(percent int, allowDuplicates bool) object {
	distinct := func(items []any, key func(any) any) any {
		if allowDuplicates && s.chance(30) {
			return items
		}
		return unique(items, key)
	}
	return s.pick(percent, map[string]func() any{
		"replicas":   func() any { return int64(s.Intn(3)) },
		"name":       func() any { return s.text() },
		"flag":       func() any { return s.chance(50) },
		"settings":   s.textMap,
		"fixed":      s.textMap,
		"ports":      func() any { return distinct(s.list(3, s.port), portKey) },
		"containers": func() any { return distinct(s.list(3, s.container), byField("name")) },
		"tags":       func() any { return distinct(s.texts(3), itself) },
		"numbers": func() any {
			return distinct(s.list(3, func() any { return int64(s.Intn(20)) }), itself)
		},
		"command":  func() any { return s.texts(3) },
		"strategy": s.strategy,
		"free":     func() any { return object{"x": s.free(2), "y": s.free(1)} },
		"any":      func() any { return s.free(2) },
		"size":     s.intOrString,
		"nested": func() any {
			return object{"inner": s.pick(60, map[string]func() any{
				"text":  func() any { return s.text() },
				"other": func() any { return s.text() },
			}, []string{"text", "other"})}
		},
	}, specNames)
}

func (s source) metadata(percent int) object {
	metadata := s.pick(percent, map[string]func() any{
		"labels":      s.textMap,
		"annotations": s.textMap,
		"finalizers":  func() any { return unique(s.texts(3), itself) },
		"ownerReferences": func() any {
			items := s.list(2, func() any {
				return object{"uid": s.text(), "name": s.text(), "apiVersion": "v1", "kind": "K"}
			})
			return unique(items, byField("uid"))
		},
	}, []string{"labels", "annotations", "finalizers", "ownerReferences"})
	metadata["name"] = "thing"
	return metadata
}

func (s source) thing(percent int, allowDuplicates bool) object {
	thing := object{
		"apiVersion": "v1",
		"kind":       "Thing",
		"metadata":   s.metadata(percent / 2),
	}
	if s.chance(85) {
		thing["spec"] = s.spec(percent, allowDuplicates)
	}
	return thing
}
