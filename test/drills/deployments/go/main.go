// Renders a Helm chart with several values files, and decodes every object strictly into the types of
// Kubernetes: unknown fields and wrong types fail. Prints the objects as YAML documents.
//
//	render CHART [VALUES ...]    renders the chart with these files of values, in order
//	check FILE                   decodes the objects of a file
package main

import (
	"fmt"
	"io"
	"os"
	"sort"
	"strings"

	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	"sigs.k8s.io/yaml"
)

// Types by apiVersion and kind. Objects of other kinds are rejected, except those of operators.
var types = map[string]func() any{
	"apps/v1 Deployment":            func() any { return &apps.Deployment{} },
	"v1 Service":                    func() any { return &core.Service{} },
	"v1 ServiceAccount":             func() any { return &core.ServiceAccount{} },
	"v1 ConfigMap":                  func() any { return &core.ConfigMap{} },
	"v1 Secret":                     func() any { return &core.Secret{} },
	"v1 Namespace":                  func() any { return &core.Namespace{} },
	"policy/v1 PodDisruptionBudget": func() any { return &policy.PodDisruptionBudget{} },
	"networking.k8s.io/v1 Ingress":  func() any { return &networking.Ingress{} },
}

const operatorGroup = "monitoring.coreos.com/"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(words []string) error {
	if len(words) < 2 {
		return fmt.Errorf("usage: render CHART [VALUES ...] | check FILE")
	}
	switch words[0] {
	case "render":
		text, err := render(words[1], words[2:])
		if err != nil {
			return err
		}
		fmt.Print(text)
		return check(text)
	case "check":
		text, err := os.ReadFile(words[1])
		if err != nil {
			return err
		}
		return check(string(text))
	default:
		return fmt.Errorf("unknown command %q", words[0])
	}
}

func render(folder string, files []string) (string, error) {
	chart, err := loader.Load(folder)
	if err != nil {
		return "", err
	}
	values := chartutil.Values{}
	for _, file := range files {
		more, err := chartutil.ReadValuesFile(file)
		if err != nil {
			return "", err
		}
		values = chartutil.CoalesceTables(more, values)
	}
	release := chartutil.ReleaseOptions{Name: "flotilla", Namespace: "flotilla", Revision: 1, IsInstall: true}
	capabilities := *chartutil.DefaultCapabilities
	capabilities.KubeVersion = chartutil.KubeVersion{Version: "v1.32.0", Major: "1", Minor: "32"}
	input, err := chartutil.ToRenderValues(chart, values, release, &capabilities)
	if err != nil {
		return "", err
	}
	rendered, err := engine.Engine{Strict: true}.Render(chart, input)
	if err != nil {
		return "", err
	}
	return joined(rendered), nil
}

// The rendered files in the order of their names, without notes, helpers and empty files.
func joined(files map[string]string) string {
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	sort.Strings(names)
	var text strings.Builder
	for _, name := range names {
		content := strings.TrimSpace(files[name])
		if !strings.HasSuffix(name, ".yaml") || content == "" {
			continue
		}
		fmt.Fprintf(&text, "---\n%s\n", content)
	}
	return text.String()
}

func check(text string) error {
	count := 0
	for _, document := range strings.Split("\n"+text, "\n---\n") {
		if strings.TrimSpace(document) == "" {
			continue
		}
		if err := decode(document); err != nil {
			return err
		}
		count++
	}
	if count == 0 {
		return io.ErrUnexpectedEOF
	}
	fmt.Fprintf(os.Stderr, "%d objects are valid\n", count)
	return nil
}

func decode(document string) error {
	var head struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
	}
	if err := yaml.Unmarshal([]byte(document), &head); err != nil {
		return fmt.Errorf("%w in:\n%s", err, document)
	}
	if strings.HasPrefix(head.APIVersion, operatorGroup) {
		return nil
	}
	create, known := types[head.APIVersion+" "+head.Kind]
	if !known {
		return fmt.Errorf("unexpected object: %s %s in:\n%s", head.APIVersion, head.Kind, document)
	}
	if err := yaml.UnmarshalStrict([]byte(document), create()); err != nil {
		return fmt.Errorf("%s: %w in:\n%s", head.Kind, err, document)
	}
	return nil
}
