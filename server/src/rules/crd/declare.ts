import type { Path, Value, ValueMap } from '../../base/value.ts';
import { insertKey } from '../../yaml/edit.ts';
import { valueOf } from '../../yaml/value.ts';
import { fixOf, mapIn, removeKeys } from '../fixing/fixes.ts';
import type { Fix, TextEdit } from '../model/diagnostic.ts';
import type { Problem } from '../model/rule.ts';
import { agreed, inferType, possibleTypes } from './junctors.ts';

/** Declares a node outside that only junctors speak of, and takes out of them what shapes it. */
export function declared(problem: Problem, node: Path, spoken: readonly Path[]): Fix[] {
  const root = valueOf(problem.document);
  const moving = agreed(root, spoken);
  const all = new Map<string, Value>(spoken.flatMap((place) => [...(mapIn(problem, place) ?? [])]));
  const known = moving.get('type') ?? inferType(all);
  const fixed = atRoot(node);
  const types = fixed ? [fixed] : typeof known === 'string' ? [known] : possibleTypes(all);
  const removes = spoken.flatMap((place) => removeKeys(problem, place, [...moving.keys()]));
  const name = String(node.at(-1));
  return types.flatMap((type) => {
    const insert = insertNode(problem, node, declaration(type, moving));
    const title = `Declare \`${name}\` with \`type: ${type}\``;
    return insert.length === 0 ? [] : fixOf(title, [...insert, ...removes], types.length === 1);
  });
}

/** The type first, as everyone writes it; lists and objects get what they cannot do without. */
function declaration(type: string, moving: ValueMap): ValueMap {
  const schema = new Map<string, Value>([['type', type]]);
  for (const [keyword, value] of moving) schema.set(keyword, value);
  if (type === 'array') schema.set('items', new Map([['type', 'string']]));
  return schema;
}

/** Puts a schema at a path, with the `properties` around it where there are none yet. */
function insertNode(problem: Problem, node: Path, schema: ValueMap): TextEdit[] {
  const map = node.slice(0, -1);
  const name = String(node.at(-1));
  if (mapIn(problem, map)) return insertKey(problem.document, map, name, schema);
  const around = map.slice(0, -1);
  return mapIn(problem, around)
    ? insertKey(problem.document, around, String(map.at(-1)), new Map([[name, schema]]), { after: 'type' })
    : [];
}

/** The types of what every object has. */
function atRoot(node: Path): string | undefined {
  if (node.at(-3) !== 'openAPIV3Schema' || node.at(-2) !== 'properties') return undefined;
  const name = node.at(-1);
  if (name === 'metadata') return 'object';
  return name === 'kind' || name === 'apiVersion' ? 'string' : undefined;
}
