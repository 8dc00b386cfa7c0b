//go:build before132

package main

import (
	"context"

	authorizationv1 "k8s.io/api/authorization/v1"
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

// runnable is a selector as it is compiled when its object is written.
func runnable(text string) dracel.CompilationResult {
	return dracel.GetCompiler().CompileCELExpression(text, environment.NewExpressions)
}

// asked says whether a webhook that authorizes is asked about a request.
func asked(conditions []apiserver.WebhookMatchCondition, spec authorizationv1.SubjectAccessReviewSpec) (any, error) {
	matcher, errs := validation.ValidateAndCompileMatchConditions(conditions)
	if len(errs) > 0 {
		return nil, errRefused
	}
	if matcher == nil {
		return true, nil
	}
	return matcher.Eval(context.Background(), &authorizationv1.SubjectAccessReview{Spec: spec})
}
