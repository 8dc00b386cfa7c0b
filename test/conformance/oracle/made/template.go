package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	dependencies "helm.sh/helm/v4/pkg/chart/v2/util"
	releasing "helm.sh/helm/v4/pkg/release/v1"
	releases "helm.sh/helm/v4/pkg/release/v1/util"
)

// What `helm template` prints: the files that the engine makes, sorted by Helm's own package, as its command writes them.
func template(q question) (string, error) {
	read, err := chartOf(q)
	if err != nil {
		return "", fmt.Errorf("load: %w", err)
	}
	if read.Metadata.Type != "" && read.Metadata.Type != "application" {
		return "", fmt.Errorf("%s charts are not installable", read.Metadata.Type)
	}
	if constraint := read.Metadata.KubeVersion; constraint != "" && q.KubeVersion != "" &&
		!dependencies.IsCompatibleRange(constraint, q.KubeVersion) {
		return "", fmt.Errorf("chart requires kubeVersion: %s which is incompatible with Kubernetes %s", constraint, q.KubeVersion)
	}
	files, err := render(q)
	if err != nil {
		return "", err
	}
	for name := range files {
		if strings.HasSuffix(name, "NOTES.txt") {
			delete(files, name)
		}
	}
	hooks, manifests, err := releases.SortManifests(files, nil, releases.InstallOrder)
	if err != nil {
		return "", err
	}
	var main, all bytes.Buffer
	if q.CRDs {
		// As an installation has it: charts that are off are gone, the others in the order of Chart.yaml.
		values, err := valuesOf(q.Values)
		if err != nil {
			return "", err
		}
		if err := dependencies.ProcessDependencies(read, values); err != nil {
			return "", err
		}
		for _, crd := range read.CRDObjects() {
			fmt.Fprintf(&main, "---\n# Source: %s\n%s\n", crd.Filename, string(crd.File.Data))
		}
	}
	for _, one := range manifests {
		fmt.Fprintf(&main, "---\n# Source: %s\n%s\n", one.Name, one.Content)
	}
	fmt.Fprintln(&all, strings.TrimSpace(main.String()))
	if !q.NoHooks {
		for _, one := range hooks {
			if q.NoTests && slices.Contains(one.Events, releasing.HookTest) {
				continue
			}
			fmt.Fprintf(&all, "---\n# Source: %s\n%s\n", one.Path, one.Manifest)
		}
	}
	return all.String(), nil
}
