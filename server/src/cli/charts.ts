import path from 'node:path';
import { append } from '../base/append.ts';
import { counted } from '../base/text.ts';
import { type ChartFinding, findingsOfTemplate, foundInChart, told } from '../features/charts/diagnoseChart.ts';
import { fixedChart } from '../features/charts/fixAllInChart.ts';
import { ofWholeChart } from '../features/charts/wholeChart.ts';
import type { Which } from '../features/mend/fixAll.ts';
import { addressOf } from '../files/address.ts';
import type { ChartFile } from '../helm/chart.ts';
import { ChartError } from '../helm/chartError.ts';
import { withSet } from '../helm/set.ts';
import { type Templated, templated } from '../helm/templated.ts';
import { mergedMaps, readValues } from '../helm/values.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { GoMap } from '../template/value.ts';
import { type ChartFiles, chartRootOf, readChart } from '../workspace/charts/chartFiles.ts';
import { ChartFolder } from '../workspace/charts/chartFolder.ts';
import { ChartMemory } from '../workspace/charts/chartMemory.ts';
import { clusterFor } from '../workspace/charts/cluster.ts';
import { type Reason, reasons, type Unreached } from '../workspace/charts/lines.ts';
import { madeFile } from '../workspace/charts/madeFile.ts';
import { lacksAppVersion, withAppVersion, withReleasedVersion } from '../workspace/charts/releasedVersion.ts';
import { renderingsOf } from '../workspace/charts/renderings.ts';
import { deliveryFile } from '../workspace/delivery/texts.ts';
import { chartsUsedIn, givenTo, readNamed } from '../workspace/delivery/uses.ts';
import type { Listing } from '../workspace/files.ts';
import { defaultLimits } from '../workspace/limits.ts';
import { textOf } from '../workspace/scan.ts';
import { defaultSettings } from '../workspace/settings.ts';
import { emptySnapshot, type Snapshot, settingsOf } from '../workspace/snapshot.ts';
import type { SourceFile } from '../workspace/sourceFile.ts';
import { promptFiles } from '../workspace/sources/nodeFiles.ts';
import { baseName, folderOf, isInside } from '../workspace/uri.ts';
import { localCaches } from './caches.ts';
import { isGivenAppVersion } from './meant/appVersion.ts';
import { builtinFile } from './workspace.ts';

/** The charts that files of a listing belong to, by their folders, with those files. */
export type Charts = ReadonlyMap<string, readonly string[]>;

export async function chartsIn({ uris }: Listing): Promise<Charts> {
  const rootOf = new Map<string, Promise<string | undefined>>();
  const charts = new Map<string, string[]>();
  for (const uri of uris) {
    if (!uri.includes('/templates/') && baseName(uri) !== 'Chart.yaml') continue;
    const folder = folderOf(uri);
    const known = rootOf.get(folder) ?? chartRootOf(promptFiles, uri);
    rootOf.set(folder, known);
    const root = await known;
    if (root !== undefined) charts.set(root, []);
  }
  for (const uri of uris) for (const [root, own] of charts) if (isInside(uri, root)) own.push(uri);
  return charts;
}

/** With the charts elsewhere that objects in a listing install. */
export function withUsedCharts(charts: Charts, snapshot: Snapshot, { uris }: Listing): Charts {
  const all = new Map(charts);
  for (const uri of uris) for (const root of chartsUsedIn(snapshot, uri)) if (!all.has(root)) all.set(root, [uri]);
  return all;
}

/** Values for charts beside their own. */
export interface ValuesOptions {
  /** Files, the later ones over the earlier ones. */
  readonly values: readonly string[];
  /** As Helm's `--set`. */
  readonly set: readonly string[];
}

/** The values that options give, as one more set, with the files that they are in. */
export async function askedFor({ values, set }: ValuesOptions): Promise<ChartFiles['asked']> {
  if (values.length === 0 && set.length === 0) return undefined;
  const files = await Promise.all(values.map(valuesFile));
  const merged = files.map(valuesIn).reduce(mergedMaps, new GoMap());
  const given = set.reduce(withSet, merged);
  const name = [...values, ...set.map((one) => `--set ${one}`)].join(', ');
  return { sets: [{ name, file: undefined, given, assumed: [] }], files };
}

async function valuesFile(named: string): Promise<ChartFile> {
  const id = addressOf(path.resolve(named));
  const text = textOf(await promptFiles.read(id, defaultLimits.fileBytes));
  if (text === undefined) throw new Error(`${named} cannot be read`);
  return { path: named, id, text };
}

function valuesIn({ path: named, id, text }: ChartFile): GoMap {
  const { values, error } = readValues(text, id);
  if (error !== undefined) throw new Error(`${named}: ${error}`);
  return values;
}

/** What was judged of charts, counted. */
export interface ChartCounts {
  charts: number;
  /** Objects that install them. */
  uses: number;
  templates: number;
  renderings: number;
  /** Charts that they depend on and that are not here. */
  missing: number;
  lines: number;
  reached: number;
  /** Why the others are in no rendering. */
  unreached: Map<Reason, number>;
}

export const noCharts = (): ChartCounts => ({
  ...{ charts: 0, uses: 0, templates: 0 },
  ...{ renderings: 0, missing: 0, lines: 0, reached: 0, unreached: new Map() },
});

/** What is judged by, and what is told of each rendering before. */
export interface ChartJudging {
  readonly counts: ChartCounts;
  /** The snapshot with the CRDs of a rendering's kinds. */
  knowing(source: SourceFile): Promise<Snapshot>;
  readonly fixing?: ChartFixing;
  /** What the run was asked to look at. */
  readonly folders: readonly string[];
}

/** Findings by file. */
export type FoundInChart = ReadonlyMap<string, FoundInFile>;

export interface FoundInFile {
  readonly text: string;
  readonly found: readonly ChartFinding[];
  /** As it was before fixes, where they have changed it. */
  readonly before?: { readonly text: string; readonly found: readonly ChartFinding[] };
  /** Why its fixes were not written. */
  readonly unwritten?: string;
}

/** Which fixes are made, in which files, and what writes them; that says why it could not. */
export interface ChartFixing {
  readonly which: Which;
  isOwn(uri: string): boolean;
  write(uri: string, before: string, after: string): Promise<string | undefined>;
}

/** The chart whose folder a path is. */
export async function chartAt(named: string): Promise<string | undefined> {
  const uri = addressOf(path.resolve(named));
  const isChart = (await promptFiles.entries(uri)).some(({ name, isFolder }) => name === 'Chart.yaml' && !isFolder);
  return isChart ? uri : undefined;
}

/** What is printed of a chart beside its values. */
export interface PrintingOptions extends ValuesOptions {
  readonly release?: string | undefined;
  readonly namespace?: string | undefined;
  readonly noHooks: boolean;
  readonly includeCrds: boolean;
}

/** What `helm template` prints of a chart, or its error. */
export async function renderedChart(
  root: string,
  version: KubernetesVersion,
  { release: name, namespace, noHooks, includeCrds: crds, ...options }: PrintingOptions,
): Promise<Templated> {
  const { chart, read } = new ChartFolder(await readChart(promptFiles, root, localCaches().helm));
  if (chart instanceof ChartError) return { error: chart.message };
  if (read.missing.length > 0) return { error: missingText(read.missing.map((one) => one.name)) };
  const [asked] = (await askedFor(options))?.sets ?? [];
  const snapshot = { ...emptySnapshot, settings: settingsOf({ ...defaultSettings, kubernetesVersion: version.name }) };
  const cluster = clusterFor({ ...snapshot, builtin: await builtinFile() }, root);
  const release = { ...(name !== undefined && { name }), ...(namespace !== undefined && { namespace }) };
  const given = asked?.given && { values: asked.given };
  const made = templated(chart, { ...cluster, release, noHooks, crds, ...given });
  if (!('error' in made)) return made;
  const lines = made.error.split('\n').map((line) => line.trim());
  return { error: lines.join(' ') };
}

function missingText(names: readonly string[]): string {
  return `an error occurred while checking for chart dependencies. You may need to run 'helm dependency build' to fetch missing dependencies: found in Chart.yaml, but missing in charts/ directory: ${names.join(', ')}`;
}

/** A chart with the versions that its release gives it. */
async function asReleased(read: ChartFiles, folders: readonly string[]): Promise<ChartFiles> {
  const released = withReleasedVersion(read);
  const isGiven = lacksAppVersion(read) && (await isGivenAppVersion(promptFiles, read.root, folders));
  return isGiven ? withAppVersion(released) : released;
}

/** Everything that is found in what a chart comes to. */
export async function judgeChart(
  snapshot: Snapshot,
  root: string,
  judging: ChartJudging,
  { locked, ...options }: ValuesOptions & { readonly locked?: boolean },
): Promise<FoundInChart> {
  // What only this machine has decides nothing where verdicts are to be the same everywhere.
  const helm = locked ? undefined : localCaches().helm;
  const asked = await askedFor(options);
  const asWritten = { ...(await readChart(promptFiles, root, helm)), ...(asked && { asked }) };
  // Fixes change the chart as it is written.
  const read = judging.fixing ? asWritten : await asReleased(asWritten, judging.folders);
  const named = await readNamed(promptFiles, snapshot, root);
  const plain = new ChartFolder(read, read.files, new ChartMemory(judging.fixing === undefined));
  const chart = plain.withGiven(givenTo(snapshot, root, named, plain.given));
  const renderings = renderingsOf(chart, clusterFor(snapshot, root));
  const found = ofWholeChart(snapshot, chart);
  let known = snapshot;
  for (const name of renderings.names) {
    const { made } = renderings.madeOf(name);
    for (const one of made) known = await judging.knowing(madeFile(chart, one).source);
    append(found, findingsOfTemplate(known, chart, name));
    judging.counts.templates++;
    judging.counts.renderings += made.length;
    if (!judging.fixing) renderings.letGo(name);
  }
  judging.counts.uses += chart.given.sets.length;
  const { lines, reached, unreached } = renderings.linesReached;
  judging.counts.charts++;
  judging.counts.missing += chart.read.missing.length;
  judging.counts.lines += lines;
  judging.counts.reached += reached;
  const { unreached: why } = judging.counts;
  for (const [reason, count] of unreached) why.set(reason, (why.get(reason) ?? 0) + count);
  const all = told(snapshot, chart, found);
  const asFound = byFile(snapshot, chart, all);
  return judging.fixing ? fixedFiles(known, chart, asFound, judging.fixing) : asFound;
}

/** Writes the files of a chart that fixes change, and judges it once more. */
async function fixedFiles(
  snapshot: Snapshot,
  chart: ChartFolder,
  before: FoundInChart,
  { which, isOwn, write }: ChartFixing,
): Promise<FoundInChart> {
  let after = fixedChart(snapshot, chart, which, isOwn);
  const changed = after.files.filter(({ id, text }) => chart.fileAt(id)?.text !== text);
  if (changed.length === 0) return before;
  const unwritten = new Map<string, string>();
  for (const { id, text } of changed) {
    const old = chart.fileAt(id)!.text;
    const why = await write(id, old, text);
    if (why === undefined) continue;
    unwritten.set(id, why);
    after = after.withText(id, old);
  }
  const now = new Map<string, FoundInFile>(byFile(snapshot, after, foundInChart(snapshot, after)));
  for (const { id } of changed) {
    const { text, found } = now.get(id) ?? { text: after.fileAt(id)!.text, found: [] };
    const old = { text: chart.fileAt(id)!.text, found: before.get(id)?.found ?? [] };
    const why = unwritten.get(id);
    now.set(id, why === undefined ? { text, found, before: old } : { text, found, unwritten: why });
  }
  return now;
}

function byFile(snapshot: Snapshot, chart: ChartFolder, all: readonly ChartFinding[]): FoundInChart {
  const files = new Map<string, { text: string; found: ChartFinding[] }>();
  for (const one of all) {
    const file = chart.fileAt(one.uri) ?? deliveryFile(snapshot, one.uri);
    // Nobody mends what is in an archive.
    if (!file || one.uri.includes('!/')) continue;
    const known = files.get(one.uri) ?? { text: file.text, found: [] };
    files.set(one.uri, known);
    known.found.push(one);
  }
  return files;
}

/** What was done, in one line; none where there is no chart. */
export function chartsText({
  charts,
  uses,
  templates,
  renderings,
  missing,
  lines,
  reached,
  unreached,
}: ChartCounts): string[] {
  if (templates === 0) return [];
  const share = lines === 0 ? 100 : Math.floor((reached / lines) * 1000) / 10;
  const left = lines - reached;
  const rest = left === 0 ? '' : `; ${left} of their ${lines} lines are in no rendering: ${whyText(unreached)}`;
  const made = `${counted(templates, 'template')} in ${counted(renderings, 'rendering')}`;
  const given = uses === 0 ? '' : ` with the values of ${counted(uses, 'release')} as well`;
  const absent =
    missing === 0 ? '' : `; ${counted(missing, 'chart')} that they depend on ${missing === 1 ? 'is' : 'are'} not here`;
  return [`${counted(charts, 'chart')}: ${made}${given} (${share} % of their lines)${rest}${absent}`];
}

function whyText(unreached: Unreached): string {
  const sorted = [...unreached].sort(([, a], [, b]) => b - a);
  return sorted.map(([reason, count]) => `${count} ${reasons[reason]}`).join(', ');
}
