import type { Range } from '../../base/text.ts';
import { isList, isMap, type Path, type Value } from '../../base/value.ts';
import type { Definition } from '../../workspace/definitions.ts';
import { rootSchema, schemaAt } from '../../workspace/schemaNode.ts';
import type { MapNode, PlacedNode } from '../../yaml/node.ts';
import { boundsFor } from '../crd/costFixes.ts';
import { mapIn, valueIn } from '../fixing/fixes.ts';
import type { Problem, RelatedProblem } from '../model/rule.ts';
import { locate, locateInFile } from './locate.ts';

/** The other place that a problem is about, in its own document unless it says otherwise. */
type Relate = (problem: Problem, definition: Definition | undefined) => readonly RelatedProblem[];

const listType = 'x-kubernetes-list-type';
const mapKeys = 'x-kubernetes-list-map-keys';
const rules = 'x-kubernetes-validations';

const byCode: Readonly<Record<string, Relate>> = {
  'yaml/duplicate-key': firstKey,
  'cr/list-duplicate': (problem, definition) => [...firstItem(problem), ...listTypeOf(problem, definition)],
  'crd/map-key-duplicate': firstEqual,
  'crd/review-version-duplicate': firstEqual,
  'crd/selectable-duplicate': firstEqual,
  'crd/version-duplicate': versionsNamed,
  'crd/storage-version': storageVersions,
  'crd/conversion-preserve-unknown-fields': ({ document, manifest }) => {
    const path = [...(manifest?.at ?? []), 'spec', 'preserveUnknownFields'];
    return [{ range: locate(document, path, 'key'), message: 'with this, nothing is pruned' }];
  },
  'crd/map-key-required': keyedList,
  'crd/map-key-nullable': keyedList,
  'crd/map-key-undeclared': keyedList,
  'crd/list-item-nullable': keyedList,
  'crd/set-item-atomic': keyedList,
  'crd/rule-old-self': unkeyedList,
  'crd/undeclared-in-junctor': outsideOfJunctor,
  'crd/rule-cost': whatIsLarge,
  'crd/rule-message-expression-cost': whatIsLarge,
  'crd/rule-cost-contributes': whatIsLarge,
};

/** Which keyword of the schema a finding about a value goes back to. */
const keywordOf: Readonly<Record<string, string>> = {
  'cr/type': 'type',
  'cr/format': 'format',
  'cr/enum': 'enum',
  'cr/required': 'required',
  'cr/max-length': 'maxLength',
  'cr/min-length': 'minLength',
  'cr/pattern': 'pattern',
  'cr/maximum': 'maximum',
  'cr/minimum': 'minimum',
  'cr/multiple-of': 'multipleOf',
  'cr/max-items': 'maxItems',
  'cr/min-items': 'minItems',
  'cr/max-properties': 'maxProperties',
  'cr/min-properties': 'minProperties',
};

const costs: ReadonlySet<string> = new Set([
  'crd/rule-cost',
  'crd/rule-message-expression-cost',
  'crd/rule-cost-contributes',
]);

/** What makes a rule dear takes its time to find out: it is said of the first ones only. */
const mostCosts = 10;

export function withRelated(problems: readonly Problem[], definition?: Definition): Problem[] {
  let left = mostCosts;
  return problems.map((problem) => {
    const own = Object.hasOwn(byCode, problem.code) ? byCode[problem.code] : undefined;
    const relate = own ?? (Object.hasOwn(keywordOf, problem.code) ? keywordInSchema : undefined);
    if (!relate || (costs.has(problem.code) && left-- <= 0)) return problem;
    const related = relate(problem, definition);
    return related.length === 0 ? problem : { ...problem, related: [...(problem.related ?? []), ...related] };
  });
}

function at({ document }: Problem, path: Path, message: string, place: 'key' | 'value' = 'key'): RelatedProblem {
  return { range: locate(document, path, place), message };
}

// Duplicates

function firstKey({ document, range }: Problem): RelatedProblem[] {
  const map = document.root && mapWithKey({ node: document.root, start: document.rootStart }, range.start);
  const own = map && keyRanges(map).find(({ start }) => start === range.start);
  const text = (place: Range) => document.text.slice(place.start, place.end);
  const first = own && keyRanges(map).find((place) => text(place) === text(own));
  return first && first.start !== own.start ? [{ range: first, message: 'the key stands here already' }] : [];
}

interface PlacedMap {
  readonly node: MapNode;
  readonly start: number;
}

function keyRanges({ node, start }: PlacedMap): Range[] {
  return node.pairs.map(({ at, keyAt, key }) => {
    const from = start + at + keyAt;
    return { start: from, end: from + key.length };
  });
}

/** The map that has a key at an offset. */
function mapWithKey({ node, start }: PlacedNode, offset: number): PlacedMap | undefined {
  if (offset < start || offset > start + node.length) return undefined;
  if (node.kind === 'list') {
    for (const { at, nodeAt, node: item } of node.items) {
      const found = mapWithKey({ node: item, start: start + at + nodeAt }, offset);
      if (found) return found;
    }
  }
  if (node.kind !== 'map') return undefined;
  if (keyRanges({ node, start }).some((range) => range.start === offset)) return { node, start };
  for (const { at, valueAt, value } of node.pairs) {
    const found = mapWithKey({ node: value, start: start + at + valueAt }, offset);
    if (found) return found;
  }
  return undefined;
}

function firstItem(problem: Problem): RelatedProblem[] {
  const { first } = (problem.facts ?? {}) as { first?: number };
  return first === undefined ? [] : [at(problem, [...problem.path.slice(0, -1), first], 'the first one', 'value')];
}

function firstEqual(problem: Problem): RelatedProblem[] {
  const index = problem.path.findLastIndex((step) => typeof step === 'number');
  const list = valueIn(problem, problem.path.slice(0, index));
  const rest = problem.path.slice(index + 1);
  const own = valueIn(problem, problem.path);
  if (!isList(list) || own === undefined) return [];
  const paths = [...list.keys()].map((i) => [...problem.path.slice(0, index), i, ...rest]);
  const first = paths.find((path) => valueIn(problem, path) === own);
  return first && first[index] !== problem.path[index] ? [at(problem, first, 'the first one', 'value')] : [];
}

// Versions

function versionsOf(problem: Problem): readonly (readonly [path: Path, version: Value])[] {
  const path = [...(problem.manifest?.at ?? []), 'spec', 'versions'];
  const versions = valueIn(problem, path);
  return isList(versions) ? versions.map((version, i) => [[...path, i], version] as const) : [];
}

function versionsNamed(problem: Problem): RelatedProblem[] {
  const all = versionsOf(problem).map(([path, version]) => [path, isMap(version) ? version.get('name') : ''] as const);
  const names = all.map(([, name]) => name);
  const twice = all.filter(([, name], i) => names.indexOf(name) !== i || names.lastIndexOf(name) !== i);
  return twice.map(([path, name]) => at(problem, [...path, 'name'], `a version ${String(name)}`, 'value'));
}

function storageVersions(problem: Problem): RelatedProblem[] {
  return versionsOf(problem).flatMap(([path, version]) => {
    if (!isMap(version) || version.get('storage') !== true) return [];
    return [at(problem, [...path, 'storage'], `${String(version.get('name'))} is stored`)];
  });
}

// Lists

/** What a CRD says of the list that an item is in. */
function listTypeOf({ path, manifest }: Problem, definition: Definition | undefined): RelatedProblem[] {
  const root = manifest && definition && rootSchema(definition, manifest.apiVersion);
  const node = root && schemaAt(root, path.slice(manifest.at.length, -1));
  if (!node?.path || !definition) return [];
  const keyword = node.schema.has(mapKeys) ? mapKeys : listType;
  const place = locateInFile(definition.file, definition.manifest, [...node.path, keyword], 'key');
  return [{ ...place, message: keyword === mapKeys ? 'these keys tell items apart' : 'the list is a set' }];
}

/** What the CRD says that a value does not keep to. */
function keywordInSchema(problem: Problem, definition: Definition | undefined): RelatedProblem[] {
  const { path, manifest, code } = problem;
  const keyword = keywordOf[code]!;
  const root = manifest && definition && rootSchema(definition, manifest.apiVersion);
  if (!root || !definition) return [];
  const within = path.slice(manifest.at.length);
  // What is required is said by the object around.
  const nodes = keyword === 'required' ? [within, within.slice(0, -1)] : [within];
  const node = nodes.map((one) => schemaAt(root, one)).find((one) => one?.path && one.schema.has(keyword));
  if (!node?.path) return [];
  const place = locateInFile(definition.file, definition.manifest, [...node.path, keyword], 'key');
  return [{ ...place, message: `the CRD says so in its \`${keyword}\`` }];
}

/** The nearest schema around that a test holds of. */
function nearest(
  problem: Problem,
  fits: (schema: ReadonlyMap<string, Value>, path: Path) => boolean,
): Path | undefined {
  for (let length = problem.path.length; length > 0; length--) {
    const path = problem.path.slice(0, length);
    const schema = mapIn(problem, path);
    if (schema && fits(schema, path)) return path;
  }
  return undefined;
}

function keyedList(problem: Problem): RelatedProblem[] {
  const list = nearest(problem, (schema) => schema.has(listType));
  if (!list) return [];
  const type = mapIn(problem, list)?.get(listType);
  return [at(problem, [...list, listType], `the list is of type ${String(type)}`)];
}

function unkeyedList(problem: Problem): RelatedProblem[] {
  const node = problem.path.slice(0, problem.path.lastIndexOf(rules));
  const list = nearest({ ...problem, path: node }, (schema, path) => {
    return schema.get('type') === 'array' && path.length < node.length && schema.get(listType) !== 'map';
  });
  return list ? [at(problem, list, 'in this list nothing says which item was which')] : [];
}

const junctors = ['allOf', 'anyOf', 'oneOf', 'not'];

function outsideOfJunctor(problem: Problem): RelatedProblem[] {
  const root = problem.path.indexOf('openAPIV3Schema');
  const index = problem.path.findIndex((step, i) => {
    return i > root && junctors.includes(String(step)) && problem.path[i - 1] !== 'properties';
  });
  return index === -1 ? [] : [at(problem, problem.path.slice(0, index), 'this schema has to declare it')];
}

// Costs

const most = 3;

function whatIsLarge(problem: Problem): RelatedProblem[] {
  return boundsFor(problem)
    .slice(0, most)
    .map(({ node, keyword, now }) => {
      const message =
        now === undefined
          ? `without \`${keyword}\`, as much is assumed as fits into a request`
          : `up to ${now}, by its \`${keyword}\``;
      return at(problem, node, message);
    });
}
