/** What applies a file to a cluster, and what applies that. */
import { memo } from '../../base/memo.ts';
import { isList, type Path, valueAt } from '../../base/value.ts';
import type { Snapshot } from '../snapshot.ts';
import { folderOf, isInside, resolve } from '../uri.ts';
import { appliedFolders } from './filled.ts';
import { type Delivery, deliveryOf, repositoryOf } from './index.ts';
import { isAppliedWith, kustomizationIn, type Resources } from './kustomizations.ts';
import { type Delivered, textIn } from './objects.ts';
import { isThisAddress } from './sources.ts';

/** A folder that an object applies, and where it says so. */
export interface Applies {
  readonly by: Delivered;
  readonly folder: string;
  readonly path: Path;
  covers(resources: Resources, uri: string): boolean;
}

const allApplies = memo((delivery: Delivery): readonly Applies[] => {
  const byFlux = appliedFolders(delivery).map(({ by, folder }): Applies => {
    return { by, folder, path: ['spec', 'path'], covers: (resources, uri) => isAppliedWith(resources, folder, uri) };
  });
  return [...byFlux, ...delivery.objects.flatMap((one) => byArgo(delivery, one))];
});

function byArgo(delivery: Delivery, one: Delivered): readonly Applies[] {
  if (one.kind !== 'Application') return [];
  const several = valueAt(one.manifest.value, ['spec', 'sources']);
  const paths: Path[] = isList(several) ? several.map((_, i) => ['spec', 'sources', i]) : [['spec', 'source']];
  return paths.flatMap((at) => {
    const path = textIn(one, ...at, 'path');
    const repository = repositoryOf(delivery, one.uri)?.folder;
    const isHere = isThisAddress(delivery, one, textIn(one, ...at, 'repoURL'));
    if (path === '' || repository === undefined || !isHere) return [];
    const folder = resolve(repository, path);
    const recurses = valueAt(one.manifest.value, [...at, 'directory', 'recurse']) === true;
    const covers = (resources: Resources, uri: string) => isInArgo(delivery, resources, { folder, recurses }, uri);
    return [{ by: one, folder, path: [...at, 'path'], covers }];
  });
}

/** Argo CD takes a folder for a chart, or for a kustomization, or else its files. */
function isInArgo(
  { disk }: Delivery,
  resources: Resources,
  { folder, recurses }: { readonly folder: string; readonly recurses: boolean },
  uri: string,
): boolean {
  if (disk.charts.has(folder)) return isInside(uri, folder);
  if (kustomizationIn(resources, folder) !== undefined) return isAppliedWith(resources, folder, uri);
  return recurses ? isInside(uri, folder) : folderOf(uri) === folder;
}

/** What applies a file; nothing of what only holds files of settings. */
export function appliersOf(snapshot: Snapshot, uri: string): readonly Applies[] {
  return appliersIn(deliveryOf(snapshot), snapshot.resources, uri);
}

const appliersIn = memo((delivery: Delivery, resources: Resources, uri: string): readonly Applies[] =>
  allApplies(delivery).filter((one) => one.covers(resources, uri)),
);

/** Objects above each other. */
const mostParents = 10;

/** An applier with what applies that, and so on, the nearest first. */
export function withParents(snapshot: Snapshot, first: Applies): readonly Applies[] {
  const chain = [first];
  for (let at: Applies | undefined = first; at && chain.length <= mostParents; ) {
    const next: Applies | undefined = appliersOf(snapshot, at.by.uri).find(
      (one) => !chain.some(({ by }) => by === one.by),
    );
    if (next) chain.push(next);
    at = next;
  }
  return chain;
}

/** What an object applies: by the path in it that names a folder. */
export function appliedAt(snapshot: Snapshot, uri: string, path: Path, name: string): Applies | undefined {
  const same = (one: Applies) => one.path.length === path.length && one.path.every((step, i) => step === path[i]);
  return allApplies(deliveryOf(snapshot)).find((one) => one.by.uri === uri && one.by.name === name && same(one));
}

/** The files that are known to be applied with a folder: its kustomization, and what that leads to. */
export function filesAppliedBy({ resources, delivery }: Snapshot, { folder, covers }: Applies): readonly string[] {
  const own = kustomizationIn(resources, folder);
  const listed = [...resources.values()].flat().filter((uri) => covers(resources, uri));
  const chart = delivery.charts.has(folder) ? [`${folder}/Chart.yaml`] : [];
  const holding = [...delivery.files.keys()].filter((uri) => covers(resources, uri));
  return [...new Set([...(own === undefined ? [] : [own]), ...chart, ...listed, ...holding])].filter(isFile);
}

function isFile(uri: string): boolean {
  return /\.[a-z]+$/i.test(uri) || uri.endsWith('/Kustomization');
}
