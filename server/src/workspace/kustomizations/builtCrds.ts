/** CRDs as kustomizations build them, where that is something else than their files say. */
import { memo } from '../../base/memo.ts';
import type { Range } from '../../base/text.ts';
import { equalValues, valueAt } from '../../base/value.ts';
import { type BuiltResource, pieceStarts, placesOf, textOfResource } from '../../kustomize/build.ts';
import { pathAt } from '../../yaml/place.ts';
import { type Definition, type Definitions, definitionsFor, definitionsIn } from '../definitions.ts';
import { deliveryOf } from '../delivery/index.ts';
import { builtMark, type Kustomized } from '../kustomized.ts';
import { type BuildPlace, BuiltPlaces } from '../projections/kustomization.ts';
import type { Snapshot } from '../snapshot.ts';
import { placedIn, type SourceFile, sourceFile } from '../sourceFile.ts';
import { buildOf, folderOfRoot, rootsWith } from './builds.ts';
import { kustomizationIn } from './graph.ts';
import type { CrdsOfBuild } from './kustomizeFiles.ts';
import { isAsWritten, isCrd } from './madeBuild.ts';
import { pathOf } from './paths.ts';

/** Builds that one CRD is looked at in. */
const mostBuilds = 20;

/** By what resources of a kind are judged. */
export interface AsBuilt {
  /** Where builds make several of one CRD, what all of them say counts. */
  readonly ways: readonly Definition[];
  /** Whether it is known what each build makes of it. */
  readonly isSettled: boolean;
}

/** What builds make of the CRD of a file; undefined where nobody changes it, or that is not known. */
export function crdInBuilds(snapshot: Snapshot, definition: Definition, uri: string): AsBuilt | undefined {
  const all = rootsOfCrd(snapshot, definition);
  if (all.length === 0) return undefined;
  const roots = nearest(snapshot, all, uri);
  const found = roots.map((root) => {
    const crds = crdsOf(snapshot, root);
    return crds && wayIn(crds, root, definition);
  });
  const ways = found.filter((one) => typeof one === 'object');
  const isSettled = roots.length <= mostBuilds && !found.includes(undefined);
  return isSettled && ways.length > 0 ? settledWays(ways) : undefined;
}

function settledWays(ways: readonly Definition[]): AsBuilt {
  const distinct = ways.filter((one, i) => ways.findIndex((other) => isSame(one, other)) === i);
  return { ways: distinct, isSettled: true };
}

function isSame(a: Definition, b: Definition): boolean {
  return a === b || equalValues(a.manifest.value.get('spec'), b.manifest.value.get('spec'));
}

/** What is built together with a file says what it is applied with. */
function nearest(snapshot: Snapshot, roots: readonly string[], uri: string): readonly string[] {
  const { builtBy } = snapshot;
  if (builtBy !== undefined && roots.includes(builtBy)) return [builtBy];
  const own = rootsWith(snapshot, uri.endsWith(builtMark) ? uri.slice(0, -builtMark.length) : uri);
  const shared = roots.filter((root) => own.includes(root));
  return shared.length > 0 ? shared : roots;
}

/** The builds that may make another CRD of what a file defines. */
function rootsOfCrd(snapshot: Snapshot, { file, manifest }: Definition): readonly string[] {
  if (file.origin || manifest.madeOf || manifest.role !== 'crd') return [];
  if (!snapshot.kustomize && !snapshot.builtCrds) return [];
  return rootsPatching(snapshot, file.uri);
}

function rootsPatching(snapshot: Snapshot, uri: string): readonly string[] {
  const { kustomized, kustomizations } = snapshot;
  if (kustomizations.all.size === 0) return [];
  if (!kustomized.patched.has(uri) && !changesBuilds(snapshot)) return [];
  const roots = rootsWith(snapshot, uri);
  return kustomized.patched.has(uri) || roots.some((root) => root.includes('#')) ? roots : [];
}

/** Whether a Kustomization of Flux may patch what kustomizations leave as it is. */
function changesBuilds(snapshot: Snapshot): boolean {
  return deliveryOf(snapshot).objects.some(({ kind }) => kind === 'Kustomization');
}

/** The roots that have to be built to know the CRDs of some files' kinds. */
export function rootsOfKinds(snapshot: Snapshot, files: readonly SourceFile[]): readonly string[] {
  if (snapshot.kustomizations.all.size === 0) return [];
  const roots = new Set<string>();
  for (const { uri, manifests } of files) {
    for (const manifest of manifests) {
      if (manifest.role !== 'resource') continue;
      const [definition] = definitionsFor(snapshot.definitions, manifest, uri);
      if (!definition || definition.file.origin) continue;
      const patching = rootsPatching(snapshot, definition.file.uri);
      if (patching.length <= mostBuilds) for (const root of patching) roots.add(root);
    }
  }
  return [...roots];
}

/** Something that stays the same as long as all CRDs are built to the same. */
export function crdsBuilt(snapshot: Snapshot): object {
  if (snapshot.builtCrds) return snapshot.builtCrds;
  if (!snapshot.kustomize || snapshot.kustomized.patched.size === 0) return nothingBuilt;
  const files = patchedFiles(snapshot.definitions, snapshot.kustomized);
  const roots = [...new Set(files.flatMap((uri) => rootsPatching(snapshot, uri)))];
  return roots.reduce<object>((all, root) => together(all, crdsOf(snapshot, root) ?? nothingBuilt), nothingBuilt);
}

const nothingBuilt = {};
const together = memo((_: object, __: object) => ({}));

const patchedFiles = memo((definitions: Definitions, { patched }: Kustomized): readonly string[] => {
  const uris = [...definitions.values()].flat().map(({ file }) => file.uri);
  return [...new Set(uris)].filter((uri) => patched.has(uri));
});

function crdsOf(snapshot: Snapshot, root: string): CrdsOfBuild | undefined {
  const { builtCrds, kustomize, kustomizations, open } = snapshot;
  if (builtCrds) return builtCrds.get(root);
  const own = kustomizationIn(kustomizations, folderOfRoot(root));
  // What nobody asked for is not read for this.
  if (own !== undefined && !kustomize?.entries.has(own) && !open.has(own)) return undefined;
  return crdsBuiltTo(snapshot, root);
}

/** The CRDs that a folder is built to; undefined as long as not all that it takes was read. */
export function crdsBuiltTo(snapshot: Snapshot, root: string): CrdsOfBuild | undefined {
  const build = buildOf(snapshot, root);
  if (!build) return undefined;
  const isWhole = !build.error && !build.outside && build.leftOut.length === 0;
  const crds = build.resources.filter((one) => !one.isPartial && isCrd(one));
  const listed = crds.reduce<Listed>((list, one) => list.with(one), isWhole ? wholeBuild : partialBuild);
  return listed.crds;
}

/** Equal lists are the same list. */
class Listed {
  readonly crds: CrdsOfBuild;
  readonly with = memo((one: BuiltResource): Listed => {
    return new Listed({ ...this.crds, resources: [...this.crds.resources, one] });
  });

  constructor(crds: CrdsOfBuild) {
    this.crds = crds;
  }
}

const wholeBuild = new Listed({ isWhole: true, resources: [], same: new Set() });
const partialBuild = new Listed({ isWhole: false, resources: [], same: new Set() });

/** Those of a build that are not as their files say: the others need not be kept. */
export function changedCrds(snapshot: Snapshot, root: string, crds: CrdsOfBuild): CrdsOfBuild {
  const same = new Set<string>();
  const changed = new Set<BuiltResource>();
  for (const definition of [...snapshot.definitions.values()].flat()) {
    if (definition.file.origin || !snapshot.kustomized.patched.has(definition.file.uri)) continue;
    const resource = resourceOf(crds, definition);
    if (!resource) continue;
    if (builtTo(resource, definition, root) === definition) same.add(keyOf(definition));
    else changed.add(resource);
  }
  return { ...crds, resources: [...changed], same };
}

function keyOf({ file, group, kind }: Definition): string {
  return `${file.uri} ${group}/${kind}`;
}

/** What a build makes of a CRD: nothing where it has no part in it, undefined where that is not known. */
function wayIn(crds: CrdsOfBuild, root: string, definition: Definition): Definition | 'none' | undefined {
  if (crds.same.has(keyOf(definition))) return definition;
  const resource = resourceOf(crds, definition);
  if (resource) return builtTo(resource, definition, root);
  return crds.isWhole ? 'none' : undefined;
}

function resourceOf({ resources }: CrdsOfBuild, { file, group, kind }: Definition): BuiltResource | undefined {
  const path = pathOf(file.uri);
  return resources.find(({ root, value }) => {
    const isOfKind = valueAt(value, ['spec', 'group']) === group && valueAt(value, ['spec', 'names', 'kind']) === kind;
    return isOfKind && placesOf(root.origin)[0]?.file === path;
  });
}

/** The definition itself, where its file says the same. */
const builtTo = memo((resource: BuiltResource, definition: Definition, root: string): Definition => {
  if (isAsWritten(resource)) return definition;
  if (equalValues(valueAt(resource.value, ['spec']), definition.manifest.value.get('spec'))) return definition;
  const { file } = definition;
  const made = sourceFile(`${file.uri}${builtMark}`, textOfResource(resource), { made: true, dormant: true });
  const [as] = definitionsIn(made);
  if (!as) return definition;
  const pieces = new Map([[pathOf(file.uri), pieceStarts(file)]]);
  sources.set(made, { resource, places: new BuiltPlaces(root, [resource], pieces) });
  return as;
});

// Not a memo: it is what a file was made of.
const sources = new WeakMap<SourceFile, { readonly resource: BuiltResource; readonly places: BuiltPlaces }>();

/** Where what is in a range of a CRD as it is built was written; the range itself where the CRD is as it is written. */
export function placeInSource({ file, manifest }: Definition, range: Range): BuildPlace {
  const from = sources.get(file);
  const start = placedIn(file, manifest.document)?.start ?? 0;
  if (!from) return { uri: file.uri, range };
  const { path, where } = pathAt(manifest.document, range.start - start);
  const { resource, places } = from;
  const [found] = places.written({ resource: 0, path, at: where === 'key' ? 'key' : 'value' });
  const [whole] = placesOf(resource.root.origin);
  return found?.place ?? (whole ? places.at(whole) : { uri: file.uri, range });
}
