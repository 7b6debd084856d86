package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	applycore "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcore "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/record"
)

const namespace = "go-clients"

func protobufClient(config *rest.Config) (*kubernetes.Clientset, error) {
	config.ContentType = runtime.ContentTypeProtobuf
	config.AcceptContentTypes = runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON
	return kubernetes.NewForConfig(config)
}

func typedClient(ctx context.Context, config *rest.Config) error {
	client, err := protobufClient(config)
	if err != nil {
		return err
	}
	space := &core.Namespace{ObjectMeta: meta.ObjectMeta{Name: namespace}}
	if _, err := client.CoreV1().Namespaces().Create(ctx, space, meta.CreateOptions{}); err != nil {
		return err
	}
	maps := client.CoreV1().ConfigMaps(namespace)
	settings := &core.ConfigMap{ObjectMeta: meta.ObjectMeta{Name: "settings"}, Data: map[string]string{"a": "1"}}
	created, err := maps.Create(ctx, settings, meta.CreateOptions{})
	if err != nil {
		return err
	}
	stale := created.DeepCopy()
	created.Data["a"] = "2"
	if _, err := maps.Update(ctx, created, meta.UpdateOptions{}); err != nil {
		return err
	}
	if _, err := maps.Update(ctx, stale, meta.UpdateOptions{}); !errors.IsConflict(err) {
		return fmt.Errorf("a stale update: %v", err)
	}
	patch := []byte(`{"data":{"b":"3"}}`)
	if _, err := maps.Patch(ctx, "settings", types.StrategicMergePatchType, patch, meta.PatchOptions{}); err != nil {
		return err
	}
	apply := applycore.ConfigMap("settings", namespace).WithData(map[string]string{"c": "4"})
	applied, err := maps.Apply(ctx, apply, meta.ApplyOptions{FieldManager: "go"})
	if err != nil {
		return err
	}
	if applied.Data["a"] != "2" || applied.Data["b"] != "3" || applied.Data["c"] != "4" {
		return fmt.Errorf("unexpected data: %v", applied.Data)
	}
	uid := types.UID("another")
	options := meta.DeleteOptions{Preconditions: &meta.Preconditions{UID: &uid}}
	if err := maps.Delete(ctx, "settings", options); !errors.IsConflict(err) {
		return fmt.Errorf("a deletion with another uid: %v", err)
	}
	if err := maps.Delete(ctx, "settings", meta.DeleteOptions{}); err != nil {
		return err
	}
	_, err = maps.Get(ctx, "settings", meta.GetOptions{})
	if !errors.IsNotFound(err) {
		return fmt.Errorf("get after the deletion: %v", err)
	}
	return nil
}

func informer(ctx context.Context, config *rest.Config) error {
	client, err := protobufClient(config)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var mutex sync.Mutex
	seen := map[string]string{}
	factory := informers.NewSharedInformerFactoryWithOptions(client, time.Minute, informers.WithNamespace(namespace))
	maps := factory.Core().V1().ConfigMaps().Informer()
	record := func(object any) {
		if one, ok := object.(*core.ConfigMap); ok {
			mutex.Lock()
			defer mutex.Unlock()
			seen[one.Name] = one.Data["value"]
		}
	}
	if _, err := maps.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    record,
		UpdateFunc: func(_, object any) { record(object) },
		DeleteFunc: func(object any) {
			if one, ok := object.(*core.ConfigMap); ok {
				mutex.Lock()
				defer mutex.Unlock()
				delete(seen, one.Name)
			}
		},
	}); err != nil {
		return err
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	for i := range 30 {
		one := &core.ConfigMap{ObjectMeta: meta.ObjectMeta{Name: fmt.Sprintf("informed-%d", i)}}
		created, err := client.CoreV1().ConfigMaps(namespace).Create(ctx, one, meta.CreateOptions{})
		if err != nil {
			return err
		}
		created.Data = map[string]string{"value": fmt.Sprint(i)}
		if _, err := client.CoreV1().ConfigMaps(namespace).Update(ctx, created, meta.UpdateOptions{}); err != nil {
			return err
		}
		if i%3 == 0 {
			if err := client.CoreV1().ConfigMaps(namespace).Delete(ctx, one.Name, meta.DeleteOptions{}); err != nil {
				return err
			}
		}
	}
	return wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, 20*time.Second, true, func(context.Context) (bool, error) {
		mutex.Lock()
		defer mutex.Unlock()
		return len(seen) == 20 && seen["informed-29"] == "29", nil
	})
}

// leaderElection lets a second candidate take over from the first. Leases and events are protobuf.
func leaderElection(ctx context.Context, config *rest.Config) error {
	client, err := protobufClient(config)
	if err != nil {
		return err
	}
	broadcaster := record.NewBroadcaster()
	defer broadcaster.Shutdown()
	broadcaster.StartRecordingToSink(&typedcore.EventSinkImpl{Interface: client.CoreV1().Events(namespace)})
	recorder := broadcaster.NewRecorder(scheme.Scheme, core.EventSource{Component: "drill"})
	for _, identity := range []string{"first", "second"} {
		lock, err := resourcelock.New(resourcelock.LeasesResourceLock, namespace, "leader", client.CoreV1(),
			client.CoordinationV1(), resourcelock.ResourceLockConfig{Identity: identity, EventRecorder: recorder})
		if err != nil {
			return err
		}
		led, stop := context.WithCancel(ctx)
		leaderelection.RunOrDie(led, leaderelection.LeaderElectionConfig{
			Lock: lock, ReleaseOnCancel: true,
			LeaseDuration: 5 * time.Second, RenewDeadline: 3 * time.Second, RetryPeriod: 500 * time.Millisecond,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(context.Context) { time.AfterFunc(1500*time.Millisecond, stop) },
				OnStoppedLeading: func() {},
			},
		})
		stop()
	}
	lease, err := client.CoordinationV1().Leases(namespace).Get(ctx, "leader", meta.GetOptions{})
	if err != nil {
		return err
	}
	if lease.Spec.LeaseTransitions == nil || *lease.Spec.LeaseTransitions < 1 {
		return fmt.Errorf("no transition: %v", lease.Spec)
	}
	return wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, 10*time.Second, true, func(ctx context.Context) (bool, error) {
		events, err := client.CoreV1().Events(namespace).List(ctx, meta.ListOptions{FieldSelector: "reason=LeaderElection"})
		return err == nil && len(events.Items) >= 2, err
	})
}
