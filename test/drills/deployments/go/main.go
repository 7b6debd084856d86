// Renders a Helm chart with several values files, and decodes every object strictly into the types of
// Kubernetes: unknown fields and wrong types fail. Prints the objects as YAML documents.
//
//	render CHART [VALUES ...]    renders the chart with these files of values, in order
//	lint CHART [VALUES ...]      reports what `helm lint --strict` reports
//	check FILE                   decodes the objects of a file
//	workflows FILE ...           reports what actionlint finds in workflows of GitHub Actions
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
	"helm.sh/helm/v3/pkg/lint"
	"helm.sh/helm/v3/pkg/lint/support"
	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	"sigs.k8s.io/yaml"
)

// Types by apiVersion and kind. Objects of other kinds are rejected, except those of operators.
var types = map[string]func() any{
	"apps/v1 Deployment":                     func() any { return &apps.Deployment{} },
	"autoscaling/v2 HorizontalPodAutoscaler": func() any { return &autoscaling.HorizontalPodAutoscaler{} },
	"v1 Service":                             func() any { return &core.Service{} },
	"v1 ServiceAccount":                      func() any { return &core.ServiceAccount{} },
	"v1 ConfigMap":                           func() any { return &core.ConfigMap{} },
	"v1 Secret":                              func() any { return &core.Secret{} },
	"v1 Namespace":                           func() any { return &core.Namespace{} },
	"policy/v1 PodDisruptionBudget":          func() any { return &policy.PodDisruptionBudget{} },
	"networking.k8s.io/v1 Ingress":           func() any { return &networking.Ingress{} },
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
		return fmt.Errorf("usage: render CHART [VALUES ...] | lint CHART [VALUES ...] | check FILE | workflows FILE ...")
	}
	switch words[0] {
	case "render":
		text, err := render(words[1], words[2:])
		if err != nil {
			return err
		}
		fmt.Print(text)
		return check(text)
	case "lint":
		return lintChart(words[1], words[2:])
	case "workflows":
		return lintWorkflows(words[1:])
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
	values, err := readValues(files)
	if err != nil {
		return "", err
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

func readValues(files []string) (chartutil.Values, error) {
	values := chartutil.Values{}
	for _, file := range files {
		more, err := chartutil.ReadValuesFile(file)
		if err != nil {
			return nil, err
		}
		values = chartutil.CoalesceTables(more, values)
	}
	return values, nil
}

// Fails for warnings too, as `helm lint --strict` does.
func lintChart(folder string, files []string) error {
	values, err := readValues(files)
	if err != nil {
		return err
	}
	linter := lint.All(folder, values, "flotilla", true)
	problems := []string{}
	for _, message := range linter.Messages {
		if message.Severity >= support.WarningSev {
			problems = append(problems, message.Error())
		}
	}
	if len(problems) > 0 {
		return fmt.Errorf("%s", strings.Join(problems, "\n"))
	}
	return nil
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
