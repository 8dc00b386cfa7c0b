import { isMap, type Value, type ValueMap } from '../../../base/value.ts';
import { child, type FieldPath, rootPath } from '../../field.ts';
import { type GoValue, goAny, goNil, goString } from '../../goValue.ts';
import type { KubernetesVersion } from '../../releases/release.ts';
import type { ValidationFinding } from '../findings.ts';
import type { BuiltinKind } from '../kinds.ts';
import { updateApiService } from './aggregation.ts';
import { Check, Fields } from './check.ts';
import { goLabelSelector, goStructOf, goTextMap, wholeStruct } from './goTexts.ts';
import { updateClaim, updateVolume } from './updates/claims.ts';
import { keepsZone, updateCronJob, updateJob } from './updates/job.ts';
import { keptService } from './updates/keptService.ts';
import { updatePod } from './updates/pod.ts';
import { keepsKeys, sameTexts, sameValues, textMaps } from './updates/same.ts';
import { updateService } from './updates/service.ts';
import { saidOnce, validateBuiltin } from './validate.ts';

// What an update may not change. An object that is applied again keeps what the server gave it: what the new one does not
// say, and the stored one got by default or from the server, is no change.

/** A field that keeps its value. */
interface Frozen {
  readonly path: readonly string[];
  /** What it is by default. */
  readonly default?: Value;
  /** It is forbidden to change it, instead of invalid. */
  readonly forbidden?: string;
  readonly shown: (fields: Fields, key: string) => GoValue;
  /** Whether it may change after all. */
  readonly unless?: (now: Fields, before: Fields) => boolean;
  /** An empty text is a value as any other. */
  readonly isPointer?: true;
  /** Newer releases say so by a rule of the type, which shows no value. */
  readonly declared?: true;
}

const text = (fields: Fields, key: string): GoValue => goString(fields.text(key));
const whole = (fields: Fields, key: string): GoValue => (fields.has(key) ? wholeStruct : goNil('*'));
const always = (): GoValue => wholeStruct;
const number = (fields: Fields, key: string): GoValue => {
  const value = fields.map.get(key);
  return typeof value === 'bigint' ? goAny(value) : goNil('*int32');
};

const selector: Frozen = {
  path: ['spec', 'selector'],
  shown: (fields, key) => goLabelSelector(fields.pointer(key)),
};

const roleRef: Frozen = {
  path: ['roleRef'],
  shown: (fields, key) => {
    const ref = fields.object(key);
    const apiGroup = goString(ref.text('apiGroup') || 'rbac.authorization.k8s.io');
    return goStructOf('rbac.RoleRef', { APIGroup: apiGroup, Kind: text(ref, 'kind'), Name: text(ref, 'name') });
  },
};

/** Of a job that waits some of the template may change. */
const isSuspended = (_: Fields, before: Fields) => before.object('spec').isTrue('suspend');

const isIndexed = (now: Fields) => now.object('spec').text('completionMode') === 'Indexed';

const statefulSet: readonly Frozen[] = [
  selector,
  { path: ['spec', 'volumeClaimTemplates'], shown: whole },
  { path: ['spec', 'serviceName'], shown: text },
  { path: ['spec', 'podManagementPolicy'], default: 'OrderedReady', shown: text },
];

const forbids = (what: string) => `updates to ${what} are forbidden.`;

const frozen: ReadonlyMap<string, readonly Frozen[]> = new Map<string, readonly Frozen[]>([
  ['apps/v1/Deployment', [selector]],
  ['apps/v1/ReplicaSet', [selector]],
  ['apps/v1/DaemonSet', [selector]],
  ['apps/v1/StatefulSet', statefulSet],
  [
    'batch/v1/Job',
    [
      { path: ['spec', 'completions'], default: 1n, shown: number, unless: isIndexed },
      { path: ['spec', 'template'], shown: always, unless: isSuspended },
      { path: ['spec', 'completionMode'], default: 'NonIndexed', shown: text },
      {
        path: ['spec', 'managedBy'],
        shown: text,
        unless: (now) => !now.version.builtin.jobManagedBy || !within(now, ['spec']).has('managedBy'),
      },
      { path: ['spec', 'podFailurePolicy'], shown: whole },
      { path: ['spec', 'backoffLimitPerIndex'], shown: number },
      { path: ['spec', 'successPolicy'], shown: whole },
    ],
  ],
  ['rbac.authorization.k8s.io/v1/RoleBinding', [roleRef]],
  ['rbac.authorization.k8s.io/v1/ClusterRoleBinding', [roleRef]],
  ['v1/Secret', [{ path: ['type'], default: 'Opaque', shown: text }]],
  [
    'storage.k8s.io/v1/StorageClass',
    [
      {
        path: ['parameters'],
        shown: (fields, key) => goTextMap(fields.textMap(key)),
        forbidden: forbids('parameters'),
        declared: true,
      },
      { path: ['provisioner'], shown: text, forbidden: forbids('provisioner'), declared: true },
      {
        path: ['reclaimPolicy'],
        default: 'Delete',
        shown: text,
        forbidden: forbids('reclaimPolicy'),
        declared: true,
      },
      { path: ['volumeBindingMode'], default: 'Immediate', shown: text, declared: true },
    ],
  ],
  [
    'scheduling.k8s.io/v1/PriorityClass',
    [
      { path: ['value'], default: 0n, forbidden: 'may not be changed in an update.', shown: whole },
      {
        path: ['preemptionPolicy'],
        default: 'PreemptLowerPriority',
        shown: text,
        isPointer: true,
      },
    ],
  ],
  ['networking.k8s.io/v1/IngressClass', [{ path: ['spec', 'controller'], shown: text }]],
  ['discovery.k8s.io/v1/EndpointSlice', [{ path: ['addressType'], shown: text, declared: true }]],
]);

type Update = (now: Fields, before: Fields) => void;

/** Kinds of which more is compared than fields that stay. */
const compared: ReadonlyMap<string, Update> = new Map<string, Update>([
  ['v1/ConfigMap', immutableData],
  ['v1/Secret', immutableData],
  ['v1/Service', updateService],
  ['v1/Pod', updatePod],
  ['batch/v1/Job', updateJob],
  ['batch/v1/CronJob', updateCronJob],
  ['v1/PersistentVolumeClaim', updateClaim],
  ['v1/PersistentVolume', updateVolume],
  ['apiregistration.k8s.io/v1/APIService', updateApiService],
]);

/** The kinds of which an update is compared with what is stored. */
export const frozenKinds: readonly string[] = [...new Set([...frozen.keys(), ...compared.keys()])];

/** What is looked at when an object is created only, by kind: the fields of the errors with their messages. */
const onCreateOnly: ReadonlyMap<string, RegExp> = new Map([
  ['apps/v1/StatefulSet', /^spec\.(?:volumeClaimTemplates|serviceName)\b/],
  ['batch/v1/CronJob', /^metadata\.name: /],
  ['batch/v1/Job', /^spec\.(?:selector|template\.metadata\.labels\[(?:batch\.kubernetes\.io\/)?controller-uid\]): /],
  ['scheduling.k8s.io/v1/PriorityClass', /^(?:value|preemptionPolicy): /],
  [
    'v1/Pod',
    /^(?:spec\.nodeName: Forbidden|spec\.ephemeralContainers: |metadata\.annotations: |spec\.[^:]*: Forbidden: (?:apparmor|seccomp) \w+ in annotation)/,
  ],
]);

/** What the API server has against an update: of the new object, and of what it changes. */
export function validateBuiltinUpdate(
  object: ValueMap,
  old: ValueMap,
  { apiVersion, kind }: Pick<BuiltinKind, 'apiVersion' | 'kind'>,
  version: KubernetesVersion,
): readonly ValidationFinding[] {
  const check = new Check(version);
  const key = `${apiVersion}/${kind}`;
  const kept = key === 'v1/Service' ? keptService(object, old) : object;
  const [now, before] = [new Fields(check, kept, rootPath), new Fields(check, old, rootPath)];
  for (const one of frozen.get(key) ?? []) check.part(() => compare(now, before, one, key));
  check.part(() => compared.get(key)?.(now, before));
  const isLeft = leftOut(key, now, before);
  const created = validateBuiltin(kept, { apiVersion, kind }, version);
  return saidOnce([...created.filter(({ field, message }) => !isLeft?.test(`${field}: ${message}`)), ...check.found]);
}

/** The errors of a new object that are not said on this update. */
function leftOut(kind: string, now: Fields, before: Fields): RegExp | undefined {
  if (kind === 'v1/Service' && isAllocated(now.map)) return /^spec\.clusterIPs: /;
  const isSlice = kind === 'discovery.k8s.io/v1/EndpointSlice' && now.version.builtin.keepsEndpoints;
  if (isSlice && sameValues(now.map.get('endpoints'), before.map.get('endpoints'), true)) return /^endpoints\b/;
  if (kind === 'batch/v1/CronJob' && keepsZone(before))
    return /^(?:metadata\.name: |spec\.schedule: .*: cannot use TZ )/;
  return onCreateOnly.get(kind);
}

/** The list goes with an address that is not written: whether they begin alike is not known. */
function isAllocated(service: ValueMap): boolean {
  const spec = service.get('spec');
  return isMap(spec) && spec.has('clusterIPs') && !spec.has('clusterIP');
}

function compare(now: Fields, before: Fields, one: Frozen, kind: string): void {
  if (one.unless?.(now, before)) return;
  const { builtin } = now.check.version;
  const [holder, name] = [one.path.slice(0, -1), one.path.at(-1)!];
  const [a, b] = [within(now, holder), within(before, holder)];
  const [is, was] = [valueOr(a, name, one), valueOr(b, name, one)];
  if (textMaps.has(name) ? sameTexts(is, was) : sameValues(is, was, keepsKeys.has(name))) return;
  const spot: FieldPath = child(a.spot, name, a.map.has(name) ? [name] : []);
  if (kind === 'apps/v1/StatefulSet' && builtin.statefulSetKeeps !== undefined) {
    now.check.forbidden(
      { ...a.spot, steps: [...a.spot.steps, ...spot.steps] },
      builtin.statefulSetKeeps,
      'builtin/immutable',
    );
  } else if (one.forbidden !== undefined && (!one.declared || builtin.forbidsClassChanges)) {
    now.check.forbidden(spot, one.forbidden, 'builtin/immutable');
  } else {
    const shown = one.declared && builtin.immutableIsDeclared ? goNil('*') : shownWith(a, one, name);
    const why = one === roleRef ? builtin.roleRefKept : 'field is immutable';
    now.check.invalid(spot, shown, why, 'builtin/immutable');
  }
}

function shownWith(fields: Fields, one: Frozen, name: string): GoValue {
  const value = fields.map.get(name) ? undefined : valueOr(fields, name, one);
  return value === undefined ? one.shown(fields, name) : goAny(value);
}

function valueOr(fields: Fields, name: string, { default: otherwise, isPointer }: Frozen): Value | undefined {
  const value = fields.map.get(name);
  if (value !== undefined && value !== null && (isPointer || value !== '')) return value;
  return name === 'completions' && fields.has('parallelism') ? undefined : otherwise;
}

function within(fields: Fields, path: readonly string[]): Fields {
  return path.reduce((at, key) => at.object(key), fields);
}

/** What calls itself immutable stays as it is. */
function immutableData(now: Fields, before: Fields): void {
  if (!before.isTrue('immutable')) return;
  const why = 'field is immutable when `immutable` is set';
  if (!now.isTrue('immutable')) now.check.forbidden(now.at('immutable'), why, 'builtin/immutable');
  // The server writes the texts of `stringData` into the data: then nothing can be compared here.
  if (now.has('stringData') || before.has('stringData')) return;
  for (const key of ['data', 'binaryData']) {
    if (!sameTexts(now.map.get(key), before.map.get(key))) now.check.forbidden(now.at(key), why, 'builtin/immutable');
  }
}
