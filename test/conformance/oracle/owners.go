package main

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/endpoints/handlers"
)

// mergeOwners does what the handlers do before anything is validated: owner references that are equal become one.
func mergeOwners(w *warnings, obj metav1.Object) {
	var kept []metav1.OwnerReference
	var repeated []string
references:
	for _, reference := range obj.GetOwnerReferences() {
		for _, other := range kept {
			if equality.Semantic.DeepEqual(other, reference) {
				repeated = append(repeated, string(reference.UID))
				continue references
			}
		}
		kept = append(kept, reference)
	}
	if len(repeated) > 0 {
		w.AddWarning("", fmt.Sprintf(handlers.DuplicateOwnerReferencesWarningFormat, strings.Join(repeated, ", ")))
		obj.SetOwnerReferences(kept)
	}
}
