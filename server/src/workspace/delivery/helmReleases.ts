/** Flux's HelmReleases: which chart of the workspace they install, and with which values. */
import { memo } from '../../base/memo.ts';
import { isList, isMap, isString, type Value, valueAt } from '../../base/value.ts';
import { resolve } from '../uri.ts';
import { chartAt, chartNamed } from './chartsHere.ts';
import type { ChartUse, Layer } from './chartUse.ts';
import { type Delivery, objectNamed, repositoryOf } from './index.ts';
import { type Delivered, textIn } from './objects.ts';
import { patchesIn } from './patches.ts';
import { releaseName } from './releaseName.ts';
import { isThisRepository } from './sources.ts';
import { isEncrypted, pathOfKey } from './texts.ts';

/** The chart that an object names, and the source that it is in. */
interface ChartRef {
  readonly chart: string;
  readonly version: string;
  readonly source: Delivered | undefined;
  readonly sourceKind: string;
  readonly valuesFiles: readonly string[];
  readonly ignoresMissing: boolean;
}

export function useOfRelease(delivery: Delivery, one: Delivered): ChartUse | undefined {
  const ref = refOf(delivery, one);
  const chart = ref && chartOf(delivery, one, ref);
  if (!ref || chart === undefined) return undefined;
  const defaults = defaultsOf(delivery, one, ref, chart);
  return {
    ...{ by: one, chart, release: releaseOf(one), skipsSchema: skipsSchema(one), at: ['spec', 'values'] },
    ...(defaults && { defaults }),
    ...layersOfRelease(delivery, one),
  };
}

/** The values that a release gives, in the order in which Flux lays them over each other. */
export function layersOfRelease(delivery: Delivery, one: Delivered): Pick<ChartUse, 'layers' | 'own'> {
  const layers = [...refsOf(delivery, one), ...patchesOf(delivery, one), ...changedLater(one)];
  return { layers, own: { kind: 'map', of: one, path: ['spec', 'values'] } };
}

function releaseOf(one: Delivered): ChartUse['release'] {
  const target = textIn(one, 'spec', 'targetNamespace');
  const named = textIn(one, 'spec', 'releaseName');
  const name = named || (target === '' ? one.name : `${target}-${one.name}`);
  return { name: releaseName(name), namespace: target || one.namespace || 'default' };
}

function refOf(delivery: Delivery, one: Delivered): ChartRef | undefined {
  const kind = textIn(one, 'spec', 'chartRef', 'kind');
  if (kind === '') return templateOf(delivery, one, ['spec', 'chart', 'spec']);
  const name = textIn(one, 'spec', 'chartRef', 'name');
  const namespace = textIn(one, 'spec', 'chartRef', 'namespace') || one.namespace;
  const source = objectNamed(delivery, one, kind, name, namespace);
  if (!source) return undefined;
  if (kind === 'HelmChart') return templateOf(delivery, source, ['spec']);
  return kind === 'OCIRepository' ? { ...none, ...chartOfRegistry(source), source, sourceKind: kind } : undefined;
}

const none = { valuesFiles: [], ignoresMissing: false };

/** Of a registry, the last part of the address is the chart's name. */
function chartOfRegistry(source: Delivered): { chart: string; version: string } {
  const url = textIn(source, 'spec', 'url');
  return {
    chart: url.slice(url.lastIndexOf('/') + 1),
    version: textIn(source, 'spec', 'ref', 'semver') || textIn(source, 'spec', 'ref', 'tag'),
  };
}

function templateOf(delivery: Delivery, one: Delivered, path: readonly string[]): ChartRef | undefined {
  const chart = textIn(one, ...path, 'chart');
  const sourceKind = textIn(one, ...path, 'sourceRef', 'kind');
  if (chart === '' || sourceKind === '') return undefined;
  const namespace = textIn(one, ...path, 'sourceRef', 'namespace') || one.namespace;
  const name = textIn(one, ...path, 'sourceRef', 'name');
  const files = valueAt(one.manifest.value, [...path, 'valuesFiles']);
  return {
    ...{ chart, version: textIn(one, ...path, 'version'), sourceKind },
    source: objectNamed(delivery, one, sourceKind, name, namespace),
    valuesFiles: isList(files) ? files.filter(isString) : [],
    ignoresMissing: valueAt(one.manifest.value, [...path, 'ignoreMissingValuesFiles']) === true,
  };
}

function chartOf(delivery: Delivery, one: Delivered, ref: ChartRef): string | undefined {
  if (ref.sourceKind !== 'GitRepository' && ref.sourceKind !== 'Bucket')
    return chartNamed(delivery, ref.chart, ref.version);
  const folder = isThisRepository(delivery, one, ref.source) ? repositoryOf(delivery, one.uri)?.folder : undefined;
  return folder === undefined ? undefined : chartAt(delivery, resolve(folder, ref.chart));
}

/** Files that are named here take the place of the chart's own; of those in the chart, paths begin at its folder. */
function defaultsOf(delivery: Delivery, one: Delivered, ref: ChartRef, chart: string): readonly Layer[] | undefined {
  const { valuesFiles } = ref;
  const isOwn = valuesFiles.length === 1 && /^(?:\.\/)*values\.yaml$/.test(valuesFiles[0]!);
  if (valuesFiles.length === 0 || isOwn) return undefined;
  const isInGit = ref.sourceKind === 'GitRepository' || ref.sourceKind === 'Bucket';
  const folder = isInGit ? repositoryOf(delivery, one.uri)!.folder : chart;
  return valuesFiles.map((file) => ({ kind: 'file', uri: resolve(folder, file), isOptional: ref.ignoresMissing }));
}

/** What comes of the chart is changed before it is applied: what is wrong with it may be right then. */
function changedLater({ manifest }: Delivered): Layer[] {
  const changes = valueAt(manifest.value, ['spec', 'postRenderers']) !== undefined;
  return changes ? [{ kind: 'unknown', what: '`postRenderers`', name: '' }] : [];
}

function skipsSchema({ manifest }: Delivered): boolean {
  const steps = ['install', 'upgrade'];
  return steps.some((step) => valueAt(manifest.value, ['spec', step, 'disableSchemaValidation']) === true);
}

function refsOf(delivery: Delivery, one: Delivered): Layer[] {
  const all = valueAt(one.manifest.value, ['spec', 'valuesFrom']);
  return isList(all) ? all.flatMap((ref) => layerOf(delivery, one, ref)) : [];
}

function layerOf(delivery: Delivery, one: Delivered, ref: Value): Layer[] {
  const field = (key: string) => {
    const value = isMap(ref) ? ref.get(key) : undefined;
    return isString(value) ? value : '';
  };
  const [kind, name, target] = [field('kind'), field('name'), field('targetPath')];
  const key = field('valuesKey') || 'values.yaml';
  const unknown: Layer = { kind: 'unknown', what: `${kind} ${name}`, ...(target !== '' && { name: target }) };
  const source = kind === 'ConfigMap' || kind === 'Secret' ? objectNamed(delivery, one, kind, name) : undefined;
  if (!source || isEncrypted(source)) return [unknown];
  const isOptional = isMap(ref) && ref.get('optional') === true;
  const asked = `could not resolve${isOptional ? ' optional' : ''} ${kind} chart values reference '${one.namespace}/${name}' with key '${key}'`;
  const path = pathOfKey(source, key);
  if (!path) return isOptional ? [] : [{ kind: 'error', message: `${asked}: key not found` }];
  if (isEncrypted(source, path)) return [unknown];
  const isLiteral = isMap(ref) && ref.get('literal') === true;
  if (target === '') return [{ kind: 'text', of: source, path, asked }];
  return [{ kind: 'set', name: target, of: source, path, as: isLiteral ? 'literal' : 'flux', asked }];
}

/** What changes a release on the way to the cluster, as patches of kustomizations do: nobody knows which values are left. */
function patchesOf(delivery: Delivery, one: Delivered): Layer[] {
  const others = delivery.byName.get(`${one.kind}/${one.name}`) ?? [];
  const isPatched = others.some((other) => other !== one && !hasChart(other) && hasValues(other));
  const inPatches = patchesOfReleases(delivery).some((text) => text.includes(one.name) || !/\bname:/.test(text));
  return isPatched || inPatches ? [{ kind: 'unknown', what: 'a patch' }] : [];
}

function hasChart({ manifest }: Delivered): boolean {
  return ['chart', 'chartRef'].some((key) => valueAt(manifest.value, ['spec', key]) !== undefined);
}

function hasValues({ manifest }: Delivered): boolean {
  return ['values', 'valuesFrom'].some((key) => valueAt(manifest.value, ['spec', key]) !== undefined);
}

/** The patches of kustomizations that may change values of releases: they speak of them. */
const patchesOfReleases = memo((delivery: Delivery): readonly string[] => {
  return patchesIn(delivery).filter((text) => text.includes('HelmRelease') && /\bvalues(?:From)?\b/.test(text));
});
