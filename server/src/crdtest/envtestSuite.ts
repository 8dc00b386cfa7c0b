import { isList, isMap, type Path, type Value, type ValueMap, valueAt } from '../base/value.ts';
import { jsonPatched } from '../kubernetes/apply/jsonPatch.ts';
import { createResource } from '../kubernetes/cr/create.ts';
import type { ServedCrd } from '../kubernetes/cr/served.ts';
import { updateResource } from '../kubernetes/cr/update.ts';
import type { ResourceVerdict } from '../kubernetes/cr/verdict.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { boundedMatching } from '../kubernetes/schema/matching.ts';
import { parseDocument, type YamlDocument } from '../yaml/parse.ts';
import { valueOf } from '../yaml/value.ts';
import { sizeOfServing } from './load.ts';
import { differences, patched } from './objects.ts';
import { few, mostFailures, serving, shown, tooLong } from './run.ts';
import { sizeOf, tooDeep } from './size.ts';

// Test suites in the form of openshift/api, as its generator runs them on a real server: objects are texts with YAML,
// errors a part of the client's message, and what is not said of metadata does not count.

export interface EnvtestSuite {
  readonly crdName: string;
  /** The one version that is served; all of them where it is not named. */
  readonly version: string | undefined;
  readonly featureGates: readonly string[];
  readonly cases: readonly EnvtestCase[];
}

export interface EnvtestCase {
  readonly name: string;
  readonly path: Path;
  readonly initial: string;
  /** Only in updates. */
  readonly updated: string | undefined;
  readonly expected: string;
  readonly expectedError: string;
  readonly expectedStatusError: string;
  /** Changes of the CRD under which the initial object is created, and under which it is updated. */
  readonly initialPatches: readonly Value[];
  readonly updatedPatches: readonly Value[];
}

/** Undefined where a document is something else. */
export function readEnvtestSuite(document: YamlDocument): EnvtestSuite | undefined {
  const root = valueOf(document);
  const crdName = valueAt(root, ['crdName']);
  const tests = valueAt(root, ['tests']);
  if (typeof crdName !== 'string' || !isMap(tests)) return undefined;
  const gates = valueAt(root, ['featureGates']);
  const cases = (['onCreate', 'onUpdate'] as const).flatMap((key) => {
    const all = tests.get(key);
    return (isList(all) ? all : []).flatMap((one, i) => (isMap(one) ? [readCase(one, ['tests', key, i])] : []));
  });
  return {
    crdName,
    version: text(valueAt(root, ['version'])) || undefined,
    featureGates: isList(gates) ? gates.map(String) : [],
    cases,
  };
}

/** Why a document that is meant for a suite is none. A folder may hold other files as well. */
export function suiteFault(document: YamlDocument, isNamed: boolean): { message: string; at: number } | undefined {
  if (!isNamed && !document.text.includes('crdName:')) return undefined;
  const [problem] = document.problems;
  if (problem) return { message: problem.message, at: problem.range.start };
  if (readEnvtestSuite(document)) return undefined;
  return { message: 'expected `crdName` and `tests`', at: document.rootStart };
}

function text(value: Value | undefined): string {
  return typeof value === 'string' ? value : '';
}

function readCase(one: ValueMap, path: Path): EnvtestCase {
  const of = (key: string) => text(one.get(key));
  const list = (key: string) => {
    const value = one.get(key);
    return isList(value) ? value : [];
  };
  const updated = path.includes('onUpdate') ? of('updated') : undefined;
  return {
    name: of('name'),
    path,
    initial: of('initial'),
    updated,
    expected: of('expected').trim() === '' ? (updated ?? of('initial')) : of('expected'),
    expectedError: of('expectedError'),
    expectedStatusError: of('expectedStatusError'),
    initialPatches: list('initialCRDPatches'),
    updatedPatches: list('updatedCRDPatches'),
  };
}

/** The CRDs that a suite is about: with feature gates those that have every field, or none of the gated ones. */
export function crdsFor({ crdName, featureGates, version }: EnvtestSuite, all: readonly Value[]): Value[] {
  const named = all.filter((crd) => valueAt(crd, ['metadata', 'name']) === crdName);
  const sets = (crd: Value) =>
    text(valueAt(crd, ['metadata', 'annotations', 'release.openshift.io/feature-set'])).split(',');
  const wanted = featureGates.some((gate) => gate.startsWith('-')) ? 'Default' : 'CustomNoUpgrade';
  const gated = named.filter((crd) => sets(crd).includes(wanted));
  const chosen = featureGates.length > 0 && gated.length > 0 ? gated : named;
  return version === undefined ? chosen : chosen.map((crd) => onlyVersion(crd, version));
}

function onlyVersion(crd: Value, name: string): Value {
  const versions = valueAt(crd, ['spec', 'versions']);
  const own = (isList(versions) ? versions : []).filter((one) => isMap(one) && one.get('name') === name);
  const served = own.map((one) => new Map(one as ValueMap).set('served', true).set('storage', true));
  return patched(crd, new Map([['spec.versions', served]]));
}

/** What running a case against a CRD comes to: its texts, and the CRD where that is patched. */
export function sizeOfEnvtestRun({ initial, updated, expected, ...one }: EnvtestCase, crd: Value): number {
  const texts = initial.length + (updated?.length ?? 0) + expected.length;
  const patched = [one.initialPatches, one.updatedPatches].filter(({ length }) => length > 0).length;
  return texts + (patched === 0 ? 0 : patched * sizeOfServing(crd));
}

/** What is not as expected when a case runs as its generator runs it; none where it passes. */
export function runEnvtestCase(one: EnvtestCase, document: Value, kubernetes: KubernetesVersion): string[] {
  try {
    const { result, unmatched } = boundedMatching(() => steps(one, document, kubernetes));
    return few([...result, ...tooLong(unmatched)]);
  } catch (error) {
    if (error instanceof Stopped) return error.failures;
    throw error;
  }
}

/** A case ends here: it failed, or all that it expects has come. */
export class Stopped extends Error {
  readonly failures: string[];
  constructor(failures: string[]) {
    super(failures.join('; '));
    this.failures = failures;
  }
}

function steps(one: EnvtestCase, document: Value, kubernetes: KubernetesVersion): string[] {
  const crd = (patches: readonly Value[]): ServedCrd => {
    const served = serving(patchedCrd(document, patches), kubernetes);
    if ('refused' in served) throw new Stopped(served.refused.map((why) => `the CRD is refused: ${why}`));
    return served.crd;
  };
  const before = crd(one.initialPatches);
  const options = { kubernetes };
  const initial = objectOf(one.initial, before);
  const created = createResource(initial, before, options);
  if (one.updated === undefined) {
    return afterRequest(created, one.expectedError, () => unlike(one.expected, created.stored));
  }
  let stored = accepted(created, 'creating the initial object');
  const status = isMap(initial) ? initial.get('status') : undefined;
  const writeStatus = (served: ServedCrd, value: Value) =>
    updateResource(stored, withKey(stored, 'status', value), served, { kubernetes, subresource: 'status' });
  if (status !== undefined) stored = accepted(writeStatus(before, status), 'writing the initial status');
  const after = crd(one.updatedPatches);
  // The generator writes the object once more to see that the CRD is as it was: defaults come in with that.
  if (one.initialPatches.length > 0)
    stored = accepted(updateResource(stored, stored, after, options), 'writing it again');
  const updated = objectOf(one.updated, after);
  const written = updateResource(stored, withMetadata(updated, stored), after, options);
  return afterRequest(written, one.expectedError, () => {
    stored = written.stored ?? null;
    const changed = isMap(updated) ? updated.get('status') : undefined;
    if (changed === undefined) return unlike(one.expected, stored);
    const answer = writeStatus(after, changed);
    return afterRequest(answer, one.expectedStatusError, () => unlike(one.expected, answer.stored));
  });
}

/** A CRD with the patches of a case. */
export function patchedCrd(crd: Value, patches: readonly Value[]): Value {
  const found = jsonPatched(crd, patches);
  if ('error' in found) throw new Stopped([`the CRD cannot be patched: ${found.error}`]);
  if (patches.length > 0) stopIfDeep(found.value, 'the patched CRD');
  return found.value;
}

/** What a text of a case holds. */
export function valueIn(yaml: string): Value | undefined {
  const value = valueOf(parseDocument(yaml));
  stopIfDeep(value, 'the object');
  return value;
}

function stopIfDeep(value: Value | undefined, what: string): void {
  const why = tooDeep(sizeOf(value), what);
  if (why !== undefined) throw new Stopped([why]);
}

/** The message that a client gets; undefined where the request is granted. Unknown fields are dropped with a warning. */
export function refusal({ decode, errors, stored }: ResourceVerdict): string | undefined {
  if (decode) return decode.message;
  const all = [...new Set(errors.map(({ field, message }) => `${field}: ${message}`))];
  if (all.length === 0) return undefined;
  const [kind, apiVersion, name] = [['kind'], ['apiVersion'], ['metadata', 'name']].map((path) =>
    text(valueAt(stored, path)),
  );
  const what = `${kind}.${apiVersion?.split('/')[0]} "${name}"`;
  return `${what} is invalid: ${all.length === 1 ? all[0] : `[${all.join(', ')}]`}`;
}

function accepted(verdict: ResourceVerdict, what: string): Value {
  const why = refusal(verdict);
  if (why !== undefined) throw new Stopped([`${what} failed: ${why}`]);
  return verdict.stored ?? null;
}

function afterRequest(verdict: ResourceVerdict, expectedError: string, granted: () => string[]): string[] {
  const why = refusal(verdict);
  if (expectedError === '') return why === undefined ? granted() : [`unexpected error: ${why}`];
  if (why === undefined) return [`expected error did not come: ${expectedError}`];
  return why.includes(expectedError) ? [] : [`expected error: ${expectedError}`, `but it is: ${why}`];
}

/** What the server fills in of metadata does not count. */
const ofServer = new Set([
  ...['uid', 'generation', 'creationTimestamp', 'resourceVersion', 'managedFields', 'selfLink'],
  ...['deletionGracePeriodSeconds', 'deletionTimestamp', 'generateName', 'name', 'namespace'],
]);

function unlike(expected: string, stored: Value | undefined): string[] {
  return differences(bare(valueIn(expected)), bare(stored), false, mostFailures).map(
    ({ path, wanted: one, found }) => `stored ${path}: expected ${shown(one)}, is ${shown(found)}`,
  );
}

/** An object without what the server fills in. */
export function bare(value: Value | undefined): Value | undefined {
  if (!isMap(value)) return value;
  const metadata = value.get('metadata');
  const kept = isMap(metadata) ? [...metadata].filter(([key]) => !ofServer.has(key)) : [];
  const rest = [...value].filter(([key]) => key !== 'metadata');
  return new Map<string, Value>(kept.length > 0 ? [...rest, ['metadata', new Map(kept)]] : rest);
}

function objectOf(yaml: string, { lowered }: ServedCrd): Value {
  const value = valueIn(yaml);
  if (!isMap(value)) throw new Stopped(['the text does not hold an object']);
  const metadata = value.get('metadata');
  const own = new Map<string, Value>(isMap(metadata) ? metadata : []);
  own.set('generateName', 'test-');
  if (lowered.namespaced) own.set('namespace', 'default');
  return withKey(value, 'metadata', own);
}

/** An update names the object that it is of. */
function withMetadata(value: Value, stored: Value): Value {
  const metadata = new Map(valueAt(value, ['metadata']) as ValueMap);
  for (const key of ['name', 'namespace']) {
    const own = valueAt(stored, ['metadata', key]);
    if (own !== undefined) metadata.set(key, own);
  }
  return withKey(value, 'metadata', metadata);
}

function withKey(value: Value, key: string, put: Value): Value {
  return new Map(isMap(value) ? value : []).set(key, put);
}
