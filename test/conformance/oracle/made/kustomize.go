package main

import (
	"errors"
	"path/filepath"
	"regexp"
	"strings"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/openapi"
)

// What kustomize prints for the folder `path` of `files`, or of the folder `dir` of this machine.
func build(q question) (string, error) {
	// What a build has read of schemas stays in the program; each request is to be the first.
	openapi.ResetOpenAPI()
	options := krusty.MakeDefaultOptions()
	if q.Unsafe {
		options.LoadRestrictions = types.LoadRestrictionsNone
	}
	if hasCharts(q) {
		return buildWithCharts(q, options)
	}
	files, folder, err := treeOf(q)
	if err != nil {
		return "", err
	}
	return printed(options, files, folder)
}

func printed(options *krusty.Options, files filesys.FileSystem, folder string) (string, error) {
	made, err := krusty.MakeKustomizer(options).Run(files, folder)
	if err != nil {
		return "", withoutAddresses(err)
	}
	text, err := made.AsYaml()
	if err != nil {
		return "", withoutAddresses(err)
	}
	return string(text), nil
}

var address = regexp.MustCompile(`0x[0-9a-f]{9,}`)

// Some errors print where things are in memory.
func withoutAddresses(err error) error {
	return errors.New(address.ReplaceAllString(err.Error(), "0xc000000000"))
}

func treeOf(q question) (filesys.FileSystem, string, error) {
	if q.Dir != "" {
		return filesys.MakeFsOnDisk(), filepath.Join(q.Dir, q.Path), nil
	}
	files := filesys.MakeFsInMemory()
	for name, text := range q.Files {
		if err := files.WriteFile("/"+strings.TrimPrefix(name, "/"), []byte(text)); err != nil {
			return nil, "", err
		}
	}
	return files, "/" + strings.TrimPrefix(q.Path, "/"), nil
}
