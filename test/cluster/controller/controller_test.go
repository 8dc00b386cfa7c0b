// Package controller has a controller as people write them with controller-runtime, and tests it against
// `kube-crd serve`: a reconciler, leader election, events, finalizers, an owned object of a built-in kind, and webhooks.
package controller

import (
	"context"
	"errors"
	"log"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	envtestkubecrd "github.com/kube-crd/kube-crd/go/envtest-kube-crd"
)

type ShelfSpec struct {
	Boards int    `json:"boards,omitempty"`
	Color  string `json:"color,omitempty"`
}

type ShelfStatus struct {
	Boards int `json:"boards,omitempty"`
}

type Shelf struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ShelfSpec   `json:"spec,omitempty"`
	Status            ShelfStatus `json:"status,omitempty"`
}

func (s *Shelf) DeepCopyObject() runtime.Object {
	out := *s
	s.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return &out
}

type ShelfList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Shelf `json:"items"`
}

func (l *ShelfList) DeepCopyObject() runtime.Object {
	out := *l
	out.Items = append([]Shelf{}, l.Items...)
	return &out
}

var groupVersion = schema.GroupVersion{Group: "example.com", Version: "v1"}

const finalizer = "example.com/shelf"

// reconciler keeps a ConfigMap for each shelf, and lets a shelf go once it has seen that it is to go.
type reconciler struct {
	client.Client
	events interface {
		Eventf(regarding, related runtime.Object, eventtype, reason, action, note string, args ...any)
	}
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	shelf := &Shelf{}
	if err := r.Get(ctx, request.NamespacedName, shelf); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !shelf.DeletionTimestamp.IsZero() {
		if controllerutil.RemoveFinalizer(shelf, finalizer) {
			return ctrl.Result{}, r.Update(ctx, shelf)
		}
		return ctrl.Result{}, nil
	}
	if controllerutil.AddFinalizer(shelf, finalizer) {
		return ctrl.Result{}, r.Update(ctx, shelf)
	}
	plan := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: shelf.Name, Namespace: shelf.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, plan, func() error {
		plan.Data = map[string]string{"color": shelf.Spec.Color}
		return controllerutil.SetControllerReference(shelf, plan, r.Scheme())
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	if shelf.Status.Boards == shelf.Spec.Boards {
		return ctrl.Result{}, nil
	}
	before := client.MergeFrom(shelf.DeepCopyObject().(*Shelf))
	shelf.Status.Boards = shelf.Spec.Boards
	r.events.Eventf(shelf, nil, corev1.EventTypeNormal, "Built", "Build", "%d boards", shelf.Spec.Boards)
	return ctrl.Result{}, r.Status().Patch(ctx, shelf, before)
}

// painter is the webhooks of shelves: it gives them a color, and refuses some.
type painter struct{}

func (painter) Default(_ context.Context, shelf *Shelf) error {
	if shelf.Spec.Color == "" {
		shelf.Spec.Color = "white"
	}
	return nil
}

func (painter) ValidateCreate(_ context.Context, shelf *Shelf) (admission.Warnings, error) {
	if shelf.Spec.Color == "black" {
		return nil, errors.New("no black shelves")
	}
	return admission.Warnings{"a new shelf"}, nil
}

func (painter) ValidateUpdate(_ context.Context, _, _ *Shelf) (admission.Warnings, error) {
	return nil, nil
}

func (painter) ValidateDelete(_ context.Context, _ *Shelf) (admission.Warnings, error) {
	return nil, nil
}

// hook says which requests a webhook of shelves is for, as a chart would say it.
func hook(path string, operations ...admissionv1.OperationType) (
	string, admissionv1.WebhookClientConfig, []admissionv1.RuleWithOperations, *admissionv1.SideEffectClass,
) {
	none := admissionv1.SideEffectClassNone
	service := &admissionv1.ServiceReference{Name: "shelves", Namespace: "default", Path: &path}
	rule := admissionv1.Rule{APIGroups: []string{"example.com"}, APIVersions: []string{"v1"}, Resources: []string{"shelves"}}
	rules := []admissionv1.RuleWithOperations{{Operations: operations, Rule: rule}}
	return "shelves.example.com", admissionv1.WebhookClientConfig{Service: service}, rules, &none
}

func webhooks() envtest.WebhookInstallOptions {
	mutating := admissionv1.MutatingWebhook{AdmissionReviewVersions: []string{"v1"}}
	mutating.Name, mutating.ClientConfig, mutating.Rules, mutating.SideEffects = hook("/mutate-example-com-v1-shelf", "CREATE")
	validating := admissionv1.ValidatingWebhook{AdmissionReviewVersions: []string{"v1"}}
	validating.Name, validating.ClientConfig, validating.Rules, validating.SideEffects = hook("/validate-example-com-v1-shelf", "CREATE")
	return envtest.WebhookInstallOptions{
		MutatingWebhooks: []*admissionv1.MutatingWebhookConfiguration{{
			ObjectMeta: metav1.ObjectMeta{Name: "shelves"}, Webhooks: []admissionv1.MutatingWebhook{mutating},
		}},
		ValidatingWebhooks: []*admissionv1.ValidatingWebhookConfiguration{{
			ObjectMeta: metav1.ObjectMeta{Name: "shelves"}, Webhooks: []admissionv1.ValidatingWebhook{validating},
		}},
	}
}

var (
	config  *rest.Config
	scheme  = runtime.NewScheme()
	serving *envtest.WebhookInstallOptions
	cluster client.Client
)

func TestMain(m *testing.M) {
	ctrl.SetLogger(zap.New(zap.UseDevMode(true)))
	must(clientgoscheme.AddToScheme(scheme))
	scheme.AddKnownTypes(groupVersion, &Shelf{}, &ShelfList{})
	metav1.AddToGroupVersion(scheme, groupVersion)
	server, err := envtestkubecrd.Start()
	must(err)
	config = &rest.Config{
		Host:            server.Address,
		BearerToken:     server.Token,
		TLSClientConfig: rest.TLSClientConfig{CAData: []byte(server.CertificateAuthority)},
	}
	// CRDs are installed as envtest does it in a cluster that is there.
	existing := true
	environment := envtest.Environment{
		UseExistingCluster: &existing,
		Config:             config,
		CRDDirectoryPaths:  []string{"crd.yaml"},
		// Services become addresses on this machine.
		WebhookInstallOptions: webhooks(),
	}
	_, err = environment.Start()
	must(err)
	serving = &environment.WebhookInstallOptions
	cluster, err = client.New(config, client.Options{Scheme: scheme})
	must(err)
	code := m.Run()
	must(environment.Stop())
	server.Stop()
	os.Exit(code)
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func start(t *testing.T) context.Context {
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:  scheme,
		Metrics: metricsserver.Options{BindAddress: "0"},
		WebhookServer: webhook.NewServer(webhook.Options{
			Host: serving.LocalServingHost, Port: serving.LocalServingPort, CertDir: serving.LocalServingCertDir,
		}),
		LeaderElection:                true,
		LeaderElectionID:              "shelves.example.com",
		LeaderElectionNamespace:       "default",
		LeaderElectionReleaseOnCancel: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	shelves := &reconciler{Client: manager.GetClient(), events: manager.GetEventRecorder("shelves")}
	err = ctrl.NewControllerManagedBy(manager).For(&Shelf{}).Owns(&corev1.ConfigMap{}).Complete(shelves)
	if err != nil {
		t.Fatal(err)
	}
	err = ctrl.NewWebhookManagedBy(manager, &Shelf{}).WithDefaulter(painter{}).WithValidator(painter{}).Complete()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- manager.Start(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return ctx
}

// eventually waits for what a controller does.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if is() {
			return
		}
	}
	t.Fatal("never: " + what)
}

func TestAControllerRuns(t *testing.T) {
	ctx := start(t)
	shelf := &Shelf{ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: "default"}, Spec: ShelfSpec{Color: "red"}}
	eventually(t, "the webhooks answer", func() bool { return cluster.Create(ctx, shelf) == nil })
	key := client.ObjectKeyFromObject(shelf)
	eventually(t, "the status is written", func() bool {
		return cluster.Get(ctx, key, shelf) == nil && shelf.Status.Boards == 3
	})
	plan := &corev1.ConfigMap{}
	if err := cluster.Get(ctx, key, plan); err != nil || plan.Data["color"] != "red" || !metav1.IsControlledBy(plan, shelf) {
		t.Fatal(err, plan)
	}
	eventually(t, "the event is there", func() bool {
		events := &corev1.EventList{}
		if cluster.List(ctx, events, client.InNamespace("default")) != nil {
			return false
		}
		return slices.ContainsFunc(events.Items, func(e corev1.Event) bool {
			return e.Message == "3 boards" && e.InvolvedObject.Name == "a"
		})
	})
	if err := cluster.Delete(ctx, plan); err != nil {
		t.Fatal(err)
	}
	eventually(t, "what is owned is made again", func() bool { return cluster.Get(ctx, key, plan) == nil })
	shelf.Spec.Color = "blue"
	if err := cluster.Update(ctx, shelf); err != nil {
		t.Fatal(err)
	}
	eventually(t, "a change arrives", func() bool {
		return cluster.Get(ctx, key, plan) == nil && plan.Data["color"] == "blue"
	})
	if err := cluster.Delete(ctx, shelf); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it goes once its finalizer has gone", func() bool {
		return apierrors.IsNotFound(cluster.Get(ctx, key, shelf))
	})
	black := &Shelf{ObjectMeta: metav1.ObjectMeta{Name: "c", Namespace: "default"}, Spec: ShelfSpec{Color: "black"}}
	if err := cluster.Create(ctx, black); !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), "no black shelves") {
		t.Fatal(err)
	}
	plain := &Shelf{ObjectMeta: metav1.ObjectMeta{Name: "d", Namespace: "default"}}
	if err := cluster.Create(ctx, plain); err != nil || plain.Spec.Color != "white" {
		t.Fatal(err, plain.Spec)
	}
	refused := &Shelf{ObjectMeta: metav1.ObjectMeta{Name: "b", Namespace: "default"}, Spec: ShelfSpec{Boards: -1}}
	if err := cluster.Create(ctx, refused); !apierrors.IsInvalid(err) {
		t.Fatal(err)
	}
}
