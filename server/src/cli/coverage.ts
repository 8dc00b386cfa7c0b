import { lineIndex } from '../base/text.ts';
import type { CrdCoverage } from '../crdtest/coverage.ts';
import { nameOf } from './report.ts';

/** What is asked of the coverage of a run. */
export interface CoverageOptions {
  /** Whether it is printed. */
  readonly shown: boolean;
  /** The file that it is written to in the form of lcov. */
  readonly lcov: string | undefined;
  /** The percentage that is enough. */
  readonly least: number | undefined;
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
