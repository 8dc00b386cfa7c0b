import { printable } from '../base/printable.ts';
import { diagnose } from '../features/diagnose.ts';
import { emptyListing, type Listing } from '../workspace/files.ts';
import { defaultLimits } from '../workspace/limits.ts';
import type { Totals } from './formats/format.ts';
import { formats } from './formats/formats.ts';
import { hasGo, isGoPath } from './goPaths.ts';
import { expandAll } from './inputs.ts';
import { inOrder, inWorker, merged } from './jobs.ts';
import {
  blockLength,
  type Judge,
  type JudgeOptions,
  judgePart,
  type Outcome,
  type Part,
  type PartEnd,
} from './part.ts';
import { progressOn } from './progress.ts';
import { complain, type Report } from './report.ts';
import { newStats, type Stats } from './stats.ts';
import { broughtInText, summaryOf, totalsText } from './summary.ts';

export interface CheckOptions extends JudgeOptions {
  readonly maxWarnings: number;
  /** Errors alone. */
  readonly quiet: boolean;
  /** How many threads judge. */
  readonly jobs: number;
  /** The nth of so many parts of the files, for machines that share the work. */
  readonly shard: { readonly nth: number; readonly of: number };
  /** Say where the time went. */
  readonly stats: boolean;
}

/** Checks files and folders; gives the exit code. */
export async function check(options: CheckOptions, judge: Judge = diagnose): Promise<number> {
  const began = performance.now();
  const listing = await listingOf(options);
  for (const note of cutNotes(listing)) complain(note);
  const run = newRun(options, listing);
  const format = formats[options.format]();
  write(format.begin?.());
  const outcomes = inOrder(parts(options, listing, judge), blockLength);
  for (;;) {
    const { done, value } = await outcomes.next();
    if (done) {
      run.progress.clear();
      write(format.end?.(run.totals));
      return end(run, value, performance.now() - began);
    }
    const reports = taken(run, value);
    if (reports && options.fix !== 'show') write(format.file(value.name, reports));
  }
}

async function listingOf(options: CheckOptions): Promise<Listing> {
  const { paths } = options;
  const missing = paths.find((one) => isGoPath(one) && !hasGo(one));
  if (missing !== undefined) throw new Error(`nothing found at ${missing}`);
  const onDisk = paths.filter((one) => one !== '-' && !isGoPath(one));
  const listing = onDisk.length > 0 ? await expandAll(onDisk, options, hasGo) : emptyListing;
  if (listing.uris.length === 0 && !paths.includes('-') && !paths.some((one) => isGoPath(one) || hasGo(one))) {
    throw new Error(`nothing to check found at ${paths.join(', ')}`);
  }
  return listing;
}

/** The files in as many parts as there are jobs; those of other shards are left to others. */
function parts(options: CheckOptions, listing: Listing, judge: Judge) {
  const { jobs, shard } = options;
  const part = (nth: number): Part => ({ listing, nth: shard.nth - 1 + shard.of * nth, of: shard.of * jobs });
  if (jobs === 1) return [judgePart(options, part(0), judge)];
  return Array.from({ length: jobs }, (_, i) => inWorker<Outcome, PartEnd>({ kind: 'check', options, part: part(i) }));
}

/** What is known while files are judged. */
interface Run {
  readonly options: CheckOptions;
  readonly progress: ReturnType<typeof progressOn>;
  readonly stats: Stats;
  totals: Totals;
  unread: number;
}

function newRun(options: CheckOptions, { uris }: Listing): Run {
  const totals = { files: 0, errors: 0, warnings: 0, notes: 0 };
  const all = Math.ceil(uris.length / options.shard.of);
  return { options, progress: progressOn(process.stderr, all), stats: newStats(), totals, unread: 0 };
}

/** Counts what came of a file; gives what is to be shown of it. */
function taken(run: Run, outcome: Outcome): readonly Report[] | undefined {
  const { options, progress, stats } = run;
  progress.step();
  if (outcome.unread !== undefined) {
    progress.clear();
    complain(printable(outcome.unread));
    run.unread++;
    return undefined;
  }
  const reports = outcome.reports.filter(({ severity }) => !options.quiet || severity === 'error');
  if (reports.length > 0 || outcome.diff) progress.clear();
  run.totals = withReports(run.totals, reports);
  stats.add(outcome);
  write(outcome.diff);
  return reports;
}

function withReports({ files, errors, warnings, notes }: Totals, reports: readonly Report[]): Totals {
  const of = (...severities: Report['severity'][]) => reports.filter((one) => severities.includes(one.severity)).length;
  return {
    files: files + 1,
    errors: errors + of('error'),
    warnings: warnings + of('warning'),
    notes: notes + of('information', 'hint'),
  };
}

/** Says what decided the verdicts, what was left out and what was found; gives the exit code. */
function end({ options, stats, totals, unread }: Run, ends: readonly PartEnd[], milliseconds: number): number {
  const all = merged(ends);
  for (const [ref, count] of all.unknownRefs) complain(withoutBaseline(ref, count) + (all.meant.get(ref) ?? ''));
  for (const fault of all.lockFaults) complain(printable(fault));
  const lines = [
    ...all.notes,
    ...broughtInText(all.broughtIn),
    ...summaryOf(all.notJudged),
    totalsText(totals, all.versions, milliseconds),
  ];
  if (!options.quiet) for (const line of lines) complain(printable(line));
  if (options.stats) for (const line of stats.lines(ends)) complain(printable(line));
  // What could not be looked at counts for more than what was found: a run that passes has to have seen everything.
  if (unread > 0 || all.unknownRefs.size > 0 || all.lockFaults.length > 0) return 2;
  return totals.errors > 0 || totals.warnings > options.maxWarnings ? 1 : 0;
}

/** A ref that was mistyped or not fetched would otherwise look like files without mistakes. */
function withoutBaseline(baseline: string, files: number): string {
  return `git has no commit ${baseline}: ${files} ${files === 1 ? 'file is' : 'files are'} checked as new`;
}

function cutNotes({ cut, notes }: Listing): string[] {
  return cut ? [`more than ${defaultLimits.files} files; the rest are not checked`, ...notes] : [...notes];
}

function write(text: string | undefined): void {
  if (text !== undefined && text !== '') process.stdout.write(text);
}
