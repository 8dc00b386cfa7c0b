/** What `--set` says: `a.b=c,d[0]=e,f={1,2}`, as Helm reads it. */
import { type Cell, cell, GoList, GoMap, type GoValue, Int, ofEngine } from '../template/value.ts';

/** An item of a list may be named by no larger number. */
const largestIndex = 65_536;

type Step = string | number;

/** The values with what is set; an error says what cannot be read. */
export function withSet(values: GoMap, text: string): GoMap {
  return assignments(text).reduce((now, [path, value]) => setIn(now, path, value) as GoMap, values);
}

/** The parts between commas that are not in braces, and not behind a backslash. */
function assignments(text: string): [Step[], GoValue][] {
  const found: [Step[], GoValue][] = [];
  let rest = text;
  while (rest !== '') {
    const [name, after] = until(rest, ['=']);
    if (after === undefined) throw new Error(`--set ${text}: ${name} has no value`);
    const [value, next] = readValue(after);
    found.push([pathOf(name, text), value]);
    rest = next;
  }
  return found;
}

/** A text up to the first of some characters that has no backslash before it, and what is behind that. */
function until(text: string, ends: readonly string[]): [string, string | undefined] {
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (ends.includes(text[at]!)) return [text.slice(0, at), text.slice(at + 1)];
  }
  return [text, undefined];
}

function plainly(text: string): string {
  return text.replace(/\\([\s\S])/g, '$1');
}

function pathOf(name: string, all: string): Step[] {
  const steps: Step[] = [];
  let rest: string | undefined = name;
  while (rest !== undefined) {
    const [one, next] = until(rest, ['.']);
    const [key, ...indexes] = one.split('[');
    if (key !== '') steps.push(plainly(key!));
    for (const index of indexes) steps.push(indexOf(index, all));
    rest = next;
  }
  if (steps.length === 0) throw new Error(`--set ${all}: there is no name`);
  return steps;
}

function indexOf(text: string, all: string): number {
  const index = /^\d{1,6}\]$/.test(text) ? Number.parseInt(text, 10) : Number.POSITIVE_INFINITY;
  if (index > largestIndex) throw new Error(`--set ${all}: [${text} is not the number of an item`);
  return index;
}

function readValue(text: string): [GoValue, string] {
  if (!text.startsWith('{')) {
    const [value, rest = ''] = until(text, [',']);
    return [typed(value), rest];
  }
  const [inside, rest = ''] = until(text.slice(1), ['}']);
  const items: Cell[] = [];
  for (let left: string | undefined = inside; left !== undefined && inside !== ''; ) {
    const [item, next] = until(left, [',']);
    items.push(cell(typed(item), ofEngine));
    left = next;
  }
  return [new GoList(items), rest.replace(/^,/, '')];
}

function typed(text: string): GoValue {
  const word = text.toLowerCase();
  if (word === 'true' || word === 'false') return word === 'true';
  if (word === 'null') return null;
  if (text === '0' || /^-?[1-9]\d{0,17}$/.test(text)) return new Int(BigInt(text), 'int64');
  return plainly(text);
}

function setIn(known: GoValue, [step, ...below]: readonly Step[], value: GoValue): GoValue {
  if (step === undefined) return value;
  if (typeof step === 'string') {
    const map = known instanceof GoMap ? known : new GoMap();
    return map.with(step, cell(setIn(map.get(step)?.value, below, value), ofEngine));
  }
  const items = known instanceof GoList ? [...known.items] : [];
  while (items.length <= step) items.push(cell(null, ofEngine));
  items[step] = cell(setIn(items[step]!.value, below, value), ofEngine);
  return new GoList(items);
}
