package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"

	"golang.org/x/tools/go/packages"
)

type libraries struct {
	byPath map[string]*library
}

// library is a package with what is printed of it.
type library struct {
	pkg   *packages.Package
	specs map[string]spec
	// By the name of the type.
	texts map[string]string
	// Types that are named where nothing but their name is looked at.
	spoken map[string]bool
	// By the name that the texts use.
	imports map[string]string
	// The packages whose types controller-gen has checked for this one: others are not valid to it.
	checked map[string]bool
}

type spec struct {
	*ast.TypeSpec
	doc *ast.CommentGroup
}

func newLibrary(pkg *packages.Package) *library {
	of := &library{pkg: pkg, specs: map[string]spec{}, texts: map[string]string{}, spoken: map[string]bool{}, imports: map[string]string{}, checked: map[string]bool{pkg.PkgPath: true, "unsafe": true}}
	for _, file := range pkg.Syntax {
		for _, decl := range file.Decls {
			group, ok := decl.(*ast.GenDecl)
			if !ok || group.Tok != token.TYPE {
				continue
			}
			for _, one := range group.Specs {
				typeSpec := one.(*ast.TypeSpec)
				doc := typeSpec.Doc
				if doc == nil && !group.Lparen.IsValid() {
					doc = group.Doc
				}
				of.specs[typeSpec.Name.Name] = spec{typeSpec, doc}
				of.check(typeSpec.Type)
			}
		}
	}
	return of
}

// check notes which packages a type leads controller-gen to: it passes over interfaces, and over fields without a tag.
func (of *library) check(expr ast.Expr) {
	ast.Inspect(expr, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.InterfaceType:
			return false
		case *ast.Field:
			return hasTag(n)
		case *ast.SelectorExpr:
			if name, ok := of.pkg.TypesInfo.Uses[n.X.(*ast.Ident)].(*types.PkgName); ok {
				of.checked[name.Imported().Path()] = true
			}
			return false
		}
		return true
	})
}

func hasTag(field *ast.Field) bool {
	return field.Tag != nil && strings.Contains(field.Tag.Value, `json:"`)
}

// want has a type printed, with all that is to be known of it.
func (all *libraries) want(path, name string) {
	of := all.byPath[path]
	if of == nil {
		return
	}
	declared, ok := of.specs[name]
	if _, isKnown := of.texts[name]; !ok || isKnown {
		return
	}
	of.texts[name] = ""
	w := &writer{all: all, of: of}
	text := w.declaration(declared)
	of.texts[name] = text + of.methods(name)
}

// methods are those by which a type writes itself, be they its own or those of what it embeds.
func (of *library) methods(name string) string {
	object := of.pkg.Types.Scope().Lookup(name)
	if object == nil || object.(*types.TypeName).IsAlias() {
		return ""
	}
	text := ""
	methods := types.NewMethodSet(object.Type())
	if !types.IsInterface(object.Type()) {
		methods = types.NewMethodSet(types.NewPointer(object.Type()))
	}
	for _, method := range []string{"MarshalJSON", "MarshalText"} {
		found := methods.Lookup(of.pkg.Types, method)
		if found != nil && signature(found.Type()) == "func() ([]byte, error)" {
			text += fmt.Sprintf("func (%s) %s() ([]byte, error)\n", name, method)
		}
	}
	return text
}

func signature(of types.Type) string {
	f := of.(*types.Signature)
	var results []string
	for i := 0; i < f.Results().Len(); i++ {
		results = append(results, f.Results().At(i).Type().String())
	}
	if f.Params().Len() > 0 {
		return "other"
	}
	return fmt.Sprintf("func() (%s)", strings.Join(results, ", "))
}

var qualified = regexp.MustCompile(`\*?([\w/]+)\.\w+(\[[^\]]*\])?`)

// writer writes one type.
type writer struct {
	all *libraries
	of  *library
}

func (w *writer) declaration(s spec) string {
	parameters := ""
	if s.TypeParams != nil {
		var names []string
		for _, field := range s.TypeParams.List {
			for _, name := range field.Names {
				names = append(names, name.Name+" any")
			}
		}
		// Of generic types only that is known: they are refused.
		parameters = "[" + strings.Join(names, ", ") + "]"
		return fmt.Sprintf("type %s%s struct{}\n", s.Name.Name, parameters)
	}
	sign := ""
	if s.Assign.IsValid() {
		sign = "= "
	}
	isRefused := false
	if _, ok := s.Type.(*ast.InterfaceType); ok {
		isRefused = true
	}
	return w.doc(s.doc, isRefused) + fmt.Sprintf("type %s %s%s\n", s.Name.Name, sign, w.text(s.Type, true))
}

func (w *writer) doc(doc *ast.CommentGroup, isUnused bool) string {
	if doc == nil || isUnused {
		return ""
	}
	text := ""
	for _, comment := range doc.List {
		text += comment.Text + "\n"
	}
	return text
}

// text is a type expression without what is not looked at. Of what is named in it more is wanted where `matters`.
func (w *writer) text(expr ast.Expr, matters bool) string {
	switch t := expr.(type) {
	case *ast.Ident:
		return w.named(t, matters)
	case *ast.SelectorExpr:
		return w.selected(t, matters)
	case *ast.StarExpr:
		return "*" + w.text(t.X, matters)
	case *ast.ParenExpr:
		return "(" + w.text(t.X, matters) + ")"
	case *ast.ArrayType:
		return "[" + w.length(t) + "]" + w.text(t.Elt, matters)
	case *ast.MapType:
		return "map[" + w.text(t.Key, matters) + "]" + w.text(t.Value, matters)
	case *ast.InterfaceType, *ast.FuncType, *ast.ChanType:
		// These are looked at only to print them.
		text := types.TypeString(w.of.pkg.TypesInfo.TypeOf(t), nil)
		return qualified.ReplaceAllStringFunc(text, func(name string) string {
			path := qualified.FindStringSubmatch(name)[1]
			if w.all.byPath[path] == nil || w.of.checked[path] {
				return name
			}
			return "invalid type"
		})
	case *ast.IndexExpr:
		return w.text(t.X, matters) + "[" + w.text(t.Index, false) + "]"
	case *ast.IndexListExpr:
		var parts []string
		for _, index := range t.Indices {
			parts = append(parts, w.text(index, false))
		}
		return w.text(t.X, matters) + "[" + strings.Join(parts, ", ") + "]"
	case *ast.StructType:
		return w.structure(t)
	}
	panic(fmt.Sprintf("%T", expr))
}

func (w *writer) named(t *ast.Ident, matters bool) string {
	if _, ok := w.of.specs[t.Name]; ok {
		if matters {
			w.all.want(w.of.pkg.PkgPath, t.Name)
		} else if !ast.IsExported(t.Name) {
			w.of.spoken[t.Name] = true
		}
	}
	return t.Name
}

func (w *writer) selected(t *ast.SelectorExpr, matters bool) string {
	name := t.X.(*ast.Ident)
	path := w.of.pkg.TypesInfo.Uses[name].(*types.PkgName).Imported().Path()
	if !w.of.checked[path] {
		// A name that nothing is imported by.
		return "_." + t.Sel.Name
	}
	called := name.Name
	for w.of.imports[called] != "" && w.of.imports[called] != path {
		called += "_"
	}
	w.of.imports[called] = path
	if matters {
		w.all.want(path, t.Sel.Name)
	}
	return called + "." + t.Sel.Name
}

func (w *writer) length(t *ast.ArrayType) string {
	if t.Len == nil {
		return ""
	}
	if value := w.of.pkg.TypesInfo.Types[t.Len].Value; value != nil {
		return value.ExactString()
	}
	return "0"
}

func (w *writer) structure(t *ast.StructType) string {
	text := "struct {\n"
	for _, field := range t.Fields.List {
		isSeen := hasTag(field)
		text += w.doc(field.Doc, !isSeen) + "\t"
		for i, name := range field.Names {
			if i > 0 {
				text += ", "
			}
			text += name.Name
		}
		text += " " + w.text(field.Type, isSeen)
		if field.Tag != nil {
			text += " " + field.Tag.Value
		}
		text += "\n"
	}
	return text + "}"
}
