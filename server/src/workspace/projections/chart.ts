import { memo } from '../../base/memo.ts';
import { movedRange, type Range } from '../../base/text.ts';
import { type DocumentPath, isList, isMap, isString, type Value } from '../../base/value.ts';
import { type ChartFile, valuesAt, yamlOf } from '../../helm/chart.ts';
import { type From, firstAfter, type Leaf, type Run, ValuePlace } from '../../template/from.ts';
import type { Printed } from '../../template/run.ts';
import { rangeOf } from '../../yaml/place.ts';
import type { ChartFolder } from '../charts/chartFolder.ts';
import type { How, Origin, Projection } from './projection.ts';
import { inScalar } from './scalar.ts';

/** A range of a file of the chart. */
export interface ChartPlace {
  readonly uri: string;
  readonly range: Range;
  /** The value of a file of values that it is, by its keys. */
  readonly value?: readonly (string | number)[];
}

/** What a template came to, as ranges of it, and the places in templates and values that they come from. */
export class RenderedPlaces implements Projection<Range, ChartPlace> {
  private readonly chart: ChartFolder;
  private readonly printed: Printed;

  constructor(chart: ChartFolder, printed: Printed) {
    this.chart = chart;
    this.printed = printed;
  }

  private get runs(): readonly Run[] {
    return this.printed.from.runs(this.printed.text.length);
  }

  written({ start, end }: Range): readonly Origin<ChartPlace>[] {
    const within = this.within(start, Math.max(end, start + 1));
    return literal(within, start, end) ?? this.ofValues(within) ?? this.ofActions(within);
  }

  /**
   * The value of a file that a map or list in what is rendered is, all of it; undefined where templates have a part in it.
   * `levelsAt` says how far below it something in it is.
   */
  ofWhole({ start, end }: Range, levelsAt: (offset: number) => number): readonly Origin<ChartPlace>[] | undefined {
    const length = this.printed.text.slice(start, end).trimEnd().length;
    const runs = this.within(start, start + length);
    const [first] = runs;
    if (!first || runs.some(({ leaf }) => leaf.kind === 'written')) return undefined;
    const around = wholeValue(runs, levelsAt);
    const place = around?.parent && this.placeOfValue(around);
    if (!place) return undefined;
    const how: How = runs.some(({ leaf }) => isOpen(leaf)) ? 'unknown' : 'written';
    return [{ place, how }, ...this.actionOf(first)];
  }

  made({ uri, range }: ChartPlace): readonly Range[] {
    return this.runs.flatMap(({ leaf, offset, start, end }): Range[] => {
      if (leaf.kind !== 'written' || offset === undefined || leaf.place.file !== uri) return [];
      const from = leaf.place.start + offset;
      if (range.start < from || range.start > from + end - start) return [];
      const at = start + range.start - from;
      return [{ start: at, end: Math.min(end, at + range.end - range.start) }];
    });
  }

  /** The value of a file that the first text in a range is, or is the key of. */
  valueAt(start: number, end: number): ValuePlace | undefined {
    const run = this.within(start, end).find((one) => this.printed.text.slice(one.start, one.end).trim() !== '');
    return run && valueOf(run.leaf);
  }

  /** The innermost action that has printed a text, which is in a helper where one has made it. */
  printedBy({ start, end }: Range): ChartPlace | undefined {
    const { action } = this.within(start, Math.max(end, start + 1)).find((one) => one.action !== undefined) ?? {};
    return action && { uri: action.file, range: { start: action.start, end: action.end } };
  }

  /** The action of the template itself that has printed a text, whatever helpers have made it. */
  printingAction({ start, end }: Range): ChartPlace | undefined {
    const { action, outer } =
      this.within(start, Math.max(end, start + 1)).find((one) => one.action !== undefined) ?? {};
    const at = outer ?? action;
    return at && { uri: at.file, range: { start: at.start, end: at.end } };
  }

  /**
   * Whether a text is of a map or list that an action prints as a whole: what is wrong with its lines there is not wrong where it is
   * written. One that is empty is for whoever installs the chart to give.
   */
  isOfWhole({ start, end }: Range): boolean {
    const [run] = this.within(start, Math.max(end, start + 1));
    const place = run?.action && valueOf(run.leaf);
    if (!place) return false;
    return place.isKey || typeof place.key === 'number' || this.valuesAt(place).some(hasEntries);
  }

  /** Text of a file that is there line by line, with nothing but blanks put before the lines, as `indent` does. */
  ofLines({ start, end }: Range): ChartPlace | undefined {
    const text = (run: Run) => this.printed.text.slice(run.start, run.end);
    const told = this.within(start, end).filter((run) => text(run).trim() !== '');
    const [from, to] = [
      told[0] && offsetIn(told[0], told[0].start),
      told.at(-1) && offsetIn(told.at(-1)!, told.at(-1)!.end),
    ];
    const file = from && this.chart.fileAt(from.uri);
    if (!file || !to || from.uri !== to.uri || !told.every(isLiteral)) return undefined;
    const between = told.slice(1).map((run, i) => {
      const [before, after] = [offsetIn(told[i]!, told[i]!.end)!, offsetIn(run, run.start)!];
      return before.uri === after.uri && before.at <= after.at ? file.text.slice(before.at, after.at) : undefined;
    });
    if (between.some((one) => one === undefined || one.trim() !== '')) return undefined;
    const isWholeLine = this.printed.text[end - 1] === '\n' && file.text[to.at] === '\n';
    return { uri: from.uri, range: { start: from.at, end: isWholeLine ? to.at + 1 : to.at } };
  }

  /** The runs of a range, cut to it. */
  private within(start: number, end: number): readonly Run[] {
    const { runs } = this;
    if (runs.length === 0) return [];
    const inside = runs.slice(firstAfter(runs, start), firstAfter(runs, end - 1) + 1);
    return inside.map((run) => clipped(run, start, end));
  }

  /** All of it is one value of a file, perhaps in quotes: that is the place, and the action that printed it is next. */
  private ofValues(runs: readonly Run[]): readonly Origin<ChartPlace>[] | undefined {
    const told = runs.filter((run) => !isQuote(this.printed.text.slice(run.start, run.end)));
    const [first] = told;
    const places = new Set(told.map(({ leaf }) => valueOf(leaf)));
    const [place] = places;
    if (!first || places.size !== 1 || !place) return undefined;
    const written = this.inValue(place, told) ?? this.placeOfValue(place);
    const how: How = isOpen(first.leaf) ? 'unknown' : 'written';
    const value = written ? [{ place: written, how }] : [];
    // Quotes of the template make a text of what is none: that is the template's doing.
    const isQuoted = told.length < runs.length && !(written && this.isTextOrMore(place));
    return isQuoted ? [...this.around(runs, first), ...value] : [...value, ...this.actionOf(first)];
  }

  /** An action with the quotes around it. */
  private around(runs: readonly Run[], told: Run): readonly Origin<ChartPlace>[] {
    const action = this.actionOf(told);
    const [from, to] = [offsetIn(runs[0]!, runs[0]!.start), offsetIn(runs.at(-1)!, runs.at(-1)!.end)];
    if (!from || !to || from.uri !== to.uri || from.at >= to.at) return action;
    return [{ place: { uri: from.uri, range: { start: from.at, end: to.at } }, how: 'computed' }];
  }

  /** Whether a value is a text, or a map or list, which no quotes make right. */
  private isTextOrMore(place: ValuePlace): boolean {
    return this.valuesAt(place).some((value) => isString(value) || isMap(value) || isList(value));
  }

  private valuesAt({ source, path }: ValuePlace): readonly (Value | undefined)[] {
    return valuesAt(this.chart.fileAt(source), path);
  }

  private ofActions(runs: readonly Run[]): readonly Origin<ChartPlace>[] {
    const first = runs.find(({ leaf }) => leaf.kind !== 'written') ?? runs[0];
    if (!first) return [];
    const values = new Set(runs.flatMap(({ leaf }) => valuesOf(leaf)));
    const places = [...values].flatMap((place) => this.placeOfValue(place) ?? []);
    return [...this.actionOf(first), ...places.map((place) => ({ place, how: 'computed' as const }))];
  }

  private actionOf({ action, outer, leaf }: Run): readonly Origin<ChartPlace>[] {
    // What the engine itself gives, such as the name of the release, is nothing that a helper could have made better.
    const isOfEngine = leaf.kind === 'computed' && leaf.place === undefined;
    const at = (isOfEngine ? outer : action) ?? (leaf.kind === 'value' ? undefined : leaf.place);
    if (!at) return [];
    const how = isOpen(leaf) ? 'unknown' : 'computed';
    return [{ place: { uri: at.file, range: { start: at.start, end: at.end } }, how }];
  }

  /** The part of a text of several lines, where it is printed as it is written. */
  private inValue({ source, path, isKey }: ValuePlace, told: readonly Run[]): ChartPlace | undefined {
    const [first, last] = [told[0]!, told.at(-1)!];
    const file = this.chart.fileAt(source);
    if (!file || isKey || told.some(({ leaf, offset }) => !(leaf instanceof ValuePlace) || offset === undefined))
      return undefined;
    const part = { start: first.offset!, end: last.offset! + last.end - last.start };
    return part.end <= part.start ? undefined : placeInText(file, path, part);
  }

  private placeOfValue(place: ValuePlace): ChartPlace | undefined {
    return placeOfValue(this.chart, place);
  }
}

/** Where a value is written, or what is next to it around it. */
export function placeOfValue(chart: ChartFolder, { source, path, isKey }: ValuePlace): ChartPlace | undefined {
  const file = chart.fileAt(source);
  return file && placeInFile(file, path, isKey);
}

/** Where a file has a value, or its key, or what is next to it around it. */
export function placeInFile(file: ChartFile, path: DocumentPath, isKey = false): ChartPlace | undefined {
  for (const { document, start } of yamlOf(file).documents) {
    const range = (isKey ? rangeOf(document, path, 'key') : undefined) ?? nearest(document, path);
    if (range) return { uri: file.id, range: movedRange(range, start), value: path };
  }
  return undefined;
}

/** A part within a line of a text in a file that takes several. */
function placeInText(file: ChartFile, path: DocumentPath, part: Range): ChartPlace | undefined {
  for (const { document, start } of yamlOf(file).documents) {
    const range = rangeOf(document, path, 'value');
    if (!range || !document.text.slice(range.start, range.end).includes('\n')) continue;
    const [written] = inScalar(document, path).written(part);
    const isOneLine = written && !document.text.slice(written.place.start, written.place.end).includes('\n');
    if (isOneLine) return { uri: file.id, range: movedRange(written.place, start), value: path };
  }
  return undefined;
}

/** A run as far as it is in a range. */
function clipped(run: Run, start: number, end: number): Run {
  const from = Math.max(run.start, start);
  const offset = run.offset === undefined ? undefined : run.offset + from - run.start;
  return { ...run, start: from, end: Math.min(run.end, end), offset };
}

/** Where text of a template, or of a constant in one, is written just so. */
function literal(runs: readonly Run[], start: number, end: number): readonly Origin<ChartPlace>[] | undefined {
  const [first] = runs;
  const last = runs.at(-1);
  if (!first || !last) return undefined;
  const [from, to] = [offsetIn(first, start), offsetIn(last, end)];
  if (!from || !to || from.uri !== to.uri || to.at < from.at || !runs.every(isLiteral)) return undefined;
  return [{ place: { uri: from.uri, range: { start: from.at, end: to.at } }, how: 'written' }];
}

function isLiteral({ leaf, offset }: Run): boolean {
  return leaf.kind === 'written' && offset !== undefined;
}

function offsetIn({ leaf, offset, start }: Run, at: number): { uri: string; at: number } | undefined {
  if (leaf.kind !== 'written' || offset === undefined) return undefined;
  return { uri: leaf.place.file, at: leaf.place.start + offset + at - start };
}

/** What was assumed is nobody's mistake, and neither is what is not known. */
function isOpen(leaf: Leaf): boolean {
  return leaf.kind === 'computed' && (leaf.isUnknown || (leaf.place === undefined && leaf.of.length > 0));
}

function isQuote(text: string): boolean {
  return /^["'\s]*$/.test(text);
}

function hasEntries(value: Value | undefined): boolean {
  return isMap(value) ? value.size > 0 : isList(value) && value.length > 0;
}

/** The one value that something is, or is made of alone. */
function valueOf(leaf: Leaf): ValuePlace | undefined {
  if (leaf instanceof ValuePlace) return leaf;
  const all = valuesOf(leaf);
  return all.length === 1 && leaf.kind === 'computed' && leaf.of.length === 1 ? all[0] : undefined;
}

/** All values that something was made of, in the order in which they went in. */
const valuesOf = memo((leaf: Leaf): readonly ValuePlace[] => {
  const values: ValuePlace[] = [];
  addValues(leaf, 0, values, new Map());
  return values;
});

/** What went into a call goes into others as well, so each is looked through where it is nearest, not on every way to it. */
function addValues(leaf: Leaf, depth: number, values: ValuePlace[], seen: Map<From, number>): void {
  if (leaf instanceof ValuePlace) values.push(leaf);
  if (leaf.kind !== 'computed' || depth > deepestSearch) return;
  for (const from of leaf.of.filter((one) => depth < (seen.get(one) ?? deepestSearch + 1))) {
    seen.set(from, depth);
    for (const run of from.runs(1)) addValues(run.leaf, depth + 1, values, seen);
  }
}

/** How many calls are looked through for the values that went in. */
const deepestSearch = 6;

/** The value that some runs are all of. */
function wholeValue(runs: readonly Run[], levelsAt: (offset: number) => number): ValuePlace | undefined {
  const inner = runs.flatMap(({ leaf, start }) => (leaf instanceof ValuePlace ? [above(leaf, levelsAt(start))] : []));
  // Where nothing of it is a value itself, it is made of one.
  const places = inner.length > 0 ? inner : runs.map(({ leaf }) => valueOf(leaf));
  const [first] = places;
  return first && places.every((place) => place && isSamePlace(place, first)) ? first : undefined;
}

function above(place: ValuePlace, levels: number): ValuePlace | undefined {
  let at: ValuePlace | undefined = place;
  for (let level = 0; level < levels; level++) at = at?.parent;
  return at;
}

function isSamePlace(a: ValuePlace, b: ValuePlace): boolean {
  const [one, other] = [a.path, b.path];
  return a.source === b.source && one.length === other.length && one.every((key, i) => key === other[i]);
}

/** What takes several lines is pointed at by its key. */
function nearest(document: Parameters<typeof rangeOf>[0], path: DocumentPath): Range | undefined {
  const value = rangeOf(document, path, 'value');
  const key = rangeOf(document, path, 'key');
  if (value && !(key && document.text.slice(value.start, value.end).includes('\n'))) return value;
  if (key) return key;
  for (let length = path.length - 1; length > 0; length--) {
    const key = rangeOf(document, path.slice(0, length), 'key');
    if (key) return key;
  }
  return undefined;
}
