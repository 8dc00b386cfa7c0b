import { lineIndex } from '../base/text.ts';
import type { CrdCoverage, PlacedPoint } from '../crdtest/coverage.ts';
import type { Way } from '../crdtest/points.ts';
import { nameOf, printable } from './report.ts';

/** What is asked of the coverage of a run. */
export interface CoverageOptions {
  /** Whether it is printed. */
  readonly shown: boolean;
  /** The file that it is written to in the form of lcov. */
  readonly lcov: string | undefined;
  /** The percentage that is enough. */
  readonly least: number | undefined;
}

interface Share {
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

/** For people: a CRD with its counts, and what is missing, each with its place. */
export function coverageText(all: readonly CrdCoverage[]): string {
  return all.map(textOfCrd).join('');
}

function textOfCrd(coverage: CrdCoverage): string {
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
    return why === undefined ? [] : [`  ${place}: ${printable(oneLine(point.what))}: ${why}`];
  });
  const name = manifest.value.get('metadata');
  const title = name instanceof Map ? String(name.get('name')) : '';
  const head = `${printable(title)}: ${percentText(percentOf(shareOf(points)))} covered: ${kinds.join(', ')}`;
  return `${[head, ...missed].join('\n')}\n`;
}

const longest = 80;

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

/** Undefined where nothing is missing. */
function missedIn({ ways }: PlacedPoint): string | undefined {
  const missed = ways.filter(({ hits }) => hits === 0);
  if (missed.length === 0) return undefined;
  if (missed.length === 1) return missing[missed[0]!.name];
  return missed.some(({ name }) => name === 'met') ? 'never tried' : 'never evaluated';
}

/** As lcov has it: a line was reached if something on it was; what can go two ways has two branches. */
export function coverageLcov(all: readonly CrdCoverage[]): string {
  const byFile = new Map<string, CrdCoverage[]>();
  for (const one of all) byFile.set(one.file.uri, [...(byFile.get(one.file.uri) ?? []), one]);
  return [...byFile].map(([uri, ofFile]) => lcovOfFile(uri, ofFile)).join('');
}

function lcovOfFile(uri: string, coverages: readonly CrdCoverage[]): string {
  const lines = lineIndex(coverages[0]!.file.text);
  const placed = coverages
    .flatMap((one) => one.points())
    .map((point) => ({ point, line: lines.lineAt(point.range.start) + 1 }));
  const hitsByLine = new Map<number, number>();
  for (const { point, line } of placed) {
    const hits = point.ways.reduce((sum, way) => sum + way.hits, 0);
    hitsByLine.set(line, Math.max(hitsByLine.get(line) ?? 0, hits));
  }
  const counted = [...hitsByLine].sort(([a], [b]) => a - b);
  const branches = placed.flatMap(({ point, line }, block) => {
    if (point.ways.length < 2) return [];
    const isTried = point.ways.some(({ hits }) => hits > 0);
    return point.ways.map(({ hits }, nth) => ({ text: `BRDA:${line},${block},${nth},${isTried ? hits : '-'}`, hits }));
  });
  const gone = <T>(items: readonly T[], hits: (item: T) => number) => items.filter((item) => hits(item) > 0).length;
  return `${[
    'TN:',
    `SF:${nameOf(uri)}`,
    ...branches.map(({ text }) => text),
    `BRF:${branches.length}`,
    `BRH:${gone(branches, ({ hits }) => hits)}`,
    ...counted.map(([line, hits]) => `DA:${line},${hits}`),
    `LF:${counted.length}`,
    `LH:${gone(counted, ([, hits]) => hits)}`,
    'end_of_record',
  ].join('\n')}\n`;
}
