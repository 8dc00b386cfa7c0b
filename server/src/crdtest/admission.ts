import { equalValues, isMap, textAt, type Value, type ValueMap, valueAt } from '../base/value.ts';
import { builtinMergeType } from '../kubernetes/apply/builtinMergeType.ts';
import { objectMergeType } from '../kubernetes/apply/mergeType.ts';
import { judgeBuiltin } from '../kubernetes/builtin/judge.ts';
import type { BuiltinKind, BuiltinKinds } from '../kubernetes/builtin/kinds.ts';
import { validateBuiltinUpdate } from '../kubernetes/builtin/validation/update.ts';
import { createResource, receivedResource } from '../kubernetes/cr/create.ts';
import type { ServedCrd, ServedVersion } from '../kubernetes/cr/served.ts';
import { updateResource } from '../kubernetes/cr/update.ts';
import type { ResourceVerdict } from '../kubernetes/cr/verdict.ts';
import { type Admitted, type Asked, fieldNames, nameOf, namespaceLabels } from '../kubernetes/policy/admit.ts';
import {
  type Denial,
  type MergeTypeOf,
  mutateRequest,
  type Policies,
  type RequestVerdict,
  validateRequest,
} from '../kubernetes/policy/dispatch.ts';
import { labelsOf, type ResourceAs } from '../kubernetes/policy/matching.ts';
import type { Merging } from '../kubernetes/policy/mutate.ts';
import { typedBuiltin } from '../kubernetes/policy/objectTypes.ts';
import { guessedResources } from '../kubernetes/policy/watchedKinds.ts';
import { calledWebhooks, type Webhooks } from '../kubernetes/policy/webhookCalls.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { applyDefaults } from '../kubernetes/schema/default.ts';
import { splitApiVersion } from '../workspace/manifest.ts';
import { accessOf } from './access.ts';
import type { AdmitRequest } from './policySuite.ts';
import { type Given, isOwn, type SaidError, wrongWith } from './said.ts';

// What the API server makes of a request of a test: mutating policies, the schema, validating policies.

/** What policies are asked about in one version of Kubernetes. */
export interface PolicyServer {
  readonly policies: Policies;
  readonly webhooks: Webhooks;
  readonly namespaces: ReadonlyMap<string, ValueMap>;
  /** The CRD of a kind, as it is served. */
  crdOf(apiVersion: string, kind: string): ServedCrd | undefined;
  readonly builtin: BuiltinKinds | undefined;
}

/** What came of a request. */
export interface Admission {
  readonly denials: readonly (Denial & { readonly isMutating: boolean })[];
  readonly warnings: readonly string[];
  readonly annotations: ReadonlyMap<string, string>;
  readonly matched: readonly string[];
  readonly unmatched: RequestVerdict['unmatched'];
  readonly unknown: readonly string[];
  readonly called: readonly string[];
  /** What it depends on whether others are called. */
  readonly calledIf: readonly string[];
  readonly cost: number;
  readonly errors: readonly SaidError[];
  /** Undefined where it is refused, or deleted. */
  readonly stored: Value | undefined;
  readonly evaluated: RequestVerdict['evaluated'];
}

export function admitted(
  request: AdmitRequest,
  given: Given,
  server: PolicyServer,
  kubernetes: KubernetesVersion,
): Admission | { readonly why: string } {
  const kind = kindOf(given.object ?? given.from, server);
  if ('why' in kind) return kind;
  const one = admittedAs(request, given, kind, server, kubernetes);
  if ('why' in one) return one;
  const mutated = mutateRequest(server.policies, one, kind.mergeTypeOf);
  if (mutated.verdict.denials.length > 0 || request.operation === 'CONNECT')
    return admissionOf([[mutated.verdict, true]], one, server, [], undefined, request.operation === 'CONNECT');
  const judged = kind.judge(mutated.object, given.from, request, kubernetes);
  const errors = judged.errors;
  if (errors.length > 0) return admissionOf([[mutated.verdict, true]], one, server, errors, undefined, true);
  const after: Admitted = {
    ...one,
    value: () => judged.object,
    request: { ...one.request, labels: labels(judged.object) },
  };
  const validated = validateRequest(server.policies, after);
  const stored = validated.denials.length > 0 ? undefined : (judged.stored ?? undefined);
  return admissionOf(
    [
      [mutated.verdict, true],
      [validated, false],
    ],
    after,
    server,
    [],
    stored,
    true,
  );
}

type Part = readonly [verdict: RequestVerdict, isMutating: boolean];

function admissionOf(
  parts: readonly Part[],
  one: Admitted,
  { webhooks }: PolicyServer,
  errors: readonly SaidError[],
  stored: Value | undefined,
  calls: boolean,
): Admission {
  const verdicts = parts.map(([verdict]) => verdict);
  const hooks = calls ? calledWebhooks(webhooks, one) : { called: [], unknown: [] };
  return {
    denials: parts.flatMap(([{ denials }, isMutating]) => denials.map((denial) => ({ ...denial, isMutating }))),
    warnings: verdicts.flatMap(({ warnings }) => warnings),
    annotations: new Map(verdicts.flatMap(({ annotations }) => [...annotations])),
    matched: verdicts.flatMap(({ matched }) => matched),
    unmatched: verdicts.flatMap(({ unmatched }) => unmatched),
    unknown: verdicts.flatMap(({ unknown }) => unknown),
    called: hooks.called,
    calledIf: hooks.unknown,
    cost: verdicts.reduce((sum, { costs }) => sum + [...costs.values()].reduce((all, cost) => all + cost, 0), 0),
    errors,
    stored,
    evaluated: verdicts.flatMap(({ evaluated }) => evaluated),
  };
}

/** The kind of an object, with what the server does to it before and after policies. */
interface Kind extends ResourceAs {
  readonly namespaced: boolean;
  readonly mergeTypeOf: MergeTypeOf;
  readonly equivalents: readonly ResourceAs[];
  readonly defaulted: (kubernetes: KubernetesVersion) => ReadonlySet<string>;
  /** With the defaults of its schema. */
  readonly filledIn?: (object: Value, as: ResourceAs | undefined) => Value;
  /** As it comes to the policies, or why it does not. */
  received(object: Value, kubernetes: KubernetesVersion): Value | { readonly why: string };
  judge(object: Value, old: Value | undefined, request: AdmitRequest, kubernetes: KubernetesVersion): Judged;
}

interface Judged {
  readonly errors: readonly SaidError[];
  /** As it comes to policies that validate. */
  readonly object: Value;
  readonly stored: Value | undefined;
}

function kindOf(object: Value | undefined, server: PolicyServer): Kind | { readonly why: string } {
  const [apiVersion, kind] = [textAt(object ?? null, ['apiVersion']), textAt(object ?? null, ['kind'])];
  if (apiVersion === '' || kind === '') return { why: 'the object has no apiVersion or kind' };
  const about = { ...splitApiVersion(apiVersion), kind };
  const crd = server.crdOf(apiVersion, kind);
  const served = crd?.versions.get(about.version);
  if (crd && served) return customKind(about, crd, served);
  const builtin = server.builtin?.kinds.get(`${apiVersion}/${kind}`);
  if (builtin && !builtin.isGone) return builtinKind(about, builtin, server.builtin!);
  const why = crd
    ? `the CRD of ${kind} does not serve ${about.version}`
    : `the kind ${kind} of ${apiVersion} is not known: name its CRD with \`crd\``;
  return { why };
}

/** How the objects of a kind are merged, with their defaults; undefined where that is not known. */
export function mergingOf(object: Value, server: PolicyServer): Merging | undefined {
  const kind = kindOf(object, server);
  const type = 'why' in kind ? undefined : kind.mergeTypeOf(undefined);
  if (!type || 'why' in kind) return undefined;
  return { type, filledIn: (value) => kind.filledIn?.(value, undefined) ?? value };
}

type About = Omit<ResourceAs, 'resource'>;

function customKind(about: About, crd: ServedCrd, served: ServedVersion): Kind {
  const resource = crd.lowered.names.plural ?? '';
  const others = [...crd.versions.keys()].filter((version) => version !== about.version);
  return {
    ...about,
    resource,
    namespaced: crd.lowered.namespaced,
    mergeTypeOf: (as) => {
      const of = as ? crd.versions.get(as.version) : served;
      return of && objectMergeType(of);
    },
    equivalents: others.map((version) => ({ ...about, version, resource })),
    defaulted: () => new Set(),
    filledIn: (object, as) => applyDefaults(object, (as ? crd.versions.get(as.version) : served)?.structural),
    received: (object, kubernetes) => {
      const received = receivedResource(object, crd, { kubernetes });
      if (received !== undefined) return received;
      const { decode } = createResource(object, crd, { kubernetes });
      return { why: `the object cannot be decoded: ${decode?.message ?? ''}` };
    },
    judge: (object, old, { operation, subresource }, kubernetes) => {
      if (operation === 'DELETE') return { errors: [], object, stored: undefined };
      const isStatus = subresource === 'status' ? ('status' as const) : undefined;
      const verdict: ResourceVerdict =
        old === undefined
          ? createResource(object, crd, { kubernetes })
          : updateResource(old, object, crd, { kubernetes, subresource: isStatus });
      const { stored } = verdict;
      const errors = wrongWith(verdict).filter(isOwn);
      return { errors, object: stored ? withSystem(asSent(object, stored), old) : object, stored };
    },
  };
}

/** What the server sets before policies that validate see an object; that it is set is known, and not to what. */
function withSystem(object: Value, old: Value | undefined, hasGeneration = true): Value {
  if (!isMap(object)) return object;
  const metadata = valueAt(object, ['metadata']);
  const before = valueAt(old ?? null, ['metadata', 'generation']);
  const generation =
    (typeof before === 'bigint' ? before : old === undefined ? 0n : 1n) + (isChanged(object, old) ? 1n : 0n);
  const system = new Map<string, Value>([
    ['uid', '00000000-0000-0000-0000-000000000001'],
    ['creationTimestamp', '2020-01-01T00:00:00Z'],
    ...(hasGeneration ? [['generation', generation] as const] : []),
  ]);
  return new Map(object).set('metadata', new Map([...(isMap(metadata) ? metadata : []), ...system]));
}

/** The groups of built-in kinds whose objects count their changes. */
const generationKinds: ReadonlySet<string> = new Set([
  'apps',
  'batch',
  'networking.k8s.io',
  'policy',
  'admissionregistration.k8s.io',
]);

function isChanged(object: Value, old: Value | undefined): boolean {
  const rest = (one: Value | undefined) =>
    new Map([...(isMap(one) ? one : [])].filter(([key]) => !['apiVersion', 'metadata', 'status'].includes(key)));
  return old === undefined || !equalValues(rest(object), rest(old));
}

/** What the server stores, without what it fills in itself only when it stores an object. */
function asSent(object: Value, stored: Value): Value {
  if (!isMap(stored)) return stored;
  const sent = valueAt(object, ['metadata']);
  const metadata = valueAt(stored, ['metadata']);
  if (!isMap(metadata) || !isMap(sent)) return stored;
  return new Map(stored).set(
    'metadata',
    new Map([...metadata].filter(([key]) => sent.has(key) || key === 'namespace')),
  );
}

function builtinKind(about: About, kind: BuiltinKind, kinds: BuiltinKinds): Kind {
  return {
    ...about,
    resource: guessedResources(kind.kind)[0]!,
    namespaced: kind.namespaced === true,
    mergeTypeOf: (as) => (as ? undefined : builtinMergeType(kinds, kind)),
    equivalents: [],
    defaulted: (kubernetes) => fieldNames(typedBuiltin(kinds, kind, kubernetes).structural),
    received: (object, kubernetes) => {
      const [wrong] = judgeBuiltin(object, kind, kinds, kubernetes).decode;
      return wrong ? { why: `the object cannot be decoded: ${wrong.message}` } : object;
    },
    judge: (object, old, { operation }, kubernetes) => {
      if (operation === 'DELETE') return { errors: [], object, stored: undefined };
      const { decode, metadata, validation } = judgeBuiltin(object, kind, kinds, kubernetes);
      const said: SaidError[] = decode.map(({ message }) => ({ field: '', message, code: 'builtin/decode' }));
      const wrong =
        old === undefined || !isMap(old) || !isMap(object)
          ? [...metadata, ...validation]
          : validateBuiltinUpdate(object, old, kind, kubernetes);
      for (const { field, message, code } of decode.length > 0 ? [] : wrong) said.push({ field, message, code });
      return { errors: said, object: withSystem(object, old, generationKinds.has(kind.group)), stored: object };
    },
  };
}

function admittedAs(
  request: AdmitRequest,
  given: Given,
  kind: Kind,
  server: PolicyServer,
  kubernetes: KubernetesVersion,
): Admitted | { readonly why: string } {
  const object = given.object === undefined ? null : kind.received(given.object, kubernetes);
  const old = given.from === undefined ? null : kind.received(given.from, kubernetes);
  for (const one of [object, old]) if (isWhy(one)) return one;
  const [now, before] = [object as Value, old as Value];
  const either = now ?? before;
  const isNamespace = kind.group === '' && kind.resource === 'namespaces';
  const written = textAt(either, ['metadata', 'namespace']) || 'default';
  const namespace = isNamespace ? textAt(either, ['metadata', 'name']) : kind.namespaced ? written : undefined;
  return {
    kind: kind.kind,
    defaulted: kind.defaulted(kubernetes),
    ...(kind.filledIn && { filledIn: kind.filledIn }),
    converted: (value, as) => {
      const apiVersion = as.group === '' ? as.version : `${as.group}/${as.version}`;
      return isMap(value) ? new Map(value).set('apiVersion', apiVersion) : value;
    },
    value: () => now,
    old: () => before,
    asked: askedBy(request),
    request: {
      group: kind.group,
      version: kind.version,
      resource: kind.resource,
      operation: request.operation,
      subresource: request.subresource,
      equivalents: kind.equivalents,
      name: isMap(either) ? nameOf(either) : '',
      namespace,
      labels: labels(now),
      oldLabels: labels(before),
      namespaceLabels: namespaceLabels(server.namespaces.get(namespace ?? ''), namespace),
    },
  };
}

function isWhy(one: Value | { readonly why: string }): one is { readonly why: string } {
  return typeof one === 'object' && one !== null && 'why' in one;
}

function labels(object: Value) {
  return isMap(object) ? labelsOf(object) : undefined;
}

const optionKinds = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions', CONNECT: '' } as const;

function askedBy({ operation, user, access, options }: AdmitRequest): Asked {
  const dryRun = options.get('dryRun') === true;
  const rest = [...options].filter(([key]) => key !== 'dryRun');
  return {
    user,
    dryRun,
    options: new Map<string, Value>([
      ['kind', optionKinds[operation]],
      ['apiVersion', 'meta.k8s.io/v1'],
      ...(dryRun ? [['dryRun', ['All']] as const] : []),
      ...rest,
    ]),
    authorizer: access && accessOf(access),
  };
}
