import { isList, isMap, isString, type Path, type Value, valueAt } from '../../base/value.ts';
import { printJson } from '../../gostd/jsonPrint.ts';
import type { CrdFacts } from '../../kubernetes/crd/findings.ts';
import { quoteAt, removeAt, renameKey, setValue, wrapInList } from '../../yaml/edit.ts';
import { fixOf, mapIn, removal, valueIn } from '../fixing/fixes.ts';
import { nearestNames } from '../fixing/nearest.ts';
import type { Fix } from '../model/diagnostic.ts';
import { family, type Problem, type ProblemOf } from '../model/rule.ts';

const embedded = (value: string) => `#- use: schema
template:
  type: object
  x-kubernetes-embedded-resource: true
  x-kubernetes-preserve-unknown-fields: true
  default: ${value}
`;

export const defaultRules = family<CrdFacts>()({
  'crd/default-unknown-fields': {
    isLate: true,
    title: 'A default has fields that are not in the schema',
    explanation: `Defaults are pruned like everything else, so a field that the schema does not declare would be lost
at once. Declare the field, or remove it from the default. Usually it is misspelled.`,
    marker: '+kubebuilder:default=…',
    bad: `#- use: schema
size:
  type: object
  default: {width: 3, depth: 4}
  properties:
    width: {type: integer}
`,
    good: `#- use: schema
size:
  type: object
  default: {width: 3}
  properties:
    width: {type: integer}
`,
    fixes: prunedDefault,
  },
  'crd/default-metadata': {
    isLate: true,
    title: 'A default makes the metadata of an embedded resource invalid',
    explanation: `A default below \`metadata\`, \`apiVersion\` or \`kind\` of an embedded resource is tested in an
otherwise empty resource, which must be valid. Names, labels and annotations follow the same rules as everywhere in
Kubernetes.`,
    bad: `#- use: schema
template:
  type: object
  x-kubernetes-embedded-resource: true
  properties:
    apiVersion: {type: string}
    kind: {type: string}
    metadata:
      type: object
      properties:
        name: {type: string, default: a/b}
`,
    good: `#- use: schema
template:
  type: object
  x-kubernetes-embedded-resource: true
  properties:
    apiVersion: {type: string}
    kind: {type: string}
    metadata:
      type: object
      properties:
        name: {type: string, default: a-b}
`,
    fixes: removal(false),
  },
  'crd/default-embedded': {
    isLate: true,
    title: 'The default of an embedded resource is not a valid resource',
    explanation: `The default is a whole Kubernetes object, so it needs \`apiVersion\`, \`kind\` and valid metadata. An
empty object cannot be the default of an embedded resource; leave the default out instead.`,
    bad: embedded('{apiVersion: v1}'),
    good: embedded('{apiVersion: v1, kind: Pod}'),
    fixes: removeDefault,
  },
  'crd/default-invalid': {
    isLate: true,
    title: 'A default does not match its own schema',
    explanation: `A default must satisfy the schema like any other value: type, enum, limits, pattern, required fields.
Otherwise an object without the field would get the default and then be rejected because of it.`,
    marker: '+kubebuilder:default=…',
    bad: `#- use: schema
size:
  type: integer
  default: "3"
`,
    good: `#- use: schema
size:
  type: integer
  default: 3
`,
    fixes: retyped,
  },
  'crd/default-rule': {
    isLate: true,
    title: 'A default breaks a rule',
    explanation: `The rules of \`x-kubernetes-validations\` on the node and below apply to a default as they do to any
value. Change the default so that it satisfies the rule, or let the rule allow it.`,
    marker: '+kubebuilder:default=…',
    bad: `#- use: schema
size:
  type: integer
  default: 3
  x-kubernetes-validations:
    - rule: self > 5
`,
    good: `#- use: schema
size:
  type: integer
  default: 6
  x-kubernetes-validations:
    - rule: self > 5
`,
    fixes: removeDefault,
  },
});

/** The keyword that a problem is in, also where it is inside of the value. */
function defaultPath({ path }: Problem): Path | undefined {
  const at = path.lastIndexOf('default');
  return at === -1 ? undefined : path.slice(0, at + 1);
}

function removeDefault(problem: Problem): Fix[] {
  const path = defaultPath(problem);
  return path ? fixOf('Remove `default`', removeAt(problem.document, path), false) : [];
}

function prunedDefault(problem: Problem): Fix[] {
  const path = defaultPath(problem);
  const value = path && valueIn(problem, path);
  const schema = path && mapIn(problem, path.slice(0, -1));
  if (!path || value === undefined || !schema) return [];
  const unknown = unknownPaths(value, schema, []);
  const remove = unknown.flatMap((below) => removeAt(problem.document, [...path, ...below]));
  const names = unknown.map((below) => `\`${below.at(-1)}\``).join(', ');
  const renamed = unknown.map((below) => meantFor(value, schema, below));
  const edits = unknown.flatMap((below, i) =>
    renamed[i] === undefined ? [] : renameKey(problem.document, [...path, ...below], renamed[i]),
  );
  const isMisspelled = unknown.length > 0 && new Set(renamed).size === unknown.length && !renamed.includes(undefined);
  return [
    ...(isMisspelled ? fixOf(`Rename to ${renamed.map((name) => `\`${name}\``).join(', ')}`, edits, true) : []),
    ...(unknown.length > 0 ? fixOf(`Remove ${names} from the default`, remove, false) : []),
  ];
}

/** The topmost fields of a value that a schema does not declare. */
function unknownPaths(value: Value, schema: ReadonlyMap<string, Value>, at: Path): Path[] {
  if (Array.isArray(value)) {
    const items = schema.get('items');
    return isMap(items) ? value.flatMap((one, i) => unknownPaths(one, items, [...at, i])) : [];
  }
  if (!isMap(value) || schema.get('x-kubernetes-preserve-unknown-fields') === true) return [];
  const properties = schema.get('properties');
  const additional = schema.get('additionalProperties');
  if (additional === true) return [];
  return [...value].flatMap(([name, item]): Path[] => {
    const below = (isMap(properties) ? properties.get(name) : undefined) ?? additional;
    return isMap(below) ? unknownPaths(item, below, [...at, name]) : [[...at, name]];
  });
}

/** The one field that an unknown one at a path of a default can mean. */
function meantFor(value: Value, schema: ReadonlyMap<string, Value>, path: Path): string | undefined {
  let node: Value | undefined = schema;
  for (const step of path.slice(0, -1)) {
    if (!isMap(node)) return undefined;
    const properties: Value | undefined = node.get('properties');
    const property: Value | undefined = isMap(properties) ? properties.get(String(step)) : undefined;
    node = typeof step === 'number' ? node.get('items') : (property ?? node.get('additionalProperties'));
  }
  const properties = isMap(node) ? node.get('properties') : undefined;
  const around = valueAt(value, path.slice(0, -1));
  if (!isMap(properties) || !isMap(around)) return undefined;
  const free = [...properties.keys()].filter((name) => !around.has(name));
  const near = nearestNames(String(path.at(-1)), free);
  return near.length === 1 ? near[0] : undefined;
}

function retyped(problem: ProblemOf<CrdFacts, 'crd/default-invalid'>): Fix[] {
  const path = defaultPath(problem);
  if (!path) return [];
  const type = mapIn(problem, path.slice(0, -1))?.get('type');
  const value = valueIn(problem, path);
  const isTyped = problem.facts.keyword === 'type';
  const meant = isTyped && typeof type === 'string' && value !== undefined ? asType(value, type) : undefined;
  const quotes = isTyped && type === 'string' && isBare(value) ? quoteAt(problem.document, path) : [];
  const edits = meant === undefined ? quotes : setValue(problem.document, path, meant);
  const isOwn = isTyped && problem.path.length === path.length && value !== undefined;
  return [
    ...fixOf(`Write it as ${type === 'integer' ? 'an' : 'a'} \`${type}\``, edits, true),
    ...(isOwn && edits.length === 0 ? converted(problem, path, value, type) : []),
    ...chosenDefaults(problem, path),
    ...removeDefault(problem),
  ];
}

/** Either the default becomes a value of the type, or the type becomes that of the default. */
function converted({ document }: Problem, path: Path, value: Value, type: Value | undefined): Fix[] {
  const meant = typeName(value);
  const typePath = [...path.slice(0, -1), 'type'];
  return [
    ...(type === 'array' ? fixOf('Make it a list', wrapInList(document, path), false) : []),
    ...(type === 'integer' && typeof value === 'number'
      ? fixOf(`Round it to ${Math.round(value)}`, setValue(document, path, BigInt(Math.round(value))), false)
      : []),
    ...(meant !== undefined && type !== undefined
      ? fixOf(`Change the type to \`${meant}\``, setValue(document, typePath, meant), false)
      : []),
  ];
}

/** The type of a scalar. */
function typeName(value: Value): string | undefined {
  if (typeof value === 'bigint') return 'integer';
  return typeof value === 'object' ? undefined : typeof value;
}

const isBare = (value: Value | undefined) =>
  typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean';

const mostChoices = 10;

/** The allowed values, where there is a choice of few. */
function chosenDefaults(problem: Problem, path: Path): Fix[] {
  const allowed = mapIn(problem, path.slice(0, -1))?.get('enum');
  const values = isList(allowed) && problem.path.length === path.length ? allowed.slice(0, mostChoices) : [];
  const near = nearestNames(String(valueIn(problem, path)), values.filter(isString));
  const ordered = [...values.filter((one) => isNear(near, one)), ...values.filter((one) => !isNear(near, one))];
  return ordered.flatMap((one) =>
    fixOf(
      `Change to \`${isString(one) ? one : printJson(one)}\``,
      setValue(problem.document, path, one),
      near.length === 1 && isNear(near, one),
    ),
  );
}

const isNear = (near: readonly string[], value: Value) => isString(value) && near.includes(value);

/** What is meant by a text where another type is wanted. */
function asType(value: Value, type: string): Value | undefined {
  if (typeof value !== 'string') return undefined;
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : undefined;
  if (type === 'integer' || type === 'number') {
    if (/^-?\d{1,15}$/.test(value)) return BigInt(value);
    return type === 'number' && /^-?\d{1,12}\.\d{1,6}$/.test(value) ? Number(value) : undefined;
  }
  return undefined;
}
