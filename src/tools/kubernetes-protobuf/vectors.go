package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"reflect"
	"time"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/randfill"
)

type vector struct {
	Name     string          `json:"name"`
	Protobuf string          `json:"protobuf"`
	JSON     json.RawMessage `json:"json"`
}

// writeVectors encodes an empty object and two random ones of each kind.
func writeVectors(out io.Writer) {
	serializer := protobuf.NewSerializer(nil, nil)
	vectors := []vector{}
	for _, kind := range kinds {
		for variant := range int64(3) {
			apiVersion := kind.apiVersion
			if apiVersion == "*" {
				apiVersion = []string{"v1", "coordination.k8s.io/v1", "example.com/v1"}[variant]
			}
			value := reflect.New(reflect.TypeOf(kind.value)).Interface().(runtime.Object)
			if variant > 0 {
				fill(value, variant)
			}
			value.GetObjectKind().SetGroupVersionKind(schema.FromAPIVersionAndKind(apiVersion, kind.kind))
			body, err := runtime.Encode(serializer, value)
			must(err)
			vectors = append(vectors, vector{
				Name:     fmt.Sprintf("%s %s %d", apiVersion, kind.kind, variant),
				Protobuf: base64.StdEncoding.EncodeToString(body),
				JSON:     decoded(value, body),
			})
		}
	}
	for i, one := range vectors {
		line, err := json.Marshal(one)
		must(err)
		fmt.Fprintf(out, "%s%s", map[bool]string{true: "[\n", false: ",\n"}[i == 0], line)
	}
	fmt.Fprintln(out, "\n]")
}

// decoded is the JSON of the object as the Go decoder reads it.
func decoded(value runtime.Object, body []byte) json.RawMessage {
	unknown := runtime.Unknown{}
	must(unknown.Unmarshal(body[4:]))
	result := reflect.New(reflect.TypeOf(value).Elem()).Interface()
	must(result.(interface{ Unmarshal([]byte) error }).Unmarshal(unknown.Raw))
	result.(runtime.Object).GetObjectKind().SetGroupVersionKind(value.GetObjectKind().GroupVersionKind())
	text, err := json.Marshal(result)
	must(err)
	return text
}

func fill(value any, seed int64) {
	moment := func(random randfill.Continue) time.Time {
		return time.Unix(random.Int63n(4_000_000_000), random.Int63n(1_000_000)*1000).UTC()
	}
	raw := func(random randfill.Continue) []byte {
		return []byte(fmt.Sprintf(`{"f:x":{"n":%d,"list":[true,null,"é"]}}`, random.Intn(9)))
	}
	filler := randfill.New().NilChance(0.2).NumElements(1, 2).MaxDepth(9).
		RandSource(rand.NewSource(seed)).Funcs(
		func(text *string, random randfill.Continue) {
			*text = []string{"", "a", "web-1", "naïve 日本", "x\ty"}[random.Intn(5)]
		},
		func(number *int64, random randfill.Continue) { *number = int64(random.Intn(5)-1) * 1_000_000_000_000 },
		func(number *float64, random randfill.Continue) { *number = float64(random.Intn(9)) / 4 },
		func(at *meta.Time, random randfill.Continue) { at.Time = moment(random) },
		func(at *meta.MicroTime, random randfill.Continue) { at.Time = moment(random) },
		func(fields *meta.FieldsV1, random randfill.Continue) { fields.Raw = raw(random) },
		func(value *runtime.RawExtension, random randfill.Continue) { value.Raw = raw(random) },
		func(value *apiextensions.JSON, random randfill.Continue) { value.Raw = raw(random) },
		func(quantity *resource.Quantity, random randfill.Continue) {
			*quantity = resource.MustParse([]string{"0", "10", "1500m", "2Gi"}[random.Intn(4)])
		},
		func(value *intstr.IntOrString, random randfill.Continue) {
			*value = []intstr.IntOrString{intstr.FromInt32(0), intstr.FromInt32(-5), intstr.FromString("25%")}[random.Intn(3)]
		},
	)
	filler.Fill(value)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
