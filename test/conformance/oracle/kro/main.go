// Command kro answers, with kro's own code, which CustomResourceDefinition it makes of a ResourceGraphDefinition, as far as
// that takes no cluster: what the status holds depends on the kinds of the resources. It speaks the protocol of the oracle
// beside it, and is a module of its own: what it needs of Kubernetes has other versions.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"runtime/debug"
	"slices"
	_ "unsafe" // for go:linkname

	"github.com/kubernetes-sigs/kro/api/v1alpha1"
	"github.com/kubernetes-sigs/kro/pkg/graph"
	"github.com/kubernetes-sigs/kro/pkg/graph/crd"
	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	sigsjson "sigs.k8s.io/json"
)

const module = "github.com/kubernetes-sigs/kro"

//go:linkname validate github.com/kubernetes-sigs/kro/pkg/graph.validateResourceGraphDefinition
func validate(rgd *v1alpha1.ResourceGraphDefinition, config graph.Config) error

//go:linkname specSchema github.com/kubernetes-sigs/kro/pkg/graph.buildInstanceSpecSchema
func specSchema(schema *v1alpha1.Schema) (*extv1.JSONSchemaProps, error)

type ask struct {
	ID  json.RawMessage `json:"id,omitempty"`
	Op  string          `json:"op"`
	Obj json.RawMessage `json:"obj,omitempty"`
}

type answer struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Decode string          `json:"decode,omitempty"`
	Stored map[string]any  `json:"stored,omitempty"`
	Panic  string          `json:"panic,omitempty"`
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	defer out.Flush()
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	by := version()
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 1 {
			var req ask
			if e := json.Unmarshal(line, &req); e != nil {
				fmt.Fprintln(os.Stderr, "bad request:", e)
				os.Exit(2)
			}
			a := handle(&req, by)
			a.ID = req.ID
			if e := enc.Encode(a); e != nil {
				fmt.Fprintln(os.Stderr, "cannot encode answer:", e)
				os.Exit(2)
			}
			if in.Buffered() == 0 {
				out.Flush()
			}
		}
		if err != nil {
			return
		}
	}
}

func version() string {
	info, _ := debug.ReadBuildInfo()
	for _, dep := range info.Deps {
		if dep.Path == module {
			return dep.Version
		}
	}
	return ""
}

// What the flags of its controller have as its defaults.
var config = graph.Config{MaxCollectionSize: 1000, MaxCollectionDimensionSize: 10}

func handle(req *ask, by string) (a *answer) {
	defer func() {
		if p := recover(); p != nil {
			a = &answer{Panic: fmt.Sprint(p)}
		}
	}()
	if req.Op != "rgd" {
		return &answer{Panic: "no such op: " + req.Op}
	}
	rgd := &v1alpha1.ResourceGraphDefinition{}
	// As clients of the API server read objects.
	if err := sigsjson.UnmarshalCaseSensitivePreserveInts(req.Obj, rgd); err != nil {
		return &answer{Decode: err.Error()}
	}
	stored := map[string]any{"by": by}
	if errors := errorsOf(rgd); len(errors) > 0 {
		stored["errors"] = errors
		return &answer{Stored: stored}
	}
	made, _ := crdOf(rgd)
	data, err := json.Marshal(made)
	if err != nil {
		// kro would say so when it sends the CRD.
		stored["errors"] = []string{"not JSON"}
		return &answer{Stored: stored}
	}
	// As the API server reads it, to whom a default that is null is none.
	read := &extv1.CustomResourceDefinition{}
	if err := json.Unmarshal(data, read); err != nil {
		panic(err)
	}
	if data, err = json.Marshal(read); err != nil {
		panic(err)
	}
	var plain map[string]json.RawMessage
	if err := json.Unmarshal(data, &plain); err != nil {
		panic(err)
	}
	delete(plain, "status")
	stored["crd"] = plain
	return &answer{Stored: stored}
}

// kro says the first error that it meets on its way through maps, whose order is another each time.
func errorsOf(rgd *v1alpha1.ResourceGraphDefinition) []string {
	found := map[string]bool{}
	for range 60 {
		if _, err := crdOf(rgd); err != nil {
			found[err.Error()] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// The steps of graph.Builder.NewResourceGraphDefinition that ask no API server, with its words around errors.
func crdOf(rgd *v1alpha1.ResourceGraphDefinition) (*extv1.CustomResourceDefinition, error) {
	if err := validate(rgd, config); err != nil {
		return nil, fmt.Errorf("failed to validate resourcegraphdefinition: %w", err)
	}
	scope := extv1.NamespaceScoped
	if rgd.Spec.Schema.Scope == v1alpha1.ResourceScopeCluster {
		scope = extv1.ClusterScoped
	}
	spec, err := specSchema(rgd.Spec.Schema)
	if err != nil {
		return nil, fmt.Errorf("failed to build resourcegraphdefinition %q: %w", rgd.Name, err)
	}
	schema := rgd.Spec.Schema
	made := crd.SynthesizeCRD(schema.Group, schema.APIVersion, schema.Kind, *spec, extv1.JSONSchemaProps{}, false, scope, schema)
	crd.SetCRDStatus(made, extv1.JSONSchemaProps{Type: "object"}, true)
	return made, nil
}
