import type { ValueMap } from '../../../../base/value.ts';
import { decodeBase64 } from '../../../../gostd/base64.ts';
import { utf8 } from '../../../../gostd/bytes.ts';
import { compareQuantities, quantityText } from '../../../../gostd/quantity.ts';
import { quote } from '../../../../gostd/quote.ts';
import { child, key as keyed, rootPath } from '../../../field.ts';
import { dns1123Label } from '../../../names.ts';
import type { KubernetesVersion } from '../../../releases/release.ts';
import type { ValidationFinding } from '../../findings.ts';
import type { BuiltinKind } from '../../kinds.ts';
import { Check, Fields } from '../check.ts';
import { quantitiesOf } from '../resources.ts';
import { warnOfAddress, warnOfAddresses, warnOfRange, warnOfRanges } from './addresses.ts';
import { warnOfNodeTerm, warnOfTopologies } from './nodes.ts';
import { warnOfNewPod, warnOfPod } from './pod.ts';
import { warnOfClaimSpec, warnOfGoneVolumes } from './volumes.ts';

// What the API server warns of in an object of a built-in kind that it stores.

type Warn = (object: Fields) => void;

const kinds: ReadonlyMap<string, readonly Warn[]> = new Map<string, readonly Warn[]>([
  ['v1/Pod', [nameOf("this is used in the Pod's hostname"), (object) => warnOfPod(object, true)]],
  ['v1/PodTemplate', [(object) => warnOfPod(object.object('template'), false)]],
  ['v1/ReplicationController', [nameOfPods(), template]],
  ['apps/v1/Deployment', [nameOfPods(), template]],
  ['apps/v1/ReplicaSet', [nameOfPods(), template]],
  ['apps/v1/DaemonSet', [template]],
  ['apps/v1/StatefulSet', [template, claims, revisions]],
  ['batch/v1/Job', [nameOfPods(), (object) => job(object.object('spec'))]],
  ['batch/v1/CronJob', [nameOfPods(), (object) => job(object.object('spec').object('jobTemplate').object('spec'))]],
  ['v1/Service', [service]],
  ['v1/Endpoints', [endpoints]],
  ['discovery.k8s.io/v1/EndpointSlice', [slice]],
  ['networking.k8s.io/v1/NetworkPolicy', [networkPolicy]],
  ['networking.k8s.io/v1/Ingress', [ingress]],
  ['v1/PersistentVolume', [persistentVolume]],
  ['v1/PersistentVolumeClaim', [claim]],
  ['storage.k8s.io/v1/StorageClass', [warnOfTopologies]],
  ['v1/ResourceQuota', [quota]],
  ['v1/ServiceAccount', [serviceAccount]],
  ['v1/Secret', [certificate]],
]);

/** What is said before an object is validated. */
const newKinds: ReadonlyMap<string, readonly Warn[]> = new Map([['v1/Pod', [warnOfNewPod]]]);

/** Of an object that it refuses the server says little of that. */
export function warningsOfBuiltin(
  object: ValueMap,
  { apiVersion, kind }: Pick<BuiltinKind, 'apiVersion' | 'kind'>,
  version: KubernetesVersion,
  isRefused: boolean,
): readonly ValidationFinding[] {
  const check = new Check(version);
  const id = `${apiVersion}/${kind}`;
  for (const warn of [...(newKinds.get(id) ?? []), ...((!isRefused && kinds.get(id)) || [])]) {
    check.part(() => warn(new Fields(check, object, rootPath)));
  }
  return check.found;
}

function nameOfPods(): Warn {
  return nameOf('this is used in Pod names and hostnames');
}

/** A name that is made from `generateName` is one if that is. */
function nameOf(use: string): Warn {
  return (object) => {
    const meta = object.object('metadata');
    const written = meta.text('name') === '' ? 'generateName' : 'name';
    const name = written === 'name' ? meta.text('name') : `${meta.text('generateName')}00000`;
    const wrong = dns1123Label(name);
    if (wrong.length === 0) return;
    const spot = child(object.at('metadata'), 'name', [written]);
    object.check.warn(
      spot,
      `${use}, which can result in surprising behavior; a DNS label is recommended: [${wrong.join(' ')}]`,
    );
  };
}

function template(object: Fields): void {
  warnOfPod(object.object('spec').object('template'), false);
}

/** The server leaves out that a claim has a spec. */
function claims(object: Fields): void {
  object.object('spec').each('volumeClaimTemplates', (one) => {
    const spec = one.object('spec', { ...one.spot, steps: [...one.spot.steps, 'spec'] });
    warnOfClaimSpec(spec);
  });
}

function revisions(object: Fields): void {
  const spec = object.object('spec');
  if (!object.version.builtin.warnings.revisions || (spec.integer('revisionHistoryLimit') ?? 0n) >= 0n) return;
  const detail = 'a negative value retains all historical revisions; a value >= 0 is recommended';
  object.check.warn(spec.at('revisionHistoryLimit'), detail);
}

function job(spec: Fields): void {
  spec.part(() => {
    const isLarge = (spec.integer('completions') ?? 0n) > 100_000n && parallelismOf(spec) > 10_000n;
    if (spec.text('completionMode') !== 'Indexed' || !isLarge) return;
    const detail =
      'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail';
    spec.check.warn(spec.spot, detail);
  });
  warnOfPod(spec.object('template'), false);
}

const parallelismOf = (spec: Fields): bigint => spec.integer('parallelism') ?? 1n;

const hints = 'service.kubernetes.io/topology-aware-hints';
const topologyMode = 'service.kubernetes.io/topology-mode';

function service(object: Fields): void {
  const { check } = object;
  const spec = object.object('spec');
  object.part(() => {
    const meta = object.object('metadata');
    if (!meta.textMap('annotations')?.has(hints)) return;
    const spot = keyed(meta.at('annotations'), hints);
    check.say(spot, `annotation ${hints} is deprecated, please use ${topologyMode} instead`);
  });
  spec.part(() => clusterAddresses(spec));
  spec.part(() => ignored(spec));
  warnOfAddresses(spec, 'externalIPs');
  spec.part(() => {
    const address = spec.text('loadBalancerIP');
    if (address !== '') warnOfAddress(check, spec.at('loadBalancerIP'), address);
  });
  warnOfRanges(spec, 'loadBalancerSourceRanges');
  spec.part(() => {
    const isClose = spec.text('trafficDistribution') === 'PreferClose';
    if (!isClose || !spec.version.builtin.warnings.preferClose) return;
    check.warn(spec.at('trafficDistribution'), '"PreferClose" is deprecated; use "PreferSameZone"');
  });
}

/** The one address stands for the list, if that is not there. */
function clusterAddresses(spec: Fields): void {
  const [one, all] = [spec.text('clusterIP'), spec.texts('clusterIPs')];
  const first = one === '' ? (all[0] ?? '') : one;
  if (first === '' || first === 'None') return;
  if (all.length > 0) warnOfAddresses(spec, 'clusterIPs');
  else warnOfAddress(spec.check, { parent: spec.spot, field: '.clusterIPs[0]', steps: ['clusterIP'] }, one);
}

/** Fields that have no effect, and one that is to go. */
function ignored(spec: Fields): void {
  const { check } = spec;
  const { headless, externalIPs } = spec.version.builtin.warnings;
  const type = spec.text('type') || 'ClusterIP';
  const isHeadless = type === 'ClusterIP' && (spec.text('clusterIP') || spec.texts('clusterIPs')[0]) === 'None';
  const hasExternal = spec.list('externalIPs').length > 0;
  const say = (key: string, message: string) => check.say(spec.at(key), message);
  if (isHeadless && headless) {
    const why = 'is ignored for headless services';
    if (spec.text('loadBalancerIP') !== '') say('loadBalancerIP', `spec.loadBalancerIP ${why}`);
    if (hasExternal) say('externalIPs', `spec.externalIPs ${why}`);
    if ((spec.text('sessionAffinity') || 'None') !== 'None') say('sessionAffinity', `spec.SessionAffinity ${why}`);
  }
  if (externalIPs && hasExternal && !isHeadless && type !== 'ExternalName') {
    say('externalIPs', 'spec.externalIPs is deprecated and may no longer be implemented in some clusters');
  }
  if (type === 'ExternalName' && hasExternal) {
    say('externalIPs', 'spec.externalIPs is ignored when spec.type is "ExternalName"');
  }
  if (type !== 'ExternalName' && spec.text('externalName') !== '') {
    say('externalName', 'spec.externalName is ignored when spec.type is not "ExternalName"');
  }
}

const isEarly = ({ version }: Fields) => version.builtin.warnings.addresses === 'early';

const managedBy = 'endpoints.kubernetes.io/managed-by';
const sliceManagedBy = 'endpointslice.kubernetes.io/managed-by';
const ownSlices = ['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io'];

function labelOf(object: Fields, label: string): string {
  return object.object('metadata').textMap('labels')?.get(label) ?? '';
}

function endpoints(object: Fields): void {
  if (isEarly(object) || labelOf(object, managedBy) === 'endpoint-controller') return;
  object.each('subsets', (subset) => {
    for (const list of ['addresses', 'notReadyAddresses']) {
      subset.each(list, (one) => warnOfAddress(object.check, one.at('ip'), one.text('ip')));
    }
  });
}

function slice(object: Fields): void {
  object.part(() => {
    if (object.text('addressType') !== 'FQDN') return;
    const spot = { ...child(object.at('spec'), 'addressType'), parent: { ...object.at('spec'), steps: [] } };
    object.check.warn(spot, 'FQDN endpoints are deprecated');
  });
  if (isEarly(object) || ownSlices.includes(labelOf(object, sliceManagedBy))) return;
  object.each('endpoints', (one) => warnOfAddresses(one, 'addresses'));
}

function networkPolicy(object: Fields): void {
  if (isEarly(object)) return;
  const spec = object.object('spec');
  for (const [rules, peers] of [['ingress', 'from'] as const, ['egress', 'to'] as const]) {
    spec.each(rules, (rule) =>
      rule.each(peers, (peer) => {
        const block = peer.pointer('ipBlock');
        if (!block) return;
        warnOfRange(object.check, block.at('cidr'), block.text('cidr'));
        warnOfRanges(block, 'except');
      }),
    );
  }
}

const ingressClass = 'kubernetes.io/ingress.class';

function ingress(object: Fields): void {
  const meta = object.object('metadata');
  if (!meta.textMap('annotations')?.has(ingressClass) || object.object('spec').has('ingressClassName')) return;
  const message = `annotation ${quote(ingressClass)} is deprecated, please use 'spec.ingressClassName' instead`;
  const aside = { outOfUse: { name: ingressClass, isSelector: false } };
  object.check.say(keyed(meta.at('annotations'), ingressClass), message, aside);
}

const storageClass = 'volume.beta.kubernetes.io/storage-class';
const mountOptions = 'volume.beta.kubernetes.io/mount-options';

function annotationsAre(object: Fields, details: Readonly<Record<string, string>>): void {
  const meta = object.object('metadata');
  const written = meta.textMap('annotations');
  for (const [name, detail] of Object.entries(details)) {
    if (written?.has(name)) object.check.warn(keyed(meta.at('annotations'), name), detail);
  }
}

const insteadOfClass = 'deprecated since v1.8; use "storageClassName" attribute instead';

function persistentVolume(object: Fields): void {
  const { check } = object;
  object.part(() =>
    annotationsAre(object, {
      [storageClass]: insteadOfClass,
      [mountOptions]: 'deprecated since v1.31; use "mountOptions" attribute instead',
    }),
  );
  const spec = object.object('spec');
  spec.part(() => {
    if (spec.text('persistentVolumeReclaimPolicy') !== 'Recycle') return;
    const detail =
      'The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';
    check.warn(spec.at('persistentVolumeReclaimPolicy'), detail);
  });
  spec
    .object('nodeAffinity')
    .object('required')
    .each('nodeSelectorTerms', (term) => warnOfNodeTerm(term, false));
  spec.part(() => warnOfGoneVolumes(spec, true));
}

function claim(object: Fields): void {
  object.part(() => annotationsAre(object, { [storageClass]: insteadOfClass }));
  object.part(() => warnOfClaimSpec(object.object('spec')));
}

function quota(object: Fields): void {
  if (!object.version.builtin.warnings.quotas) return;
  const spec = object.object('spec');
  const hard = quantitiesOf(spec, 'hard');
  for (const name of ['cpu', 'memory', 'storage', 'ephemeral-storage']) {
    const isBare = !hard.has(`requests.${name}`) && (name === 'cpu' || name === 'memory');
    const requested = isBare ? name : `requests.${name}`;
    const [request, limit] = [hard.get(requested), hard.get(`limits.${name}`)];
    if (!request || !limit || compareQuantities(request, limit) <= 0) continue;
    const message = `ResourceQuota ${requested} (${quantityText(request)}) should be less than limits.${name} (${quantityText(limit)})`;
    object.check.say(keyed(spec.at('hard'), requested), message);
  }
}

const mountableSecrets = 'kubernetes.io/enforce-mountable-secrets';

function serviceAccount(object: Fields): void {
  if (!object.version.builtin.warnings.mountableSecrets) return;
  annotationsAre(object, {
    [mountableSecrets]: 'deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets',
  });
}

/** Whether a key belongs to its certificate takes cryptography; that there is no certificate at all can be seen. */
function certificate(object: Fields): void {
  if (object.text('type') !== 'kubernetes.io/tls') return;
  const [data, texts] = [object.textMap('data'), object.textMap('stringData')];
  const text = texts?.get('tls.crt') ?? decodedText(data?.get('tls.crt'));
  if (text?.includes('-----BEGIN')) return;
  const place = texts?.has('tls.crt') ? 'stringData' : 'data';
  object.check.say(keyed(object.at(place), 'tls.crt'), 'tls: failed to find any PEM data in certificate input');
}

function decodedText(base64: string | undefined): string {
  const decoded = decodeBase64(utf8(base64 ?? ''));
  return 'bytes' in decoded ? new TextDecoder().decode(decoded.bytes) : '';
}
