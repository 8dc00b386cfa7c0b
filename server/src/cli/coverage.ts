import { lineIndex } from '../base/text.ts';
import type { Coverage } from '../crdtest/coverage.ts';
import { percentOf, percentText, shareOf } from '../crdtest/coverageText.ts';
import { globOf } from '../workspace/glob.ts';
import { metadataText } from '../workspace/manifest.ts';
import { nameOf } from './report.ts';

/** What is asked of the coverage of a run. */
export interface CoverageOptions {
  /** Whether it is printed. */
  readonly shown: boolean;
  /** The file that it is written to in the form of lcov. */
  readonly lcov: string | undefined;
  /** What is enough. */
  readonly least: readonly Minimum[];
  /** Globs of the names of CRDs that count; all where there is none. */
  readonly of: readonly string[];
}

/** The parts of CRDs that cases try, as people call them. */
export const coveredParts = { rules: 'rule', branches: 'branch', bounds: 'bound', fields: 'field' } as const;

/** The percentage that is enough, of one of the parts or of all. */
export interface Minimum {
  readonly part: keyof typeof coveredParts | undefined;
  readonly percent: number;
}

/** Why the cases are not enough, if they are not. */
export function lessThan({ part, percent: least }: Minimum, all: readonly Coverage[]): string[] {
  const points = all
    .flatMap((one) => one.points())
    .filter(({ kind }) => part === undefined || kind === coveredParts[part]);
  const percent = all.length === 0 ? 0 : percentOf(shareOf(points));
  if (percent >= least) return [];
  const what = part === undefined ? 'their CRDs' : `the ${part} of their CRDs`;
  return [`the cases cover ${percentText(percent)} of ${what}, less than the ${least}% of --min-coverage`];
}

/** The CRDs whose names fit one of the globs. */
export function coverageOf(all: readonly Coverage[], globs: readonly string[]): readonly Coverage[] {
  if (globs.length === 0) return all;
  const matches = globs.map(globOf);
  const found = all.filter(({ manifest }) => matches.some((isOne) => isOne(metadataText(manifest, 'name'))));
  if (found.length === 0) throw new Error(`no case is about a CRD that is called ${globs.join(' or ')}`);
  return found;
}

/** As lcov has it: a line was reached if something on it was; what can go two ways has two branches. */
export function coverageLcov(all: readonly Coverage[]): string {
  const byFile = new Map<string, Coverage[]>();
  for (const one of all) byFile.set(one.file.uri, [...(byFile.get(one.file.uri) ?? []), one]);
  return [...byFile].map(([uri, ofFile]) => lcovOfFile(uri, ofFile)).join('');
}

function lcovOfFile(uri: string, coverages: readonly Coverage[]): string {
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
