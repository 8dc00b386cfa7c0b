import { equalValues, isList, isMap, type Path, type Value, type ValueMap, valueAt } from '../base/value.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { parseDocument } from '../yaml/parse.ts';
import { valueOf } from '../yaml/value.ts';
import {
  bare,
  type EnvtestCase,
  type EnvtestSuite,
  jsonPatched,
  refusal,
  runEnvtestCase,
  Stopped,
} from './envtestSuite.ts';
import { isOwn, runCase, type Served, serving, textOf, wrongWith } from './run.ts';
import type { ObjectSpec, TestCase, TestRequest } from './suite.ts';

// Suites of openshift/api in the form of ours: a case passes in both, or in none.

/** Cases in the form of ours that share a CRD. */
export interface ConvertedCases {
  readonly crd: Value;
  readonly cases: Value[];
}

export interface Converted {
  readonly groups: readonly ConvertedCases[];
  /** The cases that have no form of ours, each with the reason. */
  readonly left: readonly string[];
}

/** All cases of a suite for one CRD. Messages are taken apart as the version words them. */
export function convertedSuite({ cases }: EnvtestSuite, crd: Value, kubernetes: KubernetesVersion): Converted {
  const groups: ConvertedCases[] = [];
  const left: string[] = [];
  for (const one of cases) {
    try {
      for (const { under, written } of convertedCase(one, crd, kubernetes)) {
        const group = groups.find((known) => equalValues(known.crd, under));
        if (group) group.cases.push(written);
        else groups.push({ crd: under, cases: [written] });
      }
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      left.push(`${one.name}: ${error.message}`);
    }
  }
  return { groups, left };
}

interface ConvertedCase {
  /** The CRD that the case runs against. */
  readonly under: Value;
  readonly written: Value;
  /** Whether the object that it starts from could not be created as it is then. */
  readonly cannot?: boolean;
}

function convertedCase(one: EnvtestCase, crd: Value, kubernetes: KubernetesVersion): ConvertedCase[] {
  const { name, expectedError } = one;
  const before = jsonPatched(crd, one.initialPatches);
  const initial = known(objectIn(one.initial, before), servedBy(before, kubernetes), kubernetes);
  if (one.updated === undefined) {
    const asked = { request: { verb: 'create', object: whole(initial) }, given: { object: initial } } as const;
    return [written(name, asked, { under: before, wanted: expectedError, exactly: one.expected }, kubernetes)];
  }
  const after = jsonPatched(crd, one.updatedPatches);
  const named = withName(objectIn(one.updated, after), valueAt(initial, ['metadata', 'name']));
  const updated = known(named, servedBy(after, kubernetes), kubernetes);
  const cases = [
    ...initialStatus(one, initial, before, kubernetes),
    ...updates(one, initial, updated, { before, after }, kubernetes),
  ];
  const isMissed = cases.length > 1 && cases.some(({ cannot }) => cannot);
  if (isMissed && runEnvtestCase(one, crd, kubernetes).length === 0)
    throw new Stopped(['its status is written to an object that is only accepted with a status']);
  return cases;
}

/** The initial object gets its status in a request of its own, which has to be granted. */
function initialStatus({ name }: EnvtestCase, initial: Value, before: Value, kubernetes: KubernetesVersion) {
  const status = valueAt(initial, ['status']);
  if (status === undefined) return [];
  const asked = changed('status', withStatus(initial, undefined), initial, before, before);
  return [written(`${name}: the initial status`, asked, { under: before, wanted: '', exactly: undefined }, kubernetes)];
}

function updates(
  { name, expected, expectedError, expectedStatusError }: EnvtestCase,
  initial: Value,
  updated: Value,
  { before, after }: { readonly before: Value; readonly after: Value },
  kubernetes: KubernetesVersion,
): ConvertedCase[] {
  const update = changed('update', initial, updated, before, after);
  if (valueAt(updated, ['status']) === undefined || expectedError !== '')
    return [written(name, update, { under: before, wanted: expectedError, exactly: expected }, kubernetes)];
  // The status is written after the rest.
  const from = withStatus(updated, valueAt(initial, ['status']));
  const second = { under: after, wanted: expectedStatusError, exactly: expected };
  const status = written(`${name}: the status`, changed('status', from, updated, after, after), second, kubernetes);
  return [
    written(name, update, { under: before, wanted: '', exactly: undefined }, kubernetes),
    { ...status, cannot: cannotStart(from, servedBy(after, kubernetes), kubernetes) },
  ];
}

/** An update is of the object that was created, whatever it is called. */
function withName(object: ValueMap, name: Value | undefined): ValueMap {
  const metadata = new Map(valueAt(object, ['metadata']) as ValueMap).set('name', name ?? null);
  return new Map(object).set('metadata', metadata);
}

function cannotStart(from: Value, served: Served | undefined, kubernetes: KubernetesVersion): boolean {
  const verdict = served && answerTo({ verb: 'create', object: whole(from) }, { object: from }, served, kubernetes);
  return verdict !== undefined && wrongWith(verdict).length > 0;
}

interface Asked {
  readonly request: Exclude<TestRequest, { verb: 'rule' }>;
  readonly given: { readonly object: Value; readonly from?: Value };
}

function changed(verb: 'update' | 'status', from: Value, object: Value, before: Value, after: Value): Asked {
  const crd = equalValues(before, after) ? undefined : crdPatch(before, after);
  return { request: { verb, from: whole(from), object: whole(object), crd }, given: { from, object } };
}

const whole = (value: Value): ObjectSpec => ({ of: { whole: value }, patches: [] });

function withStatus(object: Value, status: Value | undefined): Value {
  const map = new Map(isMap(object) ? object : []);
  if (status === undefined) map.delete('status');
  else map.set('status', status);
  return map;
}

function servedBy(crd: Value, kubernetes: KubernetesVersion): Served | undefined {
  const found = serving(crd, kubernetes);
  return 'crd' in found ? found : undefined;
}

/** The object of a suite, with a name where the server would have made one. */
function objectIn(text: string, crd: Value): ValueMap {
  const value = valueOf(parseDocument(text));
  if (!isMap(value)) throw new Stopped(['the text does not hold an object']);
  const metadata = valueAt(value, ['metadata']);
  const own = new Map<string, Value>(isMap(metadata) ? metadata : []);
  own.delete('generateName');
  if (!own.has('name')) own.set('name', 'test');
  if (valueAt(crd, ['spec', 'scope']) === 'Namespaced') own.set('namespace', 'default');
  return new Map(value).set('metadata', own);
}

/** Without the fields that a client of the suites has dropped: for ours they are errors. */
function known(object: ValueMap, served: Served | undefined, kubernetes: KubernetesVersion): ValueMap {
  const said = served && answerTo({ verb: 'create', object: whole(object) }, { object }, served, kubernetes);
  const paths = (said?.strict ?? []).map(({ path }) => path);
  return paths.reduce<Value>((now, path) => without(now, path), object) as ValueMap;
}

function without(value: Value, [step, ...rest]: Path): Value {
  if (isList(value) && typeof step === 'number')
    return value.map((item, i) => (i === step ? without(item, rest) : item));
  if (!isMap(value) || typeof step !== 'string' || !value.has(step)) return value;
  const map = new Map(value);
  if (rest.length === 0) map.delete(step);
  else map.set(step, without(map.get(step)!, rest));
  return map;
}

const anything = {
  outcome: 'valid',
  errors: [],
  more: true,
  warnings: undefined,
  stored: undefined,
  exactly: false,
  message: undefined,
  cost: undefined,
} as const;

function answerTo(request: TestRequest, given: Asked['given'], served: Served, kubernetes: KubernetesVersion) {
  const one: TestCase = { name: '', path: [], request, expected: anything };
  const { answer } = runCase(one, given, served, kubernetes);
  return answer && 'verdict' in answer ? answer.verdict : undefined;
}

interface Wanted {
  readonly under: Value;
  /** A part of the message of a client; '' where the request is granted. */
  readonly wanted: string;
  /** What is stored then, as YAML; undefined where that is not asked. */
  readonly exactly: string | undefined;
}

/** A case in the form of ours. */
function written(
  name: string,
  { request, given }: Asked,
  { under, wanted, exactly }: Wanted,
  kubernetes: KubernetesVersion,
): ConvertedCase {
  const { object, from } = given;
  const asked: Value =
    from === undefined
      ? object
      : new Map<string, Value>([
          ['from', from],
          ['to', object],
        ]);
  const one = new Map<string, Value>([
    ['name', name],
    [request.verb, asked],
  ]);
  if (request.verb !== 'create' && request.crd) one.set('crd', request.crd);
  if (wanted !== '') {
    const served = servedBy(under, kubernetes);
    one.set('errors', errorsFor(wanted, served && answerTo(request, given, served, kubernetes)));
  } else if (exactly !== undefined) one.set('exactly', storedAs(exactly, object));
  return { under, written: one };
}

/** A client joins all errors to one message, of which a suite names a part: ours are compared one by one. */
function errorsFor(wanted: string, verdict: ReturnType<typeof answerTo>): Value {
  const said = verdict ? wrongWith(verdict) : [];
  const isMet = (verdict && refusal(verdict))?.includes(wanted) ?? false;
  if (!isMet || said.some((one) => textOf(one).includes(wanted))) return [wanted, 'and more'];
  const named = said.map(textOf).filter((text) => wanted.includes(text));
  return named.length > 0 ? [...named, 'and more'] : said.filter(isOwn).map(textOf);
}

/** What is stored, with the name that the object has here. */
function storedAs(text: string, object: Value): Value {
  const expected = bare(valueOf(parseDocument(text)) ?? null);
  const own = valueAt(expected, ['metadata']);
  const metadata = new Map<string, Value>(isMap(own) ? own : []);
  for (const key of ['name', 'namespace']) {
    const value = valueAt(object, ['metadata', key]);
    if (value !== undefined) metadata.set(key, value);
  }
  return new Map<string, Value>(isMap(expected) ? expected : []).set('metadata', metadata);
}

/** What makes one CRD of the other, in the form of `with`: its versions by their index, lists in them whole. */
function crdPatch(before: Value, after: Value): ValueMap {
  const [old, now] = [before, after].map((crd) => valueAt(crd, ['spec', 'versions']));
  const patch = new Map<string, Value>();
  if (isList(old) && isList(now) && old.length === now.length) {
    for (const [i, version] of now.entries())
      if (!equalValues(old[i], version)) patch.set(`spec.versions[${i}]`, mapPatch(old[i], version));
    const others = ['spec', 'versions'];
    const rest = mapPatch(without(before, others), without(after, others));
    return new Map([...patch, ...(isMap(rest) ? rest : [])]);
  }
  return mapPatch(before, after) as ValueMap;
}

function mapPatch(before: Value | undefined, after: Value): Value {
  if (!isMap(before) || !isMap(after)) return after;
  const patch = new Map<string, Value>();
  for (const key of before.keys()) if (!after.has(key)) patch.set(key, null);
  for (const [key, value] of after)
    if (!equalValues(before.get(key), value)) patch.set(key, mapPatch(before.get(key), value));
  return patch;
}
