/** What templates read of the values, and which keys of files of values that are. */

import { memo } from '../../base/memo.ts';
import type { Range } from '../../base/text.ts';
import { isList, isMap, type Value } from '../../base/value.ts';
import { type ChartFile, yamlOf } from '../../helm/chart.ts';
import type { ChartFolder } from '../../workspace/charts/chartFolder.ts';
import { documentAt } from '../../yaml/parse.ts';
import { pathAt } from '../../yaml/place.ts';
import { valueOf } from '../../yaml/value.ts';
import type { Location } from '../place/location.ts';
import { type Action, actionAt, chainTo, type Part } from './actions.ts';
import { declarationEnd, headOf, namedBefore, namedBehind, type Scope, scopedOf, stepsOfPipe } from './scopes.ts';
import {
  type ChartPart,
  type InValues,
  inGiven,
  isLibrary,
  otherValues,
  partsOf,
  rangeInValues,
  type Seen,
  templatesOf,
  valuesPart,
} from './seen.ts';

/** A path from the values of the outermost chart; `*` for any item or key. What is global has one wherever it is read. */
export type ValuePath = readonly string[];

/** A place in a template that reads a value. */
interface UseInFile {
  /** From the values of the template's own chart. */
  readonly path: ValuePath;
  /** Where the last names of the path are written; those before may come from a `with` around. */
  readonly parts: readonly Part[];
  /** What is in the value goes on to something that may read any part of it. */
  readonly isWhole: boolean;
  readonly action: Action;
}

export interface Use extends UseInFile {
  readonly file: ChartFile;
  /** As it is written, from the values of the template's own chart. */
  readonly own: ValuePath;
}

const usesIn = memo((file: ChartFile): readonly UseInFile[] => {
  const { actions, scopes } = scopedOf(file);
  return actions.flatMap((action, i) => {
    const { tokens } = action;
    const scope = scopes[i]!;
    const isFollowed = followed(action, scope);
    return tokens.flatMap((token, at): UseInFile[] => {
      const named = token.kind === 'chain' ? namedBehind(tokens, at, scope) : undefined;
      if (named?.steps[0] !== 'Values') return [];
      return [{ path: named.steps.slice(1), parts: named.parts, isWhole: !isFollowed, action }];
    });
  });
});

/** Whether what an action reads is only asked whether it is there, or is known by its parts further down. */
function followed(action: Action, scope: Scope): boolean {
  const { tokens } = action;
  const head = headOf(action);
  const next = tokens[1]?.kind === 'word' ? tokens[1].text : '';
  const word = head === 'else' ? next : head;
  const pipe = tokens.slice(head === 'else' ? 2 : 1);
  if (word === 'if') return true;
  if (word === 'with' || word === 'range') return stepsOfPipe(scope, pipe) !== undefined;
  return declarationEnd(tokens) > 0 && stepsOfPipe(scope, tokens) !== undefined;
}

/** All that the templates of a chart read, by paths from the values of the outermost. */
export const usesOf = memo((folder: ChartFolder): readonly Use[] =>
  templatesOf(folder).flatMap(([part, file]) =>
    usesIn(file).map((use) => ({ ...use, file, own: use.path, path: absolute(folder, readerOf(part), use.path) })),
  ),
);

/** What a library reads are the values of the chart that it is in. */
function readerOf(part: ChartPart): ChartPart {
  return isLibrary(part) ? (part.parent ?? part) : part;
}

/** A path in the values of a part of a chart, from those of the outermost. */
export function absolute(folder: ChartFolder, part: ChartPart, path: ValuePath): ValuePath {
  const whole = [...part.keys, ...path];
  const depth = Math.max(...partsOf(folder).map(({ keys }) => (startsWith(whole, keys) ? keys.length : 0)));
  return whole[depth] === 'global' ? whole.slice(depth) : whole;
}

export function startsWith(path: ValuePath, start: ValuePath): boolean {
  return start.length <= path.length && start.every((step, i) => fits(step, path[i]!));
}

function fits(a: string, b: string): boolean {
  return a === b || a === '*' || b === '*';
}

/** The uses that go through a value, each with where its name is written. */
export function usesOfValue(
  folder: ChartFolder,
  path: ValuePath,
): { readonly use: Use; readonly range: Range | undefined }[] {
  return usesOf(folder)
    .filter((use) => startsWith(use.path, path))
    .map((use) => ({ use, range: partAt(use, path.length - 1) }));
}

/** Where a step of a path is written in a use of it. */
function partAt({ path, parts }: Use, step: number): Range | undefined {
  const part = parts[parts.length - (path.length - step)];
  return part && { start: part.start, end: part.end };
}

/** The value that is named at a place of a template or a file of values. */
export interface NamedValue {
  readonly path: ValuePath;
  readonly range: Range;
}

export function valueAt(seen: Seen, offset: number): NamedValue | undefined {
  return inTemplate(seen, offset) ?? inValues(seen, offset);
}

function inTemplate({ folder, part, file }: Seen, offset: number): NamedValue | undefined {
  const { actions, scopes } = scopedOf(file);
  const action = part.chart.templates.some(({ id }) => id === file.id) ? actionAt(actions, offset) : undefined;
  if (!action) return undefined;
  const scope = scopes[actions.indexOf(action)]!;
  const at = action.tokens.findIndex(({ start, end }) => start <= offset && offset <= end);
  const token = action.tokens[at];
  const named = token && namedTo(action, at, scope, offset);
  if (named?.steps[0] !== 'Values' || named.steps.length < 2) return undefined;
  return { path: absolute(folder, readerOf(part), named.steps.slice(1)), range: named.range };
}

function namedTo({ tokens }: Action, at: number, scope: Scope, offset: number) {
  const token = tokens[at]!;
  if (token.kind === 'chain') {
    const { chain, range } = chainTo(token, offset);
    const steps = namedBehind([chain], 0, scope)?.steps;
    return steps && { steps, range };
  }
  const before = token.kind === 'string' ? namedBefore(tokens, at, scope) : undefined;
  return token.kind === 'string' && before ? { steps: [...before.steps, token.text], range: token.content } : undefined;
}

function inValues(seen: Seen, offset: number): NamedValue | undefined {
  const { folder, file } = seen;
  const part = valuesPart(seen);
  const placed = part && documentAt(yamlOf(file), offset);
  const at = placed && pathAt(placed.document, offset - placed.start);
  if (!part || !at || at.where !== 'key') return undefined;
  const range = rangeInValues({ file, path: at.path });
  const path = inGiven(seen, at.path)?.map((step) => (typeof step === 'number' ? '*' : step));
  return range && path && path.length > 0 ? { path: absolute(folder, part, path), range } : undefined;
}

/** Where files of values have a value. */
export function declarationsOf(folder: ChartFolder, path: ValuePath): readonly InValues[] {
  const parts = partsOf(folder);
  const files = parts.flatMap((part) => {
    const all = [part.chart.valuesFile, ...(part.parent ? [] : otherValues(folder))];
    return all.flatMap((file) => (file ? [{ file, part }] : []));
  });
  return files.flatMap(({ file, part }) => {
    const ways = pathsIn(parts, part, path);
    return ways.flatMap((way) => matching(file, way)).filter((place) => rangeInValues(place) !== undefined);
  });
}

/** The paths in the values of a part by which a path of the outermost is reached. */
function pathsIn(parts: readonly ChartPart[], part: ChartPart, path: ValuePath): ValuePath[] {
  const own = startsWith(path, part.keys) && path.length > part.keys.length ? [path.slice(part.keys.length)] : [];
  if (path[0] !== 'global') return own;
  const below = parts.filter(({ keys }) => keys.length >= part.keys.length && startsWith(keys, part.keys));
  return below.map(({ keys }) => [...keys.slice(part.keys.length), ...path]);
}

/** How many keys and items a path with `*` in it may lead to. */
const mostMatching = 200;

/** The paths in a file that fit one with `*` in it. */
function matching(file: ChartFile, path: ValuePath): InValues[] {
  if (!path.includes('*')) return [{ file, path }];
  const found: InValues[] = [];
  const walk = (value: Value | undefined, at: readonly (string | number)[]) => {
    if (found.length >= mostMatching) return;
    const step = path[at.length];
    if (step === undefined) found.push({ file, path: at });
    else if (isMap(value)) for (const [key, inner] of value) if (fits(step, key)) walk(inner, [...at, key]);
    if (isList(value) && step === '*')
      value.forEach((inner, i) => {
        walk(inner, [...at, i]);
      });
  };
  for (const { document } of yamlOf(file).documents) walk(valueOf(document), []);
  return found;
}

export function placesOfUses(folder: ChartFolder, path: ValuePath): Location[] {
  return usesOfValue(folder, path).flatMap(({ use, range }) => (range ? [{ uri: use.file.id, range }] : []));
}
