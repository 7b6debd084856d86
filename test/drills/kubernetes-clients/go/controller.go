package main

import (
	"context"
	"fmt"
	"time"

	"github.com/go-logr/logr"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const finalizer = "drill.example.com/cleanup"

var widgets = schema.GroupVersionKind{Group: "drill.example.com", Version: "v1", Kind: "Widget"}

var definition = map[string]any{
	"apiVersion": "apiextensions.k8s.io/v1",
	"kind":       "CustomResourceDefinition",
	"metadata":   map[string]any{"name": "widgets.drill.example.com"},
	"spec": map[string]any{
		"group": "drill.example.com",
		"scope": "Namespaced",
		"names": map[string]any{"plural": "widgets", "singular": "widget", "kind": "Widget"},
		"versions": []any{map[string]any{
			"name": "v1", "served": true, "storage": true,
			"subresources": map[string]any{"status": map[string]any{}},
			"schema": map[string]any{"openAPIV3Schema": map[string]any{
				"type": "object",
				"properties": map[string]any{
					"spec":   map[string]any{"type": "object", "properties": map[string]any{"color": map[string]any{"type": "string"}}},
					"status": map[string]any{"type": "object", "properties": map[string]any{"copied": map[string]any{"type": "string"}}},
				},
			}},
		}},
	},
}

// reconciler copies a widget's color into a config map that the widget owns, and into its status.
type reconciler struct{ client.Client }

func newWidget() *unstructured.Unstructured {
	widget := &unstructured.Unstructured{}
	widget.SetGroupVersionKind(widgets)
	return widget
}

func (r reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	widget := newWidget()
	if err := r.Get(ctx, request.NamespacedName, widget); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if widget.GetDeletionTimestamp() != nil {
		controllerutil.RemoveFinalizer(widget, finalizer)
		return ctrl.Result{}, r.Update(ctx, widget)
	}
	if controllerutil.AddFinalizer(widget, finalizer) {
		return ctrl.Result{}, r.Update(ctx, widget)
	}
	color, _, _ := unstructured.NestedString(widget.Object, "spec", "color")
	owned := &core.ConfigMap{}
	owned.Name, owned.Namespace = request.Name, request.Namespace
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, owned, func() error {
		owned.Data = map[string]string{"color": color}
		return controllerutil.SetControllerReference(widget, owned, r.Scheme())
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	if err := unstructured.SetNestedField(widget.Object, color, "status", "copied"); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Status().Update(ctx, widget)
}

func controller(ctx context.Context, config *rest.Config) error {
	log.SetLogger(logr.Discard())
	direct, err := client.New(config, client.Options{})
	if err != nil {
		return err
	}
	if err := direct.Create(ctx, &unstructured.Unstructured{Object: definition}); err != nil {
		return err
	}
	key := client.ObjectKey{Namespace: namespace, Name: "one"}
	if err := eventually(ctx, func(ctx context.Context) (bool, error) {
		return errors.IsNotFound(direct.Get(ctx, key, newWidget())), nil
	}); err != nil {
		return err
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		LeaderElection: true, LeaderElectionID: "widgets", LeaderElectionNamespace: namespace,
		LeaderElectionReleaseOnCancel: true,
		Metrics:                       server.Options{BindAddress: "0"},
	})
	if err != nil {
		return err
	}
	err = ctrl.NewControllerManagedBy(manager).For(newWidget()).Owns(&core.ConfigMap{}).
		Complete(reconciler{manager.GetClient()})
	if err != nil {
		return err
	}
	running, stop := context.WithCancel(ctx)
	stopped := make(chan error, 1)
	go func() { stopped <- manager.Start(running) }()
	err = exercise(ctx, direct, key)
	stop()
	if stopErr := <-stopped; err == nil {
		err = stopErr
	}
	return err
}

func exercise(ctx context.Context, direct client.Client, key client.ObjectKey) error {
	widget := newWidget()
	widget.SetName(key.Name)
	widget.SetNamespace(key.Namespace)
	_ = unstructured.SetNestedField(widget.Object, "red", "spec", "color")
	if err := direct.Create(ctx, widget); err != nil {
		return err
	}
	copied := func(color string) error {
		return eventually(ctx, func(ctx context.Context) (bool, error) {
			if err := direct.Get(ctx, key, widget); err != nil {
				return false, err
			}
			found, _, _ := unstructured.NestedString(widget.Object, "status", "copied")
			return found == color, nil
		})
	}
	if err := copied("red"); err != nil {
		return fmt.Errorf("the first status: %w", err)
	}
	patch := client.RawPatch("application/merge-patch+json", []byte(`{"spec":{"color":"blue"}}`))
	if err := direct.Patch(ctx, widget, patch); err != nil {
		return err
	}
	if err := copied("blue"); err != nil {
		return fmt.Errorf("the second status: %w", err)
	}
	// The controller creates the config map again after someone else deletes it.
	owned := &core.ConfigMap{}
	if err := direct.Get(ctx, key, owned); err != nil {
		return err
	}
	uid := owned.UID
	if err := direct.Delete(ctx, owned); err != nil {
		return err
	}
	if err := eventually(ctx, func(ctx context.Context) (bool, error) {
		err := direct.Get(ctx, key, owned)
		return err == nil && owned.UID != uid, client.IgnoreNotFound(err)
	}); err != nil {
		return fmt.Errorf("the owned object: %w", err)
	}
	if err := direct.Delete(ctx, widget); err != nil {
		return err
	}
	return eventually(ctx, func(ctx context.Context) (bool, error) {
		gone := errors.IsNotFound(direct.Get(ctx, key, newWidget()))
		// The garbage collector deletes what the widget owned.
		return gone && errors.IsNotFound(direct.Get(ctx, key, owned)), nil
	})
}

func eventually(ctx context.Context, condition wait.ConditionWithContextFunc) error {
	return wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, 20*time.Second, true, condition)
}
