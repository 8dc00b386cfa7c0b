// What Flux makes of objects before they are applied, and of the values of Helm releases, by its own packages.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/fluxcd/pkg/apis/meta"
	"github.com/fluxcd/pkg/chartutil"
	"github.com/fluxcd/pkg/kustomize"
	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/kustomize/api/provider"
	"sigs.k8s.io/yaml"
)

// What is asked about Flux, beside what every question has.
type fluxQuestion struct {
	// The object, as YAML.
	Object string `json:"object"`
	// The Kustomization that applies it, as YAML.
	Kustomization string `json:"kustomization"`
	// ConfigMaps and Secrets that are there, as YAML.
	There  []string `json:"there"`
	Strict bool     `json:"strict"`
	Always bool     `json:"always"`
	// The values of a HelmRelease, and what it reads others from, as YAML.
	Own  string `json:"own"`
	Refs string `json:"refs"`
	// What the source has, by path, and the folder of it that is applied.
	Files map[string]string `json:"files"`
	Path  string            `json:"path"`
}

func flux(op string, line []byte) (map[string]string, error) {
	var q fluxQuestion
	if err := yaml.Unmarshal(line, &q); err != nil {
		return nil, fmt.Errorf("request: %w", err)
	}
	there, err := clusterWith(q.There)
	if err != nil {
		return nil, fmt.Errorf("request: %w", err)
	}
	if op == "flux.values" {
		return fluxValues(q, there)
	}
	if op == "flux.build" {
		return fluxBuild(q, there)
	}
	return fluxSubstitute(q, there)
}

// What a Kustomization builds of a folder, as the controller does: with what its spec adds, and its variables filled in.
func fluxBuild(q fluxQuestion, there client.Client) (map[string]string, error) {
	var kustomization unstructured.Unstructured
	if err := yaml.Unmarshal([]byte(q.Kustomization), &kustomization.Object); err != nil {
		return nil, fmt.Errorf("request: %w", err)
	}
	root, err := os.MkdirTemp("", "flux")
	if err != nil {
		return nil, fmt.Errorf("request: %w", err)
	}
	defer os.RemoveAll(root)
	for name, text := range q.Files {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return nil, fmt.Errorf("request: %w", err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return nil, fmt.Errorf("request: %w", err)
		}
	}
	text, err := fluxText(q, there, kustomization, root)
	if err != nil {
		return nil, errors.New(strings.ReplaceAll(withoutAddresses(err).Error(), root, ""))
	}
	return map[string]string{"text": text}, nil
}

func fluxText(q fluxQuestion, there client.Client, by unstructured.Unstructured, root string) (string, error) {
	folder := filepath.Join(root, q.Path)
	if _, err := kustomize.NewGenerator(root, by).WriteFile(folder); err != nil {
		return "", err
	}
	made, err := kustomize.SecureBuild(root, folder, false)
	if err != nil {
		return "", err
	}
	_, substitutes, _ := unstructured.NestedMap(by.Object, "spec", "postBuild")
	for _, resource := range made.Resources() {
		if !substitutes {
			break
		}
		filled, err := kustomize.SubstituteVariables(context.Background(), there, by, resource,
			kustomize.SubstituteWithStrict(q.Strict))
		if err != nil {
			return "", err
		}
		if filled != nil {
			if _, err := made.Replace(filled); err != nil {
				return "", err
			}
		}
	}
	text, err := made.AsYaml()
	return string(text), err
}

func clusterWith(texts []string) (client.Client, error) {
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		return nil, err
	}
	builder := fake.NewClientBuilder().WithScheme(scheme)
	for _, text := range texts {
		var object unstructured.Unstructured
		if err := yaml.Unmarshal([]byte(text), &object.Object); err != nil {
			return nil, err
		}
		typed, err := scheme.New(object.GroupVersionKind())
		if err != nil {
			return nil, err
		}
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, typed); err != nil {
			return nil, err
		}
		builder = builder.WithObjects(typed.(client.Object))
	}
	return builder.Build(), nil
}

func fluxSubstitute(q fluxQuestion, there client.Client) (map[string]string, error) {
	var kustomization unstructured.Unstructured
	if err := yaml.Unmarshal([]byte(q.Kustomization), &kustomization.Object); err != nil {
		return nil, fmt.Errorf("request: %w", err)
	}
	resource, err := provider.NewDefaultDepProvider().GetResourceFactory().FromBytes([]byte(q.Object))
	if err != nil {
		return nil, fmt.Errorf("request: %w", err)
	}
	before, err := resource.AsYAML()
	if err != nil {
		return nil, fmt.Errorf("request: %w", err)
	}
	made, err := kustomize.SubstituteVariables(context.Background(), there, kustomization, resource,
		kustomize.SubstituteWithStrict(q.Strict), kustomize.SubstituteWithAlways(q.Always))
	if err != nil {
		return nil, err
	}
	if made == nil {
		return map[string]string{"before": string(before)}, nil
	}
	after, err := made.MarshalJSON()
	if err != nil {
		return nil, err
	}
	return map[string]string{"before": string(before), "after": string(after)}, nil
}

func fluxValues(q fluxQuestion, there client.Client) (map[string]string, error) {
	var own map[string]any
	if err := yaml.Unmarshal([]byte(q.Own), &own); err != nil {
		return nil, fmt.Errorf("request: %w", err)
	}
	var refs []meta.ValuesReference
	if err := yaml.Unmarshal([]byte(q.Refs), &refs); err != nil {
		return nil, fmt.Errorf("request: %w", err)
	}
	values, err := chartutil.ChartValuesFromReferences(context.Background(), logr.Discard(), there, "apps", own, refs...)
	if err != nil {
		return nil, err
	}
	made, err := json.Marshal(values.AsMap())
	if err != nil {
		return nil, err
	}
	return map[string]string{"values": string(made)}, nil
}
