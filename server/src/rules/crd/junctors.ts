import { isList, isMap, type Path, type Value, type ValueMap, valueAt } from '../../base/value.ts';

/** The keywords that shape what is stored, which must be outside of junctors. */
export const shaping: readonly string[] = [
  'type',
  'nullable',
  'default',
  'title',
  'description',
  'additionalProperties',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-validations',
];

const listJunctors = ['allOf', 'anyOf', 'oneOf'];

/** Where the schema's root ends in a path of a CRD. */
function rootEnd(path: Path): number {
  return path.indexOf('openAPIV3Schema') + 1;
}

/** Whether a path of a schema ends in a keyword, and not in a property of that name. */
export function isKeyword(path: Path): boolean {
  let isName = false;
  let nameFollows = false;
  for (const step of path.slice(rootEnd(path))) {
    isName = nameFollows;
    nameFollows = step === 'properties' && !isName;
  }
  return !isName;
}

export interface Outside {
  /** The node that a node in a junctor refers to. */
  readonly node: Path;
  /** The outermost junctor, and the innermost one's name. */
  readonly junctor: string | undefined;
  /** Some junctor on the way is a `not`. */
  readonly negated: boolean;
}

/** A path of a schema without the junctors on its way. */
export function outsideOf(path: Path): Outside {
  const start = rootEnd(path);
  const node = [...path.slice(0, start)];
  let junctor: string | undefined;
  let negated = false;
  for (let i = start; i < path.length; i++) {
    const step = path[i]!;
    if (step === 'properties' && i + 1 < path.length) node.push(step, path[++i]!);
    else if (step === 'not') {
      negated = true;
      junctor = step;
    } else if (listJunctors.includes(String(step))) {
      junctor = String(step);
      i++;
    } else node.push(step);
  }
  return { node, junctor, negated };
}

/** Every place inside junctors that refers to a node outside. */
export function spokenOf(document: Value | undefined, node: Path): Path[] {
  const start = rootEnd(node);
  const root = node.slice(0, start);
  const found: Path[] = [];
  visit(document, root, node.slice(start), false, found);
  return found;
}

function visit(document: Value | undefined, at: Path, rest: Path, inside: boolean, found: Path[]): void {
  const schema = valueAt(document ?? null, at);
  if (!isMap(schema)) return;
  if (rest.length === 0 && inside) found.push(at);
  for (const branch of branches(schema, at)) visit(document, branch, rest, true, found);
  const [step, name] = rest;
  if (step === 'properties' && name !== undefined) visit(document, [...at, step, name], rest.slice(2), inside, found);
  else if (step !== undefined) visit(document, [...at, step], rest.slice(1), inside, found);
}

function branches(schema: ValueMap, at: Path): Path[] {
  const listed = listJunctors.flatMap((name) => {
    const list = schema.get(name);
    return isList(list) ? list.map((_, i) => [...at, name, i]) : [];
  });
  return schema.has('not') ? [...listed, [...at, 'not']] : listed;
}

/** The shaping keywords of the places, where those that have one agree on it. */
export function agreed(document: Value | undefined, places: readonly Path[]): Map<string, Value> {
  const found = new Map<string, Value>();
  for (const keyword of shaping) {
    const all = places.map((place) => valueAt(document ?? null, [...place, keyword]));
    const values = all.filter((value): value is Value => value !== undefined);
    const [first] = values;
    if (first !== undefined && values.every((value) => sameValue(value, first))) found.set(keyword, first);
  }
  return found;
}

export function sameValue(a: Value, b: Value): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && print(a) === print(b));
}

function print(value: Value): string {
  return JSON.stringify(value, (_, item) =>
    item instanceof Map ? [...item] : typeof item === 'bigint' ? `${item}n` : item,
  );
}

/** The type that a node's other keywords leave no doubt about. */
export function inferType(schema: ValueMap): string | undefined {
  const found = Object.entries(typeOfKeywords).filter(([, keywords]) => keywords.some((name) => schema.has(name)));
  if (found.length === 1) return found[0]![0];
  const values = schema.get('enum');
  const isText = isList(values) && values.length > 0 && values.every((value) => typeof value === 'string');
  return found.length === 0 && isText ? 'string' : undefined;
}

const typeOfKeywords: Readonly<Record<string, readonly string[]>> = {
  object: [
    'properties',
    'additionalProperties',
    'required',
    'minProperties',
    'maxProperties',
    'x-kubernetes-map-type',
    'x-kubernetes-embedded-resource',
  ],
  array: ['items', 'minItems', 'maxItems', 'x-kubernetes-list-type', 'x-kubernetes-list-map-keys'],
  string: ['minLength', 'maxLength', 'pattern'],
};

/** The types that a node whose type is open may have. */
export function possibleTypes(schema: ValueMap): readonly string[] {
  const numeric = ['minimum', 'maximum', 'multipleOf', 'exclusiveMinimum', 'exclusiveMaximum'];
  if (numeric.some((name) => schema.has(name))) return ['integer', 'number'];
  return ['string', 'integer', 'number', 'boolean', 'object', 'array'];
}
