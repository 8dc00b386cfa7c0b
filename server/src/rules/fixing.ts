import { isMap, type Path, type Value, type ValueMap, valueAt } from '../base/value.ts';
import { insertKey, removeAt, renameKey, setValue, type Where } from '../yaml/edit.ts';
import { valueOf } from '../yaml/value.ts';
import type { Fix, TextEdit } from './diagnostic.ts';
import { nearestNames } from './nearest.ts';
import type { Problem } from './rule.ts';

/** A fix, where its edits can be made at all. */
export function fixOf(title: string, edits: readonly TextEdit[], safe: boolean): Fix[] {
  return edits.length === 0 ? [] : [{ title, edits, safe }];
}

/** What stands at a path of the problem's document. */
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

/** One fix for each value that may stand there; the one that was meant first, and safe where there is no doubt. */
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
