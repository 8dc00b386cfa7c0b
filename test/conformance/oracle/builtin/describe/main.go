// Command describe prints what the built-in kinds of one Kubernetes release are made of, as JSON: the Go types that the
// API server decodes into, by reflection over client-go's scheme, and what only their sources say (which strings are
// enums, what is optional, which kinds have endpoints, since when and until when).
package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

type field struct {
	Name string `json:"name"`
	// Type is a type's text: see typeText.
	Type     string `json:"type"`
	Optional bool   `json:"optional,omitempty"`
	// In is the Go field that holds it, where its own struct has no name in JSON.
	In      string            `json:"in,omitempty"`
	Doc     string            `json:"doc,omitempty"`
	Markers map[string]string `json:"markers,omitempty"`
	// Wire is its number in protobuf, behind those of the structs that hold it and have no name in JSON, with dots
	// between; then ! where JSON always has it, and + where it has it with its zero value if that is set.
	Wire string `json:"wire"`
}

type object struct {
	// Go is the name that errors give it, with its package.
	Go     string  `json:"go"`
	Doc    string  `json:"doc,omitempty"`
	Fields []field `json:"fields"`
}

type kind struct {
	Type       string `json:"type"`
	Namespaced bool   `json:"namespaced,omitempty"`
	// Served says that it is an API of its own, not a part or an option of others.
	Served bool `json:"served,omitempty"`
	// Verbs is what alone can be done with it, where that is not everything.
	Verbs       string `json:"verbs,omitempty"`
	Introduced  string `json:"introduced,omitempty"`
	Deprecated  string `json:"deprecated,omitempty"`
	Removed     string `json:"removed,omitempty"`
	Replacement string `json:"replacement,omitempty"`
}

type description struct {
	Kinds   map[string]kind   `json:"kinds"`
	Objects map[string]object `json:"objects"`
	// Enums are the values of types of strings, by their id.
	Enums map[string][]string `json:"enums"`
}

func main() {
	d := &describer{
		modules: map[string]string{},
		sources: map[string]*source{},
		out:     description{Kinds: map[string]kind{}, Objects: map[string]object{}, Enums: map[string][]string{}},
	}
	// The arguments are pairs of a module's path and its folder.
	for i := 1; i+1 < len(os.Args); i += 2 {
		d.modules[os.Args[i]] = os.Args[i+1]
	}
	for gvk, t := range scheme.Scheme.AllKnownTypes() {
		if gvk.Version != "__internal" && strings.HasPrefix(t.PkgPath(), "k8s.io/api/") {
			d.addKind(gvk, t)
		}
	}
	// The only kind of the aggregation layer, which every API server has.
	d.addKind(apiregistration.SchemeGroupVersion.WithKind("APIService"), reflect.TypeFor[apiregistration.APIService]())
	enc := json.NewEncoder(os.Stdout)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(d.out); err != nil {
		panic(err)
	}
}

type describer struct {
	// modules are folders by the path of their module.
	modules map[string]string
	sources map[string]*source
	out     description
}

func (d *describer) sourceOf(pkg string) *source {
	if s, ok := d.sources[pkg]; ok {
		return s
	}
	s := &source{types: map[string]*declared{}}
	for module, dir := range d.modules {
		if rest, ok := strings.CutPrefix(pkg, module+"/"); ok {
			s = readSource(filepath.Join(dir, rest))
		}
	}
	d.sources[pkg] = s
	return s
}

func (d *describer) addKind(gvk schema.GroupVersionKind, t reflect.Type) {
	written := d.sourceOf(t.PkgPath()).of(t.Name())
	k := kind{Type: d.typeText(t)}
	_, k.Served = written.markers["genclient"]
	_, cluster := written.markers["genclient:nonNamespaced"]
	k.Namespaced = k.Served && !cluster
	k.Verbs = written.markers["genclient:onlyVerbs"]
	if _, none := written.markers["genclient:noVerbs"]; none {
		k.Verbs = "none"
	}
	k.Introduced = lifecycle(t, "APILifecycleIntroduced")
	k.Deprecated = lifecycle(t, "APILifecycleDeprecated")
	k.Removed = lifecycle(t, "APILifecycleRemoved")
	if m := reflect.New(t).MethodByName("APILifecycleReplacement"); m.IsValid() {
		r := m.Call(nil)[0].Interface().(schema.GroupVersionKind)
		k.Replacement = r.GroupVersion().String() + "/" + r.Kind
	}
	d.out.Kinds[gvk.GroupVersion().String()+"/"+gvk.Kind] = k
}

func lifecycle(t reflect.Type, method string) string {
	m := reflect.New(t).MethodByName(method)
	if !m.IsValid() {
		return ""
	}
	out := m.Call(nil)
	return strings.Join([]string{itoa(out[0].Int()), itoa(out[1].Int())}, ".")
}

func itoa(n int64) string { b, _ := json.Marshal(n); return string(b) }

// own are the types that decode themselves, by what the decoder has to know of them.
var own = map[string]string{
	"k8s.io/apimachinery/pkg/apis/meta/v1.Time":       "time",
	"k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime":  "microTime",
	"k8s.io/apimachinery/pkg/apis/meta/v1.Duration":   "duration",
	"k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1":   "raw",
	"k8s.io/apimachinery/pkg/runtime.RawExtension":    "raw",
	"k8s.io/apimachinery/pkg/api/resource.Quantity":   "quantity",
	"k8s.io/apimachinery/pkg/util/intstr.IntOrString": "intOrString",
}

var unmarshaler = reflect.TypeOf((*json.Unmarshaler)(nil)).Elem()

// typeText writes a type so that little is left to know of it: `string`, `v1.Name=string` where it has a name of its own (`v1.Name(id)=string` where Enums has its values),
// `[]T`, `{}T` for maps by strings, `#n` for an object of that id, `!time` for what decodes itself.
func (d *describer) typeText(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	id := t.PkgPath() + "." + t.Name()
	if word, ok := own[id]; ok {
		return "!" + word
	}
	if reflect.PointerTo(t).Implements(unmarshaler) {
		panic(id + " decodes itself in a way that is not known here")
	}
	named := ""
	if t.PkgPath() != "" && t.Kind() != reflect.Struct {
		named = t.String() + "="
	}
	switch t.Kind() {
	case reflect.Struct:
		d.addObject(id, t)
		return "#" + id
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return named + "bytes"
		}
		noPointer(t.Elem())
		return named + "[]" + d.typeText(t.Elem())
	case reflect.Map:
		if t.Key().Kind() != reflect.String {
			panic("a map by " + t.Key().String())
		}
		noPointer(t.Elem())
		if named == "" && t.Key().PkgPath() != "" {
			named = t.String() + "="
		}
		return named + "{}" + d.typeText(t.Elem())
	case reflect.String:
		if d.addEnum(id, t) {
			named = t.String() + "(" + id + ")="
		}
	case reflect.Bool, reflect.Int, reflect.Int32, reflect.Int64, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Float64:
	default:
		panic("a type of an unknown kind: " + t.String())
	}
	return named + t.Kind().String()
}

// noPointer stops where a list or map would have another name in errors than its text says.
func noPointer(t reflect.Type) {
	if t.Kind() == reflect.Pointer {
		panic("a list or map of pointers: " + t.String())
	}
}

// addEnum says whether a type's sources list its values.
func (d *describer) addEnum(id string, t reflect.Type) bool {
	if t.PkgPath() == "" {
		return false
	}
	s := d.sourceOf(t.PkgPath())
	if _, ok := s.of(t.Name()).markers["enum"]; !ok || len(s.constants[t.Name()]) == 0 {
		return false
	}
	values := append([]string{}, s.constants[t.Name()]...)
	sort.Strings(values)
	d.out.Enums[id] = values
	return true
}

func (d *describer) addObject(id string, t reflect.Type) {
	if _, ok := d.out.Objects[id]; ok {
		return
	}
	o := object{Go: t.String()}
	d.out.Objects[id] = o
	docs := map[string]string{}
	if with, ok := reflect.New(t).Interface().(interface{ SwaggerDoc() map[string]string }); ok {
		docs = with.SwaggerDoc()
	}
	o.Doc = docs[""]
	o.Fields = d.fieldsOf(t, docs)
	d.out.Objects[id] = o
}

// fieldsOf lists the fields by their names in JSON; those of structs without a name of their own are fields of the outer.
func (d *describer) fieldsOf(t reflect.Type, docs map[string]string) []field {
	written := d.sourceOf(t.PkgPath()).of(t.Name())
	fields := []field{}
	for i := 0; i < t.NumField(); i++ {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" || (!f.IsExported() && !f.Anonymous) {
			continue
		}
		if name == "" && f.Anonymous {
			inner := f.Type
			for inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			innerDocs := map[string]string{}
			if with, ok := reflect.New(inner).Interface().(interface{ SwaggerDoc() map[string]string }); ok {
				innerDocs = with.SwaggerDoc()
			}
			for _, held := range d.fieldsOf(inner, innerDocs) {
				held.In = strings.TrimSuffix(f.Name+"."+held.In, ".")
				if number := wireNumber(f); number != "" {
					held.Wire = number + "." + held.Wire
				}
				fields = append(fields, held)
			}
			continue
		}
		if name == "" {
			name = f.Name
		}
		markers := written.fields[f.Name]
		_, isOptional := markers["optional"]
		fields = append(fields, field{
			Name:     name,
			Type:     d.typeText(f.Type),
			Optional: isOptional || strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero"),
			Doc:      docs[name],
			Markers:  withPatch(shown(markers), f.Tag),
			Wire:     wireNumber(f) + keptZero(f.Type, options),
		})
	}
	return fields
}

// withPatch adds what strategic merge patches do with a field; a key of lists says that they are merged.
func withPatch(markers map[string]string, tag reflect.StructTag) map[string]string {
	key, strategy := tag.Get("patchMergeKey"), tag.Get("patchStrategy")
	if key == "" && strategy == "" {
		return markers
	}
	if markers == nil {
		markers = map[string]string{}
	}
	if key != "" {
		markers["patchMergeKey"] = key
	}
	if key == "" || strategy != "merge" {
		markers["patchStrategy"] = strategy
	}
	return markers
}

// wireNumber is a field's number in protobuf; empty for what has none, such as kind and apiVersion.
func wireNumber(f reflect.StructField) string {
	parts := strings.Split(f.Tag.Get("protobuf"), ",")
	if len(parts) < 2 {
		return ""
	}
	return parts[1]
}

func keptZero(t reflect.Type, options string) string {
	isPointer, isStruct := t.Kind() == reflect.Pointer, t.Kind() == reflect.Struct
	isOmitted := strings.Contains(options, "omitempty") && !isStruct || strings.Contains(options, "omitzero")
	switch {
	case !isOmitted:
		return "!"
	case isPointer:
		return "+"
	}
	return ""
}

// shown are the markers that say something to whoever writes an object.
func shown(markers map[string]string) map[string]string {
	out := map[string]string{}
	for _, name := range []string{"default", "listType", "listMapKey"} {
		if value, ok := markers[name]; ok && !strings.HasPrefix(value, "ref(") {
			out[name] = value
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}
