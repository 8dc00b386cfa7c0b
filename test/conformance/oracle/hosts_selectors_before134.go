//go:build before134 && !before132

package main

import (
	resource "k8s.io/api/resource/v1beta1"
	dracel "k8s.io/dynamic-resource-allocation/cel"
)

const (
	mostSelectorBytes = resource.CELSelectorExpressionMaxLength
	mostSelectorCost  = resource.CELSelectorExpressionMaxCost
)

func compileSelector(text string, options dracel.Options) dracel.CompilationResult {
	return dracel.GetCompiler().CompileCELExpression(text, options)
}
