// Creates, lists, reports on, patches and deletes a cluster through the generated client.
package main

import (
	"context"
	"fmt"
	"os"

	"flotilla.example/client/flotilla"
)

const name = "made-in-go"

func main() {
	if err := run(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("ok")
}

func run(ctx context.Context, url string) error {
	client, err := flotilla.NewClientWithResponses(url)
	if err != nil {
		return err
	}
	id, err := create(ctx, client)
	if err != nil {
		return err
	}
	for _, step := range []func(context.Context, *flotilla.ClientWithResponses, string) error{
		list, report, patch, remove, readUnknown,
	} {
		if err := step(ctx, client, id); err != nil {
			return err
		}
	}
	return nil
}

func create(ctx context.Context, client *flotilla.ClientWithResponses) (string, error) {
	body := flotilla.CreateClusterJSONRequestBody{
		Kind: "Cluster",
		Name: name,
		Spec: flotilla.ClusterSpec{"region": "north"},
	}
	answer, err := client.CreateClusterWithResponse(ctx, nil, body)
	if err != nil {
		return "", err
	}
	if answer.JSON201 == nil || answer.JSON201.Generation != 1 {
		return "", fmt.Errorf("create: %s", answer.Body)
	}
	return answer.JSON201.Id, nil
}

func list(ctx context.Context, client *flotilla.ClientWithResponses, id string) error {
	search := "name='" + name + "'"
	params := flotilla.ListClustersParams{Search: &search}
	answer, err := client.ListClustersWithResponse(ctx, &params)
	if err != nil {
		return err
	}
	if answer.JSON200 == nil || answer.JSON200.Total != 1 {
		return fmt.Errorf("list: %s", answer.Body)
	}
	cluster, err := answer.JSON200.Items[0].AsCluster()
	if err != nil {
		return err
	}
	if cluster.Id != id || cluster.Spec["region"] != "north" {
		return fmt.Errorf("list: %s", answer.Body)
	}
	return nil
}

func report(ctx context.Context, client *flotilla.ClientWithResponses, id string) error {
	generation := 1
	body := flotilla.ReportClusterStatusJSONRequestBody{
		Adapter:            "validator",
		ObservedGeneration: &generation,
		Conditions:         []flotilla.ReportedCondition{{Type: "Available", Status: "True"}},
	}
	answer, err := client.ReportClusterStatusWithResponse(ctx, id, nil, body)
	if err != nil {
		return err
	}
	if answer.JSON201 == nil || answer.JSON201.ObservedGeneration != 1 {
		return fmt.Errorf("report: %s", answer.Body)
	}
	return nil
}

func patch(ctx context.Context, client *flotilla.ClientWithResponses, id string) error {
	spec := map[string]interface{}{"region": "south"}
	body := flotilla.MergePatchRequest{Spec: &spec}
	answer, err := client.PatchClusterWithApplicationMergePatchPlusJSONBodyWithResponse(ctx, id, nil, body)
	if err != nil {
		return err
	}
	if answer.JSON200 == nil || answer.JSON200.Generation != 2 {
		return fmt.Errorf("patch: %s", answer.Body)
	}
	return nil
}

func remove(ctx context.Context, client *flotilla.ClientWithResponses, id string) error {
	answer, err := client.DeleteClusterWithResponse(ctx, id, nil)
	if err != nil {
		return err
	}
	if answer.JSON202 == nil || answer.JSON202.DeletedTime == nil {
		return fmt.Errorf("delete: %s", answer.Body)
	}
	return nil
}

func readUnknown(ctx context.Context, client *flotilla.ClientWithResponses, _ string) error {
	answer, err := client.GetClusterWithResponse(ctx, "unknown", nil)
	if err != nil {
		return err
	}
	problem := answer.ApplicationproblemJSONDefault
	if problem == nil || problem.Code != "HYPERFLEET-NTF-001" {
		return fmt.Errorf("get: %s", answer.Body)
	}
	return nil
}
