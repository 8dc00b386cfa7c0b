import { multiplyU64 } from '../../base/u64.ts';
import { isList, isMap, type Path, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import { ruleCostLimit } from '../../kubernetes/bounds.ts';
import { createCrd } from '../../kubernetes/crd/create.ts';
import type { CrdFacts } from '../../kubernetes/crd/findings.ts';
import { lowerCrd } from '../../kubernetes/crd/lower.ts';
import { newestVersion } from '../../kubernetes/releases/all.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { boundedMatching } from '../../kubernetes/schema/matching.ts';
import type { Manifest } from '../../workspace/manifest.ts';
import { versionsOf } from '../lints/linted.ts';
import { eachRule } from '../lints/ruleWalk.ts';
import type { Problem } from '../model/rule.ts';

export interface Limit {
  /** The schema node in the document. */
  readonly node: Path;
  readonly keyword: 'maxItems' | 'maxLength' | 'maxProperties';
}

/** Tries limits out on a rule. */
export interface Trial {
  fits(limits: readonly Limit[], value: number): boolean;
  /** Whether at least half of the budget is left, so that nothing warns of the rule. */
  leavesRoom(limits: readonly Limit[], value: number): boolean;
}

/**
 * A CRD with nothing in it but one rule and the schema that it needs, which the engine itself judges: so what is said
 * to fit does fit.
 */
export function trialOf(problem: Problem): Trial | undefined {
  const { manifest, path, code } = problem;
  const at = path.indexOf('openAPIV3Schema') + 1;
  const list = path.lastIndexOf('x-kubernetes-validations');
  const entry = path[list + 1];
  const root = valueAt(manifest?.value, path.slice(manifest?.at.length, at));
  if (!manifest || at === 0 || list === -1 || typeof entry !== 'number' || !isMap(root)) return undefined;
  const small = slice(root, path.slice(at, list), entry);
  const kubernetes = problem.kubernetes ?? newestVersion;
  const limited = (limits: readonly Limit[], value: number) =>
    limits.reduce<Value>(
      (tree, { node, keyword }) => changed(tree, node.slice(at), (map) => map.set(keyword, BigInt(value))),
      small,
    );
  return {
    fits(limits, value) {
      const { errors, decode, panic } = created(crdAround(limited(limits, value)), kubernetes);
      return !decode && !panic && !errors.some((found) => found.code === code);
    },
    leavesRoom(limits, value) {
      const cost = dearest(manifest, crdAround(limited(limits, value)), kubernetes);
      return cost !== undefined && cost <= ruleCostLimit / 2;
    },
  };
}

/** What the most expensive rule of a CRD costs. */
/** The verdict on a new CRD, whose defaults are matched with patterns no longer than when it is judged. */
function created(crd: ValueMap, kubernetes: KubernetesVersion) {
  return boundedMatching(() => createCrd(crd, { kubernetes })).result;
}

function dearest(manifest: Manifest, value: ValueMap, kubernetes: KubernetesVersion): number | undefined {
  const crd = lowerCrd(value, kubernetes);
  if (!crd) return undefined;
  const costs: number[] = [];
  const linted = { manifest, crd, kubernetes, settings: { rules: new Map() } };
  for (const version of versionsOf(linted)) {
    eachRule(linted, version, ({ rule, occurs }) =>
      costs.push(Number(multiplyU64(rule.maxCost, occurs ?? rule.maxCardinality))),
    );
  }
  return costs.length === 0 ? undefined : costs.reduce((most, cost) => (cost > most ? cost : most));
}

/** The same for all rules of a version together, with all of its schema: each within its budget, and all in theirs. */
export function totalTrialOf({ manifest, path, kubernetes = newestVersion }: Problem): Pick<Trial, 'fits'> | undefined {
  const at = path.indexOf('openAPIV3Schema') + 1;
  const root = manifest && valueAt(manifest.value, path.slice(manifest.at.length, at));
  if (at === 0 || !isMap(root)) return undefined;
  return {
    fits(limits, value) {
      const schema = limits.reduce<Value>((tree, { node, keyword }) => {
        return changed(tree, node.slice(at), (map) => map.set(keyword, least(map.get(keyword), BigInt(value))));
      }, root);
      const { errors, decode, panic } = created(crdAround(schema), kubernetes);
      return !decode && !panic && !errors.some(({ code }) => costCodes.has(code));
    },
  };
}

const costCodes: ReadonlySet<string> = new Set<keyof CrdFacts>([
  'crd/rule-cost',
  'crd/rule-message-expression-cost',
  'crd/rule-cost-total',
]);

const least = (now: Value | undefined, value: bigint): bigint => (typeof now === 'bigint' && now < value ? now : value);

function crdAround(schema: Value): ValueMap {
  const version = { name: 'v1', served: true, storage: true, schema: new Map([['openAPIV3Schema', schema]]) };
  const names = { plural: 'widgets', kind: 'Widget' };
  const spec = { group: 'example.com', scope: 'Namespaced', names: map(names), versions: [map(version)] };
  const crd = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
  return map({ ...crd, metadata: map({ name: 'widgets.example.com' }), spec: map(spec) });
}

const map = (entries: Readonly<Record<string, Value>>): ValueMap => new Map(Object.entries(entries));

/** The schema down to a node, with one of that node's rules and no other. */
function slice(schema: ValueMap, down: Path, entry: number): ValueMap {
  const [step, name] = down;
  if (step === undefined) return withRule(schema, entry);
  const kept = [...schema].filter(([keyword]) => sizes.has(keyword));
  if (step === 'properties') {
    const below = valueAt(schema, [step, name!]);
    const sliced = isMap(below) ? slice(below, down.slice(2), entry) : new Map();
    return new Map<string, Value>([...kept, [step, new Map([[String(name), sliced]])]]);
  }
  const below = schema.get(String(step));
  return new Map<string, Value>([
    ...kept,
    [String(step), isMap(below) ? slice(below, down.slice(1), entry) : new Map()],
  ]);
}

/** What a schema says about how often things below occur. */
const sizes = new Set([
  'type',
  'maxItems',
  'maxProperties',
  'nullable',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-preserve-unknown-fields',
]);

const validations = 'x-kubernetes-validations';

function withRule(schema: ValueMap, entry: number): ValueMap {
  const rules = schema.get(validations);
  const bare = withoutRules(schema);
  return new Map([...bare, [validations, isList(rules) ? rules.slice(entry, entry + 1) : []]]);
}

/** Neither rules nor defaults, which are judged as well. */
function withoutRules(schema: ValueMap): Map<string, Value> {
  const kept = [...schema].filter(([keyword]) => keyword !== validations && keyword !== 'default');
  return new Map(kept.map(([keyword, value]) => [keyword, below(keyword, value)]));
}

function below(keyword: string, value: Value): Value {
  if (!isMap(value)) return value;
  if (keyword === 'items' || keyword === 'additionalProperties') return withoutRules(value);
  if (keyword !== 'properties') return value;
  return new Map([...value].map(([name, schema]) => [name, isMap(schema) ? withoutRules(schema) : schema]));
}

/** A copy of a tree in which one map is changed. */
function changed(tree: Value, path: Path, change: (map: Map<string, Value>) => void): Value {
  if (!isMap(tree)) return tree;
  const copy = new Map(tree);
  const [step, ...rest] = path;
  if (step === undefined) change(copy);
  else copy.set(String(step), changed(tree.get(String(step)) ?? null, rest, change));
  return copy;
}
