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
import { addressOf } from '../files/address.ts';
import { changeText } from '../files/change.ts';
import { isBelow } from '../files/folders.ts';
import { NotWritten } from '../files/write.ts';
import { gitHistory } from '../git/history.ts';
import { ignoredByGit } from '../git/ignored.ts';
import { editedText } from '../rules/fixing/fixes.ts';
import type { Diagnostic } from '../rules/model/diagnostic.ts';
import { ruleOf, severitiesInLogs } from '../rules/model/registry.ts';
import type { History } from '../workspace/baseline/history.ts';
import { type BaselineReader, baselineReader } from '../workspace/baseline/load.ts';
import { generatorsLeftOut } from '../workspace/delivery/uses.ts';
import { isChartTemplate, isKustomization, isYaml } from '../workspace/fileNames.ts';
import type { Listing } from '../workspace/files.ts';
import { callText } from '../workspace/generatorCalls.ts';
import type { GoResult } from '../workspace/goPackages.ts';
import { rootsWith } from '../workspace/kustomizations/builds.ts';
import { kustomizationIn } from '../workspace/kustomizations/graph.ts';
import { isCompleted, mayLackParts } from '../workspace/kustomized.ts';
import { defaultLimits } from '../workspace/limits.ts';
import type { Settings } from '../workspace/settings.ts';
import { type Snapshot, settingsFor, versionsFor, withBaseline, withOpen } from '../workspace/snapshot.ts';
import { type SourceFile, sourceFile } from '../workspace/sourceFile.ts';
import { promptFiles } from '../workspace/sources/nodeFiles.ts';
import type { TestReason } from '../workspace/testData.ts';
import { baseName, folderOf, isInside, withFolders } from '../workspace/uri.ts';
import { documentAt, type PlacedDocument } from '../yaml/parse.ts';
import { textsIn } from './beside.ts';
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
import { partsOfCrds } from './crdParts.ts';
import { unifiedDiff } from './diff.ts';
import { isMadeElsewhere, laterVersions } from './elsewhere.ts';
import { isEmbedded, isReadByTest } from './embedded.ts';
import type { FormatName } from './formats/formats.ts';
import { goPaths } from './goPaths.ts';
import { type InputOptions, namedBy, readSource, readStandardInput, wanted } from './inputs.ts';
import { installedVersions } from './installed.ts';
import { type Builds, type BuiltCounts, withBuildsOf, withCrdsBuilt } from './kustomizations.ts';
import { isOfCrd, lacksNamespace, type Meant, missingFile, namedVersions, whyMeant } from './meant.ts';
import { isNamespacedLater } from './namespaced.ts';
import { isOfOthers, withoutIgnored, withoutText } from './otherFiles.ts';
import { isOpen, openWords } from './placeholders.ts';
import { isOfEarlierRelease, ofAnyRelease } from './releases.ts';
import { replacedWords, writtenByScripts } from './replaced.ts';
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
  for await (const source of sources(part, options)) {
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
  file: Pick<SourceFile, 'uri' | 'text'>,
  found: readonly Found[],
  crdParts: readonly Range[] = [],
  ofAny: readonly Range[] = [],
): Promise<readonly Found[]> {
  if (found.length === 0 || namedBy(options.paths).has(file.uri)) return found;
  const isNameless = found.some(({ diagnostic: { code } }) => ruleOf(code)?.unnamed);
  const folders = foldersOf(options.paths);
  const words = new Set(found.flatMap(({ diagnostic }) => openWords(diagnostic, file.text)));
  const place = {
    ...{ uri: file.uri, text: file.text, folders, isNameless },
    isUnusedPatch: isUnusedPatch(snapshot, file),
    isLoosePatch: (isCalledPatch(file.uri) || isForKustomize(snapshot, file.uri)) && isUnlisted(snapshot, file.uri),
    isPackaged: await isPackaged(file.uri, found),
    madeLater: await madeLater(file.uri, found, folders),
    isLeftOut: found.some(({ diagnostic: { code } }) => ruleOf(code)?.ofBuild) && (await isLeftOut(file.uri)),
    isTurnedOff: found.some(isOfFlux) && (await isTurnedOff(file.uri)),
    replaced: await replacedWords(promptFiles, file.uri, folders, words),
    isEmbedded:
      found.some((one) => isLacking(one) || isOpen(one.diagnostic, file)) && (await isEmbedded(promptFiles, file.uri)),
    crdParts,
    isCompleted: isCompleted(snapshot.kustomized.completed, file.uri),
    isUnbuilt: isUnbuilt(snapshot, builds, file.uri),
    isReadByTest: found.some(isLacking) && (await isReadByTest(promptFiles, file.uri)),
    isMadeElsewhere:
      found.some(({ diagnostic }) => isOfCrd(diagnostic)) && (await isMadeElsewhere(promptFiles, file, listing)),
    later: await laterVersions(
      promptFiles,
      file.uri,
      found
        .filter(({ diagnostic }) => namedVersions(diagnostic).length > 0)
        .map(({ diagnostic }) => diagnostic.message),
      listing,
    ),
    ofAnyRelease: ofAny,
    isNamespacedLater:
      snapshot.kustomized.listed.has(file.uri) &&
      found.some(({ diagnostic }) => lacksNamespace(diagnostic)) &&
      (await isNamespacedLater(promptFiles, file.uri, folders)),
    isAppliedPatch: isCalledPatch(file.uri) && snapshot.kustomized.listed.has(file.uri),
    isOfEarlierRelease: await isOfEarlierRelease(promptFiles, file.uri, folders),
    installed: await installedVersions(
      promptFiles,
      file.uri,
      new Set(found.flatMap(({ diagnostic }) => namedVersions(diagnostic))),
    ),
  };
  const settings = settingsFor(snapshot, file.uri);
  return found.map((one) => {
    const why = whyMeant(one.diagnostic, place, settings);
    if (why === undefined) return one;
    quieted.set(why, (quieted.get(why) ?? 0) + 1);
    return { ...one, diagnostic: { ...one.diagnostic, severity: 'information' } };
  });
}

const isOfFlux = ({ diagnostic: { code } }: Found) => code.startsWith('flux/');

/** Whether it is what who completes an object gives it. */
const isLacking = ({ diagnostic: { code } }: Found) =>
  ruleOf(code)?.meantInTests === true ||
  ruleOf(code)?.ofWhole === true ||
  ruleOf(code)?.ofUnfinished === true ||
  ruleOf(code)?.unnamed === true;

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

/** Whether what adds to a file's objects cannot be built, which is told of there. */
function isUnbuilt(snapshot: Snapshot, builds: Builds, uri: string): boolean {
  if (isOfFolderMadeLater(snapshot, uri)) return true;
  if (!isCompleted(snapshot.kustomized.completed, uri)) return false;
  const roots = rootsWith(snapshot, uri);
  return roots.length > 0 && roots.every((root) => builds.get(root)?.isBuilt === false);
}

/** Whether a kustomization takes a folder around a file in which there is none, so that one is made there before it is built. */
function isOfFolderMadeLater({ kustomized, kustomizations }: Snapshot, uri: string): boolean {
  return [...withFolders(folderOf(uri))].some(
    (folder) => kustomized.completed.has(folder) && kustomizationIn(kustomizations, folder) === undefined,
  );
}

/** Endings of what a script makes files of. */
const madeOf = ['.in', '.tmpl', '.tpl', '.template', '.envsubst'];

/**
 * The files that a kustomization lacks and that are made when they are needed: git ignores them, there is what they are made
 * of, a script writes them, or there is nothing but the kustomization.
 */
async function madeLater(
  uri: string,
  found: readonly Found[],
  folders: readonly string[],
): Promise<ReadonlySet<string>> {
  const missing = found.flatMap(({ diagnostic }) => missingFile(diagnostic) ?? []);
  if (missing.length === 0) return new Set();
  const namesIn = async (folder: string) => (await promptFiles.entries(folder)).map(({ name }) => name);
  const isAlone = (await namesIn(folderOf(uri))).length === 1;
  const ignored = ignoredByGit(path.dirname(fileURLToPath(uri)), missing);
  const names = new Set(missing.map((file) => path.basename(file)).filter((name) => name !== 'kustomization.yaml'));
  const written = await writtenByScripts(promptFiles, uri, folders, names);
  const later = missing.map(async (file) => {
    const beside = await namesIn(addressOf(path.dirname(file)));
    const isMade = madeOf.some((ending) => beside.includes(path.basename(file) + ending));
    return isAlone || isMade || written.has(path.basename(file)) || ignored?.has(file) ? [file] : [];
  });
  return new Set((await Promise.all(later)).flat());
}

const mostBeside = 30;

/** Whether a kustomization in a folder beside that of a file names that folder in a comment, as scaffolds do. */
async function isLeftOut(uri: string): Promise<boolean> {
  const own = folderOf(uri);
  const beside = (await promptFiles.entries(folderOf(own))).filter(({ isFolder }) => isFolder).slice(0, mostBeside);
  for (const { name } of beside) {
    const folder = `${folderOf(own)}/${encodeURIComponent(name)}`;
    for await (const text of textsIn(promptFiles, folder, isKustomization, 1))
      if (commentedOut(text).includes(baseName(own))) return true;
  }
  return false;
}

/** Whether the kustomization of a file's folder has the file in a comment, so that nothing applies what it holds. */
async function isTurnedOff(uri: string): Promise<boolean> {
  for await (const text of textsIn(promptFiles, folderOf(uri), isKustomization, 1))
    if (
      text
        .split('\n')
        .some((line) => /^[ \t]*#[ \t]*-[ \t]+(?:\.\/)?(\S{1,200})[ \t\r]*$/.exec(line)?.[1] === baseName(uri))
    )
      return true;
  return false;
}

function commentedOut(text: string): string[] {
  const lines = text.matchAll(/^[ \t]{0,20}#[ \t]{0,20}-[ \t]{1,20}\.\.\/([\w.-]{1,100})\/?[ \t\r]{0,20}$/gm);
  return Array.from(lines, ([, name]) => name!);
}

/** Whether a CRD is in a package of Crossplane; looked for only where that matters. */
async function isPackaged(uri: string, found: readonly Found[]): Promise<boolean> {
  if (!found.some(({ diagnostic: { code } }) => ruleOf(code)?.addedByCrossplane)) return false;
  const beside = await Promise.all([folderOf(uri), folderOf(folderOf(uri))].map((one) => promptFiles.entries(one)));
  return beside.flat().some(({ name }) => name === 'crossplane.yaml');
}

/** Whether a file is called a patch, be it in its first line, and lies among kustomizations of which none takes it. */
function isCalledPatch(uri: string): boolean {
  return /(?:^|[-_.])patch(?:es)?[-_.]/i.test(baseName(uri)) || /\/patches\//i.test(uri);
}

/** Whether it is in a folder for kustomize that has no kustomization: a program writes that, as modules of Terraform do. */
function isForKustomize({ kustomized }: Snapshot, uri: string): boolean {
  return /\/(?:kustomize|overlays?)\/[^/]+$/i.test(uri) && !kustomized.folders.has(folderOf(uri));
}

function isUnlisted({ kustomized, patches }: Snapshot, uri: string): boolean {
  return !patches.has(uri) && !kustomized.listed.has(uri);
}

function isUnusedPatch(snapshot: Snapshot, { uri, text }: Pick<SourceFile, 'uri' | 'text'>): boolean {
  if (!isUnlisted(snapshot, uri)) return false;
  // As the templates of Cluster API's providers have it.
  if (/^kustomize/i.test(baseName(uri)) && !isKustomization(uri)) return true;
  if (/^# [\w-]{0,60}-patch\.\w{1,4}\r?\n/.test(text)) return true;
  return isCalledPatch(uri) && mayLackParts(snapshot.kustomized, uri);
}

function isOfTemplates({ chartRoots }: Run, uri: string): boolean {
  return isChartTemplate(uri) && chartRoots.some((root) => isInside(uri, root));
}

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
    const began = performance.now();
    const isWhole = listed.has(`${root}/Chart.yaml`);
    const judging = {
      counts: run.charts,
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
