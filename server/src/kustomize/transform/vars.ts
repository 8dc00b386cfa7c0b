/** vars: `$(NAME)` in the fields that may have it. */
import type { Value } from '../../base/value.ts';
import { formatFloat, plainFloat } from '../../gostd/float.ts';
import { parseGoFloat } from '../../gostd/parseFloat.ts';
import { parseGoInt } from '../../gostd/parseInt.ts';
import { type Accumulated, type KnownVar, sortedVars, varText } from '../accumulator.ts';
import type { Context } from '../context.ts';
import { asFailure, Failure, fail } from '../failure.ts';
import { splitFieldPath, visitField } from '../fieldSpec.ts';
import { computed, type Origin } from '../origin.ts';
import { placeOf } from '../place.ts';
import type { Resource } from '../resource.ts';
import { decodedOf, valueOfBuilt } from '../tree/built.ts';
import { lookup } from '../tree/edit.ts';
import { isMissing, isString, type Node } from '../tree/node.ts';

interface Known {
  readonly value: Value;
  readonly one: KnownVar;
}

export function resolveVars(made: Accumulated, context: Context): void {
  const known = new Map<string, Known>();
  for (const one of sortedVars(made.vars)) {
    const value = valueOfVar(one, made);
    if (value !== undefined) known.set(one.name, { value, one });
  }
  if (known.size === 0) return;
  for (const { node } of made.set.list) {
    if (!node) continue;
    for (const spec of made.config.varReference) {
      visitField(node, { spec, create: 'none', createTag: '', set: (at) => expandIn(at, known, context) });
    }
  }
}

function valueOfVar(one: KnownVar, made: Accumulated): Value | undefined {
  const resource = made.set.list.find(({ varNames }) => varNames.includes(one.name));
  if (!resource) {
    if (made.isPartial) return undefined;
    fail(`var '${varText(one)}' cannot be mapped to a field in the set of known resources`, one.place);
  }
  try {
    return fieldValue(resource, one.fieldPath);
  } catch (error) {
    asFailure(error);
    throw new Failure(`field specified in var '${varText(one)}' not found in corresponding resource`, one.place);
  }
}

function withIndices(fields: readonly string[]): string[] {
  return fields.flatMap((field) => {
    const parts = /^([\s\S]*)\[(\d+)\]$/.exec(field);
    if (!parts) return [field];
    return parts[1] === '' ? [parts[2]!] : [parts[1]!, parts[2]!];
  });
}

function fieldValue({ node }: Resource, path: string): Value {
  const found = lookup(node, withIndices(splitFieldPath(path)));
  if (!found) fail(`no field named '${path}'`);
  if (found.kind !== 'scalar') return valueOfBuilt(decodedOf(found));
  const { tag, value } = found;
  if (tag === '!!int') {
    const read = parseGoInt(value, 10);
    return 'value' in read ? read.value : fail('invalid syntax');
  }
  if (tag === '!!float') return parseGoFloat(value) ?? fail('invalid syntax');
  if (tag !== '!!bool') return value;
  if (/^(?:1|t|T|TRUE|true|True)$/.test(value)) return true;
  return /^(?:0|f|F|FALSE|false|False)$/.test(value) ? false : fail('invalid syntax');
}

function expandIn(node: Node, known: ReadonlyMap<string, Known>, context: Context): void {
  if (isMissing(node)) return;
  if (node.kind === 'scalar') {
    if (isString(node)) expand(node, known, context);
  } else if (node.kind === 'map') {
    for (let i = 0; i + 1 < node.content.length; i += 2) {
      const key = node.content[i]!;
      if (!isString(key)) fail(`invalid map key: value='${key.value}', tag='${key.tag}'`, placeOf(key));
      if (isString(node.content[i + 1]!)) expand(node.content[i + 1]!, known, context);
    }
  } else if (node.kind === 'list') {
    for (const item of node.content) {
      if (!isString(item)) fail('invalid value type expect a string', placeOf(item));
      expand(item, known, context);
    }
  } else fail(`invalid type encountered ${node.kind}`);
}

function expand(node: Node, known: ReadonlyMap<string, Known>, context: Context): void {
  let used: KnownVar | undefined;
  const mapping = (name: string): Value => {
    const found = known.get(name);
    if (!found || typeof found.value === 'object') return `$(${name})`;
    used = found.one;
    return found.value;
  };
  const value = replace(node.value, mapping, context);
  const origin = used ? computed('vars', used.place, node.origin) : node.origin;
  setValue(node, value, origin);
}

function setValue(node: Node, value: Value, origin: Origin | undefined): void {
  node.origin = origin;
  node.style = '';
  if (typeof value === 'bigint') [node.value, node.tag] = [String(value), '!!int'];
  else if (typeof value === 'boolean') [node.value, node.tag] = [String(value), '!!bool'];
  else if (typeof value === 'number') [node.value, node.tag] = [plainFloat(value), '!!float'];
  else [node.value, node.tag] = [String(value), '!!str'];
}

/** A text that is one variable becomes its value, whatever type that has. */
function replace(text: string, mapping: (name: string) => Value, context: Context): Value {
  let out = '';
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== '$' || at + 1 >= text.length) continue;
    out += text.slice(from, at);
    const { read, isVar, length } = variable(text, at + 1);
    if (isVar) {
      const value = mapping(read);
      if (text === `$(${read})`) return value;
      const shown = typeof value === 'number' ? formatFloat(value) : String(value);
      context.spend(1 + Math.floor(shown.length / 100));
      out += shown;
    } else out += read;
    at += length;
    from = at + 1;
  }
  return out + text.slice(from);
}

function variable(text: string, at: number): { read: string; isVar: boolean; length: number } {
  const char = text[at]!;
  if (char === '$') return { read: '$', isVar: false, length: 1 };
  if (char !== '(') return { read: `$${char}`, isVar: false, length: 1 };
  const end = text.indexOf(')', at + 1);
  if (end === -1) return { read: '$(', isVar: false, length: 1 };
  return { read: text.slice(at + 1, end), isVar: true, length: end - at + 1 };
}
