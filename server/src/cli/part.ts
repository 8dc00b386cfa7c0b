import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { onBug } from '../base/bug.ts';
import { printable } from '../base/printable.ts';
import type { Range } from '../base/text.ts';
import { type GroupedView, viewsByGroup } from '../features/golang/byGroup.ts';
import { diagnoseGoSafely } from '../features/golang/diagnoseGo.ts';
import { staleCrds } from '../features/golang/stale.ts';
import { foundInBuild, withBuilds } from '../features/kustomizations/diagnoseBuild.ts';
import { fixedInBuilds } from '../features/kustomizations/fixAllInBuilds.ts';
import { fixAll, type Which } from '../features/mend/fixAll.ts';
import { fixesFor } from '../features/mend/fixes.ts';
import type { diagnose } from '../features/problems/diagnose.ts';
import { changeText } from '../files/change.ts';
import { isBelow } from '../files/folders.ts';
import { NotWritten } from '../files/write.ts';
import { gitHistory } from '../git/history.ts';
import { editedText } from '../rules/fixing/fixes.ts';
import type { Diagnostic } from '../rules/model/diagnostic.ts';
import { ruleOf, severitiesInLogs } from '../rules/model/registry.ts';
import type { History } from '../workspace/baseline/history.ts';
import { type BaselineReader, baselineReader } from '../workspace/baseline/load.ts';
import { generatorsLeftOut } from '../workspace/delivery/uses.ts';
import { isChartTemplate, isYaml } from '../workspace/fileNames.ts';
import type { Listing } from '../workspace/files.ts';
import { callText } from '../workspace/generatorCalls.ts';
import type { GoResult } from '../workspace/goPackages.ts';
import { rootsWith } from '../workspace/kustomizations/builds.ts';
import { defaultLimits } from '../workspace/limits.ts';
import type { Settings } from '../workspace/settings.ts';
import { type Snapshot, settingsFor, versionsFor, withBaseline, withOpen } from '../workspace/snapshot.ts';
import { type SourceFile, sourceFile } from '../workspace/sourceFile.ts';
import { promptFiles } from '../workspace/sources/nodeFiles.ts';
import type { TestReason } from '../workspace/testData.ts';
import { folderOf, isInside } from '../workspace/uri.ts';
import { documentAt, keepTrees, type PlacedDocument } from '../yaml/parse.ts';
import {
  type ChartCounts,
  type ChartFixing,
  type Charts,
  chartsIn,
  judgeChart,
  noCharts,
  type ValuesOptions,
  withUsedCharts,
} from './charts.ts';
import { unifiedDiff } from './diff.ts';
import type { FormatName } from './formats/formats.ts';
import { goPaths } from './goPaths.ts';
import { type InputOptions, isEncrypted, namedBy, readSource, readStandardInput, wanted } from './inputs.ts';
import { type Builds, type BuiltCounts, withBuildsOf, withCrdsBuilt } from './kustomizations.ts';
import { aroundOf } from './meant/around.ts';
import { partsOfCrds } from './meant/crdParts.ts';
import { whyMeant } from './meant/meant.ts';
import type { Meant } from './meant/reasons.ts';
import { ofAnyRelease } from './meant/releases.ts';
import { isOfOthers, withoutIgnored, withoutText } from './otherFiles.ts';
import { type Found, failureIn, nameOf, type Report, reportsOf } from './report.ts';
import { meantRefs } from './sides.ts';
import { broughtIn, countNotJudged, type NotJudged } from './summary.ts';
import { complainOf } from './terminal.ts';
import { foldersOf, testReason } from './testData.ts';
import {
  builtinFile,
  type CliSettings,
  type CrdOptions,
  goPackagesFor,
  openWorkspace,
  repositoriesSaid,
  type Workspace,
} from './workspace.ts';

export interface JudgeOptions extends CrdOptions, InputOptions, ValuesOptions {
  /** Whether charts are rendered. */
  readonly charts: boolean;
  /** Whether kustomizations are built. */
  readonly build: boolean;
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
  /** Each finding with all of its fixes, where the format has room for them. */
  readonly withFixes: boolean;
  /** Apply safe fixes, or only show what they would change. */
  readonly fix: 'no' | 'write' | 'show';
  /** Apply those as well that are a choice. */
  readonly unsafeFixes: boolean;
  /** The rules whose fixes are applied; those of all but hints where none is named. */
  readonly fixOnly: readonly string[];
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
  /** How many findings of each rule fixes have taken away, or would. */
  readonly fixed?: ReadonlyMap<string, number>;
  /** What fixes would change, where that was asked for. */
  readonly diff?: string;
  /** Why it could not be read. */
  readonly unread?: string;
  /** It was counted already: more was found in it. */
  readonly isAgain?: true;
  /** Why its fixes were not written. */
  readonly unwritten?: string;
  readonly milliseconds: number;
}

/** What is known of a part when all of its files are judged. */
export interface PartEnd {
  readonly notJudged: NotJudged;
  readonly charts: ChartCounts;
  readonly builds: BuiltCounts;
  /** Findings that are notes, since they may be meant, by the reason. */
  readonly quieted: ReadonlyMap<Meant, number>;
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
  onBug((error) => complainOf(error.stack ?? error.message));
  const workspace = await openWorkspace(part.listing, options, settingsFrom(options), goPaths(options.paths).folders);
  const loadMilliseconds = performance.now() - began;
  const history = gitHistory();
  const reader = baselineReader(history, promptFiles, defaultLimits, () => {});
  const { snapshot } = workspace;
  const notes: string[] = [];
  const isOn = (root: string) => options.charts && settingsFor(snapshot, `${root}/Chart.yaml`).charts;
  const all = withUsedCharts(await chartsIn(part.listing), snapshot, part.listing);
  const charts: Charts = new Map([...all].filter(([root]) => isOn(root)));
  const counts = {
    notJudged: new Map(),
    charts: noCharts(),
    builds: new Map() as Builds,
    quieted: new Map<Meant, number>(),
    unknownRefs: new Map(),
    meant: new Map(),
    versions: new Set<string>(),
  };
  const run: Run = {
    listing: part.listing,
    tests: testFolders(part.listing),
    chartRoots: [...charts.keys()],
    options,
    workspace,
    reader,
    history,
    judge,
    snapshot,
    notes,
    ...counts,
  };
  let last = performance.now();
  for await (const source of sources(part, options, run.notJudged)) {
    const outcome = typeof source === 'string' ? unread(source) : await judged(run, source);
    const now = performance.now();
    yield { ...outcome, milliseconds: now - last };
    last = performance.now();
  }
  for await (const outcome of judgedCharts(run, charts, part)) yield outcome;
  if (part.nth === 0) for await (const outcome of judgedGo(run)) yield outcome;
  history.close();
  const { lockFaults } = workspace;
  return {
    ...counts,
    builds: new Map(Array.from(counts.builds, ([root, { objects, isBuilt }]) => [root, { objects, isBuilt }] as const)),
    lockFaults,
    notes: [
      ...workspace.notes(),
      ...repositoriesSaid(workspace),
      ...(run.snapshot.kustomize?.notes ?? []),
      ...generatorsLeftOut(snapshot),
      ...notes,
    ],
    broughtIn: broughtIn(run.snapshot),
    loadMilliseconds,
  };
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
  return { chosen, usual: { baseline: 'none', rules: severitiesInLogs } };
}

/** What is known while files are judged, one after the other. */
interface Run {
  readonly listing: Listing;
  /** What is said of the run as a whole. */
  readonly notes: string[];
  /** Folders with tests of other programs. */
  readonly tests: ReadonlySet<string>;
  /** The folders of charts, whose templates are judged as they are rendered. */
  readonly chartRoots: readonly string[];
  readonly charts: ChartCounts;
  readonly builds: Builds;
  readonly options: JudgeOptions;
  readonly workspace: Workspace;
  readonly reader: BaselineReader;
  readonly history: History;
  readonly judge: Judge;
  snapshot: Snapshot;
  readonly notJudged: NotJudged;
  readonly quieted: Map<Meant, number>;
  readonly unknownRefs: Map<string, number>;
  readonly meant: Map<string, string>;
  readonly versions: Set<string>;
}

/** What was built with a file before its fixes is built again with them: nothing in it is where it was. */
async function builtAgain({ snapshot, builds, workspace }: Run, { uri, text }: SourceFile): Promise<Snapshot> {
  const { kustomize } = snapshot;
  const roots = rootsWith(snapshot, uri);
  if (!kustomize || roots.length === 0) return snapshot;
  for (const root of roots) builds.delete(root);
  return withBuildsOf(
    { ...snapshot, kustomize: kustomize.with(new Map([[uri, { text }]]), []) },
    uri,
    builds,
    workspace,
  );
}

type Judged = Omit<Outcome, 'milliseconds'>;

function unread(why: string): Judged {
  return { name: '', reports: [], unread: why };
}

async function* sources({ listing, nth, of }: Part, { paths, stdinName }: JudgeOptions, notJudged: NotJudged) {
  if (paths.includes('-')) yield await readStandardInput(stdinName);
  const named = namedBy(paths);
  const own = listing.uris.filter((_, i) => Math.floor(i / blockLength) % of === nth);
  for (const uri of own) {
    // Nothing here waits for anything, and a reader that is gone has to be heard of.
    await new Promise(setImmediate);
    const source = await readSource(uri, named.has(uri));
    // Nobody has the key of every repository: it is of no file that was asked for.
    if (typeof source === 'string' && isEncrypted(source) && !named.has(uri))
      notJudged.set('encrypted', (notJudged.get('encrypted') ?? 0) + 1);
    else yield source;
  }
}

async function judged(run: Run, source: SourceFile): Promise<Judged> {
  const { options, workspace, reader } = run;
  const name = nameOf(source.uri);
  try {
    const reason = testReason(source.uri, options.paths);
    if (reason !== undefined) return leftToTests(run, source, name, reason);
    run.snapshot = await workspace.knowing(run.snapshot, source);
    if (options.build) {
      run.snapshot = await withBuildsOf(run.snapshot, source.uri, run.builds, workspace);
      run.snapshot = await withCrdsBuilt(run.snapshot, [source], run.builds, workspace);
    }
    if (!isTemplateOfChart(run, source) && !isOfTemplates(run, source.uri) && !isPatchOfBuild(run, source.uri))
      countNotJudged(run.notJudged, run.snapshot, source);
    const { baseline } = settingsFor(run.snapshot, source.uri);
    const committed = await reader.load(source, baseline, run.snapshot.definitions);
    const isAsked = baseline !== 'none' && source.uri.startsWith('file:');
    if (isAsked) await noteUnknown(run, committed.unknownRef, baseline, folderOf(source.uri));
    const snapshot = (file: SourceFile) => withBaseline(withOpen(run.snapshot, file), file.uri, committed);
    const isOther = isOfOthers(source);
    const wanted =
      options.fix === 'no' || isOther || isLeftAlone(run, source) ? source : fixed(snapshot(source), source, run);
    const unwritten = options.fix === 'write' ? await writtenOver(source, wanted, options) : undefined;
    const file = unwritten === undefined ? wanted : source;
    const before = file === source ? undefined : foundIn(snapshot(source), source, run);
    if (before && options.build) run.snapshot = await builtAgain(run, file);
    // A template without actions is what its chart renders.
    const all = isOfTemplates(run, source.uri) ? [] : foundIn(snapshot(file), file, run);
    const found = isOther ? withoutText(all) : withoutIgnored(run.snapshot, file, all);
    if (isOther && found.length < all.length)
      run.notJudged.set('no-objects', (run.notJudged.get('no-objects') ?? 0) + 1);
    const { definitions } = run.snapshot;
    const ranges = [partsOfCrds(definitions, file), ofAnyRelease(definitions, file)] as const;
    const reports = reportsOf(file, await quieter(run, file, found, ...ranges));
    const fixedCodes = before && goneCodes(before, found);
    const diff = options.fix === 'show' ? unifiedDiff(name, source.text, file.text) : undefined;
    return {
      name,
      reports,
      ...(fixedCodes && { fixed: fixedCodes }),
      ...(diff !== undefined && { diff }),
      ...(unwritten !== undefined && { unwritten }),
    };
  } catch (error) {
    complainOf(`${printable(name)}: ${error instanceof Error ? error.stack : String(error)}`);
    return { name, reports: [failureIn(source, error)] };
  }
}

/** What may be meant is a note; in a file that is named, or in the very folder, it is what was asked for. */
async function quieter(
  { options, snapshot, builds, quieted, listing }: Run,
  file: Pick<SourceFile, 'uri' | 'text'> & Partial<Pick<SourceFile, 'stream' | 'manifests'>>,
  found: readonly Found[],
  crdParts: readonly Range[] = [],
  ofAny: readonly Range[] = [],
): Promise<readonly Found[]> {
  if (found.length === 0 || namedBy(options.paths).has(file.uri)) return found;
  const diagnostics = found.map(({ diagnostic }) => diagnostic);
  const known = { snapshot, builds, listing, folders: foldersOf(options.paths) };
  const around = aroundOf({ ...file, found: diagnostics, crdParts, ofAnyRelease: ofAny }, known);
  const settings = settingsFor(snapshot, file.uri);
  const all: Found[] = [];
  for (const one of found) {
    const why = await whyMeant(one.diagnostic, around, settings);
    if (why !== undefined) quieted.set(why, (quieted.get(why) ?? 0) + 1);
    all.push(why === undefined ? one : { ...one, diagnostic: { ...one.diagnostic, severity: 'information' } });
  }
  return all;
}

function leftToTests({ notJudged }: Run, { manifests }: SourceFile, name: string, reason: TestReason): Judged {
  if (manifests.length > 0) notJudged.set(reason, (notJudged.get(reason) ?? 0) + 1);
  return { name, reports: [] };
}

/** What a folder of tests of chainsaw or kuttl holds: their objects are there to be compared, or to be refused. */
const testName = /\/(?:chainsaw-test|kuttl-test|\d+-(?:assert|errors))\.ya?ml$/;

/** The folders in which tests of other programs are. */
function testFolders({ uris }: Listing): ReadonlySet<string> {
  return new Set(uris.filter((uri) => testName.test(uri)).map(folderOf));
}

/** Whether a file's mistakes may be meant. One that is named is meant to be fixed. */
function isLeftAlone({ tests, options }: Run, { uri }: Pick<SourceFile, 'uri'>): boolean {
  if (namedBy(options.paths).has(uri)) return false;
  for (let at = folderOf(uri); at.includes('/'); at = folderOf(at)) if (tests.has(at)) return true;
  return false;
}

/** Writes a file with its fixes, inside of what was named; or says why not. */
async function writtenOver(
  source: Pick<SourceFile, 'uri' | 'text'>,
  { text }: Pick<SourceFile, 'text'>,
  { paths }: JudgeOptions,
): Promise<string | undefined> {
  if (text === source.text) return undefined;
  const file = fileURLToPath(source.uri);
  const folder = paths.map((one) => path.resolve(one)).find((one) => one !== file && isBelow(file, one));
  try {
    await changeText(file, source.text, text, folder ?? path.dirname(file));
    return undefined;
  } catch (error) {
    if (error instanceof NotWritten) return error.message;
    throw error;
  }
}

function isTemplateOfChart({ chartRoots }: Run, { uri, template }: SourceFile): boolean {
  return template && chartRoots.some((root) => isInside(uri, root));
}

/** Whether a file holds patches, and what they come to is judged. */
function isPatchOfBuild({ snapshot, builds }: Run, uri: string): boolean {
  const roots = snapshot.patches.has(uri) ? rootsWith(snapshot, uri) : [];
  return roots.length > 0 && roots.every((root) => builds.get(root)?.isBuilt);
}

function isOfTemplates({ chartRoots }: Run, uri: string): boolean {
  return isChartTemplate(uri) && chartRoots.some((root) => isInside(uri, root));
}

/** Characters of which the trees are kept of one chart: what is left out of it for a finding comes to the same in part. */
const keptCharacters = 1_000_000;

/** The charts of a part, each file of them with what is found in it as it is rendered. */
async function* judgedCharts(run: Run, charts: Charts, { nth, of, listing }: Part): AsyncGenerator<Outcome> {
  const listed = new Set(listing.uris);
  const folders = new Set(listing.uris.map(folderOf));
  // Helpers are in no listing: those beside listed templates are told with them.
  const isListed = (uri: string) => listed.has(uri) || (!isYaml(uri) && folders.has(folderOf(uri)));
  const own = [...charts.keys()].filter(
    (root, i) => i % of === nth && !testReason(`${root}/Chart.yaml`, run.options.paths),
  );
  for (const root of own) {
    await new Promise(setImmediate);
    // The files have been judged, and what other charts came to is not asked for again.
    keepTrees(keptCharacters);
    const began = performance.now();
    const isWhole = listed.has(`${root}/Chart.yaml`);
    const judging = {
      counts: run.charts,
      folders: foldersOf(run.options.paths),
      knowing: async (source: SourceFile) => {
        run.snapshot = await run.workspace.knowing(run.snapshot, source);
        countNotJudged(run.notJudged, run.snapshot, source);
        for (const { name } of versionsFor(run.snapshot, source.uri)) run.versions.add(name);
        return run.snapshot;
      },
      ...(run.options.fix !== 'no' && { fixing: fixingOf(run, isListed) }),
    };
    // Charts look at what is served, which is known of the release with the built-in kinds.
    run.snapshot = { ...run.snapshot, builtin: run.snapshot.builtin ?? (await builtinFile()) };
    const files = await judgeChart(run.snapshot, root, judging, run.options);
    const milliseconds = (performance.now() - began) / Math.max(1, files.size);
    for (const [uri, { text, found, before, unwritten }] of files) {
      if (!isWhole && !isListed(uri)) continue;
      const name = nameOf(uri);
      const reports = reportsOf({ uri, text }, await quieter(run, { uri, text }, found));
      yield {
        ...{ name, reports, isAgain: true, milliseconds },
        ...(before && { fixed: goneCodes(before.found, found) }),
        ...(before && run.options.fix === 'show' && { diff: unifiedDiff(name, before.text, text) }),
        ...(unwritten !== undefined && { unwritten }),
      };
    }
  }
}

/** How the fixes of a chart are made: in its files that were named, and only where they are not shown alone. */
function fixingOf(run: Run, isListed: (uri: string) => boolean): ChartFixing {
  const { options } = run;
  return {
    which: whichOf(options),
    isOwn: (uri) => uri.startsWith('file:') && isListed(uri) && !isLeftAlone(run, { uri }),
    write: async (uri, before, after) =>
      options.fix === 'write' ? await writtenOver({ uri, text: before }, { text: after }, options) : undefined,
  };
}

/** The Go packages that were named, each file with what comes of its types. */
async function* judgedGo({ options, snapshot, versions, notes }: Run): AsyncGenerator<Outcome> {
  const { folders, files } = goPaths(options.paths);
  if (folders.length === 0) return;
  const began = performance.now();
  const made = await goViews(snapshot, folders);
  if ('failure' in made) {
    yield { name: nameOf(folders[0]!), reports: [made.failure], milliseconds: performance.now() - began };
    return;
  }
  for (const call of made.result.calls) notes.push(callText(call, nameOf));
  const named = made.result.roots.flatMap((root) => root.files).filter(({ uri }) => !files || files.has(uri));
  const uris = named.map(({ uri }) => uri);
  const left = new Set(wanted(uris, namedBy(options.paths), options));
  for (const { uri, go } of named) {
    const seen = left.has(uri) && settingsFor(snapshot, uri).go ? made.viewOf(uri) : undefined;
    if (!seen) continue;
    for (const { name } of versionsFor(snapshot, uri)) versions.add(name);
    const all = [...diagnoseGoSafely(snapshot, seen.view, seen.others), ...staleCrds(snapshot, seen.view)];
    const found = all.map((diagnostic) => ({ diagnostic }));
    const milliseconds = performance.now() - began;
    yield { name: nameOf(uri), reports: reportsOf({ uri, text: go.text }, found), milliseconds };
  }
}

interface GoViews {
  readonly result: GoResult;
  readonly viewOf: (uri: string) => GroupedView | undefined;
}

/** What is made of the types; a failure of the program itself is said at the first folder, and all else goes on. */
async function goViews(
  snapshot: Snapshot,
  folders: readonly string[],
): Promise<GoViews | { readonly failure: Report }> {
  try {
    const result = await (await goPackagesFor(folders)).generate(folders);
    return { result, viewOf: viewsByGroup(snapshot, result) };
  } catch (error) {
    complainOf(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return { failure: failureIn({ uri: folders[0]! }, error) };
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

/** How many findings of each code there are less than before. */
function goneCodes(before: readonly Found[], after: readonly Found[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const count = (found: readonly Found[], by: number) => {
    for (const { diagnostic } of found) counts.set(diagnostic.code, (counts.get(diagnostic.code) ?? 0) + by);
  };
  count(before, 1);
  count(after, -1);
  return new Map([...counts].filter(([, gone]) => gone > 0));
}

function whichOf({ unsafeFixes, fixOnly }: JudgeOptions): Which {
  const named = new Set(fixOnly);
  return {
    unsafe: unsafeFixes,
    wanted: ({ code, severity }) => (named.size > 0 ? named.has(code) : severity !== 'hint'),
  };
}

/** The file with its fixes. Those of hints are for whoever asks for them by name. */
function fixed(snapshot: Snapshot, file: SourceFile, { options, builds }: Run): SourceFile {
  const which = whichOf(options);
  const all = fixAll(snapshot, file.uri, which);
  const own = all ? sourceFile(file.uri, editedText(file.text, all.edits), { named: true }) : file;
  if (!options.build) return own;
  // What was found in builds is not where it was once the file is another one.
  const known = (root: string) => (all ? foundInBuild(withOpen(snapshot, own), root) : builds.get(root));
  const text = fixedInBuilds(withOpen(snapshot, own), own.uri, which, known);
  return text === undefined ? own : sourceFile(file.uri, text, { named: true });
}

/** Behind the first reason for which a document cannot be read nobody reads on, and what more there is mostly follows from it. */
function withoutConsequences(all: readonly Diagnostic[], { stream }: SourceFile): readonly Diagnostic[] {
  const isFollowed = ({ code }: Diagnostic) => ruleOf(code)?.followed === true;
  if (all.filter(isFollowed).length < 2) return all;
  const seen = new Set<PlacedDocument | undefined>();
  return all.filter((one) => {
    if (!isFollowed(one)) return true;
    const at = documentAt(stream, one.range.start);
    return !seen.has(at) && seen.add(at);
  });
}

/** What is found in a file, with what the format asks for beside it. */
function foundIn(
  snapshot: Snapshot,
  file: SourceFile,
  { judge, versions, builds, options: { format, withFixes } }: Run,
): Found[] {
  const { uri } = file;
  for (const { name } of versionsFor(snapshot, uri)) versions.add(name);
  const all = withBuilds(snapshot, uri, judge(snapshot, uri), (root) => builds.get(root));
  return withoutConsequences(all, file).map((diagnostic) => ({
    diagnostic,
    ...((format === 'sarif' || withFixes) && {
      fixes: fixesFor(snapshot, uri, diagnostic).filter(({ safe }) => safe || withFixes),
    }),
  }));
}
