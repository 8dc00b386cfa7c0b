//go:build !before132

package main

import (
	"k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingadmissionpolicy"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingadmissionpolicybinding"
)

// Kubernetes 1.31 does not have these kinds.
func init() {
	admissionStrategies["MutatingAdmissionPolicy"] = mutatingadmissionpolicy.NewStrategy(nil, nil)
	admissionStrategies["MutatingAdmissionPolicyBinding"] = mutatingadmissionpolicybinding.NewStrategy(nil, nil, resources)
}
