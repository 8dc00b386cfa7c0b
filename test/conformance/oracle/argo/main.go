package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/argoproj/argo-cd/v3/applicationset/generators"
	"github.com/argoproj/argo-cd/v3/applicationset/utils"
	argo "github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/reposerver/repository"
)

type repos struct{ root string }

func (r repos) GetFiles(ctx context.Context, repoURL, revision, project, pattern string, noRevisionCache bool, s *argo.SourceIntegrity) (map[string][]byte, error) {
	cmd := exec.Command("git", "ls-files", "--full-name", "-z", "--", pattern)
	cmd.Dir = r.root
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	res := map[string][]byte{}
	for _, f := range strings.Split(string(out), "\x00") {
		if f == "" {
			continue
		}
		b, err := os.ReadFile(filepath.Join(r.root, f))
		if err != nil {
			return nil, err
		}
		res[f] = b
	}
	return res, nil
}

func (r repos) GetDirectories(ctx context.Context, repoURL, revision, project string, noRevisionCache bool, s *argo.SourceIntegrity) ([]string, error) {
	var paths []string
	err := filepath.WalkDir(r.root, func(p string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !e.IsDir() {
			return nil
		}
		if p != r.root && strings.HasPrefix(e.Name(), ".") {
			return filepath.SkipDir
		}
		rel, _ := filepath.Rel(r.root, p)
		if rel != "." {
			paths = append(paths, rel)
		}
		return nil
	})
	return paths, err
}

type noClient struct{ client.Client }

func (noClient) Get(ctx context.Context, key client.ObjectKey, obj client.Object, opts ...client.GetOption) error {
	return nil
}

type req struct {
	Files  map[string]string `json:"files"`
	Set    string            `json:"set"`
	Source string            `json:"source"`
	Path   string            `json:"path"`
	App    string            `json:"app"`
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<26)
	for in.Scan() {
		var q req
		if err := json.Unmarshal(in.Bytes(), &q); err != nil {
			panic(err)
		}
		fmt.Println(answer(q))
	}
}

func answer(q req) string {
	root, _ := os.MkdirTemp("", "zz")
	defer os.RemoveAll(root)
	for name, text := range q.Files {
		os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755)
		os.WriteFile(filepath.Join(root, name), []byte(text), 0o644)
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}} {
		c := exec.Command("git", args...)
		c.Dir = root
		c.Run()
	}
	if q.Source != "" {
		return merged(q, root)
	}
	var set argo.ApplicationSet
	if err := yaml.Unmarshal([]byte(q.Set), &set); err != nil {
		return out(map[string]any{"error": err.Error()})
	}
	term := map[string]generators.Generator{"List": generators.NewListGenerator(), "Git": generators.NewGitGenerator(repos{root}, "argocd")}
	nested := map[string]generators.Generator{"List": term["List"], "Git": term["Git"]}
	nested["Matrix"] = generators.NewMatrixGenerator(term)
	nested["Merge"] = generators.NewMergeGenerator(term)
	top := map[string]generators.Generator{"List": term["List"], "Git": term["Git"]}
	top["Matrix"] = generators.NewMatrixGenerator(nested)
	top["Merge"] = generators.NewMergeGenerator(nested)
	all := []any{}
	for _, g := range set.Spec.Generators {
		res, err := generators.Transform(g, top, set.Spec.Template, &set, map[string]any{}, noClient{})
		if err != nil {
			all = append(all, map[string]any{"error": err.Error()})
			continue
		}
		apps := []string{}
		failed := ""
		for _, r := range res {
			for _, p := range r.Params {
				app := &argo.Application{}
				app.Name = r.Template.Name
				app.Spec = r.Template.Spec
				render := utils.Render{}
				done, err := render.RenderTemplateParams(app, nil, p, set.Spec.GoTemplate, set.Spec.GoTemplateOptions)
				if err != nil {
					failed = err.Error()
					continue
				}
				apps = append(apps, out(map[string]any{"name": done.Name, "source": done.Spec.Source}))
			}
		}
		sort.Strings(apps)
		all = append(all, map[string]any{"apps": apps, "failed": failed})
	}
	return out(all)
}

// The source of an Application with what files in its folder lay over it.
func merged(q req, root string) string {
	var source argo.ApplicationSource
	if err := yaml.Unmarshal([]byte(q.Source), &source); err != nil {
		return out(map[string]any{"error": err.Error()})
	}
	folder := filepath.Join(root, q.Path)
	if _, err := repository.GetAppSourceType(context.Background(), &source, folder, root, q.App, map[string]bool{}, nil, nil); err != nil {
		return out(map[string]any{"error": strings.ReplaceAll(err.Error(), root, "")})
	}
	return out(map[string]any{"source": source})
}

func out(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}
