package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/cel/openapi/resolver"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/restmapper"
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// policyTypes says what the controller manager's type checking writes into the status of a ValidatingAdmissionPolicy,
// where the cluster serves the built-in kinds and some CRDs.
func policyTypes(req *ask) *answer {
	data, _ := body(req.Obj, req.Format)
	var policy admissionv1.ValidatingAdmissionPolicy
	if err := json.Unmarshal(data, &policy); err != nil {
		return &answer{Decode: err.Error()}
	}
	kinds := &cluster{builtin: builtinTypes(), custom: map[schema.GroupVersionKind]*v1.CustomResourceDefinition{}}
	groups := map[string]*restmapper.APIGroupResources{}
	for gvk := range kinds.builtin {
		plural, singular := meta.UnsafeGuessKindToResource(gvk)
		addResource(groups, gvk, plural.Resource, singular.Resource)
	}
	for _, raw := range req.CRDs {
		crd, _, err := decodeCRD(raw, "")
		if err != nil {
			return &answer{Decode: "crds: " + err.Error()}
		}
		external := asV1(crd)
		for _, version := range external.Spec.Versions {
			gvk := schema.GroupVersionKind{Group: external.Spec.Group, Version: version.Name, Kind: external.Spec.Names.Kind}
			if version.Served {
				kinds.custom[gvk] = external
				addResource(groups, gvk, external.Spec.Names.Plural, external.Spec.Names.Singular)
			}
		}
	}
	var all []*restmapper.APIGroupResources
	for _, one := range groups {
		all = append(all, one)
	}
	checker := &validating.TypeChecker{SchemaResolver: kinds, RestMapper: restmapper.NewDiscoveryRESTMapper(all)}
	a := &answer{}
	for _, w := range checker.Check(&policy) {
		a.Errors = append(a.Errors, cause{Type: "ExpressionWarning", Field: w.FieldRef, Detail: withoutNumbers(w.Warning, kinds)})
	}
	return a
}

var numbered = regexp.MustCompile(`\b([A-Z]\w*?)\d{1,9}\b`)

// withoutNumbers takes the time of day out of the names of types.
func withoutNumbers(text string, kinds *cluster) string {
	return numbered.ReplaceAllStringFunc(text, func(name string) string {
		kind := numbered.FindStringSubmatch(name)[1]
		if kinds.has(kind) {
			return kind
		}
		return name
	})
}

func addResource(groups map[string]*restmapper.APIGroupResources, gvk schema.GroupVersionKind, plural, singular string) {
	group := groups[gvk.Group]
	if group == nil {
		group = &restmapper.APIGroupResources{
			Group:              metav1.APIGroup{Name: gvk.Group},
			VersionedResources: map[string][]metav1.APIResource{},
		}
		groups[gvk.Group] = group
	}
	if _, known := group.VersionedResources[gvk.Version]; !known {
		group.Group.Versions = append(group.Group.Versions, metav1.GroupVersionForDiscovery{Version: gvk.Version})
	}
	resource := metav1.APIResource{Name: plural, SingularName: singular, Kind: gvk.Kind}
	group.VersionedResources[gvk.Version] = append(group.VersionedResources[gvk.Version], resource)
}

// cluster resolves schemas: of CRDs those that the API server publishes, of built-in kinds what is generated from their
// Go types.
type cluster struct {
	builtin map[schema.GroupVersionKind]reflect.Type
	custom  map[schema.GroupVersionKind]*v1.CustomResourceDefinition
}

func (c *cluster) has(kind string) bool {
	for gvk := range c.builtin {
		if gvk.Kind == kind {
			return true
		}
	}
	for gvk := range c.custom {
		if gvk.Kind == kind {
			return true
		}
	}
	return false
}

func (c *cluster) ResolveSchema(gvk schema.GroupVersionKind) (*spec.Schema, error) {
	if t, ok := c.builtin[gvk]; ok {
		known := map[string]reflect.Type{typeName(t): t}
		return resolver.PopulateRefs(func(ref string) (*spec.Schema, bool) {
			t, ok := known[ref]
			if !ok {
				return nil, false
			}
			s := definitionOf(t, known)
			return &s, true
		}, typeName(t))
	}
	crd, ok := c.custom[gvk]
	if !ok {
		return nil, fmt.Errorf("cannot resolve %v: %w", gvk, resolver.ErrSchemaNotFound)
	}
	published, err := builder.BuildOpenAPIV3(crd, gvk.Version, builder.Options{V2: false})
	if err != nil {
		return nil, err
	}
	// What a client reads of it.
	text, err := json.Marshal(published)
	if err != nil {
		return nil, err
	}
	var read struct {
		Components struct {
			Schemas map[string]*spec.Schema `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(text, &read); err != nil {
		return nil, err
	}
	for ref, s := range read.Components.Schemas {
		var gvks []schema.GroupVersionKind
		if err := s.Extensions.GetObject("x-kubernetes-group-version-kind", &gvks); err != nil {
			return nil, err
		}
		if len(gvks) == 1 && gvks[0] == gvk {
			return resolver.PopulateRefs(func(ref string) (*spec.Schema, bool) {
				s, ok := read.Components.Schemas[strings.TrimPrefix(ref, "#/components/schemas/")]
				return s, ok
			}, ref)
		}
	}
	return nil, fmt.Errorf("cannot resolve %v: %w", gvk, resolver.ErrSchemaNotFound)
}

type removable interface {
	APILifecycleRemoved() (major, minor int)
}

// builtinTypes lists the kinds of the release's client scheme whose objects have metadata and that it still serves.
func builtinTypes() map[schema.GroupVersionKind]reflect.Type {
	minor, _ := strconv.Atoi(strings.TrimPrefix(versions()["binary"], "1."))
	found := map[schema.GroupVersionKind]reflect.Type{}
	for gvk, t := range scheme.Scheme.AllKnownTypes() {
		field, ok := t.FieldByName("ObjectMeta")
		if !ok || field.Type != reflect.TypeOf(metav1.ObjectMeta{}) || gvk.Version == "__internal" {
			continue
		}
		if one, ok := reflect.New(t).Interface().(removable); ok {
			if _, removed := one.APILifecycleRemoved(); removed <= minor {
				continue
			}
		}
		found[gvk] = t
	}
	return found
}

func typeName(t reflect.Type) string {
	return strings.ReplaceAll(t.PkgPath(), "/", ".") + "." + t.Name()
}

type ownSchema interface {
	OpenAPISchemaType() []string
	OpenAPISchemaFormat() string
}

type oneOf interface {
	OpenAPIV3OneOfTypes() []string
}

// definitionOf is what openapi-gen makes of a Go type, as far as types matter: compared with the definitions that are
// generated for the controller manager.
func definitionOf(t reflect.Type, known map[string]reflect.Type) spec.Schema {
	value := reflect.New(t).Interface()
	if of, ok := value.(oneOf); ok {
		format := value.(ownSchema).OpenAPISchemaFormat()
		return spec.Schema{SchemaProps: spec.SchemaProps{OneOf: common.GenerateOpenAPIV3OneOfSchema(of.OpenAPIV3OneOfTypes()), Format: format}}
	}
	if own, ok := value.(ownSchema); ok {
		return spec.Schema{SchemaProps: spec.SchemaProps{Type: own.OpenAPISchemaType(), Format: own.OpenAPISchemaFormat()}}
	}
	s := spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{"object"}, Properties: map[string]spec.Schema{}}}
	addFields(&s, t, known)
	return s
}

func addFields(s *spec.Schema, t reflect.Type, known map[string]reflect.Type) {
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case name == "-" || !field.IsExported():
		case field.Anonymous && name == "":
			inner := field.Type
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			addFields(s, inner, known)
		case name != "":
			s.Properties[name] = propertyOf(field.Type, known)
		}
	}
}

func propertyOf(t reflect.Type, known map[string]reflect.Type) spec.Schema {
	plain := func(kind, format string) spec.Schema {
		return spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{kind}, Format: format}}
	}
	_, isOwn := reflect.New(t).Interface().(ownSchema)
	switch {
	case t.Kind() == reflect.Pointer:
		return propertyOf(t.Elem(), known)
	case isOwn || t.Kind() == reflect.Struct:
		known[typeName(t)] = t
		return spec.Schema{SchemaProps: spec.SchemaProps{Ref: spec.MustCreateRef(typeName(t))}}
	}
	switch t.Kind() {
	case reflect.String:
		return plain("string", "")
	case reflect.Bool:
		return plain("boolean", "")
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return plain("integer", t.Kind().String())
	case reflect.Float32, reflect.Float64:
		return plain("number", "double")
	case reflect.Interface:
		return plain("object", "")
	case reflect.Map:
		values := propertyOf(t.Elem(), known)
		s := plain("object", "")
		s.AdditionalProperties = &spec.SchemaOrBool{Allows: true, Schema: &values}
		return s
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return plain("string", "byte")
		}
		items := propertyOf(t.Elem(), known)
		s := plain("array", "")
		s.Items = &spec.SchemaOrArray{Schema: &items}
		return s
	}
	panic("a Go type that is not known: " + t.String())
}
