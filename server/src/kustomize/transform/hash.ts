/** Names of what is generated end with a hash of what is in it. */
import type { Value } from '../../base/value.ts';
import { goBytes } from '../../gostd/bytes.ts';
import { hexOf, sha256 } from '../../gostd/hash.ts';
import { printJson } from '../../gostd/jsonPrint.ts';
import type { Accumulated } from '../accumulator.ts';
import { computed } from '../origin.ts';
import { placeOfOrigin } from '../place.ts';
import { noted, type Resource } from '../resource.ts';
import { plainOf, valueOfBuilt } from '../tree/built.ts';
import { get } from '../tree/edit.ts';
import { type Node, valueIn } from '../tree/node.ts';

/** Digits that look like letters, or make words, are others. */
const letters = new Map(Object.entries({ 0: 'g', 1: 'h', 3: 'k', a: 'm', e: 't' }));

function encodeHash(text: string): string {
  const hex = hexOf(sha256(goBytes(text)));
  return hex.slice(0, 10).replace(/[013ae]/g, (digit) => letters.get(digit)!);
}

/** A member as it is hashed: a map as JSON, anything else as its text. */
function member(node: Node, name: string): Value {
  const found = get(node, name);
  if (found === undefined) return '';
  return found.kind === 'scalar' ? found.value : floats(valueOfBuilt(plainOf(found)));
}

/** JSON has one kind of numbers. */
function floats(value: Value): Value {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(floats);
  return value instanceof Map ? new Map([...value].map(([key, item]) => [key, floats(item)])) : value;
}

export function hashOf(resource: Resource): string {
  const node = resource.node!;
  const { kind } = resource;
  const isSecret = kind === 'Secret';
  const members = new Map<string, Value>([
    ['kind', kind],
    // The name is looked for where it never is.
    ['name', ''],
    ['data', member(node, 'data')],
  ]);
  if (isSecret) members.set('type', member(node, 'type'));
  const other = isSecret ? 'stringData' : 'binaryData';
  const more = member(node, other);
  if (more instanceof Map) members.set(other, more);
  return encodeHash(printJson(members));
}

export function addHashes({ set }: Accumulated): void {
  for (const resource of set.list) {
    if (!resource.isEnabled(noted.needsHash)) continue;
    const hash = hashOf(resource);
    const name = valueIn(valueIn(resource.node, 'metadata'), 'name');
    resource.storePreviousId();
    const by = resource.touched.find(({ what }) => what === 'generator')?.place ?? placeOfOrigin(name?.origin);
    resource.setName(`${resource.name}-${hash}`, computed('hash', by, name?.origin));
  }
}
