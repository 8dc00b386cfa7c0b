package main

import (
	_ "unsafe" // for the one step of a Service that no strategy has

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kube-aggregator/pkg/apis/apiregistration/install"
	aggregated "k8s.io/kube-aggregator/pkg/registry/apiservice"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	apiservice "k8s.io/kubernetes/pkg/api/service"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	"k8s.io/kubernetes/pkg/apis/batch"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/coordination/install"
	api "k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/discovery/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/node/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
	"k8s.io/kubernetes/pkg/capabilities"
	"k8s.io/kubernetes/pkg/registry/apps/controllerrevision"
	"k8s.io/kubernetes/pkg/registry/apps/daemonset"
	"k8s.io/kubernetes/pkg/registry/apps/deployment"
	"k8s.io/kubernetes/pkg/registry/apps/replicaset"
	"k8s.io/kubernetes/pkg/registry/apps/statefulset"
	"k8s.io/kubernetes/pkg/registry/autoscaling/horizontalpodautoscaler"
	"k8s.io/kubernetes/pkg/registry/batch/cronjob"
	"k8s.io/kubernetes/pkg/registry/batch/job"
	"k8s.io/kubernetes/pkg/registry/coordination/lease"
	"k8s.io/kubernetes/pkg/registry/core/configmap"
	"k8s.io/kubernetes/pkg/registry/core/endpoint"
	"k8s.io/kubernetes/pkg/registry/core/limitrange"
	"k8s.io/kubernetes/pkg/registry/core/namespace"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolume"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim"
	"k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/pkg/registry/core/podtemplate"
	"k8s.io/kubernetes/pkg/registry/core/replicationcontroller"
	"k8s.io/kubernetes/pkg/registry/core/resourcequota"
	"k8s.io/kubernetes/pkg/registry/core/secret"
	"k8s.io/kubernetes/pkg/registry/core/service"
	servicestorage "k8s.io/kubernetes/pkg/registry/core/service/storage"
	"k8s.io/kubernetes/pkg/registry/core/serviceaccount"
	"k8s.io/kubernetes/pkg/registry/discovery/endpointslice"
	"k8s.io/kubernetes/pkg/registry/networking/ingress"
	"k8s.io/kubernetes/pkg/registry/networking/ingressclass"
	"k8s.io/kubernetes/pkg/registry/networking/networkpolicy"
	"k8s.io/kubernetes/pkg/registry/node/runtimeclass"
	"k8s.io/kubernetes/pkg/registry/policy/poddisruptionbudget"
	"k8s.io/kubernetes/pkg/registry/rbac/clusterrole"
	"k8s.io/kubernetes/pkg/registry/rbac/clusterrolebinding"
	"k8s.io/kubernetes/pkg/registry/rbac/role"
	"k8s.io/kubernetes/pkg/registry/rbac/rolebinding"
	"k8s.io/kubernetes/pkg/registry/scheduling/priorityclass"
	"k8s.io/kubernetes/pkg/registry/storage/csidriver"
	"k8s.io/kubernetes/pkg/registry/storage/storageclass"

	"oracle/builtin"
)

// kindStrategies are kube-apiserver's own, by kind.
var kindStrategies = map[string]storedStrategy{
	"APIService":              aggregated.NewStrategy(legacyscheme.Scheme),
	"CSIDriver":               csidriver.Strategy,
	"ClusterRole":             clusterrole.Strategy,
	"ClusterRoleBinding":      clusterrolebinding.Strategy,
	"ConfigMap":               configmap.Strategy,
	"ControllerRevision":      controllerrevision.Strategy,
	"CronJob":                 cronjob.Strategy,
	"DaemonSet":               daemonset.Strategy,
	"Deployment":              deployment.Strategy,
	"EndpointSlice":           endpointslice.Strategy,
	"Endpoints":               endpoint.Strategy,
	"HorizontalPodAutoscaler": horizontalpodautoscaler.Strategy,
	"Ingress":                 ingress.Strategy,
	"IngressClass":            ingressclass.Strategy,
	"Job":                     job.Strategy,
	"Lease":                   lease.Strategy,
	"LimitRange":              limitrange.Strategy,
	"Namespace":               namespace.Strategy,
	"NetworkPolicy":           networkpolicy.Strategy,
	"PersistentVolume":        persistentvolume.Strategy,
	"PersistentVolumeClaim":   persistentvolumeclaim.Strategy,
	"Pod":                     pod.Strategy,
	"PodDisruptionBudget":     poddisruptionbudget.Strategy,
	"PodTemplate":             podtemplate.Strategy,
	"PriorityClass":           priorityclass.Strategy,
	"ReplicaSet":              replicaset.Strategy,
	"ReplicationController":   replicationcontroller.Strategy,
	"ResourceQuota":           resourcequota.Strategy,
	"Role":                    role.Strategy,
	"RoleBinding":             rolebinding.Strategy,
	"RuntimeClass":            runtimeclass.Strategy,
	"Secret":                  secret.Strategy,
	"Service":                 service.Strategy,
	"ServiceAccount":          serviceaccount.Strategy,
	"StatefulSet":             statefulset.Strategy,
	"StorageClass":            storageclass.Strategy,
}

// The aggregation layer has a scheme of its own, which is added here. Whether containers may be privileged is a flag of the
// server, which clusters mostly give.
func init() {
	install.Install(legacyscheme.Scheme)
	capabilities.Initialize(capabilities.Capabilities{AllowPrivileged: true})
}

//go:linkname normalizeClusterIPs k8s.io/kubernetes/pkg/registry/core/service/storage.normalizeClusterIPs
func normalizeClusterIPs(after servicestorage.After, before servicestorage.Before)

//go:linkname patchAllocatedValues k8s.io/kubernetes/pkg/registry/core/service/storage.patchAllocatedValues
func patchAllocatedValues(after servicestorage.After, before servicestorage.Before)

// builtinValidate says what the server says of a new object of a built-in kind, or of one that replaces an old one:
// decoded, with defaults, by its kind's strategy. Admission plugins and what is allocated are not asked.
func builtinValidate(req *ask) *answer {
	a := &answer{}
	data, _ := body(req.Obj, req.Format)
	if a.Decode, a.Strict = builtin.Decode(data); a.Decode != "" {
		return a
	}
	obj, kind, err := decodeBuiltin(data)
	if err != nil {
		return &answer{Decode: err.Error()}
	}
	strategy, ok := kindStrategies[kind.Kind]
	if !ok {
		return &answer{Panic: "no strategy for " + kind.Kind}
	}
	meta := obj.(metav1.Object)
	namespace := ""
	if strategy.NamespaceScoped() {
		if namespace = meta.GetNamespace(); namespace == "" {
			namespace = metav1.NamespaceDefault
			meta.SetNamespace(namespace)
		}
	}
	ctx, w := requestContext(namespace, &request.RequestInfo{APIGroup: kind.Group, APIVersion: kind.Version})
	mergeOwners(w, meta)
	if len(req.Old) == 0 {
		rest.WipeObjectMetaSystemFields(meta)
		rest.FillObjectMetaSystemFields(meta)
		name(meta)
		if service, ok := obj.(*api.Service); ok {
			normalizeClusterIPs(servicestorage.After{Service: service}, servicestorage.Before{})
			allocate(service)
		}
		refuse(a, rest.BeforeCreate(strategy, ctx, obj))
		a.Warnings = w.texts
		return a
	}
	data, _ = body(req.Old, req.Format)
	old, _, err := decodeBuiltin(data)
	if err != nil {
		return &answer{Decode: "old: " + err.Error()}
	}
	before := old.(metav1.Object)
	before.SetNamespace(namespace)
	if service, ok := old.(*api.Service); ok {
		normalizeClusterIPs(servicestorage.After{Service: service}, servicestorage.Before{})
		allocate(service)
		giveAddress(service)
		after, stored := servicestorage.After{Service: obj.(*api.Service)}, servicestorage.Before{Service: service}
		keepAddresses(after.Service, service)
		normalizeClusterIPs(after, stored)
		patchAllocatedValues(after, stored)
	}
	before.SetUID(types.UID("00000000-0000-0000-0000-000000000001"))
	strategy.PrepareForCreate(ctx, old)
	before.SetResourceVersion("1")
	before.SetCreationTimestamp(metav1.Unix(1, 0))
	meta.SetUID(before.GetUID())
	meta.SetResourceVersion(before.GetResourceVersion())
	if _, ok := obj.(*batch.Job); ok {
		strategy.PrepareForCreate(ctx, obj) // an applied job keeps the selector and the labels that it got
	}
	refuse(a, rest.BeforeUpdate(strategy, ctx, obj, old))
	return a
}

// allocate gives a service the port that the server would find for it, which validation asks for.
func allocate(service *api.Service) {
	if apiservice.NeedsHealthCheck(service) && service.Spec.HealthCheckNodePort == 0 {
		service.Spec.HealthCheckNodePort = 30000
	}
}

// giveAddress gives a stored service the address that the server would have found for it.
func giveAddress(service *api.Service) {
	if service.Spec.Type != api.ServiceTypeExternalName && len(service.Spec.ClusterIPs) == 0 {
		service.Spec.ClusterIP = "10.96.255.254"
		service.Spec.ClusterIPs = []string{service.Spec.ClusterIP}
	}
}

// keepAddresses keeps what is not said, as a service that is applied does.
func keepAddresses(service, stored *api.Service) {
	if service.Spec.ClusterIP == "" {
		service.Spec.ClusterIP = stored.Spec.ClusterIP
	}
	if len(service.Spec.ClusterIPs) == 0 {
		service.Spec.ClusterIPs = stored.Spec.ClusterIPs
	}
}

// decodeBuiltin gives the internal object, with defaults.
func decodeBuiltin(data []byte) (runtime.Object, *schema.GroupVersionKind, error) {
	obj, kind, err := legacyscheme.Codecs.UniversalDeserializer().Decode(data, nil, nil)
	if err != nil {
		return nil, nil, err
	}
	legacyscheme.Scheme.Default(obj)
	internal, err := legacyscheme.Scheme.ConvertToVersion(obj, schema.GroupVersion{Group: kind.Group, Version: runtime.APIVersionInternal})
	if err != nil {
		return nil, nil, err
	}
	internal.(metav1.Object).SetManagedFields(nil) // the handlers replace it before anything is validated
	return internal, kind, nil
}
