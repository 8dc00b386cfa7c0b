package main

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/google/cel-go/cel"
	"k8s.io/apimachinery/pkg/util/validation/field"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

// policied is what of admission policies and webhooks holds expressions.
type policied struct {
	Spec struct {
		ParamKind        *struct{}   `json:"paramKind"`
		MatchConditions  []condition `json:"matchConditions"`
		Variables        []condition `json:"variables"`
		Validations      []condition `json:"validations"`
		AuditAnnotations []condition `json:"auditAnnotations"`
	} `json:"spec"`
	Webhooks []struct {
		MatchConditions []condition `json:"matchConditions"`
	} `json:"webhooks"`
}

type condition struct {
	Name              string `json:"name"`
	Expression        string `json:"expression"`
	MessageExpression string `json:"messageExpression"`
	ValueExpression   string `json:"valueExpression"`
}

// accessor is an expression with the types that it may have.
type accessor struct {
	name  string
	text  string
	types []*cel.Type
}

func (a accessor) GetName() string          { return a.name }
func (a accessor) GetExpression() string    { return a.text }
func (a accessor) ReturnTypes() []*cel.Type { return a.types }

// policy compiles the expressions of an admission policy or of webhooks as their validation does, in its order and with
// its compilers. Nothing else of the object is looked at.
func policy(req *ask) *answer {
	data, _ := body(req.Obj, req.Format)
	var p policied
	if err := json.Unmarshal(data, &p); err != nil {
		return &answer{Decode: err.Error()}
	}
	env := baseEnv(environment.DefaultCompatibilityVersion())
	plain := plugincel.NewCompiler(env)
	compiler := plain
	composited, err := plugincel.NewCompositedCompiler(env)
	if err != nil {
		return &answer{Panic: err.Error()}
	}
	hasParams := p.Spec.ParamKind != nil
	all := plugincel.OptionalVariableDeclarations{HasParams: hasParams, HasAuthorizer: true}
	var found field.ErrorList
	spec := field.NewPath("spec")
	found = append(found, matchConditions(plain, p.Spec.MatchConditions, all, spec.Child("matchConditions"))...)
	for i, v := range p.Spec.Variables {
		compiler = composited
		at := spec.Child("variables").Index(i).Child("expression")
		if strings.TrimSpace(v.Expression) == "" {
			found = append(found, field.Required(at, "expression is not specified"))
			continue
		}
		one := accessor{name: v.Name, text: v.Expression, types: []*cel.Type{cel.AnyType, cel.DynType}}
		found = append(found, refused(at, v.Expression, composited.CompileAndStoreVariable(one, all, environment.NewExpressions))...)
	}
	for i, v := range p.Spec.Validations {
		at := spec.Child("validations").Index(i)
		if strings.TrimSpace(v.Expression) == "" {
			found = append(found, field.Required(at.Child("expression"), "expression is not specified"))
		} else {
			one := accessor{text: v.Expression, types: []*cel.Type{cel.BoolType}}
			found = append(found, refused(at.Child("expression"), v.Expression, compiler.CompileCELExpression(one, all, environment.NewExpressions))...)
		}
		message := at.Child("messageExpression")
		if len(v.MessageExpression) > 0 && strings.TrimSpace(v.MessageExpression) == "" {
			found = append(found, field.Invalid(message, v.MessageExpression, "must be non-empty if specified"))
		} else if v.MessageExpression != "" {
			one := accessor{text: v.MessageExpression, types: []*cel.Type{cel.StringType}}
			options := plugincel.OptionalVariableDeclarations{HasParams: hasParams}
			found = append(found, refused(message, v.MessageExpression, compiler.CompileCELExpression(one, options, environment.NewExpressions))...)
		}
	}
	for i, v := range p.Spec.AuditAnnotations {
		at := spec.Child("auditAnnotations").Index(i).Child("valueExpression")
		trimmed := strings.TrimSpace(v.ValueExpression)
		if trimmed == "" {
			found = append(found, field.Required(at, "valueExpression is not specified"))
			continue
		}
		one := accessor{text: trimmed, types: []*cel.Type{cel.StringType, cel.NullType}}
		found = append(found, refused(at, v.ValueExpression, compiler.CompileCELExpression(one, all, environment.NewExpressions))...)
	}
	for i, hook := range p.Webhooks {
		options := plugincel.OptionalVariableDeclarations{HasAuthorizer: true}
		at := field.NewPath("webhooks").Index(i).Child("matchConditions")
		found = append(found, matchConditions(plain, hook.MatchConditions, options, at)...)
	}
	a := &answer{}
	for _, e := range found {
		a.Errors = append(a.Errors, cause{Type: string(e.Type), Field: e.Field, Detail: e.ErrorBody()})
	}
	return a
}

func matchConditions(compiler plugincel.Compiler, list []condition, options plugincel.OptionalVariableDeclarations, at *field.Path) field.ErrorList {
	var found field.ErrorList
	for i, v := range list {
		here := at.Index(i).Child("expression")
		trimmed := strings.TrimSpace(v.Expression)
		if trimmed == "" {
			found = append(found, field.Required(here, ""))
			continue
		}
		one := accessor{text: trimmed, types: []*cel.Type{cel.BoolType}}
		found = append(found, refused(here, trimmed, compiler.CompileCELExpression(one, options, environment.NewExpressions))...)
	}
	return found
}

func refused(at *field.Path, text string, result plugincel.CompilationResult) field.ErrorList {
	if result.Error == nil {
		return nil
	}
	var known *apiservercel.Error
	if errors.As(error(result.Error), &known) {
		switch known.Type {
		case apiservercel.ErrorTypeRequired:
			return field.ErrorList{field.Required(at, known.Detail)}
		case apiservercel.ErrorTypeInvalid:
			return field.ErrorList{field.Invalid(at, text, known.Detail)}
		}
	}
	return field.ErrorList{field.InternalError(at, result.Error)}
}
