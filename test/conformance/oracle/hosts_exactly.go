//go:build !before133

package main

import "k8s.io/apimachinery/pkg/util/validation/field"

// exactly is where validation has the selectors of a request, wherever its version has them.
func exactly(request *field.Path) *field.Path { return request.Child("exactly") }
