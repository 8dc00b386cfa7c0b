import { isMap, type Path, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import { insertKey, removeAt, renameKey, setValue, type Where } from '../../yaml/edit.ts';
import { valueOf } from '../../yaml/value.ts';
import type { Fix, TextEdit } from '../model/diagnostic.ts';
import type { Problem } from '../model/rule.ts';
import { nearestNames } from './nearest.ts';

/** A fix, where its edits can be made at all. */
export function fixOf(title: string, edits: readonly TextEdit[], safe: boolean): Fix[] {
  return edits.length === 0 ? [] : [{ title, edits, safe }];
}

/** The value at a path of the problem's document. */
export function valueIn({ document }: Problem, path: Path): Value | undefined {
  return valueAt(valueOf(document), path);
}

export function mapIn(problem: Problem, path: Path): ValueMap | undefined {
  const value = valueIn(problem, path);
  return isMap(value) ? value : undefined;
}

export function lastStep({ path }: Problem): string {
  return String(path.at(-1));
}

/** Takes out what the problem is about. */
export function removal(safe: boolean): (problem: Problem) => Fix[] {
  return (problem) => fixOf(`Remove \`${lastStep(problem)}\``, removeAt(problem.document, problem.path), safe);
}

/** Of a text such as `10s` or `80%` the number alone, where its unit is not for the author to choose. */
export function withoutUnit(problem: Problem): Fix[] {
  const [, number] = /^(-?\d{1,18})(?:\.0+)? ?(?:[a-z]{1,12}|%)$/i.exec(String(valueIn(problem, problem.path))) ?? [];
  if (number === undefined) return [];
  return fixOf(`Change to \`${number}\``, setValue(problem.document, problem.path, BigInt(number)), false);
}

/** One fix for each allowed value; the one that was probably meant comes first, and is safe if there is no doubt. */
export function choices(problem: Problem, values: readonly string[]): Fix[] {
  const written = valueIn(problem, problem.path);
  const near = typeof written === 'string' && written !== '' ? nearestNames(written, values) : [];
  const ordered = [...near, ...values.filter((value) => !near.includes(value))];
  return ordered.flatMap((value) =>
    fixOf(
      `Change to \`${value}\``,
      setValue(problem.document, problem.path, value),
      near.length === 1 && value === near[0],
    ),
  );
}

/** A key under the names that it may have been meant to have. */
export function renames(problem: Problem, known: readonly string[]): Fix[] {
  const near = nearestNames(lastStep(problem), known);
  return near.flatMap((name) =>
    fixOf(`Rename to \`${name}\``, renameKey(problem.document, problem.path, name), near.length === 1),
  );
}

/** Gives a key of a map a value, whether it is there or not. */
export function putKey(problem: Problem, map: Path, key: string, value: Value, where: Where = {}): TextEdit[] {
  const { document } = problem;
  return mapIn(problem, map)?.has(key)
    ? setValue(document, [...map, key], value)
    : insertKey(document, map, key, value, where);
}

/** Takes several keys out of a map; without any left it is an empty one. */
export function removeKeys(problem: Problem, map: Path, keys: readonly string[]): TextEdit[] {
  const { document } = problem;
  const here = mapIn(problem, map);
  const present = keys.filter((key) => here?.has(key));
  if (!here || present.length === 0) return [];
  if (present.length === here.size) return setValue(document, map, new Map());
  return joined(
    document.text,
    present.flatMap((key) => removeAt(document, [...map, key])),
  );
}

/** Removals that overlap as one: what follows the first key of a list's item moves up to the dash. */
function joined(text: string, removals: readonly TextEdit[]): TextEdit[] {
  const sorted = [...removals].sort((a, b) => a.range.start - b.range.start);
  const found: TextEdit[] = [];
  for (const removal of sorted) {
    const last = found.at(-1);
    if (!last || removal.range.start > last.range.end) found.push(removal);
    else found[found.length - 1] = { range: { start: last.range.start, end: removal.range.end }, text: '' };
  }
  return found.map((removal) => {
    const { start, end } = removal.range;
    const inLine = /[^\s]/.test(text.slice(text.lastIndexOf('\n', start - 1) + 1, start));
    const atLineStart = end > 0 && text[end - 1] === '\n';
    const blank = inLine && atLineStart ? /^[ \t]*/.exec(text.slice(end))![0].length : 0;
    return { range: { start, end: end + blank }, text: '' };
  });
}

/** A text after edits that do not overlap; those at the same place are applied in the given order. */
export function editedText(text: string, edits: readonly TextEdit[]): string {
  const ordered = edits.map((edit, i) => ({ ...edit, i })).sort((a, b) => a.range.start - b.range.start || a.i - b.i);
  const parts: string[] = [];
  let at = 0;
  for (const { range, text: put } of ordered) {
    parts.push(text.slice(at, range.start), put);
    at = Math.max(at, range.end);
  }
  return parts.join('') + text.slice(at);
}

/** One edit from one text to the other, without what they share at both ends. */
export function difference(before: string, after: string): TextEdit[] {
  if (before === after) return [];
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return [{ range: { start, end: before.length - end }, text: after.slice(start, after.length - end) }];
}
