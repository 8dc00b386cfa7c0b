/** Which of several assumptions keeps a template from being rendered, or what it comes to from being read. */
import type { From, Place, ValuePlace } from '../template/from.ts';
import { type PipeNode, printNode, type Tree } from '../template/nodes.ts';
import type { Printed } from '../template/run.ts';
import { parseStream } from '../yaml/parse.ts';
import { isBranch, statementsAt } from './deciders.ts';
import { type Look, placeOf } from './flip.ts';
import type { Assumption } from './made.ts';
import type { Frame, RenderFailure } from './render.ts';

/** A value that may be to blame. */
interface Suspect {
  readonly path: readonly (string | number)[];
  /** Whether that is its path as a template names it, which may be in a chart within the outermost one. */
  readonly isNamed: boolean;
}

/** What may be to blame, the most likely first. */
export type Blame = readonly Suspect[];

/** `refused` is what was looked at for a condition behind which the template refuses to be rendered. */
export function blameOf(failure: RenderFailure, refused: Blame, frame: Frame): Blame {
  const innermost = [...failure.places].reverse();
  const trees = [...frame.trees.values()];
  const textOf = ({ file, start, end }: Place) => trees.find(({ id }) => id === file)?.text.slice(start, end) ?? '';
  const around = innermost.flatMap((place) =>
    trees.filter(({ id }) => id === place.file).flatMap((tree) => conditionsAround(tree, place)),
  );
  return [...innermost.flatMap((place) => namedIn(textOf(place))), ...refused, ...around.flatMap(namedIn)];
}

function namedIn(text: string): Suspect[] {
  const found = Array.from(text.matchAll(/\.Values((?:\.\w+)+)/g), ([, path]) => path!);
  return found.map((path) => ({ path: path.slice(1).split('.'), isNamed: true }));
}

/** The conditions that lead to a place of a template, the innermost first. */
function conditionsAround(tree: Tree, place: Place): string[] {
  const branches = statementsAt(tree, place).filter(isBranch);
  return branches.map(({ pipe }) => printNode(pipe)).reverse();
}

/** Values that are looked at for one condition, and levels of calls that they are looked for in. */
const mostLookedAt = 20;
const deepestLookedAt = 8;

/** The values that decide a condition, at the moment at which it is decided. */
export function lookedAt(pipe: PipeNode, look: Look, frame: Frame): Blame {
  const found: ValuePlace[] = [];
  const walk = ({ commands }: PipeNode) => {
    for (const part of commands.flatMap(({ args }) => args)) {
      if (part.kind === 'pipe') walk(part);
      else if (part.kind !== 'identifier') addPlaces(found, look(part)?.from, deepestLookedAt);
    }
  };
  walk(pipe);
  return suspects(found, frame);
}

function addPlaces(found: ValuePlace[], from: From | undefined, depth: number): void {
  if (!from || depth === 0 || found.length >= mostLookedAt) return;
  for (const { leaf } of from.runs(1)) {
    if (leaf.kind === 'value') found.push(leaf);
    else if (leaf.kind === 'computed') for (const one of leaf.of) addPlaces(found, one, depth - 1);
  }
}

function suspects(places: readonly ValuePlace[], frame: Frame): Suspect[] {
  return places.flatMap((place) => frame.pathsOf(place)).map((path) => ({ path, isNamed: false }));
}

/** Lines before an error of the reader in which what is to blame for it may be. */
const linesBefore = 3;

/** The values that are printed where a text cannot be read; undefined where it can. */
export function unreadable({ text, from }: Printed, frame: Frame): Blame | undefined {
  const failed = parseStream(text).documents.find(({ document }) => document.readerError !== undefined);
  if (!failed) return undefined;
  const end = failed.start + (failed.document.problems[0]?.range.end ?? 0);
  let start = end;
  for (let line = 0; line < linesBefore && start > 0; line++) start = text.lastIndexOf('\n', start - 1);
  const runs = from.runs(text.length).filter((run) => run.end > start && run.start <= end);
  return suspects(
    runs.reverse().flatMap(({ leaf }) => placeOf(leaf) ?? []),
    frame,
  );
}

export function isBlamed({ path, isNamed }: Suspect, one: Assumption): boolean {
  if (one.kind !== 'value') return false;
  for (let at = lastStart(one.path, isNamed); at >= 0; at--) if (startsWith(path, 0, one.path, at)) return true;
  return false;
}

/** Whether what is to blame would be made for what is assumed to be in it. */
export function isBelowBlamed({ path, isNamed }: Suspect, one: Assumption): boolean {
  if (one.kind !== 'value') return false;
  for (let at = lastStart(one.path, isNamed); at >= 0; at--) if (startsWith(one.path, at, path, 0)) return true;
  return false;
}

type Keys = Suspect['path'];

/** Where the path of what is assumed may start at the latest: a template names the part within its own chart. */
function lastStart(path: Keys, isNamed: boolean): number {
  return isNamed ? path.length - 1 : 0;
}

/** Whether a path has another one at its start, each of them from a place on. */
function startsWith(path: Keys, from: number, start: Keys, startFrom: number): boolean {
  const length = start.length - startFrom;
  if (length > path.length - from) return false;
  for (let i = 0; i < length; i++) if (path[from + i] !== start[startFrom + i]) return false;
  return true;
}
