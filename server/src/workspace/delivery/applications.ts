/** Argo CD's Applications, and those that an ApplicationSet makes: which charts they install, and with which values. */
import { isList, isMap, isString, type Path, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import type { SaidCluster } from '../charts/valueSets.ts';
import { resolve } from '../uri.ts';
import type { AppAt, Source } from './appAt.ts';
import { chartAt, chartNamed } from './chartsHere.ts';
import type { ChartUse, Layer } from './chartUse.ts';
import { type Delivery, repositoryOf } from './index.ts';
import type { Delivered } from './objects.ts';
import { withOverrides, writtenAt } from './sourceOverrides.ts';
import { isPinned, isThisAddress } from './sources.ts';

export function usesOfApplication(delivery: Delivery, app: AppAt): readonly ChartUse[] {
  const { of, name, spec } = app;
  const sources = sourcesOf(of, spec);
  const namespace = textOf(valueAt(of.manifest.value, [...spec, 'destination', 'namespace']));
  return sources.flatMap((written) => {
    const chart = chartOf(delivery, of, written);
    const isNamed = textOf(written.value.get('chart')) !== '';
    const source = chart === undefined || isNamed ? written : withOverrides(delivery, app, written, chart);
    if (chart === undefined || !source) return [];
    const helm = source.value.get('helm');
    const field = (key: string) => textOf(isMap(helm) ? helm.get(key) : undefined);
    const release = { name: field('releaseName') || name, namespace: field('namespace') || namespace || 'default' };
    const layers = isMap(helm) ? layersOf({ delivery, of, chart, sources, helm, source }) : [];
    const own = written.value.get('helm');
    const at = ['valuesObject', 'values'].find((key) => isMap(own) && own.has(key));
    const skipsSchema = isMap(helm) && helm.get('skipSchemaValidation') === true;
    const cluster = isMap(helm) ? clusterIn(helm) : {};
    return [
      {
        ...{ by: of, chart, release, cluster, layers, skipsSchema, rendersAlone: true },
        at: at ? [...source.path, 'helm', at] : source.path,
      },
    ];
  });
}

/** What Argo CD tells Helm of the cluster; otherwise it asks that. */
function clusterIn(helm: ValueMap): SaidCluster {
  const [kubeVersion, list] = [textOf(helm.get('kubeVersion')), helm.get('apiVersions')];
  const apiVersions = isList(list) ? list.filter(isString) : [];
  return { ...(/^v?\d+\.\d+/.test(kubeVersion) && { kubeVersion }), ...(apiVersions.length > 0 && { apiVersions }) };
}

function textOf(value: Value | undefined): string {
  return isString(value) ? value : '';
}

export function sourcesOf({ manifest }: Delivered, spec: Path): readonly Source[] {
  const at = (...path: Path): readonly Source[] => {
    const value = valueAt(manifest.value, [...spec, ...path]);
    return isMap(value) ? [{ value, path: [...spec, ...path] }] : [];
  };
  // What is written to another branch, and applied from there, is made of this.
  const dry = at('sourceHydrator', 'drySource');
  if (dry.length > 0) return dry;
  const several = valueAt(manifest.value, [...spec, 'sources']);
  return isList(several) && several.length > 0 ? several.flatMap((_, i) => at('sources', i)) : at('source');
}

/** The folder of this repository that a source names. */
export function folderOfSource(delivery: Delivery, of: Delivered, { value }: Source): string | undefined {
  const [path, url] = ['path', 'repoURL'].map((key) => textOf(value.get(key)));
  const folder = repositoryOf(delivery, of.uri)?.folder;
  return path && folder !== undefined && isThisAddress(delivery, of, url!) ? resolve(folder, path) : undefined;
}

/** The same, where it is no other state of the repository that is meant. */
export function folderHere(delivery: Delivery, of: Delivered, source: Source): string | undefined {
  return isPinned(textOf(source.value.get('targetRevision'))) ? undefined : folderOfSource(delivery, of, source);
}

function chartOf(delivery: Delivery, of: Delivered, source: Source): string | undefined {
  const { value } = source;
  const chart = textOf(value.get('chart'));
  if (chart) return chartNamed(delivery, chart, textOf(value.get('targetRevision')));
  const folder = value.has('plugin') ? undefined : folderHere(delivery, of, source);
  return folder === undefined ? undefined : chartAt(delivery, folder);
}

interface HelmAt {
  readonly delivery: Delivery;
  readonly of: Delivered;
  readonly chart: string;
  readonly sources: readonly Source[];
  readonly helm: ValueMap;
  readonly source: Source;
}

/** Files, then what is written in the object, then single values, as Argo CD gives them to Helm. */
function layersOf(at: HelmAt): Layer[] {
  const { helm } = at;
  const own: Layer[] = isMap(helm.get('valuesObject'))
    ? [valuesObject(at)]
    : isString(helm.get('values'))
      ? [{ kind: 'text', ...placeOf(at, ['values']) }]
      : [];
  const parameters = itemsOf(helm, 'parameters');
  const isText = ({ item }: ItemAt) => item.get('forceString') === true;
  return [
    ...filesIn(at),
    ...own,
    ...parameters.filter((one) => !isText(one)).map((one) => parameter(at, one, 'argo')),
    ...parameters.filter(isText).map((one) => parameter(at, one, 'argoText')),
    ...itemsOf(helm, 'fileParameters').map((one) => fileParameter(at, one)),
  ];
}

function placeOf({ source, of }: HelmAt, path: Path) {
  return writtenAt(source, of, ['helm', ...path]);
}

/** What is written in the object, with what files say over it. */
function valuesObject({ source, of }: HelmAt): Layer {
  const path = ['helm', 'valuesObject'];
  const over = (source.over ?? []).filter(({ manifest }) => isMap(valueAt(manifest.value, path)));
  return { kind: 'map', of, path: [...source.path, ...path], over: over.map((file) => ({ of: file, path })) };
}

interface ItemAt {
  readonly item: ValueMap;
  readonly index: number;
}

function itemsOf(helm: ValueMap, key: string): readonly ItemAt[] {
  const list = helm.get(key);
  return isList(list) ? list.flatMap((item, index) => (isMap(item) ? [{ item, index }] : [])) : [];
}

function filesIn(at: HelmAt): readonly Layer[] {
  const files = at.helm.get('valueFiles');
  const isOptional = at.helm.get('ignoreMissingValueFiles') === true;
  return (isList(files) ? files : []).filter(isString).map((file): Layer => {
    const uri = fileAt(at, file);
    return uri === undefined ? { kind: 'unknown', what: file } : { kind: 'file', uri, isOptional };
  });
}

/** The address of a file that is named: relative to the chart, from the top of the repository, or of another source. */
function fileAt({ delivery, of, chart, sources }: HelmAt, file: string): string | undefined {
  const repository = repositoryOf(delivery, of.uri)?.folder;
  if (repository === undefined || /^[a-z][a-z0-9+.-]*:|[*?[]/i.test(file)) return undefined;
  const [, ref, rest] = /^\$([\w.-]+)\/(.+)$/.exec(file) ?? [];
  if (ref !== undefined) {
    const source = sources.find(({ value }) => value.get('ref') === ref);
    const field = (key: string) => textOf(source?.value.get(key));
    const isHere = source && isThisAddress(delivery, of, field('repoURL')) && !isPinned(field('targetRevision'));
    return isHere ? resolve(repository, rest!) : undefined;
  }
  if (file.includes('$')) return undefined;
  return file.startsWith('/') ? resolve(repository, file) : resolve(chart, file);
}

function parameter(at: HelmAt, { item, index }: ItemAt, as: 'argo' | 'argoText'): Layer {
  const [name, value] = [textOf(item.get('name')), item.get('value')];
  // Argo CD fills in variables of its own here.
  if (!isString(value) || value.includes('$')) return { kind: 'unknown', what: `\`${name}\``, name };
  return { kind: 'set', name, ...placeOf(at, ['parameters', index, 'value']), as };
}

function fileParameter(at: HelmAt, { item }: ItemAt): Layer {
  const [name, file] = [textOf(item.get('name')), textOf(item.get('path'))];
  const uri = fileAt(at, file);
  return uri === undefined ? { kind: 'unknown', what: file, name } : { kind: 'setFile', name, uri };
}
