package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"github.com/go-logr/logr"
	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// watchedKinds are the kinds whose metadata operators often cache.
var watchedKinds = []schema.GroupVersionKind{
	{Version: "v1", Kind: "Namespace"},
	{Version: "v1", Kind: "ConfigMap"},
	{Version: "v1", Kind: "Secret"},
	{Version: "v1", Kind: "ServiceAccount"},
	{Group: "coordination.k8s.io", Version: "v1", Kind: "Lease"},
	{Group: "rbac.authorization.k8s.io", Version: "v1", Kind: "ClusterRole"},
	{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition"},
}

// metadataCaches keeps caches that hold metadata only. Fails if a watch ends before its timeout, or if
// an object is listed or streamed a second time.
func metadataCaches(ctx context.Context, config *rest.Config, duration time.Duration) error {
	log.SetLogger(logr.Discard())
	writer, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	watches := &watchRecorder{initial: map[string]int{}}
	config = rest.CopyConfig(config)
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		watches.next = next
		return watches
	})
	caches, err := cache.New(config, cache.Options{})
	if err != nil {
		return err
	}
	var changes sync.Map
	for _, kind := range watchedKinds {
		object := &meta.PartialObjectMetadata{}
		object.SetGroupVersionKind(kind)
		informer, err := caches.GetInformer(ctx, object, cache.BlockUntilSynced(false))
		if err != nil {
			return err
		}
		_, err = informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
			UpdateFunc: func(_, object any) {
				changed := object.(*meta.PartialObjectMetadata)
				changes.Store(changed.Kind+"/"+changed.Name, changed.Annotations["round"])
			},
		})
		if err != nil {
			return err
		}
	}
	running, stop := context.WithTimeout(ctx, duration)
	defer stop()
	go func() { _ = caches.Start(running) }()
	if !caches.WaitForCacheSync(running) {
		return fmt.Errorf("the caches did not synchronize")
	}
	maps := writer.CoreV1().ConfigMaps("default")
	changing := metadataMap("changing", "0")
	if _, err := maps.Create(ctx, changing, meta.CreateOptions{}); err != nil {
		return err
	}
	for round := 1; running.Err() == nil; round++ {
		text := strconv.Itoa(round)
		if _, err := maps.Update(ctx, metadataMap("changing", text), meta.UpdateOptions{}); err != nil {
			return err
		}
		err := eventually(ctx, func(context.Context) (bool, error) {
			seen, _ := changes.Load("ConfigMap/changing")
			return seen == text || running.Err() != nil, nil
		})
		if err != nil {
			return fmt.Errorf("change %d: %w", round, err)
		}
		select {
		case <-running.Done():
		case <-time.After(time.Second):
		}
	}
	return watches.result(len(watchedKinds))
}

// watchRecorder records the watches that pass through it.
type watchRecorder struct {
	next    http.RoundTripper
	mutex   sync.Mutex
	initial map[string]int
	watches int
	ended   []string
}

func (recorder *watchRecorder) RoundTrip(request *http.Request) (*http.Response, error) {
	start := time.Now()
	response, err := recorder.next.RoundTrip(request)
	query := request.URL.Query()
	if err != nil || request.Method != http.MethodGet || request.URL.Path == "/api" {
		return response, err
	}
	recorder.mutex.Lock()
	defer recorder.mutex.Unlock()
	if query.Get("watch") == "" && query.Has("limit") || query.Get("sendInitialEvents") == "true" {
		recorder.initial[request.URL.Path]++
	}
	if query.Get("watch") != "" {
		recorder.watches++
		response.Body = &watchBody{response.Body, recorder, request.Context(), *request.URL, start}
	}
	return response, err
}

func (recorder *watchRecorder) result(kinds int) error {
	recorder.mutex.Lock()
	defer recorder.mutex.Unlock()
	fmt.Printf("%d watches of %d kinds\n", recorder.watches, kinds)
	if len(recorder.ended) > 0 {
		return fmt.Errorf("watches ended before their timeout: %v", recorder.ended)
	}
	if len(recorder.initial) != kinds {
		return fmt.Errorf("the objects of %d kinds were read", len(recorder.initial))
	}
	for path, count := range recorder.initial {
		if count != 1 {
			return fmt.Errorf("%s was read %d times", path, count)
		}
	}
	return nil
}

// watchBody records a watch that ends before its timeout.
type watchBody struct {
	io.ReadCloser
	recorder *watchRecorder
	ctx      context.Context
	url      url.URL
	start    time.Time
}

func (body *watchBody) Read(bytes []byte) (int, error) {
	count, err := body.ReadCloser.Read(bytes)
	if err != nil && body.ctx.Err() == nil {
		seconds, _ := strconv.Atoi(body.url.Query().Get("timeoutSeconds"))
		took := time.Since(body.start)
		if took < time.Duration(seconds)*time.Second {
			body.recorder.mutex.Lock()
			defer body.recorder.mutex.Unlock()
			body.recorder.ended = append(body.recorder.ended,
				fmt.Sprintf("%s after %s: %v", body.url.RequestURI(), took, err))
		}
	}
	return count, err
}

func metadataMap(name, round string) *core.ConfigMap {
	return &core.ConfigMap{ObjectMeta: meta.ObjectMeta{
		Name:        name,
		Annotations: map[string]string{"round": round},
	}}
}
