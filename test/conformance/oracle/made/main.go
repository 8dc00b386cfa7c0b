// The oracle of what Helm makes of charts and kustomize of folders: reads requests from standard input, a JSON object a line,
// and answers each with a line, by their own packages. The README of the folder above describes the members.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"maps"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	"helm.sh/helm/v4/pkg/chart/loader/archive"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	dependencies "helm.sh/helm/v4/pkg/chart/v2/util"
	"helm.sh/helm/v4/pkg/engine"
)

type question struct {
	ID          json.RawMessage   `json:"id"`
	Op          string            `json:"op"`
	Files       map[string]string `json:"files"`
	Dir         string            `json:"dir"`
	Values      []string          `json:"values"`
	Release     release           `json:"release"`
	KubeVersion string            `json:"kubeVersion"`
	APIVersions []string          `json:"apiVersions"`
	NoHooks     bool              `json:"noHooks"`
	NoTests     bool              `json:"noTests"`
	CRDs        bool              `json:"crds"`
	Path        string            `json:"path"`
	Unsafe      bool              `json:"unsafe"`
}

type release struct {
	Name      string `json:"name"`
	Namespace string `json:"namespace"`
	Upgrade   bool   `json:"upgrade"`
}

type reply struct {
	ID    json.RawMessage   `json:"id,omitempty"`
	Files map[string]string `json:"files,omitempty"`
	Text  *string           `json:"text,omitempty"`
	Error string            `json:"error,omitempty"`
}

func main() {
	if len(os.Args) > 1 {
		if err := runAsHelm(os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, "Error:", err)
			os.Exit(1)
		}
		return
	}
	log.SetFlags(0)
	log.SetOutput(fatal{})
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			if failed := out.Encode(answer(line)); failed != nil {
				fmt.Fprintln(os.Stderr, failed)
				os.Exit(1)
			}
		}
		if err != nil {
			return
		}
	}
}

// kustomize warns of old fields in its log, and ends its program with it: that is an answer as well.
type fatal struct{}

func (fatal) Write(text []byte) (int, error) {
	if strings.Contains(string(debug.Stack()), "log.Fatal") {
		panic("fatal: " + strings.TrimSpace(string(text)))
	}
	return len(text), nil
}

func answer(line []byte) (given reply) {
	var q question
	if err := json.Unmarshal(line, &q); err != nil {
		return reply{Error: "request: " + err.Error()}
	}
	defer func() {
		if thrown := recover(); thrown != nil {
			given = reply{ID: q.ID, Error: fmt.Sprint("panic: ", thrown)}
		}
	}()
	if q.Op == "kustomize" {
		text, err := build(q)
		if err != nil {
			return reply{ID: q.ID, Error: err.Error()}
		}
		return reply{ID: q.ID, Text: &text}
	}
	if q.Op == "argo.build" {
		text, err := argoBuild(line)
		if err != nil {
			return reply{ID: q.ID, Error: err.Error()}
		}
		return reply{ID: q.ID, Text: &text}
	}
	if strings.HasPrefix(q.Op, "flux.") {
		made, err := flux(q.Op, line)
		if err != nil {
			return reply{ID: q.ID, Error: err.Error()}
		}
		return reply{ID: q.ID, Files: made}
	}
	if q.Op == "helm.template" {
		text, err := template(q)
		if err != nil {
			return reply{ID: q.ID, Error: err.Error()}
		}
		return reply{ID: q.ID, Text: &text}
	}
	if q.Op != "helm" {
		return reply{ID: q.ID, Error: "request: unknown op " + q.Op}
	}
	files, err := render(q)
	if err != nil {
		return reply{ID: q.ID, Error: err.Error()}
	}
	return reply{ID: q.ID, Files: files}
}

func render(q question) (map[string]string, error) {
	read, err := chartOf(q)
	if err != nil {
		return nil, fmt.Errorf("load: %w", err)
	}
	values, err := valuesOf(q.Values)
	if err != nil {
		return nil, fmt.Errorf("values: %w", err)
	}
	if err := dependencies.ProcessDependencies(read, values); err != nil {
		return nil, fmt.Errorf("dependencies: %w", err)
	}
	capabilities := common.DefaultCapabilities.Copy()
	if q.KubeVersion != "" {
		version, err := common.ParseKubeVersion(q.KubeVersion)
		if err != nil {
			return nil, fmt.Errorf("kubeVersion: %w", err)
		}
		capabilities.KubeVersion = *version
	}
	capabilities.APIVersions = append(capabilities.APIVersions, q.APIVersions...)
	rendered, err := util.ToRenderValues(read, values, q.Release.options(), capabilities)
	if err != nil {
		return nil, fmt.Errorf("values: %w", err)
	}
	return engine.Engine{}.Render(read, rendered)
}

func (r release) options() common.ReleaseOptions {
	options := common.ReleaseOptions{Name: r.Name, Namespace: r.Namespace, Revision: 1, IsInstall: !r.Upgrade, IsUpgrade: r.Upgrade}
	if options.Name == "" {
		options.Name = "release-name"
	}
	if options.Namespace == "" {
		options.Namespace = "default"
	}
	return options
}

func chartOf(q question) (*chart.Chart, error) {
	if q.Dir != "" {
		return loader.LoadDir(q.Dir)
	}
	files := make([]*archive.BufferedFile, 0, len(q.Files))
	for _, name := range slices.Sorted(maps.Keys(q.Files)) {
		files = append(files, &archive.BufferedFile{Name: name, Data: []byte(q.Files[name])})
	}
	return loader.LoadFiles(files)
}

// The values of all files; a later one goes over an earlier one as with `helm template -f`.
func valuesOf(texts []string) (map[string]any, error) {
	all := map[string]any{}
	for _, text := range texts {
		next, err := loader.LoadValues(strings.NewReader(text))
		if err != nil {
			return nil, err
		}
		overlay(all, next)
	}
	return all, nil
}

func overlay(below, above map[string]any) {
	for key, value := range above {
		inner, isMap := value.(map[string]any)
		before, wasMap := below[key].(map[string]any)
		if isMap && wasMap {
			overlay(before, inner)
		} else {
			below[key] = value
		}
	}
}
