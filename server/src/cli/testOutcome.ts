import type { TestReport } from './testFormats.ts';

/** What a case counts as, and what there is to say of it. */
export type Counted = readonly ['skipped'] | readonly ['passed' | 'failed' | 'otherwise', TestReport];

export function counted(report: TestReport): Counted {
  return [report.failures.length > 0 ? 'failed' : 'passed', report];
}
