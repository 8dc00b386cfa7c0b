// Command wire prints random objects of all built-in kinds, a line each: in protobuf (base64), as client-go writes them, and in
// JSON, as Go writes what it reads there. Its arguments are a seed and how many there are of each kind.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/randfill"
)

type line struct {
	Protobuf []byte          `json:"protobuf"`
	JSON     json.RawMessage `json:"json"`
}

func main() {
	seed, err := strconv.ParseInt(os.Args[1], 10, 64)
	must(err)
	each, err := strconv.Atoi(os.Args[2])
	must(err)
	filler := randfill.NewWithSeed(seed).NilChance(0.6).NumElements(1, 2).MaxDepth(12).Funcs(
		func(t *metav1.Time, c randfill.Continue) { t.Time = time.Unix(c.Int63n(4e9), 0).UTC() },
		func(t *metav1.MicroTime, c randfill.Continue) {
			t.Time = time.Unix(c.Int63n(4e9), c.Int63n(1e6)*1000).UTC()
		},
		func(q *resource.Quantity, c randfill.Continue) {
			*q = *resource.NewQuantity(c.Int63n(1e6), resource.DecimalSI)
		},
		func(v *intstr.IntOrString, c randfill.Continue) {
			*v = intstr.FromInt32(c.Int31())
			if c.Bool() {
				*v = intstr.FromString(strconv.Itoa(c.Intn(100)) + "%")
			}
		},
		func(r *runtime.RawExtension, c randfill.Continue) {
			r.Raw = []byte(`{"a":` + strconv.FormatUint(c.Uint64(), 10) + `}`)
		},
		func(f *metav1.FieldsV1, c randfill.Continue) {
			f.Raw = []byte(`{"f:` + strconv.Itoa(c.Intn(9)) + `":{}}`)
		},
		func(s *string, c randfill.Continue) { *s = []string{"", "a", "é\x01\"<", "some words"}[c.Intn(4)] },
	)
	types := scheme.Scheme.AllKnownTypes()
	kinds := []schema.GroupVersionKind{}
	for gvk, t := range types {
		isObject := gvk.Version != "__internal" && strings.HasPrefix(t.PkgPath(), "k8s.io/api/")
		if isObject && !strings.HasSuffix(gvk.Kind, "List") {
			kinds = append(kinds, gvk)
		}
	}
	sort.Slice(kinds, func(i, j int) bool { return kinds[i].String() < kinds[j].String() })
	options := schema.GroupVersionKind{Version: "v1", Kind: "DeleteOptions"}
	wire := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for _, gvk := range append(kinds, options) {
		for range each {
			object, err := scheme.Scheme.New(gvk)
			must(err)
			filler.Fill(object)
			object.GetObjectKind().SetGroupVersionKind(gvk)
			var encoded bytes.Buffer
			must(wire.Encode(object, &encoded))
			// What a server makes of it: protobuf does not tell all that Go does.
			read, _, err := wire.Decode(encoded.Bytes(), nil, nil)
			must(err)
			read.GetObjectKind().SetGroupVersionKind(gvk)
			text, err := json.Marshal(read)
			must(err)
			must(out.Encode(line{Protobuf: encoded.Bytes(), JSON: text}))
		}
	}
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
