package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// kustomize runs a program for charts, and has them on the disk.
func hasCharts(q question) bool {
	for _, text := range q.Files {
		if strings.Contains(strings.ToLower(text), "helmchart") {
			return true
		}
	}
	return false
}

func buildWithCharts(q question, options *krusty.Options) (string, error) {
	root, err := os.MkdirTemp("", "kustomize-question-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(root)
	for name, text := range q.Files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	options.PluginConfig = types.EnabledPluginConfig(types.BploUseStaticallyLinked)
	options.PluginConfig.HelmConfig.Enabled = true
	options.PluginConfig.HelmConfig.Command = program
	text, err := printed(options, filesys.MakeFsOnDisk(), filepath.Join(root, q.Path))
	if err != nil {
		return "", errors.New(strings.ReplaceAll(err.Error(), root, ""))
	}
	return text, nil
}

// This program as the Helm that kustomize runs: `version --short`, and `template` with the options that it gives.
func runAsHelm(args []string) error {
	if args[0] == "version" {
		fmt.Println("v4.3.1")
		return nil
	}
	if args[0] != "template" {
		return fmt.Errorf("unknown command %q", args[0])
	}
	q, err := questionOf(args[1:])
	if err != nil {
		return err
	}
	text, err := template(q)
	if err == nil {
		fmt.Print(text)
	}
	return err
}

func questionOf(args []string) (question, error) {
	var q question
	var plain []string
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "--include-crds":
			q.CRDs = true
		case "--skip-tests":
			q.NoTests = true
		case "--no-hooks":
			q.NoHooks = true
		case "-f", "--namespace", "--api-versions", "--kube-version":
			if err := q.take(args[i], args[i+1]); err != nil {
				return q, err
			}
			i++
		default:
			plain = append(plain, args[i])
		}
	}
	if len(plain) != 2 || strings.HasPrefix(plain[0], "-") {
		return q, fmt.Errorf("not known here: %v", plain)
	}
	q.Release.Name, q.Dir = plain[0], plain[1]
	return q, nil
}

func (q *question) take(option, given string) error {
	switch option {
	case "--namespace":
		q.Release.Namespace = given
	case "--api-versions":
		q.APIVersions = append(q.APIVersions, given)
	case "--kube-version":
		q.KubeVersion = given
	default:
		text, err := os.ReadFile(given)
		q.Values = append(q.Values, string(text))
		return err
	}
	return nil
}
