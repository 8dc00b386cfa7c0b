//go:build before132

package main

import (
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/apis/apiserver"
	"k8s.io/apiserver/pkg/apis/apiserver/validation"
	"k8s.io/apiserver/pkg/cel/environment"
	dracel "k8s.io/dynamic-resource-allocation/cel"
)

// authentication and authorization are what the server says of its files before it starts.
func authentication(config *apiserver.AuthenticationConfiguration) field.ErrorList {
	return validation.ValidateAuthenticationConfiguration(config, nil)
}

func authorization(config *apiserver.AuthorizationConfiguration) field.ErrorList {
	return validation.ValidateAuthorizationConfiguration(nil, config, sets.NewString("Webhook"), sets.NewString("Webhook"))
}

// Selectors had no limits yet.
func selector(text string, at *field.Path) field.ErrorList {
	result := dracel.GetCompiler().CompileCELExpression(text, environment.NewExpressions)
	if result.Error == nil {
		return nil
	}
	return refusedSelector(at, text, result.Error)
}
