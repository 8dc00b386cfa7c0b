// Command crossplane answers, with Crossplane's own code, which CustomResourceDefinitions it makes of a
// CompositeResourceDefinition. It speaks the protocol of the oracle beside it, and is a module of its own: what it needs
// of Kubernetes has other versions.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/crossplane/crossplane-runtime/v2/pkg/xcrd"
	v1 "github.com/crossplane/crossplane/apis/v2/apiextensions/v1"
	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	sigsjson "sigs.k8s.io/json"
)

const module = "github.com/crossplane/crossplane-runtime/v2"

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

func handle(req *ask, by string) (a *answer) {
	defer func() {
		if p := recover(); p != nil {
			a = &answer{Panic: fmt.Sprint(p)}
		}
	}()
	if req.Op != "xrd" {
		return &answer{Panic: "no such op: " + req.Op}
	}
	xrd := &v1.CompositeResourceDefinition{}
	// As clients of the API server read objects.
	if err := sigsjson.UnmarshalCaseSensitivePreserveInts(req.Obj, xrd); err != nil {
		return &answer{Decode: err.Error()}
	}
	stored := map[string]any{"by": by}
	// Each is made of the object as it was read: making one changes the labels of the other's.
	add(stored, "composite", xrd, xcrd.ForCompositeResource)
	if xrd.OffersClaim() {
		add(stored, "claim", xrd, xcrd.ForCompositeResourceClaim)
	}
	return &answer{Stored: stored}
}

func add(to map[string]any, name string, xrd *v1.CompositeResourceDefinition,
	derive func(*v1.CompositeResourceDefinition) (*extv1.CustomResourceDefinition, error),
) {
	crd, err := derive(xrd.DeepCopy())
	if err != nil {
		to[name+"Error"] = err.Error()
		return
	}
	// It names the object by its UID, which only a cluster knows.
	crd.SetOwnerReferences(nil)
	data, err := json.Marshal(crd)
	if err != nil {
		panic(err)
	}
	var plain map[string]json.RawMessage
	if err := json.Unmarshal(data, &plain); err != nil {
		panic(err)
	}
	delete(plain, "status")
	to[name] = plain
}
