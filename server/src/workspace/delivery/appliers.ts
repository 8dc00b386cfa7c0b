/** What applies a file to a cluster, and what applies that. */
import { memo } from '../../base/memo.ts';
import { isString, type Path, type ValueMap, valueAt } from '../../base/value.ts';
import { flatPattern } from '../../gostd/patterns.ts';
import type { Snapshot } from '../snapshot.ts';
import { isInside } from '../uri.ts';
import { applicationsOf } from './applicationSets.ts';
import { folderOfSource, sourcesOf } from './applications.ts';
import { appliedFolders } from './filled.ts';
import { type Delivery, deliveryOf } from './index.ts';
import { isAppliedWith, kustomizationIn, type Resources } from './kustomizations.ts';
import type { Delivered } from './objects.ts';
import { withOverrides } from './sourceOverrides.ts';

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
  return applicationsOf(delivery, one).flatMap((app) => {
    const { of, spec } = app;
    return sourcesOf(of, spec).flatMap((written) => {
      const folder = folderOfSource(delivery, of, written);
      if (folder === undefined) return [];
      const source = withOverrides(delivery, app, written, folder) ?? written;
      const taken: ArgoFolder = { folder, takes: filesTaken(source.value) };
      const covers = (resources: Resources, uri: string) => isInArgo(delivery, resources, taken, uri);
      return [{ by: of, folder, path: [...source.path, 'path'], covers }];
    });
  });
}

interface ArgoFolder {
  readonly folder: string;
  /** Whether a file of it is one of its manifests, by its path in it. */
  readonly takes: (path: string) => boolean;
}

function filesTaken(source: ValueMap): ArgoFolder['takes'] {
  const of = (key: string) => valueAt(source, ['directory', key]);
  const [include, exclude] = ['include', 'exclude'].map((key) => {
    const pattern = of(key);
    return isString(pattern) && pattern !== '' ? flatPattern(pattern) : undefined;
  });
  const recurses = of('recurse') === true;
  return (path) => (recurses || !path.includes('/')) && !exclude?.(path) && (include?.(path) ?? true);
}

/** Argo CD takes a folder for a chart, or for a kustomization, or else its files. */
function isInArgo({ disk }: Delivery, resources: Resources, { folder, takes }: ArgoFolder, uri: string): boolean {
  if (disk.charts.has(folder)) return isInside(uri, folder);
  if (kustomizationIn(resources, folder) !== undefined) return isAppliedWith(resources, folder, uri);
  return isInside(uri, folder) && takes(uri.slice(folder.length + 1));
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
