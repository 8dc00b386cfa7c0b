// Command golang answers, with controller-gen's own code, which CustomResourceDefinitions it makes of Go packages, and
// what it says of them. It speaks the protocol of the oracle beside it, and is a module of its own: what it needs of
// Kubernetes has other versions.
package main

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"sort"
	"strings"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/genall"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
	"sigs.k8s.io/yaml"
)

const module = "sigs.k8s.io/controller-tools"

//go:embed go.mod
var goMod string

//go:embed go.sum
var goSum []byte

// `obj` is a map from the files of a module to their texts. Instead of it, `dir` is a folder that has a module, and
// `roots` say which of its packages are wanted; or `modules` are many of what `obj` is, which are loaded together, since
// that takes longest, and answered one by one in `answers`. With `texts`, the files themselves are in the answer as well.
// Or `values` are objects, each of which is written into a file in `written`. `options` are those of its generator, such as
// `crd:maxDescLen=0`; `eachOptions` are those of each module. Or `sources` are texts, of each of which `faults` says what Go's
// parser does.
type ask struct {
	ID          json.RawMessage     `json:"id,omitempty"`
	Op          string              `json:"op"`
	Obj         map[string]string   `json:"obj,omitempty"`
	Dir         string              `json:"dir,omitempty"`
	Roots       []string            `json:"roots,omitempty"`
	Modules     []map[string]string `json:"modules,omitempty"`
	Texts       bool                `json:"texts,omitempty"`
	Values      []json.RawMessage   `json:"values,omitempty"`
	Options     string              `json:"options,omitempty"`
	EachOptions []string            `json:"eachOptions,omitempty"`
	Source      string              `json:"source,omitempty"`
	Sources     []string            `json:"sources,omitempty"`
}

type answer struct {
	ID      json.RawMessage `json:"id,omitempty"`
	Stored  map[string]any  `json:"stored,omitempty"`
	Panic   string          `json:"panic,omitempty"`
	Answers []*answer       `json:"answers,omitempty"`
	Texts   kept            `json:"texts,omitempty"`
	By      string          `json:"by,omitempty"`
	Written []result        `json:"written,omitempty"`
	Faults  []string        `json:"faults,omitempty"`
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	defer out.Flush()
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 1 {
			var req ask
			if e := json.Unmarshal(line, &req); e != nil {
				fmt.Fprintln(os.Stderr, "bad request:", e)
				os.Exit(2)
			}
			a := handle(&req)
			a.ID = req.ID
			if e := enc.Encode(a); e != nil {
				fmt.Fprintln(os.Stderr, "cannot encode answer:", e)
				os.Exit(2)
			}
			out.Flush()
		}
		if err != nil {
			return
		}
	}
}

func version() string {
	info, _ := debug.ReadBuildInfo()
	for _, dep := range info.Deps {
		if dep.Path == module {
			return dep.Version
		}
	}
	return ""
}

func handle(req *ask) (a *answer) {
	defer func() {
		if p := recover(); p != nil {
			a = &answer{Panic: fmt.Sprint(p)}
		}
	}()
	if req.Modules != nil {
		return &answer{Answers: generateEach(req)}
	}
	if req.Values != nil {
		return &answer{By: version(), Written: writeEach(req.Values)}
	}
	if req.Op == "go.parse" {
		return parseEach(req)
	}
	if req.Obj == nil {
		stored, files := generate(load(req.Dir, req.Roots), req.Dir, "example.com", req.Options)
		return &answer{Stored: stored, Texts: asked(req.Texts, files)}
	}
	dir, err := write(req.Obj)
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	stored, files := generate(load(dir, []string{"./..."}), dir, "example.com", req.Options)
	return &answer{Stored: stored, Texts: asked(req.Texts, files)}
}

func parseEach(req *ask) *answer {
	if req.Sources == nil {
		return &answer{Faults: faultsOf(req.Source)}
	}
	answers := make([]*answer, len(req.Sources))
	for i, source := range req.Sources {
		answers[i] = &answer{Faults: faultsOf(source)}
	}
	return &answer{Answers: answers}
}

// faultsOf are what Go says of a text when it is parsed as controller-gen does it, each behind its offset.
func faultsOf(source string) []string {
	_, err := parser.ParseFile(token.NewFileSet(), "", source, parser.AllErrors|parser.ParseComments)
	var list scanner.ErrorList
	if !errors.As(err, &list) {
		return nil
	}
	var all []string
	for _, one := range list {
		all = append(all, fmt.Sprintf("%d: %s", one.Pos.Offset, one.Msg))
	}
	return all
}

func asked(texts bool, files kept) kept {
	if !texts {
		return nil
	}
	return files
}

// generateEach puts the modules into folders of one.
func generateEach(req *ask) []*answer {
	modules := req.Modules
	files := map[string]string{}
	for i, module := range modules {
		for name, text := range module {
			own := fmt.Sprintf("\"example.com/m%d/", i)
			files[fmt.Sprintf("m%d/%s", i, name)] = strings.ReplaceAll(text, "\"example.com/", own)
		}
	}
	dir, err := write(files)
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	roots := load(dir, []string{"./..."})
	answers := make([]*answer, len(modules))
	for i, module := range modules {
		folders := map[string]bool{}
		for name := range module {
			if strings.HasSuffix(name, ".go") {
				folders[path.Dir(name)] = true
			}
		}
		options := req.Options
		if i < len(req.EachOptions) {
			options = req.EachOptions[i]
		}
		answers[i] = generateOne(roots, dir, fmt.Sprintf("m%d", i), len(folders), options, req.Texts)
	}
	return answers
}

func generateOne(all []*loader.Package, dir, folder string, packages int, options string, texts bool) (a *answer) {
	defer func() {
		if p := recover(); p != nil {
			a = &answer{Panic: fmt.Sprint(p)}
		}
	}()
	var roots []*loader.Package
	for _, root := range all {
		if strings.HasPrefix(root.PkgPath+"/", "example.com/"+folder+"/") {
			roots = append(roots, root)
		}
	}
	isBroken := len(roots) < packages
	for _, root := range roots {
		if isBroken {
			return &answer{Stored: map[string]any{"broken": true}}
		}
		if isEndless(root) {
			return &answer{Stored: map[string]any{"endless": true}}
		}
	}
	home := filepath.Join(dir, folder)
	if err := os.Chdir(home); err != nil {
		panic(err)
	}
	stored, files := generate(roots, home, "example.com/"+folder, options)
	return &answer{Stored: stored, Texts: asked(texts, files)}
}

// isEndless says whether a package has types that are made of themselves without an end, with which controller-gen does
// not come to an end either.
func isEndless(root *loader.Package) bool {
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range root.CompiledGoFiles {
		if file, err := parser.ParseFile(set, name, nil, 0); err == nil {
			files = append(files, file)
		}
	}
	endless := false
	config := types.Config{
		IgnoreFuncBodies: true,
		Importer:         nothing{},
		Error: func(err error) {
			endless = endless || strings.Contains(err.Error(), "invalid recursive type")
		},
	}
	// What is wrong beside that is controller-gen's to say.
	_, _ = config.Check(root.PkgPath, set, files, nil)
	return endless
}

type nothing struct{}

func (nothing) Import(path string) (*types.Package, error) { return nil, errors.New("not read") }

func load(dir string, roots []string) []*loader.Package {
	if err := os.Chdir(dir); err != nil {
		panic(err)
	}
	loaded, err := loader.LoadRoots(roots...)
	if err != nil {
		panic(err)
	}
	return loaded
}

// write puts files into a folder as the module example.com, which can import what the oracle itself is built with.
func write(files map[string]string) (string, error) {
	dir, err := os.MkdirTemp("", "go-crd")
	if err != nil {
		return "", err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", err
	}
	lines := strings.SplitN(goMod, "\n", 2)
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com\n"+lines[1]), 0o600); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "go.sum"), goSum, 0o600); err != nil {
		return "", err
	}
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return "", err
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	return dir, nil
}

type written struct {
	bytes.Buffer
}

func (*written) Close() error { return nil }

// MarshalText says what version wrote the file: a program that was not installed by its version does not know it.
func (w *written) MarshalText() ([]byte, error) {
	return bytes.ReplaceAll(w.Bytes(), []byte("(devel)"), []byte(version())), nil
}

type kept map[string]*written

func (k kept) Open(_ *loader.Package, name string) (io.WriteCloser, error) {
	k[name] = &written{}
	return k[name], nil
}

type result struct {
	Text  string `json:"text,omitempty"`
	Error string `json:"error,omitempty"`
}

// writeEach has controller-gen write objects as it writes its CRDs.
func writeEach(values []json.RawMessage) []result {
	results := make([]result, len(values))
	for i, value := range values {
		files := kept{}
		context := genall.GenerationContext{OutputRule: files}
		if err := context.WriteYAML("file", "", []any{value}); err != nil {
			results[i].Error = err.Error()
		} else {
			results[i].Text = files["file"].String()
		}
	}
	return results
}

// generate answers about packages in a folder, whose path is `module`: that is called example.com in the answer. The
// files that are written are returned as well.
func generatorOf(options string) genall.Generator {
	if options == "" {
		return crd.Generator{}
	}
	found, err := markers.Must(markers.MakeDefinition("crd", markers.DescribesPackage, crd.Generator{})).Parse("+" + options)
	if err != nil {
		panic(err)
	}
	return found.(crd.Generator)
}

func generate(roots []*loader.Package, dir, module, options string) (map[string]any, kept) {
	generator := generatorOf(options)
	generators := genall.Generators{&generator}
	runtime := &genall.Runtime{
		Generators: generators,
		GenerationContext: genall.GenerationContext{
			Collector: &markers.Collector{Registry: &markers.Registry{}},
			Roots:     roots,
			InputRule: genall.InputFromFileSystem,
			Checker:   &loader.TypeChecker{NodeFilters: generators.CheckFilters()},
		},
	}
	if err := generators.RegisterMarkers(runtime.Collector.Registry); err != nil {
		panic(err)
	}
	before := errorsElsewhere(roots, module)
	files := kept{}
	runtime.OutputRules = genall.OutputRules{Default: files}
	said := &bytes.Buffer{}
	runtime.ErrorWriter = said
	silently(func() { runtime.Run() })
	crds := map[string]any{}
	for name, file := range files {
		var value any
		text, err := file.MarshalText()
		if err != nil {
			panic(err)
		}
		if err := yaml.Unmarshal(text, &value, preciseNumbers); err != nil {
			panic(err)
		}
		crds[name] = value
	}
	stored := map[string]any{"by": version(), "crds": crds}
	errs, isBroken := errorsOf(roots, before, dir, module)
	if len(errs) > 0 {
		stored["errors"] = errs
	}
	if isBroken {
		stored["broken"] = true
	}
	if said.Len() > 0 {
		stored["said"] = said.String()
	}
	return stored, files
}

func preciseNumbers(d *json.Decoder) *json.Decoder {
	d.UseNumber()
	return d
}

// silently keeps what is printed of errors, which are in the answer, from the terminal.
func silently(run func()) {
	kept := os.Stderr
	defer func() { os.Stderr = kept }()
	nowhere, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		panic(err)
	}
	defer nowhere.Close()
	os.Stderr = nowhere
	run()
}

// Go prints all that is in the versions, addresses of memory too.
var versions = regexp.MustCompile(`(?s)version\(s\) \[.*\] does`)

// Which of the packages of a group an error of its CRD is given changes from run to run.
var ofKind = regexp.MustCompile(`^\S+:-: CRD for `)

// errorsElsewhere are the errors of packages outside of a module that were found for other modules.
func errorsElsewhere(roots []*loader.Package, module string) map[*packages.Package]int {
	before := map[*packages.Package]int{}
	packages.Visit(raw(roots), nil, func(pkg *packages.Package) {
		if !strings.HasPrefix(pkg.PkgPath, module) {
			before[pkg] = len(pkg.Errors)
		}
	})
	return before
}

func raw(roots []*loader.Package) []*packages.Package {
	var all []*packages.Package
	for _, root := range roots {
		all = append(all, root.Package)
	}
	return all
}

// isOfGo says whether a package comes with Go: where its files are, and on which line something is, is the installation's.
func isOfGo(pkg *packages.Package) bool {
	return len(pkg.GoFiles) > 0 && strings.HasPrefix(pkg.GoFiles[0], filepath.Join(build.Default.GOROOT, "src")+string(filepath.Separator))
}

// errorsOf are what controller-gen prints, in an order of their own, with places inside of the folder, and whether some
// file is not Go.
func errorsOf(roots []*loader.Package, before map[*packages.Package]int, dir, module string) ([]string, bool) {
	seen := map[string]bool{}
	isBroken := false
	packages.Visit(raw(roots), nil, func(pkg *packages.Package) {
		for _, err := range pkg.Errors[before[pkg]:] {
			isBroken = isBroken || err.Kind == packages.ParseError || err.Kind == packages.ListError
			if err.Kind != packages.TypeError {
				if isOfGo(pkg) {
					err.Pos = pkg.PkgPath
				}
				text := strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), "")
				text = strings.TrimPrefix(text, filepath.Base(dir)+string(filepath.Separator))
				text = strings.ReplaceAll(text, module, "example.com")
				text = ofKind.ReplaceAllString(text, "-: CRD for ")
				seen[versions.ReplaceAllString(text, "version(s) does")] = true
			}
		}
	})
	var all []string
	for text := range seen {
		all = append(all, text)
	}
	sort.Strings(all)
	return all, isBroken
}
