// Command golang answers, with controller-gen's own code, which CustomResourceDefinitions it makes of Go packages, and
// what it says of them. It speaks the protocol of the oracle beside it, and is a module of its own: what it needs of
// Kubernetes has other versions.
package main

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"sort"
	"strings"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/genall"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/yaml"
)

const module = "sigs.k8s.io/controller-tools"

//go:embed go.mod
var goMod string

//go:embed go.sum
var goSum []byte

// `obj` is a map from the files of a module to their texts. Instead of it, `dir` is a folder that has a module, and
// `roots` say which of its packages are wanted.
type ask struct {
	ID    json.RawMessage   `json:"id,omitempty"`
	Op    string            `json:"op"`
	Obj   map[string]string `json:"obj,omitempty"`
	Dir   string            `json:"dir,omitempty"`
	Roots []string          `json:"roots,omitempty"`
}

type answer struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Stored map[string]any  `json:"stored,omitempty"`
	Panic  string          `json:"panic,omitempty"`
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
	dir, roots := req.Dir, req.Roots
	if req.Obj != nil {
		made, err := write(req.Obj)
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(made)
		dir, roots = made, []string{"./..."}
	}
	return &answer{Stored: generate(dir, roots)}
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

type kept map[string]*written

func (k kept) Open(_ *loader.Package, name string) (io.WriteCloser, error) {
	k[name] = &written{}
	return k[name], nil
}

func generate(dir string, roots []string) map[string]any {
	if err := os.Chdir(dir); err != nil {
		panic(err)
	}
	var generator genall.Generator = crd.Generator{}
	generators := genall.Generators{&generator}
	runtime, err := generators.ForRoots(roots...)
	if err != nil {
		panic(err)
	}
	files := kept{}
	runtime.OutputRules = genall.OutputRules{Default: files}
	said := &bytes.Buffer{}
	runtime.ErrorWriter = said
	silently(func() { runtime.Run() })
	crds := map[string]any{}
	for name, file := range files {
		var value any
		// A program that was not installed by its version does not know it.
		text := bytes.ReplaceAll(file.Bytes(), []byte("(devel)"), []byte(version()))
		if err := yaml.Unmarshal(text, &value, preciseNumbers); err != nil {
			panic(err)
		}
		// Of a kind that has no versions left an empty object is written.
		if name != "_.yaml" {
			crds[name] = value
		}
	}
	stored := map[string]any{"by": version(), "crds": crds}
	if errs := errorsOf(runtime.Roots, dir); len(errs) > 0 {
		stored["errors"] = errs
	}
	if said.Len() > 0 {
		stored["said"] = said.String()
	}
	return stored
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

// Where in a marker's arguments something is wrong is said by its own place.
var column = regexp.MustCompile(` \(at [^)]*\)`)

// Go prints all that is in the versions, addresses of memory too.
var versions = regexp.MustCompile(`(?s)version\(s\) \[.*\] does`)

// errorsOf are what controller-gen prints, in an order of their own, with places inside of the folder.
func errorsOf(roots []*loader.Package, dir string) []string {
	var raw []*packages.Package
	for _, root := range roots {
		raw = append(raw, root.Package)
	}
	seen := map[string]bool{}
	packages.Visit(raw, nil, func(pkg *packages.Package) {
		for _, err := range pkg.Errors {
			if err.Kind != packages.TypeError {
				text := strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), "")
				text = column.ReplaceAllString(text, "")
				seen[versions.ReplaceAllString(text, "version(s) does")] = true
			}
		}
	})
	var all []string
	for text := range seen {
		all = append(all, text)
	}
	sort.Strings(all)
	return all
}
