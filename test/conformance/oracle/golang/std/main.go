// Command std prints what controller-gen sees of the types of Go's standard library, as Go text by package: names, fields
// and documentation, and the methods by which a type writes itself. What it does not look at is left out.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"strings"

	"golang.org/x/tools/go/packages"
)

type output struct {
	Go       string            `json:"go"`
	License  string            `json:"license"`
	Packages map[string]string `json:"packages"`
}

func main() {
	mode := packages.NeedName | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports | packages.NeedDeps
	loaded, err := packages.Load(&packages.Config{Mode: mode}, "std")
	must(err)
	all := &libraries{byPath: map[string]*library{}}
	for _, pkg := range loaded {
		if len(pkg.Errors) > 0 {
			must(pkg.Errors[0])
		}
		all.byPath[pkg.PkgPath] = newLibrary(pkg)
	}
	for _, path := range slices.Sorted(maps.Keys(all.byPath)) {
		for _, name := range slices.Sorted(maps.Keys(all.byPath[path].specs)) {
			if isPublic(path) && ast.IsExported(name) {
				all.want(path, name)
			}
		}
	}
	license, err := os.ReadFile(filepath.Join(build.Default.GOROOT, "LICENSE"))
	must(err)
	out := output{Go: runtime.Version(), License: string(license), Packages: map[string]string{}}
	for path, of := range all.byPath {
		if len(of.texts) > 0 {
			out.Packages[path] = of.text()
		}
	}
	must(json.NewEncoder(os.Stdout).Encode(out))
}

func isPublic(path string) bool {
	for _, part := range strings.Split(path, "/") {
		if part == "internal" || part == "vendor" {
			return false
		}
	}
	return true
}

func (of *library) text() string {
	var lines []string
	for name, path := range of.imports {
		lines = append(lines, fmt.Sprintf("import %s %q\n", name, path))
	}
	sort.Strings(lines)
	for _, name := range slices.Sorted(maps.Keys(of.texts)) {
		lines = append(lines, of.texts[name])
	}
	return fmt.Sprintf("package %s\n%s", of.pkg.Name, strings.Join(append(lines, of.spokenLines()...), ""))
}

// spokenLines are the names that only the text of another type speaks of.
func (of *library) spokenLines() []string {
	var lines []string
	for name := range of.spoken {
		if _, isWhole := of.texts[name]; !isWhole {
			lines = append(lines, fmt.Sprintf("type %s struct{}\n", name))
		}
	}
	sort.Strings(lines)
	return lines
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
