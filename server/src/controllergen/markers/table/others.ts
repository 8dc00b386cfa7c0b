/** The markers of controller-gen's other generators, and of other programs: nothing of them gets into a CRD. */
import type { ArgumentType, MarkerDefinition, MarkerReader, MarkerTarget } from '../model.ts';
import { flag, integer, one, optional, required, text, texts } from './arguments.ts';

const onOff = one(flag, '`true` or `false`.', { values: ['true', 'false'] });
const raw: ArgumentType = { kind: 'raw' };
const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', '*'];

type About = Pick<MarkerDefinition, 'doc' | 'becomes' | 'arguments'> & Partial<MarkerDefinition>;

function row(reader: MarkerReader, name: string, target: MarkerTarget, about: About): MarkerDefinition {
  return { name, targets: [target], reader, ...about };
}

const bool = ['true', 'false'];

export const otherMarkers: readonly MarkerDefinition[] = [
  row('object', 'kubebuilder:object:root', 'type', {
    doc: 'Objects of this type have a kind of their own: the type gets the methods of `runtime.Object`.',
    becomes: 'a `DeepCopyObject` method',
    arguments: onOff,
  }),
  row('object', 'kubebuilder:object:generate', 'package', {
    doc: 'Whether the types of the package get methods that copy them.',
    becomes: '`DeepCopy` and `DeepCopyInto` methods',
    arguments: onOff,
  }),
  row('object', 'kubebuilder:object:generate', 'type', {
    doc: 'Whether the type gets methods that copy it, whatever is said of the package.',
    becomes: '`DeepCopy` and `DeepCopyInto` methods',
    arguments: onOff,
  }),
  row('object', 'k8s:deepcopy-gen', 'package', {
    doc: 'Whether the types of the package get methods that copy them: `package` for all of them.',
    becomes: '`DeepCopy` and `DeepCopyInto` methods',
    arguments: one(raw, '`package`, and `register`.', { values: ['package'] }),
  }),
  row('object', 'k8s:deepcopy-gen', 'type', {
    doc: 'Whether the type gets methods that copy it.',
    becomes: '`DeepCopy` and `DeepCopyInto` methods',
    arguments: one(raw, '`true` or `false`.', { values: bool }),
  }),
  row('object', 'k8s:deepcopy-gen:interfaces', 'type', {
    doc: 'The interfaces whose method of copying the type gets.',
    becomes: 'a `DeepCopyObject` method',
    repeats: true,
    arguments: one(text, 'A package and an interface.', { values: ['k8s.io/apimachinery/pkg/runtime.Object'] }),
  }),
  row('rbac', 'kubebuilder:rbac', 'package', {
    doc: 'What the program may do in the cluster. It belongs in a comment of its own: in the comment of a function it is ignored.',
    becomes: 'a rule of a Role or ClusterRole',
    repeats: true,
    arguments: [
      optional('groups', texts, 'API groups; `""` is the core group.'),
      optional('resources', texts, 'Plurals, with a subresource behind a slash.'),
      optional('resourceNames', texts, 'Names of objects, if not all.'),
      required('verbs', texts, 'What may be done, separated by semicolons.', { values: verbs }),
      optional('urls', texts, 'Paths that are not resources.'),
      optional('namespace', text, 'The namespace of the Role; without one it is a ClusterRole.'),
      optional('roleName', text, 'The name of the role. Since controller-gen 0.21.'),
    ],
  }),
  row('webhook', 'kubebuilder:webhook', 'package', {
    doc: 'A webhook for admission that the program serves.',
    becomes: 'a webhook of a ValidatingWebhookConfiguration or MutatingWebhookConfiguration',
    repeats: true,
    arguments: [
      required('mutating', flag, 'Whether it may change objects.', { values: bool }),
      required('failurePolicy', text, 'What happens when the webhook cannot be reached.', {
        values: ['fail', 'ignore'],
      }),
      optional('matchPolicy', text, 'Whether other versions of a resource count too.', {
        values: ['Equivalent', 'Exact'],
      }),
      optional('sideEffects', text, 'Whether a call changes anything else.', {
        values: ['None', 'NoneOnDryRun', 'Some', 'Unknown'],
      }),
      optional('timeoutSeconds', integer, 'How long the API server waits, from 1 to 30.'),
      required('groups', texts, 'API groups.'),
      required('resources', texts, 'Plurals.'),
      required('verbs', texts, 'The operations.', { values: ['create', 'update', 'delete', 'connect', '*'] }),
      required('versions', texts, 'API versions.'),
      required('name', text, 'A DNS name with three parts.'),
      optional('serviceName', text, 'The service, `webhook-service` unless given.'),
      optional('serviceNamespace', text, 'Its namespace, `system` unless given.'),
      optional('path', text, 'The path it is served at.'),
      optional('servicePort', integer, 'The port of the service.'),
      optional('webhookVersions', texts, 'Only `v1` is supported.', { values: ['v1'] }),
      required('admissionReviewVersions', texts, 'The versions of AdmissionReview that it knows.', { values: ['v1'] }),
      optional('reinvocationPolicy', text, 'Whether it is called again after others.', {
        values: ['Never', 'IfNeeded'],
      }),
      optional('url', text, 'An address instead of a service.'),
      optional('patch', text, 'A strategic merge patch of the result, as JSON. Since controller-gen 0.22.'),
    ],
  }),
  row('webhook', 'kubebuilder:webhookconfiguration', 'package', {
    doc: 'The configuration that webhooks of the package get into.',
    since: '0.17',
    becomes: 'a ValidatingWebhookConfiguration or MutatingWebhookConfiguration',
    repeats: true,
    arguments: [required('mutating', flag, 'Which of the two.', { values: bool }), optional('name', text, 'Its name.')],
  }),
  row('applyconfiguration', 'kubebuilder:ac:generate', 'package', {
    doc: 'Whether apply configurations are generated for the package.',
    since: '0.18',
    becomes: 'Go code',
    arguments: onOff,
  }),
  row('applyconfiguration', 'kubebuilder:ac:generate', 'type', {
    doc: 'Whether an apply configuration is generated for the type.',
    since: '0.18',
    becomes: 'Go code',
    arguments: onOff,
  }),
  row('applyconfiguration', 'kubebuilder:ac:output:package', 'package', {
    doc: 'The folder that apply configurations are written to.',
    since: '0.18',
    becomes: 'Go code',
    arguments: one(text, 'A path relative to the API folder.'),
  }),
];

/** Markers that other generators of Kubernetes read, so that they are not taken for misspelled ones. */
export const foreignMarkers: ReadonlySet<string> = new Set([
  'build',
  'enum',
  'featureGate',
  'genclient',
  'genclient:method',
  'genclient:noStatus',
  'genclient:noVerbs',
  'genclient:nonNamespaced',
  'genclient:onlyVerbs',
  'genclient:skipVerbs',
  'genclient:Namespaced',
  'genregister',
  'gencopy',
  'gengo',
  'groupGoName',
  'k8s:client-gen',
  'k8s:conversion-fn',
  'k8s:conversion-gen',
  'k8s:conversion-gen-external-types',
  'k8s:deepcopy-gen:nonpointer-interfaces',
  'k8s:defaulter-gen',
  'k8s:defaulter-gen-input',
  'k8s:openapi-gen',
  'k8s:openapi-model-package',
  'k8s:prerelease-lifecycle-gen',
  'k8s:protobuf-gen',
  'k8s:register-gen',
  'k8s:validation-gen',
  'k8s:validation-gen-input',
  'k8s:validation-gen-nolint',
  'k8s:validation-gen-scheme-registry',
  'k8s:validation-gen-test-fixture',
  'patchMergeKey',
  'patchStrategy',
  'protobuf',
  'resource',
  'resourceName',
  'subresource',
  'union',
  'unionDeprecated',
  'unionDiscriminator',
  'unionMember',
]);
