//go:build programs

// Package programs names the programs that the drill builds, so that `go mod tidy` keeps their modules.
package programs

import (
	_ "k8s.io/kubectl/pkg/cmd"
	_ "k8s.io/kubernetes/test/e2e"
)
