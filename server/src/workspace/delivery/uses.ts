/** Who uses which chart of the workspace, with which values. */
import { memo } from '../../base/memo.ts';
import { counted } from '../../base/text.ts';
import { equalValues, type Value } from '../../base/value.ts';
import type { ChartFile } from '../../helm/chart.ts';
import { plainOf } from '../../template/plainValue.ts';
import { type GivenToChart, nothingGiven } from '../charts/chartFolder.ts';
import type { ValueSet } from '../charts/valueSets.ts';
import type { Files } from '../files.ts';
import { defaultLimits } from '../limits.ts';
import { textOf } from '../scan.ts';
import { fileAt, type Snapshot } from '../snapshot.ts';
import type { SourceFile } from '../sourceFile.ts';
import { baseName, isInside } from '../uri.ts';
import { applicationsOf, madeOfSet } from './applicationSets.ts';
import { usesOfApplication } from './applications.ts';
import { hasCharts } from './chartsHere.ts';
import { type ChartUse, filesOf } from './chartUse.ts';
import { asApplied } from './filled.ts';
import { givenBy } from './given.ts';
import { useOfHelmfile } from './helmfiles.ts';
import { useOfRelease } from './helmReleases.ts';
import { type Delivery, deliveryOf, repositoryOf } from './index.ts';
import type { Resources } from './kustomizations.ts';
import type { Delivered } from './objects.ts';
import { templatePatch } from './setPatch.ts';

/** Those who use one chart, of whom each is rendered. */
const mostUses = 30;

/** What reads the objects of a kind. */
type Reader = (delivery: Delivery, one: Delivered) => readonly ChartUse[];

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['HelmRelease', (delivery, one) => listOf(useOfRelease(delivery, one))],
  ['Application', usesOfApplications],
  ['ApplicationSet', usesOfApplications],
  ['helmfile release', (delivery, one) => listOf(useOfHelmfile(delivery, one))],
]);

/** Generators of ApplicationSets that are left out, in one line, where charts are here that those may install. */
export function generatorsLeftOut(snapshot: Snapshot): readonly string[] {
  const delivery = deliveryOf(snapshot);
  const sets = hasCharts(delivery.disk) ? delivery.objects.filter(({ kind }) => kind === 'ApplicationSet') : [];
  const left = sets.map((one) => madeOfSet(delivery, one).leftOut).filter((kinds) => kinds.length > 0);
  if (left.length === 0) return [];
  const all = [...new Set(left.flat())].sort();
  const kinds = all.filter((one) => one !== templatePatch);
  const named = [...kinds.slice(0, mostNamed), ...(kinds.length > mostNamed ? ['…'] : [])].join(', ');
  const what = [
    ...(kinds.length > 0 ? [`generators ${named}`] : []),
    ...(all.length > kinds.length ? ['patches of the template'] : []),
  ];
  return [
    `what ${counted(left.length, 'ApplicationSet')} may install is not known: ${what.join(' and ')} are left out`,
  ];
}

/** Generators that are named in a line. */
const mostNamed = 5;

function usesOfApplications(delivery: Delivery, one: Delivered): readonly ChartUse[] {
  return applicationsOf(delivery, one).flatMap((app) => usesOfApplication(delivery, app));
}

function listOf(use: ChartUse | undefined): readonly ChartUse[] {
  return use ? [use] : [];
}

/** All uses of charts that are here, by objects as they are once their variables are filled in. */
export function usesIn(snapshot: Snapshot): readonly ChartUse[] {
  return allUses(deliveryOf(snapshot), snapshot.resources);
}

const allUses = memo((delivery: Delivery, resources: Resources) =>
  !hasCharts(delivery.disk)
    ? []
    : delivery.objects.flatMap((one) => readers.get(one.kind)?.(delivery, asApplied(delivery, resources, one)) ?? []),
);

export function usesOfChart(snapshot: Snapshot, root: string): readonly ChartUse[] {
  return usesIn(snapshot).filter(({ chart }) => chart === root);
}

/** The charts that the objects of a file use. */
export function chartsUsedIn(snapshot: Snapshot, uri: string): readonly string[] {
  const uses = usesIn(snapshot).filter((use) => use.by.uri === uri || filesOf(use).includes(uri));
  return [...new Set(uses.map(({ chart }) => chart))];
}

/** Files of values that were read, by their addresses; nothing for those that are not there. */
export type ReadValues = ReadonlyMap<string, ChartFile | undefined>;

/** What those who use a chart give it; the same as before as long as nothing of it has changed. */
export function givenTo(snapshot: Snapshot, root: string, read: ReadValues, before: GivenToChart): GivenToChart {
  const uses = usesOfChart(snapshot, root).slice(0, mostUses);
  if (uses.length === 0) return nothingGiven;
  const all = uses.map((use) => givenBy(use, (uri) => fileOf(snapshot, uri, read)));
  const files = new Map(all.flatMap((one) => one.files).map((file) => [file.id, file]));
  const sets = all.map(({ set }) => set);
  return isSame(before, sets, files) ? before : { sets, files: [...files.values()] };
}

function fileOf(snapshot: Snapshot, uri: string, read: ReadValues): ChartFile | undefined {
  const open = fileAt(snapshot, uri);
  return open ? valuesFile(open) : read.get(uri);
}

const valuesFile = memo((file: SourceFile): ChartFile => ({ path: baseName(file.uri), id: file.uri, text: file.text }));

/** The files of values that the uses of a chart name, outside of it as well. */
export async function readNamed(files: Files, snapshot: Snapshot, root: string): Promise<ReadValues> {
  const found = new Map<string, ChartFile | undefined>();
  for (const use of usesOfChart(snapshot, root).slice(0, mostUses)) {
    const folder = repositoryOf(deliveryOf(snapshot), use.by.uri)?.folder;
    for (const uri of filesOf(use)) {
      if (found.has(uri)) continue;
      // What objects name is in their repository, links followed.
      const isHere = folder !== undefined && isInside(uri, folder) && (await files.isInside(uri, folder));
      const text = isHere ? textOf(await files.read(uri, defaultLimits.fileBytes)) : undefined;
      found.set(uri, text === undefined ? undefined : { path: baseName(uri), id: uri, text });
    }
  }
  return found;
}

/** A snapshot in which the charts are given what is said now. */
export function withGiven(snapshot: Snapshot): Snapshot {
  let { charts } = snapshot;
  for (const [root, folder] of charts) {
    const next = folder.withGiven(givenTo(snapshot, root, folder.read.named ?? new Map(), folder.given));
    if (next !== folder) charts = new Map(charts).set(root, next);
  }
  return charts === snapshot.charts ? snapshot : { ...snapshot, charts };
}

/** Whether the same texts say the same. */
function isSame(before: GivenToChart, sets: readonly ValueSet[], files: ReadonlyMap<string, ChartFile>): boolean {
  return (
    before.sets.length === sets.length &&
    before.sets.every((set, i) => saysSame(set, sets[i]!)) &&
    before.files.length === files.size &&
    before.files.every((file) => files.get(file.id)?.text === file.text)
  );
}

function saysSame(a: ValueSet, b: ValueSet): boolean {
  // What a template was filled in with is in no text.
  return a.name === b.name && wordsOf(a) === wordsOf(b) && equalValues(valueOf(a), valueOf(b));
}

function wordsOf({ use }: ValueSet): string {
  return JSON.stringify([use?.release, use?.cluster, use?.unknown, use?.at]);
}

function valueOf({ given }: ValueSet): Value {
  return given ? plainOf(given) : null;
}
