//go:build !before132

package main

import (
	"context"

	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/apis/apiserver"
	"k8s.io/apiserver/pkg/apis/apiserver/validation"
	authenticationcel "k8s.io/apiserver/pkg/authentication/cel"
	authorizationcel "k8s.io/apiserver/pkg/authorization/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

// authentication and authorization are what the server says of its files before it starts.
func authentication(config *apiserver.AuthenticationConfiguration) field.ErrorList {
	compiler := authenticationcel.NewCompiler(baseEnv(environment.DefaultCompatibilityVersion()))
	return validation.ValidateAuthenticationConfiguration(compiler, config, nil)
}

func authorization(config *apiserver.AuthorizationConfiguration) field.ErrorList {
	compiler := authorizationcel.NewCompiler(baseEnv(environment.DefaultCompatibilityVersion()))
	return validation.ValidateAuthorizationConfiguration(compiler, nil, config, sets.New("Webhook"), sets.New("Webhook"))
}

// asked says whether a webhook that authorizes is asked about a request.
func asked(conditions []apiserver.WebhookMatchCondition, spec authorizationv1.SubjectAccessReviewSpec) (any, error) {
	compiler := authorizationcel.NewCompiler(baseEnv(environment.DefaultCompatibilityVersion()))
	matcher, errs := validation.ValidateAndCompileMatchConditions(compiler, conditions)
	if len(errs) > 0 {
		return nil, errRefused
	}
	if matcher == nil {
		return true, nil
	}
	return matcher.Eval(context.Background(), &authorizationv1.SubjectAccessReview{Spec: spec})
}
