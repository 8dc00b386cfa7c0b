import { printable } from '../base/printable.ts';
import { lineIndex, shortened } from '../base/text.ts';
import type { Coverage, PlacedPoint } from './coverage.ts';
import type { Way } from './points.ts';

// Coverage in counts and words.

/** How many of all. */
export interface Share {
  readonly done: number;
  readonly all: number;
}

const titles = { rule: 'rules', branch: 'branches', bound: 'bounds', field: 'fields' } as const;

/** What a point still waits for, in the words of its kind. */
const missing: Readonly<Record<Way['name'], string>> = {
  true: 'never true',
  false: 'never false',
  evaluated: 'never evaluated',
  met: 'never met',
  crossed: 'never crossed',
  set: 'never set',
};

/** How many of the ways that all points can go were gone: each counts once. */
export function shareOf(points: readonly PlacedPoint[]): Share {
  const ways = points.flatMap((point) => point.ways);
  return { done: ways.filter(({ hits }) => hits > 0).length, all: ways.length };
}

export function percentOf({ done, all }: Share): number {
  return all === 0 ? 100 : (100 * done) / all;
}

/** As people round, but 100 only where nothing is missing. */
export function percentText(percent: number): string {
  return `${(Math.floor(percent * 10) / 10).toFixed(1).replace('.0', '')}%`;
}

/** For people: a CRD with its counts, and what is missing, each with its place. `nameOf` says what files are called. */
export function coverageText(all: readonly Coverage[], nameOf: (uri: string) => string): string {
  const lines = all.flatMap((one) => linesOfCrd(one, nameOf));
  return lines.map((line) => `${printable(line)}\n`).join('');
}

function linesOfCrd(coverage: Coverage, nameOf: (uri: string) => string): string[] {
  const { file, manifest } = coverage;
  const points = coverage.points();
  const lines = lineIndex(file.text);
  const kinds = Object.entries(titles).flatMap(([kind, title]) => {
    const { done, all } = shareOf(points.filter((point) => point.kind === kind));
    return all === 0 ? [] : [`${title} ${done}/${all}`];
  });
  const missed = points.flatMap((point) => {
    const why = missedIn(point);
    const place = `${nameOf(file.uri)}:${lines.lineAt(point.range.start) + 1}`;
    return why === undefined ? [] : [`  ${place}: ${oneLine(point.what)}: ${why}`];
  });
  // Files that configure a server have no name.
  const name = manifest.value.get('metadata');
  const title = name instanceof Map ? String(name.get('name')) : manifest.kind;
  const head = `${title}: ${percentText(percentOf(shareOf(points)))} covered: ${kinds.join(', ')}`;
  return [head, ...missed];
}

const longest = 80;

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return shortened(line, longest);
}

/** Undefined where nothing is missing. */
function missedIn({ ways }: PlacedPoint): string | undefined {
  const missed = ways.filter(({ hits }) => hits === 0);
  if (missed.length === 0) return undefined;
  if (missed.length === 1) return missing[missed[0]!.name];
  return missed.some(({ name }) => name === 'met') ? 'never tried' : 'never evaluated';
}
