import {
  isList,
  isMap,
  isString,
  listAt,
  type Path,
  textAt,
  type Value,
  type ValueMap,
  valueAt,
} from '../base/value.ts';
import { plainVal } from '../kubernetes/cel/values.ts';
import { type Admitted, broughtBy, nameOf, namespaceLabels } from '../kubernetes/policy/admit.ts';
import { conditionText } from '../kubernetes/policy/dispatch.ts';
import { evaluator, type PolicyVerdict, unknown } from '../kubernetes/policy/evaluate.ts';
import { labelsOf } from '../kubernetes/policy/matching.ts';
import { type MutationVerdict, mutator } from '../kubernetes/policy/mutate.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { splitApiVersion } from '../workspace/manifest.ts';
import type { YamlDocument } from '../yaml/parse.ts';
import { valueOf } from '../yaml/value.ts';
import { mergingOf, type PolicyServer } from './admission.ts';
import { differences } from './objects.ts';
import { mostFailures, shown } from './run.ts';

// Test suites in the form of kaptest: policies are evaluated on objects of some files as they are written, whatever they
// match and whatever failurePolicy says.

export interface KaptestSuite {
  readonly policies: readonly string[];
  readonly resources: readonly string[];
  /** What it says that is not looked at here. */
  readonly unread: readonly string[];
  readonly cases: readonly KaptestCase[];
}

export interface KaptestCase {
  readonly name: string;
  readonly path: Path;
  readonly policy: string;
  readonly isMutating: boolean;
  readonly test: ValueMap;
  /** Why it cannot be asked here. */
  readonly unexpressed: string | undefined;
}

const policyLists = ['policies', 'validatingAdmissionPolicies', 'mutatingAdmissionPolicies'];
const suiteLists: readonly (readonly [key: string, isMutating: boolean])[] = [
  ['testSuites', false],
  ['vapTestSuites', false],
  ['mapTestSuites', true],
];

/** Undefined where a document is something else. */
export function readKaptestSuite(document: YamlDocument): KaptestSuite | undefined {
  const root = valueOf(document);
  if (!isMap(root) || !suiteLists.some(([key]) => isList(root.get(key)))) return undefined;
  if (!policyLists.some((key) => isList(root.get(key)))) return undefined;
  const texts = (key: string) => listAt(root, [key]).filter(isString);
  const known = new Set(['version', ...policyLists, 'resources', ...suiteLists.map(([key]) => key)]);
  return {
    policies: policyLists.flatMap(texts),
    resources: texts('resources'),
    unread: [...root.keys()].filter((key) => !known.has(key)),
    cases: suiteLists.flatMap(([key, isMutating]) =>
      listAt(root, [key]).flatMap((suite, i) => casesOf(suite, [key, i], isMutating)),
    ),
  };
}

function casesOf(suite: Value, path: Path, isMutating: boolean): KaptestCase[] {
  const policy = textAt(suite, ['policy']);
  const more = isMap(suite) ? [...suite.keys()].filter((key) => key !== 'policy' && key !== 'tests') : [];
  return listAt(suite, ['tests']).flatMap((test, i): KaptestCase[] => {
    if (!isMap(test)) return [];
    const unexpressed = [...more, ...unknownKeys(test, isMutating)].map((key) => `\`${key}\``);
    return [
      {
        name: nameOfCase(policy, test),
        path: [...path, 'tests', i],
        policy,
        isMutating,
        test,
        unexpressed: unexpressed.length === 0 ? undefined : `${unexpressed.join(', ')} cannot be asked here`,
      },
    ];
  });
}

const testKeys = ['object', 'oldObject', 'param', 'expect', 'userInfo'];
const validationKeys = ['deniedMessage'];
const mutationKeys = ['expectObject', 'disableNameOverwrite'];
const userKeys = ['name', 'groups', 'extra'];

function unknownKeys(test: ValueMap, isMutating: boolean): string[] {
  const known = [...testKeys, ...(isMutating ? mutationKeys : validationKeys)];
  const user = test.get('userInfo');
  const ofUser = isMap(user) ? [...user.keys()].filter((key) => !userKeys.includes(key)) : [];
  return [...[...test.keys()].filter((key) => !known.includes(key)), ...ofUser.map((key) => `userInfo.${key}`)];
}

function nameOfCase(policy: string, test: ValueMap): string {
  const [object, old] = [refText(test.get('object')), refText(test.get('oldObject'))];
  const param = textAt(test, ['param', 'name']);
  const what = old === '' ? object : object === '' ? `without ${old}` : `${old} to ${object}`;
  const user = textAt(test, ['userInfo', 'name']);
  const how = [param && `param ${param}`, user && `user ${user}`].filter(Boolean).join(', ');
  return `${policy}: ${what}${how === '' ? '' : ` (${how})`}: ${textAt(test, ['expect'])}`;
}

function refText(ref: Value | undefined): string {
  if (!isMap(ref)) return '';
  const namespace = textAt(ref, ['namespace']);
  return `${textAt(ref, ['kind'])} ${namespace === '' ? '' : `${namespace}/`}${textAt(ref, ['name'])}`.trim();
}

// Running

/** The objects that the files of a suite hold. */
export interface KaptestFiles {
  readonly policies: readonly ValueMap[];
  readonly resources: readonly ValueMap[];
}

export function policyOf({ isMutating, policy }: KaptestCase, { policies }: KaptestFiles): ValueMap | undefined {
  const kind = isMutating ? 'MutatingAdmissionPolicy' : 'ValidatingAdmissionPolicy';
  return policies.find((one) => one.get('kind') === kind && nameOf(one) === policy);
}

/** A case ends here, before a policy is asked. */
class Stopped extends Error {}

/** What is not as expected when a case runs as kaptest runs it; none where it passes. */
export function runKaptestCase(
  one: KaptestCase,
  policy: ValueMap,
  resources: readonly ValueMap[],
  server: PolicyServer,
  kubernetes: KubernetesVersion,
): string[] {
  try {
    return comparedWith(one, cameOf(one, policy, resources, server, kubernetes), resources);
  } catch (error) {
    if (error instanceof Stopped) return [error.message];
    throw error;
  }
}

interface Came {
  readonly result: 'admit' | 'deny' | 'skip' | 'error' | 'mutate';
  readonly words: readonly string[];
  readonly object?: Value;
}

function comparedWith(one: KaptestCase, came: Came, resources: readonly ValueMap[]): string[] {
  const { test, isMutating } = one;
  const expected = textAt(test, ['expect']);
  if (expected === '') return ['expected `expect`: admit, deny, mutate, skip or error'];
  if (came.result !== expected) return [`expected ${expected}, is ${came.result}`, ...came.words];
  const denied = textAt(test, ['deniedMessage']);
  if (came.result === 'deny' && denied !== '' && !came.words.includes(denied))
    return [
      `expected the message ${JSON.stringify(denied)}, is ${came.words.map((one) => JSON.stringify(one)).join(', ')}`,
    ];
  if (!isMutating || came.object === undefined) return [];
  return unlikeObject(test, came.object, resources);
}

function unlikeObject(test: ValueMap, object: Value, resources: readonly ValueMap[]): string[] {
  const wanted = found(test, 'expectObject', resources);
  if (!wanted) return ['expected `expectObject` to name one of the resources'];
  const named =
    test.get('disableNameOverwrite') === true ? wanted : withName(wanted, textAt(object, ['metadata', 'name']));
  return differences(bare(named), bare(object), false, mostFailures).map(
    ({ path, wanted, found }) => `mutated ${path}: expected ${shown(wanted)}, is ${shown(found)}`,
  );
}

function withName(object: ValueMap, name: string): ValueMap {
  const metadata = object.get('metadata');
  return new Map(object).set('metadata', new Map(isMap(metadata) ? metadata : []).set('name', name));
}

/** What is empty counts as what is not there, as in a comparison of Go's types. */
function bare(value: Value): Value {
  if (isList(value)) return value.map(bare);
  if (!isMap(value)) return value;
  const isEmpty = (one: Value) => one === null || (isMap(one) && one.size === 0) || (isList(one) && one.length === 0);
  return new Map([...value].map(([key, one]) => [key, bare(one)] as const).filter(([, one]) => !isEmpty(one)));
}

function cameOf(
  one: KaptestCase,
  policy: ValueMap,
  resources: readonly ValueMap[],
  server: PolicyServer,
  kubernetes: KubernetesVersion,
): Came {
  const object = found(one.test, 'object', resources);
  const old = found(one.test, 'oldObject', resources);
  const either = object ?? old;
  if (!either) throw new Stopped('expected `object` or `oldObject` to name one of the resources');
  const param = paramOf(policy, one.test, resources);
  const admitted = admittedAs(one.test, object, old, either);
  const brought = broughtBy({ cluster: clusterOf(resources, either) }, admitted, param);
  if (!one.isMutating) return ofVerdict(evaluator(policy, kubernetes)(brought));
  if (!object) return { result: 'error', words: ['there is no object to mutate'] };
  const merging = mergingOf(either, server);
  if (!merging) throw new Stopped(`how ${textAt(either, ['kind'])} is merged is not known: name its CRD with --crds`);
  return ofMutation(mutator(policy, kubernetes)(brought, object, merging));
}

function admittedAs(
  test: ValueMap,
  object: ValueMap | undefined,
  old: ValueMap | undefined,
  either: ValueMap,
): Admitted {
  const [kind, namespace] = [textAt(either, ['kind']), textAt(either, ['metadata', 'namespace'])];
  const extra = valueAt(test, ['userInfo', 'extra']);
  const rows = [...(isMap(extra) ? extra : [])].map(
    ([key, all]) => [key, isList(all) ? all.filter(isString) : []] as const,
  );
  return {
    kind,
    defaulted: new Set(),
    value: () => object ?? null,
    old: () => old ?? null,
    asked: {
      user: {
        name: textAt(test, ['userInfo', 'name']),
        uid: '',
        groups: listAt(test, ['userInfo', 'groups']).filter(isString),
        extra: new Map(rows),
      },
      dryRun: true,
      options: null,
      authorizer: () => ({ decision: 'allow', reason: 'reason: stub' }),
    },
    request: {
      ...splitApiVersion(textAt(either, ['apiVersion'])),
      resource: '',
      operation: object && old ? 'UPDATE' : object ? 'CREATE' : 'DELETE',
      subresource: '',
      equivalents: [],
      name: nameOf(either),
      namespace: namespace === '' ? undefined : namespace,
      labels: object && labelsOf(object),
      oldLabels: old && labelsOf(old),
      namespaceLabels: namespaceLabels(undefined, namespace),
    },
  };
}

/** A namespace that is not among the resources has no labels. */
function clusterOf(resources: readonly ValueMap[], either: ValueMap) {
  const name = textAt(either, ['metadata', 'namespace']);
  const isIt = (one: ValueMap) =>
    one.get('kind') === 'Namespace' && one.get('apiVersion') === 'v1' && nameOf(one) === name;
  const plain: ValueMap = new Map<string, Value>([
    ['apiVersion', 'v1'],
    ['kind', 'Namespace'],
    ['metadata', new Map([['name', name]])],
  ]);
  return { bindings: [], params: undefined, namespaces: new Map([[name, resources.find(isIt) ?? plain]]) };
}

function paramOf(policy: ValueMap, test: ValueMap, resources: readonly ValueMap[]) {
  const kind = valueAt(policy, ['spec', 'paramKind']);
  if (!isMap(kind)) return null;
  if (textAt(test, ['param', 'name']) === '')
    throw new Stopped('expected `param` to have a name, since the policy has a paramKind');
  const wanted = new Map<string, Value>([
    ...(test.get('param') as ValueMap),
    ['kind', kind.get('kind') ?? ''],
    ['group', splitApiVersion(textAt(kind, ['apiVersion'])).group],
  ]);
  const param = found(new Map([['param', wanted]]), 'param', resources);
  return param ? plainVal(param) : unknown('the parameters, which are not among the resources');
}

/** The resource that a test names: a group, a version or a namespace only where it says one. */
function found(test: ValueMap, key: string, resources: readonly ValueMap[]): ValueMap | undefined {
  const ref = test.get(key);
  if (!isMap(ref) || textAt(ref, ['name']) === '' || textAt(ref, ['kind']) === '') return undefined;
  const all = resources.filter((one) => {
    const { group, version } = splitApiVersion(textAt(one, ['apiVersion']));
    const is = {
      group,
      version,
      kind: textAt(one, ['kind']),
      namespace: textAt(one, ['metadata', 'namespace']),
      name: nameOf(one),
    };
    const asks = (name: keyof typeof is) => textAt(ref, [name]);
    const isVersion = asks('group') === '' || asks('version') === '' || asks('version') === is.version;
    return (
      isVersion &&
      (['group', 'kind', 'namespace', 'name'] as const).every((name) => asks(name) === '' || asks(name) === is[name])
    );
  });
  if (all.length > 1) throw new Stopped(`several resources are ${refText(ref)}`);
  if (all.length === 0) throw new Stopped(`there is no ${refText(ref)} among the resources`);
  return all[0];
}

function ofVerdict({ unmatched, decisions }: PolicyVerdict): Came {
  if (unmatched !== undefined) return { result: 'skip', words: [conditionText(unmatched)] };
  const open = decisions.find(({ action }) => action === 'unknown');
  if (open) throw new Stopped(`it depends on what is not known here: ${open.message}`);
  const failed = decisions.filter((one) => one.failed !== undefined);
  if (failed.length > 0) return { result: 'error', words: failed.map((one) => one.failed!) };
  const denied = decisions.filter(({ action }) => action === 'deny');
  return denied.length > 0
    ? { result: 'deny', words: denied.map(({ message }) => message) }
    : { result: 'admit', words: [] };
}

function ofMutation({ unmatched, unknown: open, failures, object }: MutationVerdict): Came {
  if (unmatched !== undefined) return { result: 'skip', words: [conditionText(unmatched)] };
  if (open !== undefined) throw new Stopped(`it depends on what is not known here: ${open}`);
  return failures.length > 0 ? { result: 'error', words: failures } : { result: 'mutate', words: [], object };
}
