/** What Flux builds: folders of the workspace, each with what a Kustomization of Flux adds to it. */
import { memo } from '../../base/memo.ts';
import { isMap, valueAt } from '../../base/value.ts';
import { type Addition, type FluxSpec, fluxSpecOf } from '../../kustomize/build.ts';
import { appliedFolders } from '../delivery/filled.ts';
import type { Filling } from '../delivery/filling.ts';
import type { Delivery } from '../delivery/index.ts';
import type { Delivered } from '../delivery/objects.ts';
import { placedIn } from '../sourceFile.ts';
import { resolve } from '../uri.ts';
import { type KustomizationGraph, kustomizationIn } from './graph.ts';
import { pathOf } from './paths.ts';

/** Kustomizations of Flux that apply one folder. */
const mostOfFolder = 30;

export interface FluxBuild {
  /** What the build is called: the folder alone, where nothing is added. */
  readonly root: string;
  readonly folder: string;
  readonly by: Delivered;
  readonly filling: Filling | undefined;
  readonly addition: Addition | undefined;
  /** Folders of components that it adds. */
  readonly components: readonly string[];
}

export interface FluxBuilds {
  readonly byRoot: ReadonlyMap<string, FluxBuild>;
  readonly byFolder: ReadonlyMap<string, readonly FluxBuild[]>;
  readonly byComponent: ReadonlyMap<string, readonly FluxBuild[]>;
  /** By the file that the Kustomization is in. */
  readonly byFile: ReadonlyMap<string, readonly FluxBuild[]>;
  /** Of folders that have no kustomization. */
  readonly generated: readonly FluxBuild[];
}

export const fluxBuildsIn = memo((delivery: Delivery, graph: KustomizationGraph): FluxBuilds => {
  const all = appliedFolders(delivery).flatMap(({ folder, by, filling }) => {
    const hasOwn = kustomizationIn(graph, folder) !== undefined;
    const addition = additionOf(delivery, by);
    const adds = addition !== undefined && Object.keys(addition.spec).length > 0;
    if (!hasOwn && !adds) return [];
    const isPlain = addition === undefined || (!adds && !filling);
    const root = isPlain ? folder : `${folder}#${by.uri}#${addition.name}`;
    const components = (addition?.spec.components ?? []).map((path) => resolve(folder, path));
    return [{ root, folder, by, hasOwn, components, ...(isPlain ? nothingAdded : { filling, addition }) }];
  });
  const byFolder = grouped(all, ({ folder, hasOwn }) => (hasOwn ? [folder] : []));
  const kept = [...byFolder.values()].flat();
  const generated = all.filter(({ hasOwn }) => !hasOwn).slice(0, mostOfFolder);
  const both = [...kept, ...generated];
  return {
    byRoot: new Map(both.map((one) => [one.root, one])),
    byFolder,
    byComponent: grouped(both, ({ components }) => components),
    byFile: grouped(both, ({ by }) => [by.uri]),
    generated,
  };
});

const nothingAdded = { filling: undefined, addition: undefined };

function grouped<T>(all: readonly T[], keysOf: (one: T) => readonly string[]): ReadonlyMap<string, readonly T[]> {
  const found = new Map<string, T[]>();
  for (const one of all) {
    for (const key of keysOf(one)) {
      const known = found.get(key);
      if (!known) found.set(key, [one]);
      else if (known.length < mostOfFolder) known.push(one);
    }
  }
  return found;
}

/** What a Kustomization adds; undefined where its spec is not one that Flux would take. */
export function additionOf(delivery: Delivery, one: Delivered): Addition | undefined {
  const file = fileNamed(delivery).get(one.uri);
  const start = file && placedIn(file, one.manifest.document)?.start;
  return start === undefined ? undefined : additionAt(one, start);
}

const fileNamed = memo(({ files }: Delivery) => new Map(files.map((file) => [file.uri, file])));

const additionAt = memo((one: Delivered, start: number): Addition | undefined => {
  const { document, at, value } = one.manifest;
  const found = valueAt(value, ['spec']);
  const spec: FluxSpec | undefined = isMap(found) ? fluxSpecOf(found) : undefined;
  const name = `${one.namespace}/${one.name}`;
  return spec && { name, file: pathOf(one.uri), document, start, at: [...at, 'spec'], spec };
});
