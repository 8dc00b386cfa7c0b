import { isList, isMap, isString, type ValueMap } from '../../base/value.ts';
import type { Expr } from '../../cel/ast.ts';
import type { RulePlace } from '../../workspace/rulePlace.ts';
import { nodesOf } from '../place/nodesAt.ts';
import type { Completion } from './completion.ts';
import { writtenSchema } from './writtenSchema.ts';

/** Inside a string that begins at a quote: the values of the enum it is compared with, the keys of the map it looks into. */
export function completeString(place: RulePlace, offset: number, quote: number): Completion[] {
  const range = { start: quote + 1, end: offset };
  return stringsFor(place, quote).map(({ text, detail }, i) => ({
    label: text,
    kind: 'value',
    ...(detail === '' ? {} : { detail }),
    range,
    text: escaped(text, place.compiled.text[quote]!),
    snippet: false,
    order: String(i).padStart(4, '0'),
  }));
}

interface Offered {
  readonly text: string;
  readonly detail: string;
}

function stringsFor(place: RulePlace, quote: number): Offered[] {
  const { text, expr } = place.compiled;
  const before = text.slice(0, quote);
  const compared = comparison(before);
  if (compared !== undefined) return valuesOf(place, valueEndingAt(expr, compared));
  const bare = before.trimEnd();
  if (bare.endsWith('[')) return keysOf(place, valueEndingAt(expr, bare.slice(0, -1).trimEnd().length));
  // The string stands first: what it is compared with, or looked for in, comes behind it.
  for (const node of nodesOf(expr)) {
    if (node.kind !== 'call' || node.args[0]?.start !== quote || node.args[0].kind !== 'literal') continue;
    if (node.name === '_==_' || node.name === '_!=_') return valuesOf(place, node.args[1]);
    if (node.name === '@in') return [...keysOf(place, node.args[1]), ...itemValuesOf(place, node.args[1])];
  }
  return [];
}

/** Where the operand of `==`, `!=` or `in [` ends, with such an operator and items of the list behind it. */
function comparison(before: string): number | undefined {
  const bare = before.trimEnd();
  if (/[=!]=$/.test(bare)) return bare.slice(0, -2).trimEnd().length;
  if (!/[,[]$/.test(bare)) return undefined;
  const opened = bare.lastIndexOf('[');
  if (bare.lastIndexOf(']') > opened) return undefined;
  const operand = bare.slice(0, opened).trimEnd();
  return /\bin$/.test(operand) ? operand.slice(0, -2).trimEnd().length : undefined;
}

/** The longest part of an expression that ends at an offset and names a value: `self.a` of `x && self.a`. */
function valueEndingAt(expr: Expr, end: number): Expr | undefined {
  let best: Expr | undefined;
  for (const node of nodesOf(expr)) {
    const names =
      node.kind === 'select' ||
      node.kind === 'ident' ||
      (node.kind === 'call' && /^_(\[\??_\]|\?\._)$/.test(node.name));
    if (names && node.end === end && !node.macro && (!best || node.start < best.start)) best = node;
  }
  return best;
}

/** The values of the enum that describes what something is compared with. */
export function valuesComparedWith(place: RulePlace, other: Expr): string[] {
  return enumOf(writtenSchema(place, other)).map(({ text }) => text);
}

function valuesOf(place: RulePlace, expr: Expr | undefined): Offered[] {
  return enumOf(expr && writtenSchema(place, expr));
}

function itemValuesOf(place: RulePlace, list: Expr | undefined): Offered[] {
  const schema = list && writtenSchema(place, list);
  const items = schema?.get('items');
  return isMap(items) ? enumOf(items) : [];
}

function enumOf(schema: ValueMap | undefined): Offered[] {
  const values = schema?.get('enum');
  return isList(values) ? values.filter(isString).map((text) => ({ text, detail: '' })) : [];
}

/** The keys of a map are free: the ones known are those that its default and its example use. */
function keysOf(place: RulePlace, expr: Expr | undefined): Offered[] {
  const schema = expr && writtenSchema(place, expr);
  if (!schema?.has('additionalProperties')) return [];
  const found = new Map<string, Offered>();
  for (const keyword of ['default', 'example']) {
    const value = schema.get(keyword);
    for (const text of isMap(value) ? value.keys() : [])
      if (!found.has(text)) found.set(text, { text, detail: `a key from the ${keyword}` });
  }
  return [...found.values()];
}

function escaped(text: string, quote: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`);
}
