/** What `helmCharts` brings: charts that are in folders beside a kustomization, rendered with their values. */
import type { Path, Value } from '../base/value.ts';
import { goYaml } from '../yaml/goYaml.ts';
import type { ConfigFile } from './configFile.ts';
import { attempt, Failure, fail, within } from './failure.ts';
import type { HelmChart, HelmChartArgs, Kustomization } from './kustomization.ts';
import { isWithin, joinPath, type Loader } from './loader.ts';
import { merge } from './merge/merge.ts';
import type { Place } from './origin.ts';
import { parseResources } from './parse.ts';
import { helmGenerated, type Resource } from './resource.ts';
import { decodedOf } from './tree/built.ts';
import { fromJson } from './tree/fromJson.ts';
import type { Node } from './tree/node.ts';
import { fileSource, readOne } from './tree/read.ts';
import { sigsOf } from './tree/sigs.ts';
import type { ChartRequest, ChartValues, MergedValues } from './types.ts';

/** A chart, and where what is said of it is. */
export interface ChartWanted {
  readonly chart: HelmChart;
  readonly globals: { readonly chartHome?: string; readonly configHome?: string };
  readonly place: Place;
  /** The values that are written beside its name, and where that is known, the place of them. */
  readonly inline: { readonly node: Node | undefined; readonly place?: MergedValues['inline'] };
  /** Whether a resource in `generators` names it: the namespace of the kustomization is not its own. */
  readonly isPlugin?: boolean;
}

/** The charts of a kustomization, those of the field of old as kustomize turns them into the others. */
export function chartsWanted(
  { helmCharts = [], helmChartInflationGenerator: old = [], helmGlobals }: Kustomization,
  file: ConfigFile,
  loader: Loader,
): ChartWanted[] {
  const chartHome = old.findLast((one) => one.chartHome)?.chartHome;
  const configHome = old.findLast((one) => one.helmHome)?.helmHome;
  const globals = helmGlobals ?? { ...(chartHome && { chartHome }), ...(configHome && { configHome }) };
  const wanted = (chart: HelmChart, at: Path, key: string): ChartWanted => {
    return { chart, globals, place: file.place(at), inline: valuesIn(file, [...at, key], loader) };
  };
  return [
    ...helmCharts.map((chart, i) => wanted(chart, ['helmCharts', i], 'valuesInline')),
    ...old.map((one, i) => wanted(ofOld(one), ['helmChartInflationGenerator', i], 'valuesLocal')),
  ];
}

function valuesIn(file: ConfigFile, at: Path, loader: Loader): ChartWanted['inline'] {
  const known = loader.context.file(file.path);
  return { node: file.treeAt(at), ...(known && { place: { path: file.path, file: known, at } }) };
}

function ofOld(old: HelmChartArgs): HelmChart {
  const { chartName, chartVersion, chartRepoUrl, values, valuesLocal, valuesMerge, releaseName } = old;
  const all = { name: chartName, version: chartVersion, repo: chartRepoUrl, valuesFile: values, valuesMerge };
  return given({ ...all, valuesInline: valuesLocal, releaseName });
}

/** Without what is not there. */
function given(fields: { readonly [Name in keyof HelmChart]: HelmChart[Name] | undefined }): HelmChart {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

const merges: readonly string[] = ['merge', 'override', 'replace'];

/** What a chart comes to; undefined where that is not known here. */
export function resourcesOfChart(wanted: ChartWanted, loader: Loader): Resource[] | undefined {
  const { chart, globals, place } = wanted;
  const { name = '' } = chart;
  if (!loader.context.files.chart) return undefined;
  const more = within(
    () => `trouble configuring builtin HelmChartInflationGenerator with config: \`\n${configText(wanted, loader)}\``,
    () => configured(wanted, loader),
    place,
  );
  const chartHome = homeOf(chart, globals.chartHome || 'charts', loader);
  const folder = joinPath(chartHome, name);
  const valuesFile = chart.valuesFile || joinPath(folder, 'values.yaml');
  if (!loader.context.isFolder(folder)) {
    if (chart.repo) return undefined;
    const shown = loader.context.file(folder) === undefined ? '' : folder;
    fail(`no repo specified for pull, no chart found at '${shown}'`, place);
  }
  if (!isKnown(chart) || !isWithin(folder, loader.root)) return undefined;
  const values = valuesOf(wanted, valuesFile, loader);
  return values && rendered(requestOf(wanted, folder, [values, ...more], loader), wanted, loader);
}

/** What kustomize looks at first: the files of values that are named beside others are its result. */
export function configured({ chart, place }: ChartWanted, loader: Loader): readonly ChartValues[] {
  const { name = '', valuesMerge = '', additionalValuesFiles = [] } = chart;
  if (name === '') fail('chart name cannot be empty', place);
  const more = additionalValuesFiles.map((path) => additional(path, loader, place));
  if (valuesMerge !== '' && !merges.includes(valuesMerge))
    fail('valuesMerge must be one of [merge override replace]', place);
  return more;
}

/** The chart as it is handed to what renders it. */
function configText({ chart, globals }: ChartWanted, loader: Loader): string {
  const namespace = chart.namespace || loader.namespace;
  const all = { ...globals, ...chart, ...(namespace && { namespace }) };
  const isThere = (value: unknown) => value !== '' && value !== false && !(value instanceof Map && value.size === 0);
  const given = Object.entries(all).filter(
    ([, value]) => isThere(value) && !(Array.isArray(value) && value.length === 0),
  );
  return goYaml(new Map(given as [string, Value][]));
}

/** A chart that was pulled in a version has a folder of its own. */
function homeOf({ name, version, repo }: HelmChart, home: string, { root }: Loader): string {
  const all = home.startsWith('/') ? home : joinPath(root, home);
  return version && repo ? joinPath(all, `${name}-${version}`) : all;
}

/** Without a name of its own, a release has one that is another each time. */
function isKnown({ releaseName, nameTemplate }: HelmChart): boolean {
  return releaseName !== undefined && releaseName !== '' && !nameTemplate;
}

function additional(path: string, loader: Loader, place: Place): ChartValues {
  const loaded = attempt(() => loader.load(path));
  if (!loaded.failure) return loaded.value;
  const { message, kind } = loaded.failure;
  throw new Failure(kind ? message : `could not load additionalValuesFile: ${message}`, place, kind);
}

function valuesOf(
  { chart, inline: written, place }: ChartWanted,
  path: string,
  loader: Loader,
): ChartValues | undefined {
  const isInline = chart.valuesInline !== undefined && chart.valuesInline.size > 0;
  const { node, place: inline } = written;
  if (isInline && (!node || !inline)) return undefined;
  const own = isInline && node ? fromJson(sigsOf(node), 'yaml') : undefined;
  if (own && chart.valuesMerge === 'replace') return inline && { merged: decodedOf(own), inline, below: undefined };
  const loaded = attempt(() => loader.load(path));
  if (loaded.failure) throw new Failure(loaded.failure.message, place, loaded.failure.kind);
  if (!own) return loaded.value;
  const read = readOne(fileSource(loaded.value.file.text, loaded.value.path, 'data'));
  if ('error' in read) fail(`could not parse values file into rnode: ${read.error}`, read.place);
  // What kustomize makes of an empty file is not known here.
  if (!read.node) return undefined;
  const { schemas } = loader.context;
  const isOver = chart.valuesMerge !== 'merge';
  const [target, patch] = isOver ? [read.node, own] : [own, read.node];
  const merged = within('could not merge values', () => merge(target, patch, { schemas }), place);
  if (merged?.kind !== 'map' || !inline) return undefined;
  return { merged: decodedOf(merged), inline, below: loaded.value };
}

function requestOf(
  { chart, isPlugin }: ChartWanted,
  folder: string,
  values: readonly ChartValues[],
  loader: Loader,
): ChartRequest {
  const { releaseName = '', kubeVersion, apiVersions = [] } = chart;
  const { includeCRDs = false, skipHooks = false, skipTests = false } = chart;
  const namespace = chart.namespace || (isPlugin ? undefined : loader.namespace);
  return {
    ...{ folder, values, apiVersions, includeCRDs, skipHooks, skipTests },
    ...(kubeVersion && { kubeVersion }),
    release: { name: releaseName, ...(namespace && { namespace }) },
  };
}

function rendered(request: ChartRequest, { place }: ChartWanted, loader: Loader): Resource[] | undefined {
  const made = loader.context.chart(request);
  if (!made) return undefined;
  if ('error' in made) fail(`Error: ${made.error}`, made.place ?? place);
  const placeOf = (start: number, end: number) => made.place(start, end) ?? place;
  // What Helm prints and kustomize cannot read it reads once more in another way.
  const read = attempt(() => parseResources({ text: made.text, in: 'resource', place: placeOf }));
  if (!read.value) return undefined;
  for (const one of read.value) {
    one.note(helmGenerated, 'true');
    one.touch({ what: 'generator', place });
  }
  return read.value;
}
