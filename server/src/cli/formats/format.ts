import type { Report } from '../report.ts';

/** What is known of a run when it is over. */
export interface Totals {
  readonly files: number;
  readonly errors: number;
  readonly warnings: number;
  /** Information and hints. */
  readonly notes: number;
}

/** What a format has to know of a run. */
export interface FormatOptions {
  /** Beyond so many, warnings make it fail. */
  readonly maxWarnings: number;
}

/** How a run ends. */
export interface Verdict {
  readonly exitCode: 0 | 1 | 2;
  /** What could not be looked at or done, one line each. */
  readonly faults: readonly string[];
  /** What was not judged, counted by the reason. */
  readonly notJudged: ReadonlyMap<string, number>;
}

/** An output format: pieces of text, written as soon as they are known, so that a run holds one file's findings at most. */
export interface Format {
  begin?(): string;
  /** The findings of one file, in the order of its text. */
  file(name: string, reports: readonly Report[]): string;
  end?(totals: Totals, verdict: Verdict): string;
  /** As how many findings it shows them: those that are one mistake to a person as one. A format without it shows all. */
  shown?(): number;
}
