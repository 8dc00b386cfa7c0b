// Command strategic prints random strategic merge patches of built-in kinds, a line each: an object, the patch that kubectl
// would send to make another one of it (or that somebody made up), and what the API server makes of both. Its arguments are
// a seed and how many there are.
package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"sigs.k8s.io/randfill"
)

type line struct {
	Kind   string          `json:"kind"`
	Object json.RawMessage `json:"object"`
	Patch  json.RawMessage `json:"patch"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  string          `json:"error,omitempty"`
}

func main() {
	seed, err := strconv.ParseInt(os.Args[1], 10, 64)
	must(err)
	count, err := strconv.Atoi(os.Args[2])
	must(err)
	chance := rand.New(rand.NewSource(seed))
	filler := randfill.NewWithSeed(seed).NilChance(0.85).NumElements(0, 3).MaxDepth(9).Funcs(
		func(t *metav1.Time, c randfill.Continue) {},
		func(q *resource.Quantity, c randfill.Continue) {
			*q = *resource.NewQuantity(c.Int63n(9), resource.DecimalSI)
		},
		func(v *intstr.IntOrString, c randfill.Continue) { *v = intstr.FromInt32(c.Int31n(9)) },
		func(f *metav1.FieldsV1, c randfill.Continue) {},
		func(n *int32, c randfill.Continue) { *n = c.Int31n(4) },
		func(s *string, c randfill.Continue) { *s = []string{"a", "b", "c", "d"}[c.Intn(4)] },
	)
	kinds := map[string]func() runtime.Object{
		"v1/Pod":                 func() runtime.Object { return &corev1.Pod{} },
		"apps/v1/Deployment":     func() runtime.Object { return &appsv1.Deployment{} },
		"v1/Service":             func() runtime.Object { return &corev1.Service{} },
		"v1/ServiceAccount":      func() runtime.Object { return &corev1.ServiceAccount{} },
		"v1/Node":                func() runtime.Object { return &corev1.Node{} },
		"events.k8s.io/v1/Event": func() runtime.Object { return &eventsv1.Event{} },
	}
	names := []string{"v1/Pod", "apps/v1/Deployment", "v1/Service", "v1/ServiceAccount", "v1/Node", "events.k8s.io/v1/Event"}
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for range count {
		kind := names[chance.Intn(len(names))]
		one, other, empty := kinds[kind](), kinds[kind](), kinds[kind]()
		filler.Fill(one)
		filler.Fill(other)
		from, err := json.Marshal(one)
		must(err)
		to, err := json.Marshal(other)
		must(err)
		patch := to
		if chance.Intn(4) > 0 {
			if patch, err = strategicpatch.CreateTwoWayMergePatch(from, to, empty); err != nil {
				continue
			}
		}
		if chance.Intn(5) == 0 {
			patch = []byte(withDirective(string(patch), chance))
		}
		if !json.Valid(patch) {
			continue
		}
		result, err := strategicpatch.StrategicMergePatch(from, patch, empty)
		said := line{Kind: kind, Object: from, Patch: patch, Result: result}
		if err != nil {
			said.Error, said.Result = err.Error(), nil
		}
		must(out.Encode(said))
	}
}

// withDirective puts an order into some object of a patch.
func withDirective(patch string, chance *rand.Rand) string {
	order := []string{`"$patch":"delete",`, `"$patch":"replace",`, `"$retainKeys":["name"],`, `"$patch":"merge",`}[chance.Intn(4)]
	places := []int{}
	for i := range len(patch) - 1 {
		if patch[i] == '{' && patch[i+1] != '}' {
			places = append(places, i+1)
		}
	}
	if len(places) == 0 {
		return patch
	}
	at := places[chance.Intn(len(places))]
	return patch[:at] + order + patch[at:]
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
