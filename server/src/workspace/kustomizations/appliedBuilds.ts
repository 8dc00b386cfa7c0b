/** What Flux and Argo CD build: folders of the workspace, each with what the object that applies it adds. */
import { memo } from '../../base/memo.ts';
import { equalValues, isMap, isString, type Path, unknownMark, type ValueMap, valueAt } from '../../base/value.ts';
import { goPattern } from '../../gostd/patterns.ts';
import {
  type Addition,
  type ArgoAddition,
  argoSpecOf,
  type FluxSpec,
  fluxSpecOf,
  type SpecAt,
} from '../../kustomize/build.ts';
import type { YamlDocument } from '../../yaml/parse.ts';
import type { AppAt, Source } from '../delivery/appAt.ts';
import { applicationsOf, openApplicationsOf } from '../delivery/applicationSets.ts';
import { folderHere, sourcesOf } from '../delivery/applications.ts';
import { appliedFolders } from '../delivery/filled.ts';
import type { Filling } from '../delivery/filling.ts';
import type { Delivery } from '../delivery/index.ts';
import { type Delivered, nameOfDelivered } from '../delivery/objects.ts';
import { withOverrides } from '../delivery/sourceOverrides.ts';
import { placedIn } from '../sourceFile.ts';
import { folderOf, isInside, resolve } from '../uri.ts';
import { type KustomizationGraph, kustomizationIn } from './graph.ts';
import { pathOf } from './paths.ts';

/** Objects that apply one folder. */
const mostOfFolder = 30;

export interface AppliedBuild {
  /** What the build is called: the folder alone, where nothing is added. */
  readonly root: string;
  readonly folder: string;
  readonly by: Delivered;
  readonly filling: Filling | undefined;
  readonly addition: Addition | undefined;
  /** Folders of components that it adds. */
  readonly components: readonly string[];
  /** Parts of what is added are not known: what does not fit together may do so with what is filled in. */
  readonly isOpen: boolean;
  /** In which the object does not say itself what it adds. */
  readonly files: readonly string[];
}

export interface AppliedBuilds {
  readonly byRoot: ReadonlyMap<string, AppliedBuild>;
  readonly byFolder: ReadonlyMap<string, readonly AppliedBuild[]>;
  readonly byComponent: ReadonlyMap<string, readonly AppliedBuild[]>;
  /** By the files in which the object that applies it says what it adds. */
  readonly byFile: ReadonlyMap<string, readonly AppliedBuild[]>;
  /** Of folders that have no kustomization. */
  readonly generated: readonly AppliedBuild[];
}

/** A folder, and what an object that applies it adds. */
interface Applied {
  readonly folder: string;
  readonly by: Delivered;
  readonly filling: Filling | undefined;
  readonly addition: Addition | undefined;
  readonly isOpen?: boolean;
  readonly files?: readonly string[];
}

export const appliedBuildsIn = memo((delivery: Delivery, graph: KustomizationGraph): AppliedBuilds => {
  const applied = [...byFlux(delivery), ...byArgo(delivery, graph)];
  const all = applied.flatMap(({ folder, by, filling, addition, isOpen = false, files = [] }) => {
    const hasOwn = kustomizationIn(graph, folder) !== undefined;
    const adds = addition !== undefined && Object.keys(addition.spec).length > 0;
    if (!hasOwn && !adds) return [];
    const isPlain = addition === undefined || (!adds && !filling);
    const root = isPlain ? folder : `${folder}#${by.uri}#${addition.name}`;
    const components = (addition?.spec.components ?? []).flatMap((path) => foldersLike(graph, folder, path));
    return [
      { root, folder, by, hasOwn, components, isOpen, files, ...(isPlain ? nothingAdded : { filling, addition }) },
    ];
  });
  const byFolder = grouped(all, ({ folder, hasOwn }) => (hasOwn ? [folder] : []));
  const kept = [...byFolder.values()].flat();
  const generated = all.filter(({ hasOwn }) => !hasOwn).slice(0, mostOfFolder);
  const both = [...kept, ...generated];
  return {
    byRoot: new Map(both.map((one) => [one.root, one])),
    byFolder,
    byComponent: grouped(both, ({ components }) => components),
    byFile: grouped(both, ({ by, files }) => [by.uri, ...files]),
    generated,
  };
});

function byFlux(delivery: Delivery): readonly Applied[] {
  return appliedFolders(delivery).map((one) => ({ ...one, addition: additionOf(delivery, one.by) }));
}

/** The folders of which Applications change the kustomization, also as those apply them that leave it alone. */
function byArgo(delivery: Delivery, graph: KustomizationGraph): readonly Applied[] {
  const known = delivery.objects.flatMap((one) => applicationsOf(delivery, one));
  const open = delivery.objects.flatMap((one) => openApplicationsOf(delivery, one));
  const all = [
    ...known.flatMap((app) => ofApplication(delivery, graph, app, false)),
    ...open.flatMap((app) => ofApplication(delivery, graph, app, true)),
  ];
  const changed = new Set(all.flatMap(({ folder, addition }) => (addition ? [folder] : [])));
  return all.filter(({ folder }) => changed.has(folder));
}

function ofApplication(delivery: Delivery, graph: KustomizationGraph, app: AppAt, isOpen: boolean): Applied[] {
  const { of, spec } = app;
  return sourcesOf(of, spec).flatMap((written) => {
    const folders = isOpen ? foldersOfOpen(delivery, graph, of, written) : [folderHere(delivery, of, written)];
    return folders.flatMap((folder) => {
      // Argo CD makes no kustomization where there is none.
      if (folder === undefined || kustomizationIn(graph, folder) === undefined) return [];
      const source = withOverrides(delivery, app, written, folder);
      if (!source) return [];
      const addition = argoAdditionOf(delivery, of, source);
      const files = (source.over ?? []).map(({ uri }) => uri);
      return [{ folder, by: of, filling: undefined, addition, isOpen, files }];
    });
  });
}

/** The folders that a path may be in which something is filled in. */
function foldersOfOpen(
  delivery: Delivery,
  graph: KustomizationGraph,
  of: Delivered,
  source: Source,
): readonly (string | undefined)[] {
  const path = source.value.get('path');
  if (!isString(path) || !path.includes(unknownMark)) return [folderHere(delivery, of, source)];
  const fixed = path.slice(0, path.lastIndexOf('/', path.indexOf(unknownMark)));
  const value = new Map(source.value).set('path', fixed);
  const above = folderHere(delivery, of, { ...source, value });
  return above === undefined
    ? []
    : foldersLike(graph, above, path.slice(fixed.length + 1).replaceAll(unknownMark, '*'));
}

/** The folder that a path names, or those with kustomizations that a pattern does. */
function foldersLike(graph: KustomizationGraph, from: string, path: string): readonly string[] {
  if (!/[*?[\\]/.test(path)) return [resolve(from, path)];
  const first = path.search(/[*?[\\]/);
  const fixed = path.slice(0, path.lastIndexOf('/', first) + 1);
  const above = resolve(from, fixed === '' ? '.' : fixed).replace(/\/$/, '');
  const fits = goPattern(path.slice(fixed.length).replace(/\/$/, ''));
  const folders = [...graph.all.keys()].map(folderOf).filter((folder) => isInside(folder, above));
  return folders.filter((folder) => fits(decodeURIComponent(folder.slice(above.length + 1))));
}

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
  const start = startOf(delivery, one);
  return start === undefined ? undefined : additionAt(one, start);
}

/** Where the document of an object begins in its file. */
function startOf(delivery: Delivery, { uri, manifest }: Delivered): number | undefined {
  const file = fileNamed(delivery).get(uri);
  return file && placedIn(file, manifest.document)?.start;
}

const fileNamed = memo(({ files }: Delivery) => new Map(files.map((file) => [file.uri, file])));

const additionAt = memo((one: Delivered, start: number): Addition | undefined => {
  const { document, at, value } = one.manifest;
  const found = valueAt(value, ['spec']);
  const spec: FluxSpec | undefined = isMap(found) ? fluxSpecOf(found) : undefined;
  const name = `${one.namespace}/${one.name}`;
  return spec && { by: 'flux', name, file: pathOf(one.uri), document, start, at: [...at, 'spec'], spec };
});

/** What a source of an Application adds; undefined where it adds nothing, or Argo CD would not take that. */
export function argoAdditionOf(delivery: Delivery, of: Delivered, source: Source): Addition | undefined {
  const { value, path, over = [] } = source;
  const [start, kustomize] = [startOf(delivery, of), value.get('kustomize')];
  const spec = start !== undefined && isMap(kustomize) ? argoSpecOf(kustomize) : undefined;
  if (start === undefined || !isMap(kustomize) || !spec || Object.keys(spec).length === 0) return undefined;
  const own: SpecAt = specAt(of, start, [...path, 'kustomize']);
  const files = over.map((one) => specAt(one, startOf(delivery, one) ?? 0, ['kustomize']));
  const name = [nameOfDelivered(of), of.namespace, of.variant, ...path, ...over.map(({ uri }) => uri)].join(' ');
  const last = lastAddition(own.document, name, start);
  if (last.addition && equalValues(last.kustomize, kustomize) && areSame(last.addition.over, files))
    return last.addition;
  last.kustomize = kustomize;
  last.addition = { by: 'argo', name, ...own, over: files, spec };
  return last.addition;
}

function specAt({ uri, manifest: { document, at } }: Delivered, start: number, path: Path): SpecAt {
  return { file: pathOf(uri), document, start, at: [...at, ...path] };
}

function areSame(a: readonly SpecAt[], b: readonly SpecAt[]): boolean {
  return (
    a.length === b.length && a.every(({ document, start }, i) => document === b[i]!.document && start === b[i]!.start)
  );
}

/** What a set makes is made anew with every change of a file: the addition is the same as long as it says the same. */
const lastAddition = memo(
  (_document: YamlDocument, _name: string, _start: number): { kustomize: ValueMap; addition?: ArgoAddition } => ({
    kustomize: new Map(),
  }),
);
