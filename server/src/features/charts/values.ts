/** What a path leads to in what templates are given, in each set of values, and in words. */
import { lineStartBefore, shortened } from '../../base/text.ts';
import type { ChartFile } from '../../helm/chart.ts';
import { valuesType } from '../../helm/values.ts';
import { type From, ValuePlace } from '../../template/from.ts';
import { type Cell, GoFunc, GoList, GoMap, GoStruct, type GoValue, Int } from '../../template/value.ts';
import type { ValueSet } from '../../workspace/charts/valueSets.ts';
import { blocks, code, type Markdown, md, own, prose } from '../words/markdown.ts';
import { type InValues, isLibrary, rangeInValues, type Seen } from './seen.ts';

export interface InSet {
  readonly set: ValueSet;
  readonly cell: Cell;
}

/** How many items of a list or map are looked at for what any item has. */
const mostItems = 20;

/** What a path leads to, in each set of values in which it leads anywhere. */
export function cellsAt(seen: Seen, steps: readonly string[]): readonly InSet[] {
  const { part, file, renderings } = seen;
  // A library works on the values of who uses it.
  const id = isLibrary(part) ? (part.parent?.chart.templates[0]?.id ?? file.id) : file.id;
  return renderings.all.flatMap(([set, frame]) => {
    const dot = frame.givenTo(id);
    const root: Cell | undefined = dot && { value: dot, from: outside };
    return root ? walk([root], steps).map((cell) => ({ set, cell })) : [];
  });
}

const outside: From = { isUnknown: false, runs: () => [] };

function walk(from: readonly Cell[], steps: readonly string[]): readonly Cell[] {
  let at = from;
  for (const step of steps)
    at = at.flatMap(({ value }) => (step === '*' ? itemsOf(value) : (member(value, step) ?? [])));
  return at;
}

function itemsOf(value: GoValue): readonly Cell[] {
  if (value instanceof GoList) return value.items.slice(0, mostItems);
  return value instanceof GoMap
    ? value
        .sorted()
        .slice(0, mostItems)
        .map(([, cell]) => cell)
    : [];
}

function member(value: GoValue, name: string): Cell | undefined {
  if (value instanceof GoMap) return value.get(name);
  return value instanceof GoStruct ? value.fields.get(name) : undefined;
}

/** Something that can be written behind a dot. */
export interface Member {
  readonly name: string;
  readonly cell: Cell | undefined;
}

/** What there is behind a dot, in the order in which it is written. */
export function membersAt(seen: Seen, steps: readonly string[]): readonly Member[] {
  const found = new Map<string, Cell | undefined>();
  for (const { cell } of cellsAt(seen, steps)) {
    for (const { name, cell: inner } of membersOf(cell.value)) if (!found.has(name)) found.set(name, inner);
  }
  return Array.from(found, ([name, cell]) => ({ name, cell }));
}

function membersOf(value: GoValue): Member[] {
  if (!(value instanceof GoMap || value instanceof GoStruct || value instanceof GoList)) return [];
  const fields = value instanceof GoMap ? value.all() : value instanceof GoStruct ? value.fields : [];
  // Those of values as a whole hardly anybody looks for among the values.
  const names = value.type === valuesType ? [] : [...(value.methods?.keys() ?? [])];
  const methods = names.map((name) => ({ name, cell: undefined }));
  return [...Array.from(fields, ([name, cell]) => ({ name, cell })), ...methods];
}

/** The type of a value, in the words of values.yaml. */
export function typeWord(value: GoValue): string {
  if (value === undefined || value === null) return 'null';
  if (value instanceof GoList) return 'list';
  if (value instanceof Int) return 'number';
  if (typeof value === 'object') return value instanceof GoFunc ? 'function' : 'map';
  return typeof value;
}

const longestShown = 60;

/** A value on one line. */
export function shownValue(value: GoValue): string {
  if (value instanceof GoMap) return value.size === 0 ? '{}' : `{${value.keys().join(', ')}}`;
  if (value instanceof GoList) {
    const items = value.items.slice(0, mostItems).map((item) => shownValue(item.value));
    return shortened(`[${items.join(', ')}]`, longestShown);
  }
  if (value instanceof Int) return String(value.value);
  if (value instanceof GoStruct) return shortened(value.print(), longestShown);
  return shortened(typeof value === 'string' ? JSON.stringify(value) : String(value ?? null), longestShown);
}

/** Its type, and what it is where it is short. */
export function detailOf(value: GoValue): string {
  const type = typeWord(value);
  const isPlain = type !== 'map' && type !== 'list' && type !== 'null';
  return isPlain ? `${type} = ${shownValue(value)}` : type;
}

/** The comment above a key of a file of values, without the signs that programs for documentation want there. */
export function commentAbove(place: InValues): string {
  const { text } = place.file;
  const key = rangeInValues(place);
  if (!key) return '';
  const lines: string[] = [];
  for (let end = lineStartBefore(text, key.start); end > 0; ) {
    const start = lineStartBefore(text, end - 1);
    const line = text.slice(start, end).trim();
    if (!line.startsWith('#')) break;
    lines.unshift(line.replace(/^#+ ?/, '').replace(/^(?:-- |@(?:param|extra|skip) \S+ ?)/, ''));
    end = start;
  }
  return lines.join('\n').trim();
}

/** Where a value is written. */
export function placeOf(seen: Seen, { from }: Cell): InValues | undefined {
  const file = from instanceof ValuePlace ? seen.folder.fileAt(from.source) : undefined;
  return file && from instanceof ValuePlace ? { file, path: from.path } : undefined;
}

export function lineOf(file: ChartFile, offset: number): number {
  let line = 1;
  for (let at = file.text.indexOf('\n'); at !== -1 && at < offset; at = file.text.indexOf('\n', at + 1)) line++;
  return line;
}

/** The comment of a value, and where it comes from. */
export function aboutCell(seen: Seen, cell: Cell): Markdown {
  const place = placeOf(seen, cell);
  const key = place && rangeInValues(place);
  if (!place || !key) return own('');
  const comment = commentAbove(place);
  const origin = md`*${place.file.path}:${lineOf(place.file, key.start)}*`;
  return blocks(comment === '' ? own('') : prose(comment), origin);
}

/** A value in each set of values in which it is another one. */
export function valuesInSets(all: readonly InSet[]): readonly Markdown[] {
  const bySet = new Map<string, string>();
  for (const { set, cell } of all) if (!bySet.has(set.name)) bySet.set(set.name, shownValue(cell.value));
  const [first] = bySet.values();
  return [...bySet]
    .filter(([, shown], i) => i === 0 || shown !== first)
    .map(([name, shown]) => md`${code(shown)} with ${name}`);
}
