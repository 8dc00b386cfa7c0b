// What Argo CD builds of a folder whose kustomization an Application changes: kustomize's own commands edit that, one after the
// other as in Argo CD's code, before it is built.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/provider"
	"sigs.k8s.io/kustomize/kustomize/v5/commands/edit"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/openapi"
	"sigs.k8s.io/yaml"
)

// `source.kustomize` of an Application.
type argoKustomize struct {
	NamePrefix              string            `json:"namePrefix"`
	NameSuffix              string            `json:"nameSuffix"`
	Images                  []string          `json:"images"`
	CommonLabels            map[string]string `json:"commonLabels"`
	CommonAnnotations       map[string]string `json:"commonAnnotations"`
	ForceCommonLabels       bool              `json:"forceCommonLabels"`
	ForceCommonAnnotations  bool              `json:"forceCommonAnnotations"`
	LabelWithoutSelector    bool              `json:"labelWithoutSelector"`
	LabelIncludeTemplates   bool              `json:"labelIncludeTemplates"`
	Namespace               string            `json:"namespace"`
	Components              []string          `json:"components"`
	IgnoreMissingComponents bool              `json:"ignoreMissingComponents"`
	Patches                 []map[string]any  `json:"patches"`
	Replicas                []struct {
		Name  string             `json:"name"`
		Count intstr.IntOrString `json:"count"`
	} `json:"replicas"`
}

func argoBuild(line []byte) (string, error) {
	var q struct {
		Application string            `json:"application"`
		Files       map[string]string `json:"files"`
		Path        string            `json:"path"`
	}
	if err := yaml.Unmarshal(line, &q); err != nil {
		return "", fmt.Errorf("request: %w", err)
	}
	var application struct {
		Spec struct {
			Source struct {
				Kustomize argoKustomize `json:"kustomize"`
			} `json:"source"`
		} `json:"spec"`
	}
	if err := yaml.Unmarshal([]byte(q.Application), &application); err != nil {
		return "", fmt.Errorf("request: %w", err)
	}
	root, err := os.MkdirTemp("", "argo")
	if err != nil {
		return "", fmt.Errorf("request: %w", err)
	}
	defer os.RemoveAll(root)
	for name, text := range q.Files {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return "", fmt.Errorf("request: %w", err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return "", fmt.Errorf("request: %w", err)
		}
	}
	folder := filepath.Join(root, q.Path)
	text, err := argoText(application.Spec.Source.Kustomize, folder)
	if err != nil {
		return "", errors.New(strings.ReplaceAll(err.Error(), root, ""))
	}
	return text, nil
}

func argoText(opts argoKustomize, folder string) (string, error) {
	// Commands work where they are run.
	if err := os.Chdir(folder); err != nil {
		return "", fmt.Errorf("request: %w", err)
	}
	defer os.Chdir("/")
	commands, err := editsOf(opts)
	if err != nil {
		return "", err
	}
	for _, args := range commands {
		if err := runEdit(args); err != nil {
			return "", err
		}
	}
	if err := addPatches(opts.Patches); err != nil {
		return "", err
	}
	if args := componentsOf(opts, folder); len(args) > 0 {
		if err := runEdit(append([]string{"add", "component"}, args...)); err != nil {
			return "", err
		}
	}
	openapi.ResetOpenAPI()
	return printed(krusty.MakeDefaultOptions(), filesys.MakeFsOnDisk(), folder)
}

func editsOf(opts argoKustomize) ([][]string, error) {
	var all [][]string
	set := func(what, value string) {
		if value != "" {
			all = append(all, []string{"set", what, "--", value})
		}
	}
	set("nameprefix", opts.NamePrefix)
	set("namesuffix", opts.NameSuffix)
	if len(opts.Images) > 0 {
		all = append(all, append([]string{"set", "image"}, opts.Images...))
	}
	if len(opts.Replicas) > 0 {
		args := []string{"set", "replicas"}
		for _, replica := range opts.Replicas {
			count, err := replica.Count.IntValue(), error(nil)
			if replica.Count.Type == intstr.String {
				count, err = strconv.Atoi(replica.Count.StrVal)
			}
			if err != nil {
				return nil, fmt.Errorf("expected integer value for count. Received: %s", replica.Count.StrVal)
			}
			args = append(args, fmt.Sprintf("%s=%d", replica.Name, count))
		}
		all = append(all, args)
	}
	if len(opts.CommonLabels) > 0 {
		args := flags([]string{"add", "label"}, "--force", opts.ForceCommonLabels)
		args = flags(args, "--without-selector", opts.LabelWithoutSelector)
		all = append(all, pairs(flags(args, "--include-templates", opts.LabelIncludeTemplates), opts.CommonLabels))
	}
	if len(opts.CommonAnnotations) > 0 {
		args := flags([]string{"add", "annotation"}, "--force", opts.ForceCommonAnnotations)
		all = append(all, pairs(args, opts.CommonAnnotations))
	}
	set("namespace", opts.Namespace)
	return all, nil
}

func flags(args []string, flag string, is bool) []string {
	if is {
		return append(args, flag)
	}
	return args
}

func pairs(args []string, values map[string]string) []string {
	for name, value := range values {
		args = append(args, name+":"+value)
	}
	return args
}

func runEdit(args []string) error {
	pvd := provider.NewDefaultDepProvider()
	command := edit.NewCmdEdit(filesys.MakeFsOnDisk(), pvd.GetFieldValidator(), pvd.GetResourceFactory(), io.Discard)
	command.SetArgs(args)
	command.SetOut(io.Discard)
	command.SetErr(io.Discard)
	command.SilenceUsage = true
	return command.Execute()
}

// No command adds patches: Argo CD writes them itself.
func addPatches(patches []map[string]any) error {
	if len(patches) == 0 {
		return nil
	}
	for _, name := range []string{"kustomization.yaml", "kustomization.yml", "Kustomization"} {
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		var kustomization map[string]any
		if err := yaml.Unmarshal(text, &kustomization); err != nil {
			return err
		}
		own, _ := kustomization["patches"].([]any)
		for _, patch := range patches {
			own = append(own, patch)
		}
		kustomization["patches"] = own
		made, err := yaml.Marshal(kustomization)
		if err != nil {
			return err
		}
		return os.WriteFile(name, made, 0o600)
	}
	return errors.New("kustomization file not found in the path")
}

func componentsOf(opts argoKustomize, folder string) []string {
	if !opts.IgnoreMissingComponents {
		return opts.Components
	}
	var found []string
	for _, component := range opts.Components {
		if _, err := os.Stat(filepath.Join(folder, component)); err == nil {
			found = append(found, component)
		}
	}
	return found
}
