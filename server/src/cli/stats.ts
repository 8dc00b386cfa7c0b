import type { Outcome, PartEnd } from './part.ts';

/** Where the time of a run went. */
export interface Stats {
  add(outcome: Outcome): void;
  lines(ends: readonly PartEnd[]): string[];
}

const mostSlow = 5;
const mostCodes = 10;

export function newStats(): Stats {
  const codes = new Map<string, number>();
  let slow: Outcome[] = [];
  let judging = 0;
  return {
    add(outcome) {
      judging += outcome.milliseconds;
      for (const { code } of outcome.reports) codes.set(code, (codes.get(code) ?? 0) + 1);
      slow = [...slow, outcome].sort((a, b) => b.milliseconds - a.milliseconds).slice(0, mostSlow);
    },
    lines(ends) {
      const load = ends.reduce((most, { loadMilliseconds }) => Math.max(most, loadMilliseconds), 0);
      const often = [...codes].sort(([, a], [, b]) => b - a).slice(0, mostCodes);
      const memory = Math.round(process.memoryUsage.rss() / 1e6);
      return [
        `reading the CRDs ${seconds(load)}, reading and judging files ${seconds(judging)}, memory ${memory} MB`,
        ...slow.map(({ name, milliseconds }) => `slowest: ${name} ${seconds(milliseconds)}`),
        ...often.map(([code, count]) => `most often: ${code} ${count}`),
      ];
    },
  };
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}
