//go:build !before132

package main

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/cel/environment"
	dracel "k8s.io/dynamic-resource-allocation/cel"
)

// selector is judged as the validation of the resource API does, with its limits.
func selector(text string, at *field.Path) field.ErrorList {
	if len(text) > mostSelectorBytes {
		return field.ErrorList{field.TooLong(at, "", mostSelectorBytes)}
	}
	envType := environment.NewExpressions
	result := compileSelector(text, dracel.Options{EnvType: &envType})
	if result.Error != nil {
		return refusedSelector(at, text, result.Error)
	}
	if result.MaxCost > mostSelectorCost {
		return field.ErrorList{field.Forbidden(at, "too complex, exceeds cost limit")}
	}
	return nil
}

// runnable is a selector as it is compiled when its object is written.
func runnable(text string) dracel.CompilationResult {
	envType := environment.NewExpressions
	return compileSelector(text, dracel.Options{EnvType: &envType})
}
