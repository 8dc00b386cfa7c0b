package main

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/cel/environment"
)

// policyEval evaluates a ValidatingAdmissionPolicy for one request with the API server's own validator: nothing is
// matched, and there is no authorizer. Objects are taken as custom resources are: as they are written.
func policyEval(req *ask) *answer {
	data, _ := body(req.Obj, req.Format)
	var policy admissionv1.ValidatingAdmissionPolicy
	if err := json.Unmarshal(data, &policy); err != nil {
		return &answer{Decode: err.Error()}
	}
	read := func(raw json.RawMessage) *unstructured.Unstructured {
		if len(raw) == 0 || string(raw) == "null" {
			return nil
		}
		u := &unstructured.Unstructured{}
		if err := u.UnmarshalJSON(raw); err != nil {
			panic(err)
		}
		return u
	}
	object, old, params := read(req.Self), read(req.OldSelf), read(req.Params)
	var namespace *corev1.Namespace
	if len(req.Namespace) > 0 && string(req.Namespace) != "null" {
		namespace = &corev1.Namespace{}
		if err := json.Unmarshal(req.Namespace, namespace); err != nil {
			return &answer{Decode: err.Error()}
		}
	}
	operation, known := admission.Create, object
	if old != nil {
		operation = admission.Update
	}
	asObject := func(u *unstructured.Unstructured) runtime.Object {
		if u == nil {
			return nil
		}
		return u
	}
	gvk := known.GroupVersionKind()
	gvr := gvk.GroupVersion().WithResource(strings.ToLower(gvk.Kind) + "s")
	attributes := admission.NewAttributesRecord(asObject(object), asObject(old), gvk, known.GetNamespace(), known.GetName(), gvr, "", operation, &metav1.CreateOptions{}, false, &user.DefaultInfo{Name: "someone"})
	versioned, err := admission.NewVersionedAttributes(attributes, gvk, nil)
	if err != nil {
		return &answer{Decode: err.Error()}
	}
	validator := compiled(&policy)
	validate := func(budget int64) validating.ValidateResult {
		return validator.Validate(context.Background(), schema.GroupVersionResource(gvr), versioned, asObject(params), namespace, budget, nil)
	}
	result := validate(celconfig.RuntimeCELCostBudget)
	// The least budget with which the answer is the same is what it costs.
	least, most := int64(0), int64(celconfig.RuntimeCELCostBudget)
	for least < most {
		middle := (least + most) / 2
		if reflect.DeepEqual(plainResult(validate(middle)), plainResult(result)) {
			most = middle
		} else {
			least = middle + 1
		}
	}
	stored := plainResult(result)
	// Annotations are paid from another budget, which is as large.
	if len(policy.Spec.AuditAnnotations) == 0 {
		stored["cost"] = least
	}
	return &answer{Stored: stored}
}

func plainResult(result validating.ValidateResult) map[string]any {
	decisions, annotations := []any{}, []any{}
	for _, d := range result.Decisions {
		decisions = append(decisions, map[string]any{"action": string(d.Action), "message": d.Message})
	}
	for _, a := range result.AuditAnnotations {
		annotations = append(annotations, map[string]any{"key": a.Key, "action": string(a.Action), "value": a.Value, "error": a.Error})
	}
	return map[string]any{"decisions": decisions, "annotations": annotations}
}

// compiled makes of a policy what its plugin makes of it. What that calls has other names in other releases.
func compiled(policy *admissionv1.ValidatingAdmissionPolicy) validating.Validator {
	hasParams := policy.Spec.ParamKind != nil
	all := plugincel.OptionalVariableDeclarations{HasParams: hasParams, HasAuthorizer: true}
	fewer := plugincel.OptionalVariableDeclarations{HasParams: hasParams}
	compiler, err := plugincel.NewCompositedCompiler(baseEnv(environment.DefaultCompatibilityVersion()))
	if err != nil {
		panic(err)
	}
	var variables []plugincel.NamedExpressionAccessor
	for _, v := range policy.Spec.Variables {
		variables = append(variables, &validating.Variable{Name: v.Name, Expression: v.Expression})
	}
	compiler.CompileAndStoreVariables(variables, all, environment.StoredExpressions)
	method := reflect.ValueOf(compiler).MethodByName("CompileCondition")
	if !method.IsValid() {
		method = reflect.ValueOf(compiler).MethodByName("Compile")
	}
	conditions := func(list []plugincel.ExpressionAccessor, options plugincel.OptionalVariableDeclarations) reflect.Value {
		return method.Call([]reflect.Value{reflect.ValueOf(list), reflect.ValueOf(options), reflect.ValueOf(environment.StoredExpressions)})[0]
	}
	validations, messages := []plugincel.ExpressionAccessor{}, make([]plugincel.ExpressionAccessor, len(policy.Spec.Validations))
	for i, v := range policy.Spec.Validations {
		validations = append(validations, &validating.ValidationCondition{Expression: v.Expression, Message: v.Message, Reason: v.Reason})
		if v.MessageExpression != "" {
			messages[i] = &validating.MessageExpressionCondition{MessageExpression: v.MessageExpression}
		}
	}
	annotations := []plugincel.ExpressionAccessor{}
	for _, a := range policy.Spec.AuditAnnotations {
		annotations = append(annotations, &validating.AuditAnnotationCondition{Key: a.Key, ValueExpression: a.ValueExpression})
	}
	newValidator := reflect.ValueOf(validating.NewValidator)
	matcher := reflect.Zero(newValidator.Type().In(1))
	if len(policy.Spec.MatchConditions) > 0 {
		list := []plugincel.ExpressionAccessor{}
		for i := range policy.Spec.MatchConditions {
			list = append(list, (*matchconditions.MatchCondition)(&policy.Spec.MatchConditions[i]))
		}
		newMatcher := reflect.ValueOf(matchconditions.NewMatcher)
		matcher = newMatcher.Call([]reflect.Value{conditions(list, all), reflect.ValueOf(policy.Spec.FailurePolicy), reflect.ValueOf("policy"), reflect.ValueOf("validate"), reflect.ValueOf(policy.Name)})[0]
	}
	arguments := []reflect.Value{conditions(validations, all), matcher, conditions(annotations, all), conditions(messages, fewer), reflect.ValueOf(policy.Spec.FailurePolicy)}
	for i := len(arguments); i < newValidator.Type().NumIn(); i++ {
		arguments = append(arguments, reflect.Zero(newValidator.Type().In(i)))
	}
	return newValidator.Call(arguments)[0].Interface().(validating.Validator)
}
