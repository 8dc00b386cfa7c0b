/** A tree as sigs.k8s.io/yaml turns it into JSON: by YAML 1.1. */
import type { Value } from '../../base/value.ts';
import { resolvePlain } from '../../yaml/resolve.ts';
import type { BuiltEntry, BuiltNode } from '../types.ts';
import { withoutAnchors } from './anchors.ts';
import type { Node } from './node.ts';
import { resolve } from './resolve.ts';

export function sigsOf(node: Node): BuiltNode {
  return made(withoutAnchors(node));
}

function made(node: Node): BuiltNode {
  if (node.kind === 'list') return { kind: 'list', origin: node.origin, items: node.content.map(made) };
  if (node.kind !== 'map') return { kind: 'scalar', origin: node.origin, value: valueOf(node) };
  const entries = new Map<string, BuiltEntry>();
  for (let i = 0; i + 1 < node.content.length; i += 2) {
    const key = node.content[i]!;
    const name = String(valueOf(key));
    entries.set(name, { key: name, keyOrigin: key.origin, value: made(node.content[i + 1]!) });
  }
  return { kind: 'map', origin: node.origin, entries: [...entries.values()] };
}

function valueOf(node: Node): Value {
  if (node.kind === 'none') return null;
  if (node.style !== '' && node.style !== 'flow') return node.tagged ? resolve(node.tag, node.value).value : node.value;
  return node.tagged ? resolve(node.tag, node.value).value : resolvePlain(node.value);
}
