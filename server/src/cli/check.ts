import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { append } from '../base/append.ts';
import { onBug } from '../base/bug.ts';
import { lineIndex } from '../base/text.ts';
import { diagnose } from '../features/diagnose.ts';
import { kubernetesVersion, newestVersion } from '../kubernetes/releases/all.ts';
import type { Diagnostic } from '../rules/model/diagnostic.ts';
import { baselineReader } from '../workspace/baseline/load.ts';
import { emptyListing, type Listing } from '../workspace/files.ts';
import { defaultLimits } from '../workspace/limits.ts';
import { type Loaded, loadWorkspace, withLoaded } from '../workspace/loader.ts';
import { kindsToLookUp, type Library, lookUp, withLookedUp } from '../workspace/lookUp.ts';
import { type LocalSource, localSources } from '../workspace/origin.ts';
import { decodeText } from '../workspace/scan.ts';
import { defaultSettings, type Settings } from '../workspace/settings.ts';
import { emptySnapshot, withBaseline, withOpen } from '../workspace/snapshot.ts';
import { type SourceFile, sourceFile } from '../workspace/sourceFile.ts';
import { gitHistory } from '../workspace/sources/git.ts';
import { libraryOf } from '../workspace/sources/library.ts';
import { nodeFiles } from '../workspace/sources/nodeFiles.ts';
import { goModsAround, localCaches } from './caches.ts';
import { broughtIn, countNotJudged, type NotJudged, summaryOf } from './summary.ts';

export interface CheckOptions {
  readonly paths: readonly string[];
  readonly kubernetes?: string;
  readonly crds: readonly string[];
  /** Sources that are not asked, as those that `kubeCrd.sources` turns off. */
  readonly without: readonly string[];
  /** As `kubeCrd.knownKinds`. */
  readonly knownKinds: readonly string[];
  /** What git has as stored: as `kubeCrd.baseline`. */
  readonly baseline: string;
  readonly format: 'text' | 'json';
}

/** In an editor a note is enough; who reads a log has nothing else that tells. */
const rules: Settings['rules'] = new Map([['cr/unknown-kind', 'warning']]);

/** Checks files and folders; gives the exit code. */
export async function check({
  paths,
  kubernetes = newestVersion.name,
  crds,
  without,
  knownKinds,
  baseline,
  format,
}: CheckOptions): Promise<number> {
  if (!kubernetesVersion(kubernetes)) throw new Error(`Kubernetes ${kubernetes} is not known`);
  const all = { ...defaultSettings, kubernetesVersion: kubernetes, baseline, knownKinds, rules };
  const settings = { all, folders: new Map() };
  const listing = await expandAll(paths);
  if (listing.uris.length === 0) throw new Error(`nothing to check found at ${paths.join(', ')}`);
  const named = new Set(paths.map((one) => pathToFileURL(path.resolve(one)).href));
  const listings = { own: [listing], named: [await expandAll(crds)] };
  const defining = await loadWorkspace(nodeFiles, listings, { limits: defaultLimits, cancelled: () => false });
  const library = libraryFor(defining, without);
  let snapshot = withLoaded({ ...emptySnapshot, settings }, defining);
  const reports: Report[] = [];
  onBug((error) => process.stderr.write(`kube-crd: ${error.stack ?? error.message}\n`));
  const history = gitHistory();
  const reader = baselineReader(history, nodeFiles, defaultLimits, () => {});
  const notJudged: NotJudged = new Map();
  let unread = 0;
  let unknownRef = 0;
  for (const uri of listing.uris) {
    const file = await readSource(uri, named.has(uri));
    // Only one file is held beside those that define kinds, however many there are.
    if (typeof file === 'string') {
      unread++;
      process.stderr.write(`kube-crd: ${printable(file)}\n`);
    } else {
      try {
        snapshot = withLookedUp(snapshot, await lookUp(library, kindsToLookUp(snapshot, file)));
        countNotJudged(notJudged, snapshot, file);
        const committed = await reader.load(file, baseline, snapshot.definitions);
        if (committed.unknownRef) unknownRef++;
        append(reports, reportsOf(file, diagnose(withBaseline(withOpen(snapshot, file), uri, committed), uri)));
      } catch (error) {
        reports.push(failureIn(file, error));
      }
    }
  }
  history.close();
  if (unknownRef > 0) process.stderr.write(`kube-crd: ${withoutBaseline(baseline, unknownRef)}\n`);
  const lines = [...library.notes(), ...broughtIn(snapshot), ...summaryOf(notJudged)];
  for (const line of lines) process.stderr.write(`kube-crd: ${printable(line)}\n`);
  process.stdout.write(format === 'json' ? `${JSON.stringify(reports, undefined, 2)}\n` : reports.map(asText).join(''));
  // What could not be looked at counts for more than what was found: a run that passes has to have seen everything.
  if (unread > 0 || unknownRef > 0) return 2;
  return reports.some((report) => report.severity === 'error') ? 1 : 0;
}

/** What knows of CRDs that are not among the files. */
function libraryFor({ leads }: Loaded, without: readonly string[]): Library {
  const here = process.cwd();
  const unknown = without.find((name) => !Object.hasOwn(localSources, name));
  if (unknown !== undefined) throw new Error(`there is no source ${unknown}`);
  const workspace = [...new Set([...leads.workspace, ...goModsAround(here)])];
  const off = new Set(without as readonly LocalSource[]);
  return libraryOf(
    nodeFiles,
    { ...leads, workspace },
    { caches: localCaches(), folders: [pathToFileURL(here).href], off },
  );
}

/** Text of files and their names as it can be shown: none of it moves the cursor, or begins a line of its own. */
function printable(text: string): string {
  return text.replace(/[\x00-\x08\x0a-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** A ref that was mistyped or not fetched would otherwise look like files without mistakes. */
function withoutBaseline(baseline: string, files: number): string {
  return `git has no commit ${baseline}: ${files} ${files === 1 ? 'file is' : 'files are'} checked as new`;
}

async function expandAll(patterns: readonly string[]): Promise<Listing> {
  const here = pathToFileURL(process.cwd()).href;
  const found: Listing[] = [];
  for (const pattern of patterns) {
    const one = await nodeFiles.expand(pattern, here, defaultLimits.files);
    if (one.uris.length + one.leads.length + one.catalogues.length === 0)
      throw new Error(`nothing found at ${pattern}`);
    found.push(one);
  }
  const all = (pick: (listing: Listing) => readonly string[]) => [...new Set(found.flatMap(pick))];
  return {
    ...emptyListing,
    uris: all(({ uris }) => uris),
    leads: all(({ leads }) => leads),
    catalogues: all(({ catalogues }) => catalogues),
  };
}

/** A file as a person names it, from the folder that the program runs in. */
function nameOf(uri: string): string {
  return path.relative(process.cwd(), fileURLToPath(uri));
}

/** A file to check, or why it cannot be. */
async function readSource(uri: string, named: boolean): Promise<SourceFile | string> {
  const bytes = await nodeFiles.read(uri, defaultLimits.fileBytes);
  if (bytes === undefined) return `${nameOf(uri)}: cannot be read`;
  if (bytes === 'too-large') return `${nameOf(uri)}: larger than ${defaultLimits.fileBytes} bytes, not checked`;
  const content = decodeText(bytes);
  return content.kind === 'binary'
    ? `${nameOf(uri)}: not a text file, not checked`
    : sourceFile(uri, content.text, { named });
}

/** One diagnostic as a program reads it; lines and columns count from 1. */
interface Report {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly severity: Diagnostic['severity'];
  readonly code: string;
  readonly message: string;
  readonly source: string;
}

function reportsOf(file: SourceFile, diagnostics: readonly Diagnostic[]): Report[] {
  const lines = lineIndex(file.text);
  const place = (offset: number) => {
    const line = lines.lineAt(offset);
    return { line: line + 1, column: offset - lines.lineStart(line) + 1 };
  };
  return diagnostics.map(({ range, severity, code, ...diagnostic }) => {
    const message = diagnostic.message.replaceAll('\n', ' ');
    const start = place(range.start);
    const end = place(range.end);
    const source = file.text.slice(lines.lineStart(start.line - 1), lines.lineEnd(start.line - 1));
    const name = nameOf(file.uri);
    return { file: name, ...start, endLine: end.line, endColumn: end.column, severity, code, message, source };
  });
}

/** A failure of the program itself is a finding of the file, at its first line; the others are checked all the same. */
function failureIn(file: SourceFile, error: unknown): Report {
  const why = error instanceof Error ? error.message : String(error);
  process.stderr.write(`kube-crd: ${nameOf(file.uri)}: ${error instanceof Error ? error.stack : why}\n`);
  return {
    file: nameOf(file.uri),
    ...{ line: 1, column: 1, endLine: 1, endColumn: 1 },
    severity: 'error',
    code: 'file/not-judged',
    message: `kube-crd itself failed over this file and says nothing of it: ${why}. Please report it with the file.`,
    source: '',
  };
}

function asText(report: Report): string {
  const { file, line, column, endLine, endColumn, severity, code, message, source } = report;
  const length = Math.max(1, (endLine === line ? endColumn : source.length + 1) - column);
  const gutter = String(line);
  const pad = ' '.repeat(gutter.length);
  const indent = printable(source.slice(0, column - 1)).replace(/[^\t]/g, ' ');
  const head = `${printable(file)}:${line}:${column}: ${severity}: ${printable(message)} [${code}]`;
  return `${head}\n${gutter} | ${printable(source)}\n${pad} | ${indent}${'^'.repeat(length)}\n`;
}
