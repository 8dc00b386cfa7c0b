import { memo } from '../../base/memo.ts';
import type { Range } from '../../base/text.ts';
import {
  isList,
  isMap,
  isString,
  listAt,
  type ManifestPath,
  type Path,
  type Value,
  type ValueMap,
  valueAt,
} from '../../base/value.ts';
import { unwrapOptional } from '../../cel/types.ts';
import { escapeName, unescapeName } from '../../kubernetes/cel/escape.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { type PathStep, pathSteps } from '../../rules/lints/jsonPath.ts';
import type { Definition } from '../../workspace/definitions.ts';
import { inDocument, inManifest, type Manifest } from '../../workspace/manifest.ts';
import { objectsBelow, type RulePlace, rulePlace } from '../../workspace/rulePlace.ts';
import { nodesOf } from '../place/nodesAt.ts';
import { rulePaths } from '../place/rulePaths.ts';
import { fieldsOf, isUntracked } from './fieldsOf.ts';

// Where a property is used: in the CRD that declares it, and in values that have it.

/** How a name is written at a place. */
export type Form =
  | 'name'
  /** As a field in CEL. */
  | 'cel'
  /** As a step of a column's JSON path. */
  | 'jsonPath'
  /** As a step of a path that knows no escapes. */
  | 'step'
  /** As a step of a JSON pointer. */
  | 'pointer';

/** A place that names a property, by its path in the object: a key or a text, or a part of one. */
export interface Use {
  readonly path: ManifestPath;
  readonly at: 'key' | 'value';
  readonly part?: Range;
  readonly form: Form;
  /** What of a CRD it belongs to. */
  readonly in: 'schema' | 'paths' | 'rules';
}

/** A place that may name a property in a way that nobody can follow. */
export interface Unclear {
  readonly path: ManifestPath;
  /** What it is, as the beginning of a sentence, and what is said of it. */
  readonly what: string;
  readonly why: string;
}

/** A property by its way in resources: names, and `*` for any item or key. */
export type Way = readonly string[];

export interface UsesInCrd {
  readonly uses: readonly Use[];
  readonly unclear: readonly Unclear[];
}

/** The places of a CRD that name a property of one of its versions. A rename asks several times. */
export function usesInCrd(
  { manifest }: Pick<Definition, 'manifest'>,
  version: number,
  way: Way,
  kubernetes: KubernetesVersion,
): UsesInCrd {
  return usesOnce(manifest, version, JSON.stringify(way), kubernetes);
}

const usesOnce = memo((manifest: Manifest, version: number, wayText: string, kubernetes: KubernetesVersion) => {
  const way: Way = JSON.parse(wayText);
  const at: Path = ['spec', 'versions', version];
  const root = valueAt(manifest.value, [...at, 'schema', 'openAPIV3Schema']);
  const whole = valueAt(manifest.value, at);
  if (!isMap(root) || !isMap(whole)) return nothing;
  const rootPath = [...at, 'schema', 'openAPIV3Schema'];
  const rules = rulePaths(root).map((path) => {
    const place = rulePlace(manifest, inDocument(manifest, [...rootPath, ...path]), kubernetes);
    return place ? inRule(place, [...rootPath, ...path], inManifest(manifest, place.node).slice(5), way) : nothing;
  });
  return together([inSchema(root, rootPath, way), inVersion(whole, at, way), ...rules]);
});

const objectsOf = memo(objectsBelow);

const nothing: UsesInCrd = { uses: [], unclear: [] };

function together(all: readonly UsesInCrd[]): UsesInCrd {
  return { uses: all.flatMap(({ uses }) => uses), unclear: all.flatMap(({ unclear }) => unclear) };
}

const untracked = 'may read it in a way that cannot be followed';

// Schemas

const junctors = ['allOf', 'anyOf', 'oneOf'] as const;

function inSchema(schema: ValueMap, path: Path, way: Way): UsesInCrd {
  const [step, ...rest] = way;
  if (step === undefined) return nothing;
  const below = (steps: Path, next: Way): UsesInCrd => {
    const inner = valueAt(schema, steps);
    return isMap(inner) ? inSchema(inner, [...path, ...steps], next) : nothing;
  };
  const joined = junctors.flatMap((key) => listAt(schema, [key]).map((_, i) => below([key, i], way)));
  const own: Use[] =
    step === '*'
      ? named(schema, path, 'x-kubernetes-list-map-keys', rest)
      : [...named(schema, path, 'required', way), ...declared(schema, path, way)];
  const inner = step === '*' ? [below(['items'], rest), below(['additionalProperties'], rest)] : [];
  return together([
    { uses: [...own, ...inValues(schema, path, way)], unclear: [] },
    ...joined,
    below(['not'], way),
    ...inner,
    step === '*' ? nothing : below(['properties', step], rest),
    ...listAt(schema, ['x-kubernetes-validations']).map((rule, i) => inFieldPath(rule, path, i, way)),
  ]);
}

function declared(schema: ValueMap, path: Path, [name, ...rest]: Way): Use[] {
  const properties = schema.get('properties');
  return rest.length === 0 && isMap(properties) && properties.has(name!)
    ? [{ path: [...path, 'properties', name!], at: 'key', form: 'name', in: 'schema' }]
    : [];
}

/** The entries of a list of names that name the property, where it is one of this very object. */
function named(schema: ValueMap, path: Path, keyword: string, way: Way): Use[] {
  if (way.length !== 1) return [];
  return listAt(schema, [keyword]).flatMap((name, i): Use[] =>
    name === way[0] ? [{ path: [...path, keyword, i], at: 'value', form: 'name', in: 'schema' }] : [],
  );
}

/** Values that a schema holds: they have the property as resources do. */
function inValues(schema: ValueMap, path: Path, way: Way): Use[] {
  const values: [Value | undefined, Path][] = [
    [schema.get('default'), ['default']],
    [schema.get('example'), ['example']],
    ...listAt(schema, ['enum']).map((value, i): [Value, Path] => [value, ['enum', i]]),
  ];
  return values.flatMap(([value, at]) =>
    keysOf(value, way, [...path, ...at]).map((key): Use => ({ path: key, at: 'key', form: 'name', in: 'schema' })),
  );
}

/** The paths of a property's keys in a value. */
export function keysOf(value: Value | undefined, way: Way, path: Path = []): Path[] {
  const [step, ...rest] = way;
  if (step === undefined) return [path];
  if (step !== '*') return isMap(value) && value.has(step) ? keysOf(value.get(step), rest, [...path, step]) : [];
  if (isList(value)) return value.flatMap((item, i) => keysOf(item, rest, [...path, i]));
  return isMap(value) ? [...value].flatMap(([key, item]) => keysOf(item, rest, [...path, key])) : [];
}

function inFieldPath(rule: Value, node: Path, i: number, way: Way): UsesInCrd {
  const text = isMap(rule) ? rule.get('fieldPath') : undefined;
  const path = [...node, 'x-kubernetes-validations', i, 'fieldPath'];
  return isString(text) ? inPath(text, path, way, 'step', 'The field path') : nothing;
}

// Paths

const scalePaths = ['specReplicasPath', 'statusReplicasPath', 'labelSelectorPath'] as const;

/** Printer columns, selectable fields, and the scale subresource. */
function inVersion(version: ValueMap, at: Path, way: Way): UsesInCrd {
  const paths = (key: string, form: Form, what: string) =>
    listAt(version, [key]).map((one, i) => {
      const text = isMap(one) ? one.get('jsonPath') : undefined;
      return isString(text) ? inPath(text, [...at, key, i, 'jsonPath'], way, form, what) : nothing;
    });
  const scale = scalePaths.map((key) => {
    const path = ['subresources', 'scale', key];
    const text = valueAt(version, path);
    return isString(text) ? inPath(text, [...at, ...path], way, 'step', 'The path') : nothing;
  });
  return together([
    ...paths('additionalPrinterColumns', 'jsonPath', 'The printer column'),
    ...paths('selectableFields', 'step', 'The selectable field'),
    ...scale,
  ]);
}

function inPath(text: string, path: Path, way: Way, form: Form, what: string): UsesInCrd {
  const name = way.at(-1)!;
  const steps = pathSteps(text);
  if (!steps) return { uses: [], unclear: text.includes(name) ? [{ path, what, why: untracked }] : [] };
  const parts = [...partsOfPath(text, steps, way), ...partsOfFilters(text, steps, way)];
  const isOdd = steps.some((_, i) => filterOf(text, steps, i)?.includes(`['${name}']`));
  return {
    uses: parts.map((part): Use => ({ path, at: 'value', part, form, in: 'paths' })),
    unclear: isOdd ? [{ path, what, why: untracked }] : [],
  };
}

const matches = (step: PathStep | undefined, wanted: string) =>
  step !== undefined && (wanted === '*' || (step !== 'items' && step.field === wanted));

/** The name at the end of a way, where a path follows that way. */
function partsOfPath(text: string, steps: readonly PathStep[], way: Way): Range[] {
  const last = steps[way.length - 1];
  if (!last || last === 'items' || !way.every((wanted, i) => matches(steps[i], wanted))) return [];
  return [text[last.start] === '.' ? { start: last.start + 1, end: last.end } : insideQuotes(text, last)];
}

/** What is between the quotes of `['name']`. */
function insideQuotes(text: string, { start, end }: Range): Range {
  const step = text.slice(start, end);
  const last = Math.max(step.lastIndexOf("'"), step.lastIndexOf('"'));
  return { start: start + step.search(/['"]/) + 1, end: start + last };
}

/** The text of a step such as `[?(@.type=="Ready")]`. */
function filterOf(text: string, steps: readonly PathStep[], i: number): string | undefined {
  if (steps[i] !== 'items') return undefined;
  const [start, end] = filterRange(text, steps, i);
  const step = text.slice(start, end);
  return step.includes('?') ? step : undefined;
}

function filterRange(text: string, steps: readonly PathStep[], i: number): [start: number, end: number] {
  const [before, after] = [steps[i - 1], steps[i + 1]];
  const start = before && before !== 'items' ? before.end : 0;
  return [start, after && after !== 'items' ? after.start : text.length];
}

/** In the filters of a path what follows an `@`, from the items on that they choose among. */
function partsOfFilters(text: string, steps: readonly PathStep[], way: Way): Range[] {
  return steps.flatMap((_, i) => {
    const filter = filterOf(text, steps, i);
    if (filter === undefined || !way.slice(0, i + 1).every((wanted, k) => matches(steps[k], wanted))) return [];
    const [from] = filterRange(text, steps, i);
    return [...filter.matchAll(/@((?:\.[\w-]+)+)/g)].flatMap((match) => {
      const inner = pathSteps(match[1]!) ?? [];
      const shift = from + match.index + 1;
      return partsOfPath(match[1]!, inner, way.slice(i + 1)).map(({ start, end }) => ({
        start: start + shift,
        end: end + shift,
      }));
    });
  });
}

// Rules

function inRule(place: RulePlace, path: Path, node: Path, way: Way): UsesInCrd {
  const { text } = place.compiled;
  const name = way.at(-1)!;
  const field = escapeName(name);
  if (field === undefined || !text.includes(field)) return nothing;
  const rest = restOf(node, way);
  if (!rest) return nothing;
  const what = place.keyword === 'rule' ? 'The rule' : 'The messageExpression';
  if (place.compiled.syntax.length > 0 || place.compiled.problems.length > 0 || !place.structural)
    return { uses: [], unclear: [{ path, what, why: 'has errors, so that nobody can tell what it reads' }] };
  const parts = readsOf(place, rest, name);
  const unclear = isUntracked(place.compiled.expr, field, name) ? [{ path, what, why: untracked }] : [];
  return { uses: parts.map((part): Use => ({ path, at: 'value', part, form: 'cel', in: 'rules' })), unclear };
}

/** What is left of a way below a node of the schema; undefined where it does not lead there. */
function restOf(node: Path, way: Way): Way | undefined {
  const steps = wayOf(node);
  return steps?.every((step, i) => way[i] === step) && steps.length < way.length ? way.slice(steps.length) : undefined;
}

/** Where an expression reads a field, by its way from the node that the rule is on. */
function readsOf({ compiled, structural, decl }: RulePlace, rest: Way, name: string): Range[] {
  if (!structural || !decl) return [];
  const objects = objectsOf(structural, decl);
  const parts = new Map<number, Range>();
  for (const { operand, field, start, end } of [...nodesOf(compiled.expr)].flatMap(fieldsOf)) {
    if ((unescapeName(field) ?? field) !== name) continue;
    const object = objects.get(unwrapOptional(operand.type).name);
    const steps = object && wayOf([...object.path, 'properties', name]);
    if (steps?.length === rest.length && steps.every((step, i) => step === rest[i])) parts.set(start, { start, end });
  }
  return [...parts.values()];
}

/** From a path in a schema to the way in resources: `properties`, NAME, `items` become NAME, `*`. Junctors are passed over. */
export function wayOf(schemaPath: Path): string[] | undefined {
  const way: string[] = [];
  for (let i = 0; i < schemaPath.length; i++) {
    const step = schemaPath[i];
    if (step === 'properties' && i + 1 < schemaPath.length) way.push(String(schemaPath[++i]));
    else if (step === 'items' || step === 'additionalProperties') way.push('*');
    else if (junctors.some((key) => key === step) && typeof schemaPath[i + 1] === 'number') i++;
    else if (step !== 'not') return undefined;
  }
  return way;
}
