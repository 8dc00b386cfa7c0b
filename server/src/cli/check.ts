import { diagnose } from '../features/problems/diagnose.ts';
import { ruleOf } from '../rules/model/registry.ts';
import { incomplete } from '../rules/yaml/notJudged.ts';
import { emptyListing, type Listing } from '../workspace/files.ts';
import { defaultLimits } from '../workspace/limits.ts';
import type { Severity } from '../workspace/settings.ts';
import { chartsText } from './charts.ts';
import type { Totals, Verdict } from './formats/format.ts';
import { formats } from './formats/formats.ts';
import { hasGo, isGoPath } from './goPaths.ts';
import { expandAll } from './inputs.ts';
import { inOrder, inWorker, merged } from './jobs.ts';
import { buildsText } from './kustomizations.ts';
import { meantText } from './meant/meant.ts';
import { type OldFindings, type OldFindingsOptions, oldFindingsOf } from './oldFindings.ts';
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
import type { Report } from './report.ts';
import { newStats, type Stats } from './stats.ts';
import { broughtInText, summaryOf, totalsText } from './summary.ts';
import { complain, emit } from './terminal.ts';

export interface CheckOptions extends JudgeOptions, OldFindingsOptions {
  readonly maxWarnings: number;
  /** The least severe findings that are told. */
  readonly severity: Severity;
  /** Nothing beside the findings and one line that counts them. */
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
  const { exitCode, totals, stats } = await judged(options, judge);
  complain(`${totals} (${secondsSince(began)})`);
  for (const line of stats) complain(line);
  return exitCode;
}

export function secondsSince(began: number): string {
  return `${((performance.now() - began) / 1000).toFixed(1)} s`;
}

/** How a run ended, with the line that ends what it says. */
export interface Judged {
  readonly exitCode: number;
  readonly totals: string;
  /** Where the time went, one line each, where that was asked for. */
  readonly stats: readonly string[];
}

/** Checks files and folders, and says all but how long that took. */
export async function judged(options: CheckOptions, judge: Judge = diagnose): Promise<Judged> {
  const old = await oldFindingsOf(options);
  const listing = await listingOf(options);
  for (const note of cutNotes(listing)) complain(note);
  const run = newRun(options, listing, old);
  const format = formats[options.format](options);
  write(format.begin?.());
  const outcomes = inOrder(parts(options, listing, judge), blockLength);
  for (;;) {
    const { done, value } = await outcomes.next();
    if (done) {
      run.progress.clear();
      const all = merged(value);
      const verdict = verdictOf(run, all);
      write(format.end?.(run.totals, verdict));
      for (const line of await old.end()) complain(line);
      return {
        exitCode: verdict.exitCode,
        ...sayAll(run, all, value, options.fix === 'show' ? undefined : format.shown?.()),
      };
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
  readonly listing: Listing;
  readonly progress: ReturnType<typeof progressOn>;
  readonly stats: Stats;
  readonly old: OldFindings;
  totals: Totals;
  /** What could not be looked at or written, as it was said. */
  readonly faults: string[];
  /** Findings that say that something was not looked at. */
  incomplete: number;
  /** What rules that were told of have to say at the end. */
  readonly atEnd: Set<string>;
  /** What is said once in a run, as far as it was said. */
  readonly saidOnce: Set<string>;
}

function newRun(options: CheckOptions, listing: Listing, old: OldFindings): Run {
  const totals = { files: 0, errors: 0, warnings: 0, notes: 0 };
  const all = Math.ceil(listing.uris.length / options.shard.of);
  return {
    options,
    listing,
    progress: progressOn(all),
    stats: newStats(),
    old,
    totals,
    faults: cutNotes(listing),
    incomplete: 0,
    atEnd: new Set(),
    saidOnce: new Set(),
  };
}

/** Counts what came of a file; gives what is to be shown of it. */
function taken(run: Run, outcome: Outcome): readonly Report[] | undefined {
  const { progress, stats } = run;
  if (!outcome.isAgain) progress.step();
  for (const fault of [outcome.unread, outcome.unwritten]) {
    if (fault === undefined) continue;
    progress.clear();
    complain(fault);
    run.faults.push(fault);
  }
  if (outcome.unread !== undefined) return undefined;
  const reports = told(run, outcome);
  if (reports.length > 0 || outcome.diff) progress.clear();
  run.totals = withReports(run.totals, reports, outcome.isAgain ? 0 : 1);
  for (const report of reports) {
    const atEnd = ruleOf(report.code)?.atEnd;
    if (atEnd !== undefined) run.atEnd.add(atEnd);
  }
  stats.add({ ...outcome, reports });
  write(outcome.diff);
  return reports;
}

const ranks: Readonly<Record<Severity, number>> = { error: 0, warning: 1, information: 2, hint: 3 };

/** What is told of a file: what is severe enough and new; what was not looked at, whatever else. */
function told(run: Run, { name, reports }: Outcome): readonly Report[] {
  const { old, options } = run;
  const cut = reports.filter(({ code }) => incomplete.has(code)).length;
  run.incomplete += cut;
  // A file of which a part was left out is not known to be without its old findings.
  if (cut === 0) old.saw(name);
  return reports.filter((report) => {
    if (incomplete.has(report.code)) return true;
    return ranks[report.severity] <= ranks[options.severity] && !old.takes(report) && !isRepeated(run, report);
  });
}

/** What is said once in a file, such as that a kind is not known, is said once in a log: there is one thing to do. */
function isRepeated({ saidOnce }: Run, { code, message }: Report): boolean {
  if (!ruleOf(code)?.onceInFile) return false;
  const isNew = !saidOnce.has(message);
  saidOnce.add(message);
  return !isNew;
}

function withReports({ files, errors, warnings, notes }: Totals, reports: readonly Report[], more: number): Totals {
  const of = (...severities: Report['severity'][]) => reports.filter((one) => severities.includes(one.severity)).length;
  return {
    files: files + more,
    errors: errors + of('error'),
    warnings: warnings + of('warning'),
    notes: notes + of('information', 'hint'),
  };
}

type Ends = ReturnType<typeof merged>;

/** How a run ends. What could not be looked at counts for more than what was found: one that passes has seen everything. */
function verdictOf({ options, totals, faults, incomplete: cut }: Run, all: Ends): Verdict {
  const refs = [...all.unknownRefs].map(([ref, count]) => withoutBaseline(ref, count) + (all.meant.get(ref) ?? ''));
  for (const fault of [...refs, ...all.lockFaults]) {
    complain(fault);
    faults.push(fault);
  }
  const { notJudged } = all;
  if (faults.length > 0 || cut > 0) return { exitCode: 2, faults, notJudged };
  return { exitCode: totals.errors > 0 || totals.warnings > options.maxWarnings ? 1 : 0, faults, notJudged };
}

/** Says what decided the verdicts, what was left out and what was found. */
function sayAll(
  { options, stats, totals, atEnd }: Run,
  all: Ends,
  ends: readonly PartEnd[],
  shown: number | undefined,
): Omit<Judged, 'exitCode'> {
  const notes = [
    ...all.notes,
    ...broughtInText(all.broughtIn),
    ...chartsText(all.charts),
    ...buildsText(all.builds),
    ...summaryOf(all.notJudged),
    ...meantText(all.quieted),
  ];
  if (!options.quiet) for (const line of [...notes, ...atEnd]) complain(line);
  return {
    totals: totalsText(totals, shown, all.versions),
    stats: options.stats ? stats.lines(ends, options.fix) : [],
  };
}

/** A ref that was mistyped or not fetched would otherwise look like files without mistakes. */
function withoutBaseline(baseline: string, files: number): string {
  return `git has no commit ${baseline}: ${files} ${files === 1 ? 'file is' : 'files are'} checked as new`;
}

function cutNotes({ cut, notes }: Listing): string[] {
  return cut ? [`more than ${defaultLimits.files} files; the rest are not checked`, ...notes] : [...notes];
}

function write(text: string | undefined): void {
  if (text !== undefined && text !== '') emit(text);
}
