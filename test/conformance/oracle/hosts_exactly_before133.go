//go:build before133

package main

import "k8s.io/apimachinery/pkg/util/validation/field"

func exactly(request *field.Path) *field.Path { return request }
