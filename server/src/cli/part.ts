import { promises as fs } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { onBug } from '../base/bug.ts';
import type { diagnose } from '../features/diagnose.ts';
import { fixAll } from '../features/fixAll.ts';
import { fixesFor } from '../features/fixes.ts';
import { diagnoseGo } from '../features/golang/diagnoseGo.ts';
import { staleCrds } from '../features/golang/stale.ts';
import { crdsOf, viewOf } from '../features/golang/view.ts';
import { editedText } from '../rules/fixing/fixes.ts';
import type { History } from '../workspace/baseline/history.ts';
import { type BaselineReader, baselineReader } from '../workspace/baseline/load.ts';
import type { Listing } from '../workspace/files.ts';
import { GoPackages } from '../workspace/goPackages.ts';
import { defaultLimits } from '../workspace/limits.ts';
import type { Settings } from '../workspace/settings.ts';
import { type Snapshot, settingsFor, versionsFor, withBaseline, withOpen } from '../workspace/snapshot.ts';
import { type SourceFile, sourceFile } from '../workspace/sourceFile.ts';
import { gitHistory } from '../workspace/sources/git.ts';
import { promptFiles } from '../workspace/sources/nodeFiles.ts';
import { folderOf } from '../workspace/uri.ts';
import { localCaches } from './caches.ts';
import { unifiedDiff } from './diff.ts';
import type { FormatName } from './formats/formats.ts';
import { goPaths } from './goPaths.ts';
import { type InputOptions, namedBy, readSource, readStandardInput, wanted } from './inputs.ts';
import { complain, type Found, failureIn, nameOf, type Report, reportsOf } from './report.ts';
import { meantRefs } from './sides.ts';
import { broughtIn, countNotJudged, type NotJudged } from './summary.ts';
import { type CliSettings, type CrdOptions, openWorkspace, type Workspace } from './workspace.ts';

export interface JudgeOptions extends CrdOptions, InputOptions {
  /** Files, folders and globs; `-` is standard input. */
  readonly paths: readonly string[];
  readonly stdinName: string;
  /** As `kubeCrd.kubernetesVersion`; undefined where the default holds, or what a config says. */
  readonly versions: string | undefined;
  /** As `kubeCrd.knownKinds`. */
  readonly knownKinds: readonly string[];
  /** As `kubeCrd.builtinKinds`. */
  readonly builtinKinds: 'on' | 'off' | undefined;
  readonly rules: Settings['rules'];
  /** What git has as stored: as `kubeCrd.baseline`. */
  readonly baseline: string | undefined;
  readonly format: FormatName;
  /** Apply safe fixes, or only show what they would change. */
  readonly fix: 'no' | 'write' | 'show';
  /** Apply those as well that are a choice. */
  readonly unsafeFixes: boolean;
}

/** Files beside each other are mostly of the same kinds: what one part has read and compiled serves all of them. */
export const blockLength = 32;

/** Every so many-th block of the files of a listing, from the nth on. The CRDs of all files are known to each part. */
export interface Part {
  readonly listing: Listing;
  readonly nth: number;
  readonly of: number;
}

/** What came of one file. */
export interface Outcome {
  readonly name: string;
  readonly reports: readonly Report[];
  /** What fixes would change, where that was asked for. */
  readonly diff?: string;
  /** Why it could not be read. */
  readonly unread?: string;
  readonly milliseconds: number;
}

/** What is known of a part when all of its files are judged. */
export interface PartEnd {
  readonly notJudged: NotJudged;
  /** Refs that git does not know, each with how many files it was meant for. */
  readonly unknownRefs: ReadonlyMap<string, number>;
  /** What those may be meant for, as the end of a sentence. */
  readonly meant: ReadonlyMap<string, string>;
  /** The Kubernetes versions that files were judged for. */
  readonly versions: ReadonlySet<string>;
  /** What could not be looked into. */
  readonly notes: readonly string[];
  /** What is not as a lock file says. */
  readonly lockFaults: readonly string[];
  /** By address, what the CRDs come from that are not of the files at hand. */
  readonly broughtIn: ReadonlyMap<string, string>;
  /** What it took to know the CRDs. */
  readonly loadMilliseconds: number;
}

export type Judge = typeof diagnose;

/** Judges files one after the other, as they are asked for: only one is held beside those that define kinds. */
export async function* judgePart(options: JudgeOptions, part: Part, judge: Judge): AsyncGenerator<Outcome, PartEnd> {
  const began = performance.now();
  onBug((error) => complain(error.stack ?? error.message));
  const workspace = await openWorkspace(part.listing, options, settingsFrom(options), goPaths(options.paths).folders);
  const loadMilliseconds = performance.now() - began;
  const history = gitHistory();
  const reader = baselineReader(history, promptFiles, defaultLimits, () => {});
  const { snapshot } = workspace;
  const counts = { notJudged: new Map(), unknownRefs: new Map(), meant: new Map(), versions: new Set<string>() };
  const run: Run = { options, workspace, reader, history, judge, snapshot, ...counts };
  let last = performance.now();
  for await (const source of sources(part, options)) {
    const outcome = typeof source === 'string' ? unread(source) : await judged(run, source);
    const now = performance.now();
    yield { ...outcome, milliseconds: now - last };
    last = performance.now();
  }
  if (part.nth === 0) for await (const outcome of judgedGo(run)) yield outcome;
  history.close();
  const { lockFaults } = workspace;
  return { ...counts, lockFaults, notes: workspace.notes(), broughtIn: broughtIn(run.snapshot), loadMilliseconds };
}

/** What options say, and what holds where neither they nor a config do. */
function settingsFrom({ versions, baseline, knownKinds, builtinKinds, rules }: JudgeOptions): CliSettings {
  const chosen: Partial<Settings> = {
    ...(versions !== undefined && { kubernetesVersion: versions }),
    ...(baseline !== undefined && { baseline }),
    ...(knownKinds.length > 0 && { knownKinds }),
    ...(builtinKinds !== undefined && { builtinKinds }),
    rules,
  };
  // In an editor a note is enough; who reads a log has nothing else that tells.
  return {
    chosen,
    usual: {
      baseline: 'none',
      rules: new Map([
        ['cr/unknown-kind', 'warning'],
        ['go/unread', 'warning'],
      ]),
    },
  };
}

/** What is known while files are judged, one after the other. */
interface Run {
  readonly options: JudgeOptions;
  readonly workspace: Workspace;
  readonly reader: BaselineReader;
  readonly history: History;
  readonly judge: Judge;
  snapshot: Snapshot;
  readonly notJudged: NotJudged;
  readonly unknownRefs: Map<string, number>;
  readonly meant: Map<string, string>;
  readonly versions: Set<string>;
}

type Judged = Omit<Outcome, 'milliseconds'>;

function unread(why: string): Judged {
  return { name: '', reports: [], unread: why };
}

async function* sources({ listing, nth, of }: Part, { paths, stdinName }: JudgeOptions) {
  if (paths.includes('-')) yield await readStandardInput(stdinName);
  const named = namedBy(paths);
  const own = listing.uris.filter((_, i) => Math.floor(i / blockLength) % of === nth);
  for (const uri of own) {
    // Nothing here waits for anything, and a reader that is gone has to be heard of.
    await new Promise(setImmediate);
    yield await readSource(uri, named.has(uri));
  }
}

async function judged(run: Run, source: SourceFile): Promise<Judged> {
  const { options, workspace, reader } = run;
  const name = nameOf(source.uri);
  try {
    run.snapshot = await workspace.knowing(run.snapshot, source);
    countNotJudged(run.notJudged, run.snapshot, source);
    const { baseline } = settingsFor(run.snapshot, source.uri);
    const committed = await reader.load(source, baseline, run.snapshot.definitions);
    const isAsked = baseline !== 'none' && source.uri.startsWith('file:');
    if (isAsked) await noteUnknown(run, committed.unknownRef, baseline, folderOf(source.uri));
    const snapshot = (file: SourceFile) => withBaseline(withOpen(run.snapshot, file), file.uri, committed);
    const file = options.fix === 'no' ? source : fixed(snapshot(source), source, options);
    if (options.fix === 'write' && file !== source) await fs.writeFile(fileURLToPath(file.uri), file.text);
    const reports = reportsOf(file, foundIn(snapshot(file), file, run));
    return { name, reports, ...(options.fix === 'show' && { diff: unifiedDiff(name, source.text, file.text) }) };
  } catch (error) {
    complain(`${name}: ${error instanceof Error ? error.stack : String(error)}`);
    return { name, reports: [failureIn(source, error)] };
  }
}

/** The Go packages that were named, each file with what comes of its types. */
async function* judgedGo({ options, snapshot, versions }: Run): AsyncGenerator<Outcome> {
  const { folders, files } = goPaths(options.paths);
  if (folders.length === 0) return;
  const began = performance.now();
  const result = await new GoPackages(promptFiles, localCaches().goModules).generate(folders);
  const crds = crdsOf(result, folders[0]!);
  const named = result.roots.flatMap((root) => root.files).filter(({ uri }) => !files || files.has(uri));
  const uris = named.map(({ uri }) => uri);
  const left = new Set(wanted(uris, namedBy(options.paths), options));
  for (const { uri, go } of named) {
    const view = left.has(uri) && settingsFor(snapshot, uri).go ? viewOf(crds, uri) : undefined;
    if (!view) continue;
    for (const { name } of versionsFor(snapshot, uri)) versions.add(name);
    const all = [...diagnoseGo(snapshot, view), ...staleCrds(snapshot, view)];
    const found = all.map((diagnostic) => ({ diagnostic }));
    const milliseconds = performance.now() - began;
    yield { name: nameOf(uri), reports: reportsOf({ uri, text: go.text }, found), milliseconds };
  }
}

/** Files that are checked as new although they were to be checked as updates. */
async function noteUnknown(
  { unknownRefs, meant, history }: Run,
  isUnknown: boolean,
  ref: string,
  folder: string,
): Promise<void> {
  const placed = await history.repositoryOf(folder);
  if (placed && !isUnknown) return;
  unknownRefs.set(ref, (unknownRefs.get(ref) ?? 0) + 1);
  if (!meant.has(ref))
    meant.set(ref, placed ? await meantRefs(placed.repository, ref) : ', outside of git repositories');
}

/** The file with its fixes. */
function fixed(snapshot: Snapshot, file: SourceFile, { unsafeFixes }: JudgeOptions): SourceFile {
  const all = fixAll(snapshot, file.uri, { unsafe: unsafeFixes });
  return all ? sourceFile(file.uri, editedText(file.text, all.edits), { named: true }) : file;
}

/** What is found in a file, with what the format asks for beside it. */
function foundIn(snapshot: Snapshot, { uri }: SourceFile, { judge, versions, options: { format } }: Run): Found[] {
  for (const { name } of versionsFor(snapshot, uri)) versions.add(name);
  return judge(snapshot, uri).map((diagnostic) => ({
    diagnostic,
    ...(format === 'sarif' && {
      fixes: fixesFor(snapshot, uri, diagnostic.code, diagnostic.key).filter(({ safe }) => safe),
    }),
  }));
}
