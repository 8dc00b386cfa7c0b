import { randomBytes } from 'node:crypto';
import { equalValues, isMap, type Value, type ValueMap, valueAt } from '../base/value.ts';
import { bare, type Cluster, type ClusterAnswer, clusterOf } from '../cluster/dryRun.ts';
import { differences } from '../crdtest/objects.ts';
import { type CaseResult, runCase, serving, shown } from '../crdtest/run.ts';
import type { CaseRun } from '../crdtest/runFile.ts';
import { textOf, wrongWith } from '../crdtest/said.ts';
import type { ResourceVerdict } from '../kubernetes/cr/verdict.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { splitApiVersion } from '../workspace/manifest.ts';
import { clusterVersion } from './clusterVersion.ts';
import { interruptible } from './interruptible.ts';
import { type ClusterOutcome, policyAsker } from './policyCluster.ts';
import { complain } from './terminal.ts';

export interface ClusterOptions {
  readonly context: string;
  /** The namespace that objects are put into; undefined for one that is made for that. */
  readonly namespace: string | undefined;
  /** Whether CRDs that the cluster does not have are created while the tests run. */
  readonly createCrds: boolean;
}

/** A cluster under test: whatever is stored in it is removed again. */
export interface ClusterRun {
  readonly version: KubernetesVersion;
  ask(run: CaseRun): Promise<ClusterOutcome>;
}

/** Runs something with a cluster, and removes what it has stored there, however that ends. */
export async function withCluster<T>(options: ClusterOptions, use: (run: ClusterRun) => Promise<T>): Promise<T> {
  const stored = new Set<Value>();
  return interruptible(async (signal) => {
    try {
      const cluster = clusterOf(options.context, { signal, say: () => {} });
      const version = await clusterVersion(cluster, options.context);
      announce(options);
      return await use({ version, ask: asking(cluster, version, options, stored) });
    } finally {
      await cleanUp(options.context, stored);
    }
  });
}

function announce({ namespace, createCrds }: ClusterOptions): void {
  const place = namespace === undefined ? 'a namespace that is made for that' : `namespace ${namespace}`;
  complain('new objects are sent as dry runs, of which the cluster stores nothing');
  complain(`updates take an object that is stored: it is created in ${place}, and all that is removed again`);
  if (createCrds) complain('CRDs that the cluster does not have are created, and removed again');
}

/** The user may have had enough; what is stored goes all the same. Last in, first out. */
async function cleanUp(context: string, stored: ReadonlySet<Value>): Promise<void> {
  const cluster = clusterOf(context, { signal: new AbortController().signal, say: () => {} });
  for (const object of [...stored].reverse()) {
    try {
      await cluster.remove(object);
    } catch (error) {
      const [kind, name] = [valueAt(object, ['kind']), valueAt(object, ['metadata', 'name'])];
      complain(`${kind} ${name} is left in the cluster: ${error instanceof Error ? error.message : error}`);
    }
  }
}

type Ask = ClusterRun['ask'];

function asking(cluster: Cluster, version: KubernetesVersion, options: ClusterOptions, stored: Set<Value>): Ask {
  const crds = new Map<string, Promise<void>>();
  const ready = (crd: ValueMap) => {
    const name = String(valueAt(crd, ['metadata', 'name']));
    const known = crds.get(name) ?? readyCrd(cluster, name, crd, options, stored);
    crds.set(name, known);
    return known;
  };
  const policies = policyAsker({ cluster, version, ready, store: (object) => storing(cluster, object, stored) });
  let scratch: Promise<string> | undefined;
  const namespace = () => {
    scratch ??= options.namespace === undefined ? madeNamespace(cluster, stored) : Promise.resolve(options.namespace);
    return scratch;
  };
  return async (run) => {
    const { request } = run.one;
    if (request.verb === 'rule') return notAsked('a rule alone cannot be sent to a cluster');
    if (request.verb === 'evaluate') return notAsked('no cluster evaluates an expression by itself');
    if (request.verb === 'admit') return run.policies ? await policies.ask(run, run.policies) : notAsked(noPolicies);
    if (request.verb !== 'create' && request.crd) return notAsked('the CRD of the cluster is not changed');
    const [served] = [...run.served.values()];
    await ready(served!.document);
    const own = serving(served!.document, version);
    if ('refused' in own) return notAsked('the CRD is refused');
    const isNamespaced = own.crd.lowered.namespaced;
    const inUse = isNamespaced
      ? request.verb === 'create'
        ? (options.namespace ?? 'default')
        : await namespace()
      : undefined;
    const given = {
      object: placed(run.given.object ?? null, inUse),
      ...(run.given.from !== undefined && { from: placed(run.given.from, inUse) }),
    };
    const result = runCase(run.one, given, own, version);
    const verdict = result.answer && 'verdict' in result.answer ? result.answer.verdict : undefined;
    if (request.verb === 'create') return compared(verdict, await sent(cluster, given.object, 'create', 'update'));
    const { version: apiVersion } = splitApiVersion(String(valueAt(given.object, ['apiVersion'])));
    const hasStatus = own.crd.versions.get(apiVersion)?.hasStatus ?? false;
    const update = { from: given.from ?? null, object: given.object, verb: request.verb, hasStatus };
    return await afterStoring(cluster, update, result, stored);
  };
}

const noPolicies = 'the policies cannot be tested';

/** Stores an object that is removed at the end; it counts as stored before it is: the user may end the program in between. */
async function storing(
  cluster: Cluster,
  object: Value,
  stored: Set<Value>,
  refused = (why: string) =>
    `the cluster does not take the ${valueAt(object, ['kind'])} ${valueAt(object, ['metadata', 'name'])}: ${why}`,
): Promise<void> {
  stored.add(object);
  const answer = await cluster.send(object, { verb: 'create', stores: true });
  if (!('errors' in answer)) return;
  stored.delete(object);
  throw new Error(refused(answer.errors.join('; ')));
}

function notAsked(why: string): ClusterOutcome {
  return { answers: 'not asked', why };
}

async function madeNamespace(cluster: Cluster, stored: Set<Value>): Promise<string> {
  const name = `kube-crd-test-${randomBytes(4).toString('hex')}`;
  const namespace: Value = new Map<string, Value>([
    ['apiVersion', 'v1'],
    ['kind', 'Namespace'],
    ['metadata', new Map([['name', name]])],
  ]);
  const refused = (why: string) => `no namespace can be made for the objects: ${why}; name one with --namespace`;
  await storing(cluster, namespace, stored, refused);
  complain(`namespace ${name} is created`);
  return name;
}

/** A cluster without the CRD could not answer anything, and a run that passes has to have asked. */
async function readyCrd(
  cluster: Cluster,
  name: string,
  document: Value,
  { createCrds }: ClusterOptions,
  stored: Set<Value>,
): Promise<void> {
  const there = await cluster.crd(name);
  if (there) {
    if (!equalValues(schemasOf(there), schemasOf(document)))
      complain(`the CRD ${name} of the cluster has other schemas than the one that is tested`);
    return;
  }
  if (!createCrds) throw new Error(`the cluster has no CRD ${name}; --create-crds creates it while the tests run`);
  await storing(cluster, document, stored, (why) => `the cluster does not take the CRD ${name}: ${why}`);
  complain(`the CRD ${name} is created`);
  await cluster.established(name);
}

function schemasOf(crd: Value): Value {
  const versions = valueAt(crd, ['spec', 'versions']);
  return Array.isArray(versions) ? versions.map((one: Value) => valueAt(one, ['schema']) ?? null) : null;
}

/** An object in a namespace; those of the cluster itself have none. */
function placed(object: Value, namespace: string | undefined): Value {
  const metadata = valueAt(object, ['metadata']);
  if (!isMap(object) || !isMap(metadata) || namespace === undefined) return object;
  return new Map(object).set('metadata', new Map(metadata).set('namespace', namespace));
}

async function sent(cluster: Cluster, object: Value, verb: 'create' | 'replace', of: 'update' | 'status') {
  return await cluster.send(object, { verb, subresource: of === 'status' ? 'status' : undefined, stores: false });
}

interface Update {
  readonly from: Value;
  readonly object: Value;
  readonly verb: 'update' | 'status';
  readonly hasStatus: boolean;
}

/** An update is a dry run against an object that is stored for it, and removed. */
async function afterStoring(
  cluster: Cluster,
  update: Update,
  { answer }: CaseResult,
  stored: Set<Value>,
): Promise<ClusterOutcome> {
  const { from, object, verb } = update;
  if (!answer || !('verdict' in answer)) return notAsked('the object to start from is refused');
  if (valueAt(from, ['metadata', 'finalizers']) !== undefined)
    return notAsked('an object with finalizers could not be removed again');
  // What is there is somebody else's, and must not be removed.
  if (await cluster.has(from)) return notAsked(isThere);
  stored.add(from);
  const why = await startFrom(cluster, update);
  const outcome = why ?? compared(answer.verdict, await sent(cluster, object, 'replace', verb));
  await cluster.remove(from);
  stored.delete(from);
  return outcome;
}

const isThere = 'the cluster has an object of that name';

/** Stores the object that an update starts from; gives what there is to say where that cannot be done. */
async function startFrom(cluster: Cluster, { from, hasStatus }: Update): Promise<ClusterOutcome | undefined> {
  const created = await cluster.send(from, { verb: 'create', stores: true });
  if ('errors' in created) return outcome([`it refuses the object to start from: ${created.errors.join('; ')}`]);
  if (!hasStatus || valueAt(from, ['status']) === undefined) return undefined;
  const status = await cluster.send(from, { verb: 'replace', subresource: 'status', stores: true });
  return 'errors' in status ? notAsked(`the status to start from is refused: ${status.errors.join('; ')}`) : undefined;
}

function compared(verdict: ResourceVerdict | undefined, answer: ClusterAnswer): ClusterOutcome {
  if (!verdict) return notAsked('there is nothing to compare its answer with');
  const ours = [...new Set(wrongWith(verdict).map(textOf))];
  if ('errors' in answer) {
    if (answer.exists) return notAsked(isThere);
    const theirs = [...new Set(answer.errors)];
    // A decoding error is a part of what kubectl prints.
    const isSame = (text: string, other: string) =>
      text === other || (verdict.decode !== undefined && other.includes(text));
    return outcome([
      ...theirs.filter((one) => !ours.some((text) => isSame(text, one))).map((one) => `it says: ${one}`),
      ...ours.filter((text) => !theirs.some((one) => isSame(text, one))).map((one) => `it does not say: ${one}`),
    ]);
  }
  if (ours.length > 0) return outcome(ours.map((one) => `it does not say: ${one}`));
  return outcome(
    differences(asJson(bare(verdict.stored ?? null)), asJson(bare(answer.stored)), false).map(
      ({ path, wanted, found }) => `it stores ${path} as ${shown(found)}, not ${shown(wanted)}`,
    ),
  );
}

function outcome(found: readonly string[]): ClusterOutcome {
  return found.length === 0 ? { answers: 'the same' } : { answers: 'otherwise', differences: found };
}

/** What kubectl prints tells 1.0 from 1 no more. */
function asJson(value: Value): Value {
  if (Array.isArray(value)) return value.map(asJson);
  if (isMap(value)) return new Map([...value].map(([key, item]) => [key, asJson(item)]));
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;
}
