import { promises as fs } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { onBug } from '../base/bug.ts';
import { diagnose } from '../features/diagnose.ts';
import { fixAll } from '../features/fixAll.ts';
import { fixesFor } from '../features/fixes.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { editedText } from '../rules/fixing/fixes.ts';
import type { Diagnostic } from '../rules/model/diagnostic.ts';
import { type BaselineReader, baselineReader } from '../workspace/baseline/load.ts';
import { emptyListing, type Listing } from '../workspace/files.ts';
import { defaultLimits } from '../workspace/limits.ts';
import type { Settings } from '../workspace/settings.ts';
import { type Snapshot, withBaseline, withOpen } from '../workspace/snapshot.ts';
import { type SourceFile, sourceFile } from '../workspace/sourceFile.ts';
import { gitHistory } from '../workspace/sources/git.ts';
import { nodeFiles } from '../workspace/sources/nodeFiles.ts';
import { unifiedDiff } from './diff.ts';
import type { Totals } from './formats/format.ts';
import { type FormatName, formats } from './formats/formats.ts';
import { expandAll, type InputOptions, namedBy, readable, readSource, readStandardInput } from './inputs.ts';
import { complain, type Found, failureIn, nameOf, printable, type Report, reportsOf } from './report.ts';
import { broughtIn, countNotJudged, type NotJudged, summaryOf, totalsText } from './summary.ts';
import { type CrdOptions, openWorkspace, type Workspace } from './workspace.ts';

export interface CheckOptions extends CrdOptions, InputOptions {
  /** Files, folders and globs; `-` is standard input. */
  readonly paths: readonly string[];
  readonly stdinName: string;
  readonly versions: readonly KubernetesVersion[];
  /** As `kubeCrd.knownKinds`. */
  readonly knownKinds: readonly string[];
  readonly rules: Settings['rules'];
  /** What git has as stored: as `kubeCrd.baseline`. */
  readonly baseline: string;
  readonly format: FormatName;
  /** Apply safe fixes, or only show what they would change. */
  readonly fix: 'no' | 'write' | 'show';
  readonly maxWarnings: number;
  /** Errors alone. */
  readonly quiet: boolean;
}

export type Judge = (snapshot: Snapshot, uri: string) => readonly Diagnostic[];

/** Checks files and folders; gives the exit code. */
export async function check(options: CheckOptions, judge: Judge = diagnose): Promise<number> {
  const began = performance.now();
  const { paths, baseline, knownKinds, rules, quiet } = options;
  const onDisk = paths.filter((one) => one !== '-');
  const listing = onDisk.length > 0 ? await expandAll(onDisk, options) : emptyListing;
  if (listing.uris.length === 0 && onDisk.length === paths.length) {
    throw new Error(`nothing to check found at ${paths.join(', ')}`);
  }
  // In an editor a note is enough; who reads a log has nothing else that tells.
  const severities: Settings['rules'] = new Map([['cr/unknown-kind', 'warning'], ...rules]);
  const workspace = await openWorkspace(listing, options, { baseline, knownKinds, rules: severities });
  onBug((error) => complain(error.stack ?? error.message));
  const history = gitHistory();
  const reader = baselineReader(history, nodeFiles, defaultLimits, () => {});
  const run = newRun(options, workspace, reader, judge);
  for (const note of cutNotes(listing)) complain(note);
  for (const fault of workspace.lockFaults) complain(printable(fault));
  const format = formats[options.format]();
  write(format.begin?.());
  const all = sources(listing, paths, options.stdinName);
  for await (const file of readable(all, () => run.unread++)) {
    const reports = (await judged(run, file)).filter(({ severity }) => !quiet || severity === 'error');
    count(run, reports);
    if (options.fix !== 'show') write(format.file(nameOf(file.uri), reports));
  }
  history.close();
  write(format.end?.(run.totals));
  if (run.unknownRefs > 0) complain(withoutBaseline(baseline, run.unknownRefs));
  if (!quiet) for (const line of linesAfter(run, performance.now() - began)) complain(printable(line));
  return exitCode(run);
}

/** What a run says at its end: what decided the verdicts, what was left out, what was found. */
function linesAfter({ workspace, snapshot, notJudged, totals, options }: Run, milliseconds: number): string[] {
  return [
    ...workspace.notes(),
    ...broughtIn(snapshot),
    ...summaryOf(notJudged),
    totalsText(totals, options.versions, milliseconds),
  ];
}

/** What is known while files are checked, one after the other. */
interface Run {
  readonly options: CheckOptions;
  readonly workspace: Workspace;
  readonly reader: BaselineReader;
  readonly judge: Judge;
  readonly notJudged: NotJudged;
  snapshot: Snapshot;
  totals: Totals;
  unread: number;
  unknownRefs: number;
}

function newRun(options: CheckOptions, workspace: Workspace, reader: BaselineReader, judge: Judge): Run {
  const totals = { files: 0, errors: 0, warnings: 0, notes: 0 };
  const { snapshot } = workspace;
  return { options, workspace, reader, judge, notJudged: new Map(), snapshot, totals, unread: 0, unknownRefs: 0 };
}

/** Files as they are asked for: only one is held beside those that define kinds, however many there are. */
async function* sources(
  { uris }: Listing,
  paths: readonly string[],
  stdinName: string,
): AsyncGenerator<SourceFile | string> {
  const named = namedBy(paths);
  if (paths.includes('-')) yield await readStandardInput(stdinName);
  for (const uri of uris) yield await readSource(uri, named.has(uri));
}

async function judged(run: Run, source: SourceFile): Promise<Report[]> {
  const { options, workspace, reader } = run;
  try {
    run.snapshot = await workspace.knowing(run.snapshot, source);
    countNotJudged(run.notJudged, run.snapshot, source);
    const committed = await reader.load(source, options.baseline, run.snapshot.definitions);
    if (committed.unknownRef) run.unknownRefs++;
    const snapshot = (file: SourceFile) => withBaseline(withOpen(run.snapshot, file), file.uri, committed);
    const file = options.fix === 'no' ? source : await fixed(snapshot(source), source, options);
    return reportsOf(file, foundIn(snapshot(file), file.uri, run));
  } catch (error) {
    complain(`${nameOf(source.uri)}: ${error instanceof Error ? error.stack : String(error)}`);
    return [failureIn(source, error)];
  }
}

/** The file with its safe fixes, which is also how it is then on disk, or would be. */
async function fixed(snapshot: Snapshot, file: SourceFile, { fix }: CheckOptions): Promise<SourceFile> {
  const all = fixAll(snapshot, file.uri);
  if (!all) return file;
  const text = editedText(file.text, all.edits);
  if (fix === 'show') write(unifiedDiff(nameOf(file.uri), file.text, text));
  else await fs.writeFile(fileURLToPath(file.uri), text);
  return sourceFile(file.uri, text, { named: true });
}

/** What is found in any of the versions, each once, with the versions where it is not in all of them. */
function foundIn(snapshot: Snapshot, uri: string, { judge, options: { versions, format } }: Run): Found[] {
  const byKey = new Map<string, { diagnostic: Diagnostic; in: string[]; snapshot: Snapshot }>();
  for (const { name } of versions) {
    const ofVersion = withVersion(snapshot, name);
    for (const diagnostic of judge(ofVersion, uri)) {
      const { range, code, severity, message } = diagnostic;
      const key = [range.start, range.end, code, severity, message].join('\0');
      const known = byKey.get(key);
      if (known) known.in.push(name);
      else byKey.set(key, { diagnostic, in: [name], snapshot: ofVersion });
    }
  }
  return [...byKey.values()]
    .sort(
      (a, b) => a.diagnostic.range.start - b.diagnostic.range.start || a.diagnostic.range.end - b.diagnostic.range.end,
    )
    .map(({ diagnostic, in: names, snapshot: of }) => ({
      diagnostic,
      ...(names.length < versions.length && { kubernetes: names }),
      ...(format === 'sarif' && {
        fixes: fixesFor(of, uri, diagnostic.code, diagnostic.key).filter(({ safe }) => safe),
      }),
    }));
}

function withVersion(snapshot: Snapshot, kubernetesVersion: string): Snapshot {
  const { all, folders } = snapshot.settings;
  if (all.kubernetesVersion === kubernetesVersion) return snapshot;
  return { ...snapshot, settings: { all: { ...all, kubernetesVersion }, folders } };
}

function count(run: Run, reports: readonly Report[]): void {
  const { files, errors, warnings, notes } = run.totals;
  const of = (...severities: Report['severity'][]) => reports.filter((one) => severities.includes(one.severity)).length;
  run.totals = {
    files: files + 1,
    errors: errors + of('error'),
    warnings: warnings + of('warning'),
    notes: notes + of('information', 'hint'),
  };
}

function exitCode({ unread, unknownRefs, totals, options, workspace }: Run): number {
  // What could not be looked at counts for more than what was found: a run that passes has to have seen everything.
  if (unread > 0 || unknownRefs > 0 || workspace.lockFaults.length > 0) return 2;
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
