// What client-go makes of an API server that holds nothing yet: client KUBECONFIG prints it, without what differs
// from run to run.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

var (
	crds       = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	boxes      = schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "boxes"}
	namespaces = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	old        = boxes.GroupResource().WithVersion("v1beta1")
)

const crd = `{
	"apiVersion": "apiextensions.k8s.io/v1",
	"kind": "CustomResourceDefinition",
	"metadata": {"name": "boxes.example.com"},
	"spec": {
		"group": "example.com",
		"scope": "Namespaced",
		"names": {"kind": "Box", "plural": "boxes", "shortNames": ["bx"], "categories": ["all"]},
		"versions": [{
			"name": "v1",
			"served": true,
			"storage": true,
			"subresources": {"status": {}},
			"selectableFields": [{"jsonPath": ".spec.color"}],
			"schema": {"openAPIV3Schema": {
				"type": "object",
				"properties": {
					"spec": {
						"type": "object",
						"properties": {
							"size": {"type": "integer", "maximum": 9},
							"color": {"type": "string", "default": "red"},
							"parts": {
								"type": "array",
								"x-kubernetes-list-type": "map",
								"x-kubernetes-list-map-keys": ["name"],
								"items": {
									"type": "object",
									"required": ["name"],
									"properties": {"name": {"type": "string"}, "v": {"type": "integer"}}
								}
							}
						},
						"x-kubernetes-validations": [{"rule": "self.color != 'none' || self.size == 0", "message": "no color, no size"}]
					},
					"status": {"type": "object", "properties": {"ready": {"type": "boolean"}}}
				}
			}}
		}, {
			"name": "v1beta1",
			"served": true,
			"storage": false,
			"deprecated": true,
			"schema": {"openAPIV3Schema": {
				"type": "object",
				"properties": {"spec": {"type": "object", "properties": {"size": {"type": "integer"}}}}
			}}
		}]
	}
}`

var always = context.Background()

func main() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	check(err)
	config.WarningHandler = warnings{}
	client, err := dynamic.NewForConfig(config)
	check(err)
	definitions(client)
	discovered(config)
	all := client.Resource(boxes).Namespace("default")
	created(all)
	updated(all)
	patched(all)
	applied(all)
	listed(client)
	watched(client)
	deleted(all)
	informed(client)
	say("the CRD goes", nil, client.Resource(crds).Delete(always, "boxes.example.com", v1.DeleteOptions{}))
}

func definitions(client dynamic.Interface) {
	all := client.Resource(crds)
	_, err := all.Create(always, parsed(strings.Replace(crd, `"plural": "boxes"`, `"plural": "cases"`, 1)), v1.CreateOptions{})
	say("a CRD whose name is not that of its kind", nil, err)
	_, err = all.Create(always, parsed(crd), v1.CreateOptions{})
	say("a CRD", nil, err)
	by := v1.ListOptions{FieldSelector: "metadata.name=boxes.example.com"}
	changes, err := all.Watch(always, by)
	check(err)
	defer changes.Stop()
	for event := range changes.ResultChan() {
		if conditions, _, _ := unstructured.NestedSlice(event.Object.(*unstructured.Unstructured).Object, "status", "conditions"); established(conditions) {
			break
		}
	}
	// It is served a moment later.
	for {
		if _, err := client.Resource(boxes).List(always, v1.ListOptions{}); err == nil {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	fmt.Println("established")
}

func established(conditions []any) bool {
	return slices.ContainsFunc(conditions, func(one any) bool {
		condition := one.(map[string]any)
		return condition["type"] == "Established" && condition["status"] == "True"
	})
}

func discovered(config *rest.Config) {
	client, err := discovery.NewDiscoveryClientForConfig(config)
	check(err)
	var lists []*v1.APIResourceList
	for {
		_, lists, err = client.ServerGroupsAndResources()
		check(err)
		if slices.ContainsFunc(lists, func(list *v1.APIResourceList) bool { return list.GroupVersion == old.GroupVersion().String() }) {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	var lines []string
	for _, list := range lists {
		if !isOurs(list.GroupVersion) {
			continue
		}
		for _, one := range list.APIResources {
			lines = append(lines, fmt.Sprintln("serves", list.GroupVersion, one.Name, one.SingularName, one.Kind, one.Namespaced, one.Verbs, one.ShortNames, one.Categories))
		}
	}
	// Groups are asked for at once, in no order.
	slices.Sort(lines)
	fmt.Print(strings.Join(lines, ""))
	groups, err := client.ServerGroups()
	check(err)
	for _, group := range groups.Groups {
		if !isOurs(group.PreferredVersion.GroupVersion) {
			continue
		}
		fmt.Println("prefers", group.PreferredVersion.GroupVersion)
	}
}

// Of the kinds that Kubernetes has built in, one of the servers has more than the other.
func isOurs(groupVersion string) bool {
	group, _, _ := strings.Cut(groupVersion, "/")
	return group == crds.Group || group == boxes.Group
}

func created(all dynamic.ResourceInterface) {
	create := func(what string, object *unstructured.Unstructured) {
		out, err := all.Create(always, object, v1.CreateOptions{FieldValidation: "Strict"})
		say(what, out, err)
	}
	create("a box", box("a", `{"size": 1, "parts": [{"name": "p", "v": 1}]}`))
	create("the same again", box("a", `{"size": 1}`))
	create("one that is too large, under a name that is taken", box("a", `{"size": 10}`))
	create("one with a version, under a name that is taken", with(box("a", `{"size": 1}`), "1", "metadata", "resourceVersion"))
	create("a box with a version", with(box("b", `{"size": 1}`), "1", "metadata", "resourceVersion"))
	create("a box that is too large, with a version", with(box("b", `{"size": 10}`), "1", "metadata", "resourceVersion"))
	create("a box that is too large", box("b", `{"size": 10}`))
	create("a box that breaks a rule", box("b", `{"size": 1, "color": "none"}`))
	create("a box with a wrong type", box("b", `{"size": "large"}`))
	create("a box with an unknown field", box("b", `{"sise": 1}`))
	create("a box without a name", box("", `{}`))
	create("a box with a wrong name", box("B", `{}`))
	elsewhere := box("b", `{}`)
	elsewhere.SetNamespace("elsewhere")
	create("a box of another namespace", elsewhere)
	out, err := all.Create(always, box("b", `{"size": 2, "sise": 1}`), v1.CreateOptions{FieldValidation: "Warn"})
	say("an unknown field, warned of", out, err)
	dry := v1.CreateOptions{DryRun: []string{v1.DryRunAll}}
	out, err = all.Create(always, box("c", `{"size": 3}`), dry)
	say("a dry run", out, err)
	_, err = all.Create(always, box("a", `{"size": 3}`), dry)
	say("a dry run under a name that is taken", nil, err)
	out, err = all.Create(always, with(box("c", `{"size": 3}`), "1", "metadata", "resourceVersion"), dry)
	say("a dry run with a version", out, err)
	_, err = all.Get(always, "c", v1.GetOptions{})
	say("what a dry run left", nil, err)
}

func updated(all dynamic.ResourceInterface) {
	first, err := all.Get(always, "a", v1.GetOptions{})
	say("the box", first, err)
	put := func(what string, object *unstructured.Unstructured) {
		out, err := all.Update(always, object, v1.UpdateOptions{})
		say(what, out, err)
	}
	put("an update", with(first, int64(2), "spec", "size"))
	put("an update of what has changed meanwhile", with(first, int64(3), "spec", "size"))
	put("an update without a version", box("a", `{"size": 4}`))
	put("an update of what is not there", with(box("z", `{"size": 4}`), "1", "metadata", "resourceVersion"))
	now, err := all.Get(always, "a", v1.GetOptions{})
	check(err)
	put("an update that is too large", with(now, int64(40), "spec", "size"))
	put("an update of another object", with(now, "00000000-0000-0000-0000-000000000000", "metadata", "uid"))
	put("an update that changes nothing", now)
	put("an update of the status alone", with(now, true, "status", "ready"))
	out, err := all.UpdateStatus(always, with(with(now, true, "status", "ready"), int64(7), "spec", "size"), v1.UpdateOptions{})
	say("the status, and a size beside it", out, err)
	_, err = all.UpdateStatus(always, with(out, "yes", "status", "ready"), v1.UpdateOptions{})
	say("a wrong status", nil, err)
}

func patched(all dynamic.ResourceInterface) {
	patch := func(kind types.PatchType, name, text string, subresources ...string) {
		out, err := all.Patch(always, name, kind, []byte(text), v1.PatchOptions{}, subresources...)
		say(fmt.Sprint(string(kind), " ", text, " ", subresources), out, err)
	}
	patch(types.MergePatchType, "a", `{"spec": {"size": 5, "color": null}, "metadata": {"labels": {"team": "one"}}}`)
	patch(types.MergePatchType, "a", `{"spec": {"size": 50}}`)
	patch(types.MergePatchType, "a", `{"metadata": {"resourceVersion": "1"}}`)
	patch(types.MergePatchType, "a", `{"status": {"ready": false}, "spec": {"size": 1}}`, "status")
	patch(types.MergePatchType, "z", `{}`)
	patch(types.MergePatchType, "a", `{`)
	patch(types.JSONPatchType, "a", `[{"op": "test", "path": "/spec/size", "value": 5}, {"op": "replace", "path": "/spec/size", "value": 6}]`)
	patch(types.JSONPatchType, "a", `[{"op": "test", "path": "/spec/size", "value": 5}]`)
	patch(types.JSONPatchType, "a", `[{"op": "remove", "path": "/spec/none"}]`)
	patch(types.JSONPatchType, "a", `[{"op": "add", "path": "/spec/parts/-", "value": {"name": "q"}}]`)
	patch(types.JSONPatchType, "a", `[{"op": "add", "path": "/spec/parts/-", "value": {"name": "q"}}]`)
	patch(types.StrategicMergePatchType, "a", `{"spec": {"size": 7}}`)
}

func applied(all dynamic.ResourceInterface) {
	apply := func(manager, name, spec string) {
		out, err := all.Apply(always, name, box(name, spec), v1.ApplyOptions{FieldManager: manager})
		say(manager+" applies "+spec, out, err)
		if err == nil {
			managers := out.GetManagedFields()
			// They are ordered by time, in seconds.
			slices.SortFunc(managers, func(a, b v1.ManagedFieldsEntry) int { return strings.Compare(a.Manager, b.Manager) })
			for _, entry := range managers {
				fmt.Println(" ", entry.Manager, entry.Operation, entry.APIVersion, entry.Subresource, string(entry.FieldsV1.Raw))
			}
		}
	}
	apply("one", "d", `{"size": 1, "parts": [{"name": "p", "v": 1}]}`)
	apply("one", "d", `{"size": 2, "parts": [{"name": "p", "v": 2}, {"name": "q"}]}`)
	apply("two", "d", `{"parts": [{"name": "r"}]}`)
	apply("one", "d", `{"size": 3, "parts": [{"name": "q"}]}`)
	apply("one", "d", `{"size": 30, "parts": [{"name": "q"}]}`)
	apply("", "d", `{}`)
}

func listed(client dynamic.Interface) {
	list := func(what string, of dynamic.ResourceInterface, options v1.ListOptions) {
		found, err := of.List(always, options)
		say(what, nil, err)
		if err == nil {
			for _, one := range found.Items {
				fmt.Println(" ", one.GetAPIVersion(), one.GetKind(), one.GetNamespace(), one.GetName())
			}
		}
	}
	all := client.Resource(boxes)
	elsewhere := box("e", `{"size": 4, "color": "blue"}`)
	elsewhere.SetLabels(map[string]string{"team": "two"})
	// A server of CRDs alone has no namespaces, and asks for none.
	namespace := parsed(`{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "elsewhere"}}`)
	_, err := client.Resource(namespaces).Create(always, namespace, v1.CreateOptions{})
	if !errors.IsNotFound(err) {
		check(err)
	}
	_, err = all.Namespace("elsewhere").Create(always, elsewhere, v1.CreateOptions{})
	check(err)
	list("all boxes", all, v1.ListOptions{})
	list("those of a namespace", all.Namespace("elsewhere"), v1.ListOptions{})
	list("those of a namespace that is not there", all.Namespace("nowhere"), v1.ListOptions{})
	list("of the old version", client.Resource(old), v1.ListOptions{})
	list("of a version that is not there", client.Resource(boxes.GroupResource().WithVersion("v9")), v1.ListOptions{})
	for _, selector := range []string{"team=one", "team!=one", "team", "!team", "team in (one,two)", "team notin (one)"} {
		list(selector, all, v1.ListOptions{LabelSelector: selector})
	}
	for _, selector := range []string{"metadata.name=a", "metadata.name!=a", "metadata.namespace=elsewhere", "spec.color=blue", "spec.size=4"} {
		list(selector, all, v1.ListOptions{FieldSelector: selector})
	}
	options := v1.ListOptions{Limit: 2}
	for {
		page, err := all.List(always, options)
		check(err)
		rest := "none"
		if count := page.GetRemainingItemCount(); count != nil {
			rest = fmt.Sprint(*count)
		}
		fmt.Println("a page of", len(page.Items), "behind it", rest)
		if options.Continue = page.GetContinue(); options.Continue == "" {
			break
		}
	}
}

func watched(client dynamic.Interface) {
	all := client.Resource(boxes).Namespace("default")
	list, err := all.List(always, v1.ListOptions{})
	check(err)
	changes, err := all.Watch(always, v1.ListOptions{ResourceVersion: list.GetResourceVersion()})
	check(err)
	labelled, err := all.Watch(always, v1.ListOptions{ResourceVersion: list.GetResourceVersion(), LabelSelector: "watched"})
	check(err)
	_, err = all.Create(always, box("w", `{"size": 1}`), v1.CreateOptions{})
	check(err)
	patch := func(text string) {
		_, err := all.Patch(always, "w", types.MergePatchType, []byte(text), v1.PatchOptions{})
		check(err)
	}
	patch(`{"metadata": {"labels": {"watched": ""}}}`)
	patch(`{"spec": {"size": 2}}`)
	patch(`{"metadata": {"labels": {"watched": null}}}`)
	check(all.Delete(always, "w", v1.DeleteOptions{}))
	events("changes", changes, 5)
	events("changes of what has a label", labelled, 3)
}

func events(what string, from watch.Interface, count int) {
	defer from.Stop()
	fmt.Println(what)
	late := time.After(10 * time.Second)
	for range count {
		select {
		case event := <-from.ResultChan():
			object, ok := event.Object.(*unstructured.Unstructured)
			if !ok {
				fmt.Println(" ", event.Type, event.Object)
				return
			}
			size, _, _ := unstructured.NestedInt64(object.Object, "spec", "size")
			fmt.Println(" ", event.Type, object.GetName(), size, object.GetGeneration())
		case <-late:
			fmt.Println("  nothing more")
			return
		}
	}
}

func deleted(all dynamic.ResourceInterface) {
	remove := func(what, name string, options v1.DeleteOptions) { say(what, nil, all.Delete(always, name, options)) }
	uid, version := types.UID("00000000-0000-0000-0000-000000000000"), "1"
	remove("another one of its name goes", "a", v1.DeleteOptions{Preconditions: &v1.Preconditions{UID: &uid}})
	remove("an earlier state of it goes", "a", v1.DeleteOptions{Preconditions: &v1.Preconditions{ResourceVersion: &version}})
	remove("it would go", "a", v1.DeleteOptions{DryRun: []string{v1.DryRunAll}})
	_, err := all.Patch(always, "a", types.MergePatchType, []byte(`{"metadata": {"finalizers": ["example.com/wait"]}}`), v1.PatchOptions{})
	check(err)
	remove("it goes", "a", v1.DeleteOptions{})
	remove("it goes again", "a", v1.DeleteOptions{})
	waiting, err := all.Get(always, "a", v1.GetOptions{})
	say("it waits", waiting, err)
	out, err := all.Patch(always, "a", types.MergePatchType, []byte(`{"metadata": {"finalizers": ["example.com/wait", "example.com/more"]}}`), v1.PatchOptions{})
	say("a finalizer more", out, err)
	_, err = all.Patch(always, "a", types.MergePatchType, []byte(`{"metadata": {"finalizers": null}}`), v1.PatchOptions{})
	say("it need not wait", nil, err)
	_, err = all.Get(always, "a", v1.GetOptions{})
	say("it has gone", nil, err)
	remove("what is not there goes", "a", v1.DeleteOptions{})
	say("all go", nil, all.DeleteCollection(always, v1.DeleteOptions{}, v1.ListOptions{}))
	left, err := all.List(always, v1.ListOptions{})
	check(err)
	fmt.Println("left:", len(left.Items))
}

func informed(client dynamic.Interface) {
	factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(client, 0, "default", nil)
	informer := factory.ForResource(boxes).Informer()
	seen := make(chan string, 10)
	note := func(what string) func(any) {
		return func(object any) { seen <- what + " " + object.(v1.Object).GetName() }
	}
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    note("added"),
		UpdateFunc: func(_, now any) { note("updated")(now) },
		DeleteFunc: note("deleted"),
	})
	check(err)
	all := client.Resource(boxes).Namespace("default")
	_, err = all.Create(always, box("i", `{}`), v1.CreateOptions{})
	check(err)
	stop := make(chan struct{})
	defer close(stop)
	factory.Start(stop)
	factory.WaitForCacheSync(stop)
	fmt.Println("an informer has", informer.GetStore().ListKeys(), <-seen)
	_, err = all.Patch(always, "i", types.MergePatchType, []byte(`{"spec": {"size": 2}}`), v1.PatchOptions{})
	check(err)
	fmt.Println(" ", <-seen)
	check(all.Delete(always, "i", v1.DeleteOptions{}))
	fmt.Println(" ", <-seen)
}

func box(name, spec string) *unstructured.Unstructured {
	object := parsed(`{"apiVersion": "example.com/v1", "kind": "Box", "metadata": {}, "spec": ` + spec + `}`)
	if name != "" {
		object.SetName(name)
	}
	return object
}

func parsed(text string) *unstructured.Unstructured {
	object := &unstructured.Unstructured{}
	check(object.UnmarshalJSON([]byte(text)))
	return object
}

func with(object *unstructured.Unstructured, value any, path ...string) *unstructured.Unstructured {
	changed := object.DeepCopy()
	check(unstructured.SetNestedField(changed.Object, value, path...))
	return changed
}

// What was asked and what came of it: an object, or how it was refused.
func say(what string, object *unstructured.Unstructured, err error) {
	fmt.Println(what)
	if err == nil {
		if object != nil {
			fmt.Println("  " + lasting(object))
		}
		return
	}
	status, ok := err.(errors.APIStatus)
	if !ok {
		fmt.Println("  " + err.Error())
		return
	}
	said := status.Status()
	fmt.Println(" ", said.Code, said.Reason, times.ReplaceAllString(said.Message, "TIME"))
	if said.Details != nil {
		fmt.Println("  of", said.Details.Group, said.Details.Kind, said.Details.Name)
		for _, cause := range said.Details.Causes {
			fmt.Println("  cause", cause.Type, cause.Field, times.ReplaceAllString(cause.Message, "TIME"))
		}
	}
}

var times = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ|[0-9a-f]{8}-[0-9a-f-]{27}|\(\d+\)`)

func lasting(object *unstructured.Unstructured) string {
	shown := object.DeepCopy()
	unstructured.RemoveNestedField(shown.Object, "metadata", "managedFields")
	unstructured.RemoveNestedField(shown.Object, "metadata", "resourceVersion")
	text, err := json.Marshal(shown.Object)
	check(err)
	return times.ReplaceAllString(string(text), "TIME")
}

type warnings struct{}

func (warnings) HandleWarningHeader(code int, _ string, text string) {
	fmt.Println("warning:", code, text)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
