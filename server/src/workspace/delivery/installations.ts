/** Repositories in which several clusters are described beside each other, each with CRDs of its own. */
import { memo } from '../../base/memo.ts';
import { isList, isString, type Path, valueAt } from '../../base/value.ts';
import { type Definition, definitionsFor } from '../definitions.ts';
import { rootsOf } from '../kustomizations/graph.ts';
import type { Manifest } from '../manifest.ts';
import type { Snapshot } from '../snapshot.ts';
import { mayHold } from '../sources/library.ts';
import { decode, isInside, isOfOperator, nearness } from '../uri.ts';
import { appliersOf } from './appliers.ts';
import { type Delivery, deliveryOf } from './index.ts';
import type { Delivered } from './objects.ts';

/** The definitions that an object is judged by: those of its kind, but for the CRDs of another installation. */
export function judgingDefinitions(
  snapshot: Snapshot,
  manifest: Pick<Manifest, 'apiVersion' | 'kind'>,
  uri: string,
): readonly Definition[] {
  const all = definitionsFor(snapshot.definitions, manifest, uri);
  if (all.some(({ file }) => isOfOperator(file.uri))) return all;
  const own = all.filter((one) => !isOfOther(snapshot, one, uri));
  return own.length < all.length ? own : all;
}

/**
 * Whether a CRD is of another installation than an object. The folder that the object is in, beside that of the CRD, installs
 * the chart that brings CRDs of the group, in whatever release that is; and nothing takes the CRD there, nor applies it from
 * elsewhere. A folder of CRDs alone is there for what is beside it, and a chart that is here is what is developed here.
 */
function isOfOther(snapshot: Snapshot, { file, group }: Definition, uri: string): boolean {
  if (file.origin !== undefined || snapshot.delivery.files.size === 0) return false;
  const shared = nearness(file.uri, uri);
  const [own, other] = [uri, file.uri].map((one) => one.split('/').slice(0, shared + 1));
  const folder = own!.join('/');
  if (folder === uri || other!.join('/') === file.uri || /crd/i.test(decode(other!.at(-1)!))) return false;
  if (!installersOf(deliveryOf(snapshot), group).some((one) => isInside(one, folder))) return false;
  const takes = rootsOf(snapshot.kustomizations, file.uri).some((root) => isInside(root, folder) || root === folder);
  return !takes && appliersOf(snapshot, file.uri).length === 0;
}

/**
 * The files with what installs a chart that may bring a group's CRDs. Where one of those charts is here, what else is called
 * after the group, as its proxy is, brings none.
 */
const installersOf = memo((delivery: Delivery, group: string): readonly string[] => {
  const here = new Set([...delivery.disk.charts.values()].map(({ name }) => name));
  const isHere = (chart: string) => here.has(chart.slice(chart.lastIndexOf('/') + 1));
  const installing = delivery.objects.flatMap((one) => {
    const charts = chartsOf(one).filter((chart) => mayHold(chart, group));
    return charts.length > 0 ? [{ uri: one.uri, charts }] : [];
  });
  const isDeveloped = installing.some(({ charts }) => charts.some(isHere));
  return isDeveloped ? [] : installing.map(({ uri }) => uri);
});

/** Where an object names a chart, by itself or by an address that ends with it. */
const chartPaths: readonly Path[] = [
  ['spec', 'chart', 'spec', 'chart'],
  ['spec', 'chart'],
  ['spec', 'url'],
  ['spec', 'source', 'chart'],
  ['spec', 'template', 'spec', 'source', 'chart'],
  ['chart'],
];

function chartsOf({ manifest: { value }, kind }: Delivered): readonly string[] {
  if (kind === 'GitRepository' || kind === 'HelmRepository') return [];
  const lists = [
    ['spec', 'sources'],
    ['spec', 'template', 'spec', 'sources'],
  ].flatMap((path) => valueAt(value, path) ?? []);
  const inLists = lists.flatMap((one) => (isList(one) ? one.map((item) => valueAt(item, ['chart'])) : []));
  return [...chartPaths.map((path) => valueAt(value, path)), ...inLists].filter(isString);
}
