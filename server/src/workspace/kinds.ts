import { memo } from '../base/memo.ts';
import { isMap } from '../base/value.ts';
import { globOf } from './glob.ts';
import { type Manifest, metadataOf, splitApiVersion } from './manifest.ts';
import type { FetchSource } from './sources/lock.ts';

/**
 * Who reads the objects of a kind: Kubernetes' own servers, those that something else adds to the API, a program on the machine where
 * the file is, or, as with every other kind, an API server that has a CRD for it.
 */
export type Reader = 'kubernetes' | 'added-server' | 'program' | 'crd';

/**
 * The groups with a dot that Kubernetes serves itself, or once did, or whose objects it sends. Others that end in `.k8s.io`, such as
 * `gateway.networking.k8s.io`, come with CRDs.
 */
const builtinGroups: ReadonlySet<string> = new Set([
  'admission.k8s.io',
  'admissionregistration.k8s.io',
  'apidiscovery.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'authentication.k8s.io',
  'auditregistration.k8s.io',
  'authorization.k8s.io',
  'certificates.k8s.io',
  'coordination.k8s.io',
  'custom.metrics.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  'external.metrics.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'imagepolicy.k8s.io',
  'internal.apiserver.k8s.io',
  'metrics.k8s.io',
  'networking.k8s.io',
  'node.k8s.io',
  'rbac.authorization.k8s.io',
  'resource.k8s.io',
  'scheduling.k8s.io',
  'settings.k8s.io',
  'storage.k8s.io',
  'storagemigration.k8s.io',
]);

/** Groups that an API server of its own serves (an APIService of Kubernetes names it), so that there is no CRD to be had. */
const addedGroups: ReadonlySet<string> = new Set([
  // OpenShift's. Routes, quotas and security constraints have CRDs, as restrictions of role bindings do.
  'apps.openshift.io',
  'authorization.openshift.io',
  'build.openshift.io',
  'image.openshift.io',
  'oauth.openshift.io',
  'project.openshift.io',
  'template.openshift.io',
  'user.openshift.io',
  // kapp-controller's, OLM's and KubeVirt's.
  'data.packaging.carvel.dev',
  'packages.operators.coreos.com',
  'subresources.kubevirt.io',
  'upload.cdi.kubevirt.io',
]);

/** What has a CRD in one of these groups. */
const besideAdded: ReadonlySet<string> = new Set(['authorization.openshift.io RoleBindingRestriction']);

/** Groups of files for programs, which look like objects: no API server ever sees them. */
const programGroups: ReadonlySet<string> = new Set([
  // Kubernetes' own programs and their configuration.
  'abac.authorization.kubernetes.io',
  'audit.k8s.io',
  'client.authentication.k8s.io',
  'config.kubernetes.io',
  'config.kueue.x-k8s.io',
  'controller-runtime.sigs.k8s.io',
  'credentialprovider.kubelet.k8s.io',
  'eventratelimit.admission.k8s.io',
  'kind.x-k8s.io',
  'krew.googlecontainertools.github.com',
  'kubeadm.k8s.io',
  'kustomize.config.k8s.io',
  // Tests.
  'chainsaw.kyverno.io',
  'cli.kyverno.io',
  'kuttl.dev',
  'scorecard.operatorframework.io',
  'test.gatekeeper.sh',
  // Generators, packages and machines.
  'backstage.io',
  'eksctl.io',
  'fn.kpt.dev',
  'garden.io',
  'imgpkg.carvel.dev',
  'ctlptl.dev',
  'holodeck.nvidia.com',
  'install.istio.io',
  'k0sctl.k0sproject.io',
  'k3d.io',
  'kapp.k14s.io',
  'kbld.k14s.io',
  'kops.k8s.io',
  'kpt.dev',
  'kubeone.k8c.io',
  'meta.dev.upbound.io',
  'meta.pkg.crossplane.io',
  'mirror.openshift.io',
  'mocks.microcks.io',
  'node.eks.aws',
  'pipecd.dev',
  'schema.plugin.fluxcd.io',
  'score.dev',
  'spec.keptn.sh',
  'tanka.dev',
  'vendir.k14s.io',
  'viaduct.ai',
]);

/** The kubelet's, the scheduler's, the API server's, cert-manager's, kueue's, kwok's …, and what Grafana serves of its own. */
const programGroupEnds: readonly string[] = [
  '.config.k8s.io',
  '.config.cert-manager.io',
  '.kwok.x-k8s.io',
  '.grafana.app',
];

/** Kinds of programs in groups that have CRDs as well. */
const programKinds: ReadonlySet<string> = new Set([
  'clusterctl.cluster.x-k8s.io/Config',
  'clusterctl.cluster.x-k8s.io/Metadata',
  'config.kubeflow.org/KatibConfig',
  'gateway.envoyproxy.io/EnvoyGateway',
  'gateway.networking.k8s.io/ConformanceReport',
  'internal.gateway.networking.k8s.io/GEPDetails',
  'kyverno.io/Test',
  'policy.open-cluster-management.io/PolicyGenerator',
  'spire.spiffe.io/ControllerManagerConfig',
]);

const localConfig = 'config.kubernetes.io/local-config';

/** Whether Kubernetes serves a group itself. A group without a dot cannot have CRDs. */
export function isKubernetesGroup(group: string): boolean {
  return !group.includes('.') || builtinGroups.has(group);
}

/** Groups without a dot that Kubernetes has, or once had. */
const dotless: ReadonlySet<string> = new Set(['', 'apps', 'autoscaling', 'batch', 'extensions', 'policy']);

/** Whether no server can have a group, and it is not a name of Kubernetes' own cut short: `skaffold/v2beta1`. */
function isOfNoServer(group: string): boolean {
  return !group.includes('.') && !dotless.has(group) && !isShortened(group);
}

/** Whether a group that nothing serves is called as one of Kubernetes' that does: `networking/v1`, `app/v1`, `core/v1`. */
export function isShortened(group: string): boolean {
  return !dotless.has(group) && [...dotless, ...builtinGroups].some((one) => isShortFor(group, one));
}

export function isShortFor(group: string, whole: string): boolean {
  return whole === '' ? group === 'core' : whole === `${group}s` || whole.startsWith(`${group}.`);
}

/** Kinds whose API server puts in what is missing before it asks the CRD for it: OpenShift's defaults of these constraints. */
const filledIn: ReadonlySet<string> = new Set(['security.openshift.io/SecurityContextConstraints']);

export function isFilledInOnAdmission({ apiVersion, kind }: Pick<Manifest, 'apiVersion' | 'kind'>): boolean {
  return filledIn.has(`${splitApiVersion(apiVersion).group}/${kind}`);
}

/** Who reads an object of this kind. */
export function readerOf(manifest: Manifest): Reader {
  const { group } = splitApiVersion(manifest.apiVersion);
  if (isOfNoServer(group)) return 'program';
  if (isKubernetesGroup(group)) return 'kubernetes';
  const annotations = metadataOf(manifest)?.get('annotations');
  if (isMap(annotations) && annotations.get(localConfig) === 'true') return 'program';
  if (addedGroups.has(group) && !besideAdded.has(`${group} ${manifest.kind}`)) return 'added-server';
  return isForProgram(group, manifest.kind) ? 'program' : 'crd';
}

function isForProgram(group: string, kind: string): boolean {
  return (
    programGroups.has(group) ||
    programKinds.has(`${group}/${kind}`) ||
    programGroupEnds.some((end) => group.endsWith(end))
  );
}

/** Whether globs such as `*.example.com/*` name a kind. */
export function namesKind(globs: readonly string[], group: string, kind: string): boolean {
  return compiled(globs).some((names) => names(`${group}/${kind}`));
}

const compiled = memo((globs: readonly string[]) => globs.map(globOf));

/** A kind in one of its versions, as a manifest asks for it. */
export interface WantedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The kind that a manifest is of, if it is one that only a CRD can define and its name is whole. */
export const wantedKind = memo((manifest: Manifest): WantedKind | undefined => {
  const { kind, apiVersion, role } = manifest;
  if (role !== 'resource' || !/^[^/\s]+\/[^/\s]+$/.test(apiVersion) || !/^[A-Za-z][A-Za-z0-9]*$/.test(kind)) {
    return undefined;
  }
  return readerOf(manifest) === 'crd' ? { ...splitApiVersion(apiVersion), kind } : undefined;
});

export function keyOfWanted({ group, version, kind }: WantedKind): string {
  return `${group}/${version}/${kind}`;
}

/** The kind of a key. */
export function wantedOf(key: string): WantedKind {
  const [group = '', version = '', kind = ''] = key.split('/');
  return { group, version, kind };
}

/** Something that a file of the workspace names and that may well hold a kind's CRD, but is not on this machine. */
export interface Absent {
  /** A sentence, such as "go.mod names github.com/cert-manager/cert-manager 1.21.2, which is not in the Go module cache." */
  readonly what: string;
  /** What brings it here, typed in a terminal. */
  readonly command?: string;
  /** What it can be fetched from, where that is said. */
  readonly fetch?: FetchSource;
}
