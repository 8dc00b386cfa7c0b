package main

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/admissionregistration"
	_ "k8s.io/kubernetes/pkg/apis/admissionregistration/install"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingwebhookconfiguration"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/resolver"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/validatingadmissionpolicy"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/validatingadmissionpolicybinding"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/validatingwebhookconfiguration"

	"oracle/builtin"
)

// storedStrategy is what the server asks about an object that it is to store.
type storedStrategy interface {
	rest.RESTCreateStrategy
	rest.RESTUpdateStrategy
}

// resources is there because bindings want one. It is not asked: without an authorizer, nobody is asked what a user may
// read.
var resources resolver.ResourceResolverFunc = func(schema.GroupVersionKind) (schema.GroupVersionResource, error) {
	return schema.GroupVersionResource{}, nil
}

// admissionStrategies are kube-apiserver's own, by kind.
var admissionStrategies = map[string]storedStrategy{
	"ValidatingAdmissionPolicy":        validatingadmissionpolicy.NewStrategy(nil, nil),
	"ValidatingAdmissionPolicyBinding": validatingadmissionpolicybinding.NewStrategy(nil, nil, resources),
	"ValidatingWebhookConfiguration":   validatingwebhookconfiguration.Strategy,
	"MutatingWebhookConfiguration":     mutatingwebhookconfiguration.Strategy,
}

var admissionDecoder = legacyscheme.Codecs.DecoderToVersion(
	legacyscheme.Codecs.UniversalDeserializer(),
	schema.GroupVersion{Group: admissionregistration.GroupName, Version: runtime.APIVersionInternal},
)

// policy says what kube-apiserver says about a new or changed object of admissionregistration.k8s.io.
func policy(req *ask) *answer {
	a := &answer{}
	data, _ := body(req.Obj, req.Format)
	if a.Decode, a.Strict = builtin.Decode(data); a.Decode != "" {
		return a
	}
	obj, kind, err := decodeAdmission(data)
	if err != nil {
		return &answer{Decode: err.Error()}
	}
	strategy, ok := admissionStrategies[kind.Kind]
	if !ok {
		return &answer{Panic: "not a kind of " + admissionregistration.GroupName + ": " + kind.Kind}
	}
	meta := obj.(metav1.Object)
	ctx, w := requestContext("", &request.RequestInfo{APIGroup: kind.Group, APIVersion: kind.Version})
	mergeOwners(w, meta)
	if len(req.Old) == 0 {
		rest.WipeObjectMetaSystemFields(meta)
		rest.FillObjectMetaSystemFields(meta)
		name(meta)
		refuse(a, rest.BeforeCreate(strategy, ctx, obj))
		a.Warnings = w.texts
		return a
	}
	data, _ = body(req.Old, req.Format)
	old, _, err := decodeAdmission(data)
	if err != nil {
		return &answer{Decode: "old: " + err.Error()}
	}
	strategy.PrepareForCreate(ctx, old)
	before := old.(metav1.Object)
	before.SetUID(types.UID("00000000-0000-0000-0000-000000000001"))
	before.SetResourceVersion("1")
	before.SetCreationTimestamp(metav1.Unix(1, 0))
	meta.SetUID(before.GetUID())
	meta.SetResourceVersion(before.GetResourceVersion())
	refuse(a, rest.BeforeUpdate(strategy, ctx, obj, old))
	a.Warnings = w.texts
	return a
}

// decodeAdmission gives the internal object, with defaults.
func decodeAdmission(data []byte) (runtime.Object, *schema.GroupVersionKind, error) {
	obj, kind, err := admissionDecoder.Decode(data, nil, nil)
	if err != nil {
		return nil, nil, err
	}
	if _, ok := obj.(metav1.Object); !ok {
		return nil, nil, fmt.Errorf("not an object: %T", obj)
	}
	obj.(metav1.Object).SetManagedFields(nil) // the handlers replace it before anything is validated
	return obj, kind, nil
}
