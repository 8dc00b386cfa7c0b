import type { Value, ValueMap } from '../../base/value.ts';
import {
  type FieldFacts,
  type Fields,
  jsonName,
  type KeyOf,
  type SchemaNode,
  type Struct,
  type Words,
} from './struct.ts';

// Structs as schemas of the same form as a CRD's own: completion and hover read them as they read any kind's.

/** What the documentation of a field says. */
export interface KeywordDoc {
  /** The Kubernetes version that first had it in apiextensions.k8s.io/v1. */
  readonly since: string;
  /** What the API server demands of the value. */
  readonly demands: string;
  /** YAML: the field where it belongs, with what it needs beside it. */
  readonly example: string;
  readonly text: string;
}

export function schemaNode(type: string, { text = '', choices, standard }: Words): SchemaNode {
  const node: SchemaNode = new Map<string, Value>([
    ['type', type],
    ['description', text],
  ]);
  if (choices) node.set('enum', choices);
  if (standard !== undefined) node.set('default', standard);
  return node;
}

/**
 * The documentation of each struct's fields, by the node that the editor knows it by. Not a memo: it is noted where the
 * node is made.
 */
const documented = new WeakMap<ValueMap, ReadonlyMap<string, KeywordDoc>>();

/** The documentation of a field, by the schema of what it stands in. */
export function keywordDoc(parent: ValueMap, keyword: string): KeywordDoc | undefined {
  return documented.get(parent)?.get(keyword);
}

export function structNode<O extends object>(struct: Struct<O>, text: string, schema: SchemaNode): SchemaNode {
  const node = schemaNode('object', { text });
  fillNode(node, struct, shownKeys(struct), (key) => struct.fields[key].type.node(struct.fields[key], schema));
  return node;
}

/** The fields that the editor shows: those that something is said of. */
export function shownKeys<O extends object>({ fields, keys, shownFirst }: Struct<O>): KeyOf<O>[] {
  const shown = keys.filter((key) => fields[key].text !== undefined);
  return [...shownFirst, ...shown.filter((key) => !shownFirst.includes(key))];
}

/** Fills a node that was made before, so that it can contain itself. */
export function fillNode<O extends object>(
  node: SchemaNode,
  { fields, keys }: Struct<O>,
  shown: readonly KeyOf<O>[],
  nodeOf: (key: KeyOf<O>) => SchemaNode,
  factsOf: (key: KeyOf<O>) => FieldFacts = (key) => fields[key],
): void {
  const name = (key: KeyOf<O>) => jsonName(fields, key);
  node.set('properties', new Map(shown.map((key) => [name(key), nodeOf(key)])));
  node.set('required', keys.filter((key) => isDemanded(fields, key, shown)).map(name));
  documented.set(node, new Map(shown.flatMap((key) => docOf(name(key), factsOf(key)))));
}

function isDemanded<O>(fields: Fields<O>, key: KeyOf<O>, shown: readonly KeyOf<O>[]): boolean {
  return fields[key].demanded ?? (fields[key].optional === false && shown.includes(key));
}

function docOf(name: string, { text, demands, example, since = '1.16' }: FieldFacts): [string, KeywordDoc][] {
  if (text === undefined || demands === undefined || example === undefined) return [];
  return [[name, { text, demands, example, since }]];
}
