/** Trees of values that went through JSON. */
import type { Value } from '../../base/value.ts';
import { formatFloat, jsonFloat } from '../../gostd/float.ts';
import { compareStrings } from '../../gostd/jsonPrint.ts';
import { fail } from '../failure.ts';
import type { BuiltNode } from '../types.ts';
import { boolTag, listTag, mapTag, Node, nullTag, stringTag } from './node.ts';
import { resolveText } from './resolve.ts';

/** `json` is read from JSON itself; `yaml` from YAML that was written of JSON, in which all numbers are floats. */
export type Form = 'json' | 'yaml';

export function fromJson(built: BuiltNode, form: Form): Node {
  const style = form === 'json' ? 'flow' : '';
  if (built.kind === 'scalar') return scalar(built, form);
  if (built.kind === 'list') {
    const list = new Node('list', listTag, '', built.items.length === 0 ? 'flow' : style, built.origin);
    list.content = built.items.map((item) => fromJson(item, form));
    return list;
  }
  const map = new Node('map', mapTag, '', built.entries.length === 0 ? 'flow' : style, built.origin);
  for (const { key, keyOrigin, value } of [...built.entries].sort((a, b) => compareStrings(a.key, b.key))) {
    const quoted = form === 'json' || resolveText(key).tag !== stringTag;
    map.content.push(new Node('scalar', stringTag, key, quoted ? 'double' : '', keyOrigin), fromJson(value, form));
  }
  return map;
}

function scalar({ value, origin }: Extract<BuiltNode, { kind: 'scalar' }>, form: Form): Node {
  if (value === null) return new Node('scalar', nullTag, 'null', '', origin);
  if (typeof value === 'boolean') return new Node('scalar', boolTag, String(value), '', origin);
  if (typeof value === 'string') return text(value, form, origin);
  const written = number(value, form);
  return new Node('scalar', resolveText(written).tag, written, '', origin);
}

function text(value: string, form: Form, origin: Node['origin']): Node {
  if (form === 'json') return new Node('scalar', stringTag, value, 'double', origin);
  const style = value.includes('\n') ? 'literal' : resolveText(value).tag === stringTag ? '' : 'double';
  return new Node('scalar', stringTag, value, style, origin);
}

function number(value: Value, form: Form): string {
  if (form === 'json') return typeof value === 'number' ? jsonFloat(finite(value)) : String(value);
  return formatFloat(Number(value));
}

/** What JSON has no form of is an error. */
export function finite(value: number): number {
  if (!Number.isFinite(value)) fail(`json: unsupported value: ${formatFloat(value)}`);
  return value;
}
