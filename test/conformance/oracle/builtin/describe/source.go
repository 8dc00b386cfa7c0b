package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// source is what the text of a package says that its compiled types do not.
type source struct {
	types map[string]*declared
	// constants are the strings of each type of strings.
	constants map[string][]string
}

type declared struct {
	markers map[string]string
	fields  map[string]map[string]string
}

func (s *source) of(name string) *declared {
	if found, ok := s.types[name]; ok {
		return found
	}
	return &declared{markers: map[string]string{}, fields: map[string]map[string]string{}}
}

func readSource(dir string) *source {
	s := &source{types: map[string]*declared{}, constants: map[string][]string{}}
	noTests := func(info fs.FileInfo) bool { return !strings.HasSuffix(info.Name(), "_test.go") }
	packages, err := parser.ParseDir(token.NewFileSet(), dir, noTests, parser.ParseComments)
	if err != nil {
		panic(err)
	}
	for _, p := range packages {
		for _, file := range p.Files {
			readFile(s, file)
		}
	}
	return s
}

func readFile(s *source, file *ast.File) {
	for _, decl := range file.Decls {
		general, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range general.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				s.types[spec.Name.Name] = readType(spec, markersOf(file, general, spec.Doc))
			case *ast.ValueSpec:
				readConstant(s, general, spec)
			}
		}
	}
}

func readConstant(s *source, general *ast.GenDecl, spec *ast.ValueSpec) {
	named, ok := spec.Type.(*ast.Ident)
	if general.Tok != token.CONST || !ok {
		return
	}
	for _, value := range spec.Values {
		if literal, ok := value.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			text, err := strconv.Unquote(literal.Value)
			if err != nil {
				panic(err)
			}
			s.constants[named.Name] = append(s.constants[named.Name], text)
		}
	}
}

func readType(spec *ast.TypeSpec, markers map[string]string) *declared {
	out := &declared{markers: markers, fields: map[string]map[string]string{}}
	if of, ok := spec.Type.(*ast.StructType); ok {
		for _, field := range of.Fields.List {
			for _, name := range field.Names {
				out.fields[name.Name] = readMarkers(field.Doc)
			}
		}
	}
	return out
}

// markersOf also reads the comment before the one that belongs to the type: client markers stand apart.
func markersOf(file *ast.File, general *ast.GenDecl, own *ast.CommentGroup) map[string]string {
	out := readMarkers(own)
	for name, value := range readMarkers(general.Doc) {
		out[name] = value
	}
	before := file.Name.End()
	for _, decl := range file.Decls {
		if decl.End() < general.Pos() && decl.End() > before {
			before = decl.End()
		}
	}
	for _, group := range file.Comments {
		if group.Pos() > before && group.End() < general.Pos() {
			for name, value := range readMarkers(group) {
				out[name] = value
			}
		}
	}
	return out
}

func readMarkers(group *ast.CommentGroup) map[string]string {
	out := map[string]string{}
	if group == nil {
		return out
	}
	for _, line := range group.List {
		text := strings.TrimSpace(strings.TrimPrefix(line.Text, "//"))
		marker, ok := strings.CutPrefix(text, "+")
		if !ok {
			continue
		}
		name, value, _ := strings.Cut(strings.TrimPrefix(marker, "k8s:"), "=")
		value = strings.TrimSpace(value)
		// Markers may stand twice, with and without their prefix; the keys of a list stand one a line.
		if old, ok := out[name]; !ok {
			out[name] = value
		} else if !slices.Contains(strings.Split(old, ","), value) {
			out[name] = old + "," + value
		}
	}
	return out
}
