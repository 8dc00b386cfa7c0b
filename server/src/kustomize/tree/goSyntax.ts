/** A decoded tree as Go prints its syntax, which is what kustomize says of a resource that cannot be JSON. */
import { formatFloat } from '../../gostd/float.ts';
import { compareStrings } from '../../gostd/jsonPrint.ts';
import { quote } from '../../gostd/quote.ts';
import { attempt, fail } from '../failure.ts';
import { decodedScalar } from './built.ts';
import type { Node } from './node.ts';
import type { Resolved } from './resolve.ts';

export function decodedText(node: Node): string {
  const { value } = attempt(() => mapText(node, true));
  return value ?? 'map[string]interface {}(nil)';
}

function textOf(node: Node): string {
  if (node.kind === 'map') return mapText(node, false);
  if (node.kind === 'list') return `[]interface {}{${node.content.map(textOf).join(', ')}}`;
  if (node.kind === 'none') return 'interface {}(nil)';
  return scalarText(decodedScalar(node));
}

function scalarText({ tag, value }: Resolved): string {
  if (value === null) return 'interface {}(nil)';
  if (tag === '!!timestamp') return timeText(String(value));
  if (typeof value === 'string') return quote(value);
  return typeof value === 'number' ? formatFloat(value) : String(value);
}

const months = 'January February March April May June July August September October November December'.split(' ');

function timeText(text: string): string {
  const [year, month, day, hour, minute, second] = text.match(/\d+/g)!.map(Number);
  return `time.Date(${year}, time.${months[month! - 1]}, ${day}, ${hour}, ${minute}, ${second}, 0, time.UTC)`;
}

function mapText(node: Node, isTop: boolean): string {
  const keys: Resolved[] = [];
  const rows: (readonly [string, string])[] = [];
  const seen = new Set<string>();
  for (let i = 0; i + 1 < node.content.length; i += 2) {
    const key = node.content[i]!;
    if (seen.has(key.value)) fail('a key is there twice');
    seen.add(key.value);
    const read = isTop ? { tag: '!!str', value: key.value } : decodedScalar(key);
    keys.push(read);
    rows.push([scalarText(read), textOf(node.content[i + 1]!)]);
  }
  const type = keys.every(({ tag }) => tag === '!!str' || tag === '!!merge') ? 'string' : 'interface {}';
  const entries = rows.sort(([a], [b]) => compareStrings(a, b)).map(([key, value]) => `${key}:${value}`);
  return `map[${type}]interface {}{${entries.join(', ')}}`;
}
