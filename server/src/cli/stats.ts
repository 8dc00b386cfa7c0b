import type { JudgeOptions, Outcome, PartEnd } from './part.ts';

/** Where the time of a run went. */
export interface Stats {
  add(outcome: Outcome): void;
  lines(ends: readonly PartEnd[], fix: JudgeOptions['fix']): string[];
}

const mostSlow = 5;

export function newStats(): Stats {
  const codes = new Map<string, number>();
  const fixed = new Map<string, number>();
  let slow: Outcome[] = [];
  let judging = 0;
  return {
    add(outcome) {
      judging += outcome.milliseconds;
      for (const { code } of outcome.reports) codes.set(code, (codes.get(code) ?? 0) + 1);
      for (const [code, count] of outcome.fixed ?? []) fixed.set(code, (fixed.get(code) ?? 0) + count);
      slow = [...slow, outcome].sort((a, b) => b.milliseconds - a.milliseconds).slice(0, mostSlow);
    },
    lines(ends, fix) {
      const load = ends.reduce((most, { loadMilliseconds }) => Math.max(most, loadMilliseconds), 0);
      const memory = Math.round(process.memoryUsage.rss() / 1e6);
      return [
        `reading the CRDs ${seconds(load)}, reading and judging files ${seconds(judging)}, memory ${memory} MB`,
        ...slow.map(({ name, milliseconds }) => `slowest: ${name} ${seconds(milliseconds)}`),
        ...counted(codes, 'found'),
        ...counted(fixed, fix === 'show' ? 'would be fixed' : 'fixed'),
      ];
    },
  };
}

/** A line for each rule, the most frequent first. */
function counted(codes: ReadonlyMap<string, number>, what: string): string[] {
  const often = [...codes].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
  return often.map(([code, count]) => `${what}: ${code} ${count}`);
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}
