// What controller-gen reads in marker comments: one JSON request a line, one JSON answer a line.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"reflect"
	"sort"

	"sigs.k8s.io/controller-tools/pkg/applyconfiguration"
	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/deepcopy"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
	"sigs.k8s.io/controller-tools/pkg/rbac"
	"sigs.k8s.io/controller-tools/pkg/webhook"

	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
)

// A request is one marker's text with what it is written for, or a whole file.
type request struct {
	Text   string `json:"text,omitempty"`
	Target string `json:"target,omitempty"`
	File   string `json:"file,omitempty"`
}

type answer struct {
	Name    string              `json:"name,omitempty"`
	Value   any                 `json:"value,omitempty"`
	Errors  []string            `json:"errors,omitempty"`
	Markers map[string][]string `json:"markers,omitempty"`
	All     []string            `json:"all,omitempty"`
}

var targets = map[string]markers.TargetType{
	"package": markers.DescribesPackage, "type": markers.DescribesType, "field": markers.DescribesField,
}

func main() {
	registry := &markers.Registry{}
	must(crd.Generator{}.RegisterMarkers(registry))
	must(deepcopy.Generator{}.RegisterMarkers(registry))
	must(rbac.Generator{}.RegisterMarkers(registry))
	must(webhook.Generator{}.RegisterMarkers(registry))
	must(applyconfiguration.Generator{}.RegisterMarkers(registry))
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for lines.Scan() {
		var asked request
		must(json.Unmarshal(lines.Bytes(), &asked))
		switch {
		case asked.File != "":
			must(out.Encode(ofFile(registry, asked.File)))
		case asked.Text != "":
			must(out.Encode(ofMarker(registry, asked.Text, targets[asked.Target])))
		default:
			must(out.Encode(known(registry)))
		}
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// known lists every marker with its target, its arguments and their types.
func known(registry *markers.Registry) answer {
	var all []string
	for _, def := range registry.AllDefinitions() {
		for name, field := range def.Fields {
			optional := ""
			if field.Optional {
				optional = "?"
			}
			field.Pointer = false
			all = append(all, fmt.Sprintf("%s %s %s%s %s", def.Target, def.Name, name, optional, field.TypeString()))
		}
		all = append(all, fmt.Sprintf("%s %s", def.Target, def.Name))
	}
	sort.Strings(all)
	return answer{All: all}
}

func ofMarker(registry *markers.Registry, text string, target markers.TargetType) answer {
	def := registry.Lookup(text, target)
	if def == nil {
		return answer{}
	}
	value, err := def.Parse(text)
	if err != nil {
		return answer{Name: def.Name, Errors: errorsOf(err)}
	}
	if _, isJSON := value.(crdmarkers.KubernetesDefault); isJSON {
		text, err := json.Marshal(value.(crdmarkers.KubernetesDefault).Value)
		must(err)
		return answer{Name: def.Name, Value: string(text)}
	}
	return answer{Name: def.Name, Value: ofDefinition(def, reflect.ValueOf(value))}
}

func errorsOf(err error) []string {
	list, isList := err.(loader.ErrList)
	if !isList {
		return []string{err.Error()}
	}
	var texts []string
	for _, one := range list {
		texts = append(texts, one.Error())
	}
	// Those of missing arguments come in random order.
	sort.Strings(texts)
	return texts
}

func ofDefinition(def *markers.Definition, value reflect.Value) any {
	if def.Empty() {
		return nil
	}
	if def.AnonymousField() {
		if value.Kind() == reflect.Struct {
			value = value.FieldByName(def.FieldNames[""])
		}
		return plain(value)
	}
	out := map[string]any{}
	for argument, field := range def.FieldNames {
		if given := value.FieldByName(field); !given.IsZero() {
			out[argument] = plain(given)
		}
	}
	return out
}

// plain keeps integers and floats apart.
func plain(value reflect.Value) any {
	switch value.Kind() {
	case reflect.Interface, reflect.Pointer:
		if value.IsNil() {
			return nil
		}
		return plain(value.Elem())
	case reflect.Int, reflect.Int32:
		return map[string]any{"int": fmt.Sprint(value.Int())}
	case reflect.Float64:
		return map[string]any{"float": fmt.Sprint(value.Float())}
	case reflect.Slice:
		if value.Type().Elem().Kind() == reflect.Uint8 {
			return string(value.Bytes())
		}
		items := []any{}
		for i := range value.Len() {
			items = append(items, plain(value.Index(i)))
		}
		return items
	case reflect.Map:
		entries := map[string]any{}
		for _, key := range value.MapKeys() {
			entries["."+key.String()] = plain(value.MapIndex(key))
		}
		return entries
	default:
		return value.Interface()
	}
}

func ofFile(registry *markers.Registry, text string) answer {
	folder, err := os.MkdirTemp(".", "case")
	must(err)
	defer os.RemoveAll(folder)
	must(os.WriteFile(filepath.Join(folder, "types.go"), []byte(text), 0o600))
	roots, err := loader.LoadRoots("./" + folder)
	must(err)
	collector := &markers.Collector{Registry: registry}
	byNode, err := collector.MarkersInPackage(roots[0])
	if err != nil {
		return answer{Errors: errorsOf(err)}
	}
	names := namesOf(roots[0].Syntax[0])
	out := map[string][]string{}
	for node, values := range byNode {
		for name, all := range values {
			for range all {
				out[names[node]] = append(out[names[node]], name)
			}
		}
		sort.Strings(out[names[node]])
	}
	return answer{Markers: out}
}

func namesOf(file *ast.File) map[ast.Node]string {
	names := map[ast.Node]string{file: "package"}
	var within string
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.TypeSpec:
			within = node.Name.Name
			names[node] = within
		case *ast.Field:
			name := "embedded"
			if len(node.Names) > 0 {
				name = node.Names[0].Name
			}
			names[node] = within + "." + name
		}
		return true
	})
	return names
}
