import { memo } from '../base/memo.ts';
import { SortedMap } from '../base/sortedMap.ts';
import { ownText } from '../base/text.ts';
import { isList, isMap, isString, type Value, type ValueMap, valueAt } from '../base/value.ts';
import type { WantedKind } from './kinds.ts';
import { type Manifest, splitApiVersion } from './manifest.ts';
import { isBroughtIn } from './origin.ts';
import type { SourceFile } from './sourceFile.ts';
import { isOfOtherTests } from './testData.ts';
import {
  compareRanks,
  folderOf,
  isInBundle,
  isOfOperator,
  nearness,
  otherRelease,
  releaseOf,
  sharedNames,
  testDataFolder,
} from './uri.ts';
import { crdsFrom } from './xrd.ts';

/** A kind that some CRD of the workspace defines. */
export interface Definition {
  readonly file: SourceFile;
  readonly manifest: Manifest;
  readonly group: string;
  readonly kind: string;
  readonly versions: readonly string[];
  /** What it is called in URLs: the plural, and the singular where it is named. */
  readonly resources: readonly string[];
  /** Those that are served and have a schema that says more than that there is an object. */
  readonly described: readonly string[];
  /** The release of controller-gen that made it. */
  readonly generator: readonly number[];
}

/** All definitions known, by `group/Kind`. */
export type Definitions = ReadonlyMap<string, readonly Definition[]>;

/** The kinds that a file defines. Half-written CRDs define what they already name. Nothing here holds their values. */
export const definitionsIn = memo((file: SourceFile): readonly Definition[] => {
  return file.manifests.flatMap(crdsFrom).flatMap((manifest) => definition(file, manifest) ?? []);
});

function definition(file: SourceFile, manifest: Manifest): Definition | undefined {
  const spec = manifest.value.get('spec');
  if (!isMap(spec)) return undefined;
  const names = spec.get('names');
  const group = spec.get('group');
  const kind = isMap(names) ? names.get('kind') : undefined;
  if (!isMap(names) || !isString(group) || !isString(kind)) return undefined;
  const [versions, described] = [versionNames(spec).map(ownText), describedVersions(spec).map(ownText)];
  const resources = ['plural', 'singular']
    .map((key) => names.get(key))
    .filter(isString)
    .map(ownText);
  const generator = generatorOf(manifest.value);
  return { file, manifest, group: ownText(group), kind: ownText(kind), versions, resources, described, generator };
}

function generatorOf(crd: ValueMap): readonly number[] {
  const said = valueAt(crd, ['metadata', 'annotations', 'controller-gen.kubebuilder.io/version']);
  return (isString(said) ? releaseOf(said) : undefined) ?? [0, 0, 0];
}

function describedVersions(spec: ValueMap): string[] {
  const versions = spec.get('versions');
  return (isList(versions) ? versions : []).flatMap((version) => {
    const name = isMap(version) ? version.get('name') : undefined;
    const schema = valueAt(version, ['schema', 'openAPIV3Schema', 'properties']);
    const isDescribed = isMap(version) && version.get('served') === true && isMap(schema) && schema.size > 0;
    return isDescribed && isString(name) ? [name] : [];
  });
}

function versionNames(spec: ValueMap): string[] {
  const versions = spec.get('versions');
  const names = isList(versions)
    ? versions.map((version: Value) => (isMap(version) ? version.get('name') : undefined))
    : [];
  return names.filter(isString);
}

/** Whether a file defines a kind. */
export function definesKind(file: SourceFile, group: string, kind: string): boolean {
  return definitionsIn(file).some((one) => one.group === group && one.kind === kind);
}

export function indexDefinitions(files: Iterable<SourceFile>): Definitions {
  const index = new Map<string, Definition[]>();
  for (const file of files) {
    for (const one of definitionsIn(file)) {
      const key = keyOf(one);
      const known = index.get(key);
      if (known) known.push(one);
      else index.set(key, [one]);
    }
  }
  // Those of one file stay in their order.
  for (const all of index.values()) if (all.length > 1) all.sort((a, b) => compareTexts(a.file.uri, b.file.uri));
  return SortedMap.of(index);
}

const keyOf = ({ group, kind }: Definition) => `${group}/${kind}`;

const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** The index with what a file defines now in place of what it defined before: as if all had been indexed as they are. */
export function reindexed(
  index: Definitions,
  before: SourceFile | undefined,
  after: SourceFile | undefined,
): Definitions {
  const [old, now] = [before ? definitionsIn(before) : [], after ? definitionsIn(after) : []];
  const uri = (after ?? before)?.uri ?? '';
  let changed = SortedMap.of(index);
  for (const key of new Set([...old, ...now].map(keyOf))) {
    const known = index.get(key) ?? [];
    const own = now.filter((one) => keyOf(one) === key);
    const at = firstFrom(known, uri);
    let behind = at;
    while (known[behind]?.file.uri === uri) behind++;
    const all = known.toSpliced(at, behind - at, ...own);
    changed = all.length > 0 ? changed.with(key, all) : changed.without(key);
  }
  return changed;
}

/** The first definition that is not before a file, found by halves. */
function firstFrom(known: readonly Definition[], uri: string): number {
  let [low, high] = [0, known.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (known[middle]!.file.uri < uri) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The definitions of a manifest's kind, the one that counts first: one that has a schema for the manifest's version
 * before a stub, one of the workspace before one that the settings name, one outside of test data and tests unless the
 * manifest is in them too, one of now before those of releases that are kept, of which the last counts, then the nearest. Of
 * those as near a bundle for OLM comes last, which is made for a release; then the one in folders that are called as the
 * manifest's counts, the one that a later controller-gen has made, and the one of which an operator's others are copies. What was
 * brought in from elsewhere counts only where there is nothing else; but what a cluster has, by which files are to be judged,
 * counts before all.
 */
export function definitionsFor(
  definitions: Definitions,
  manifest: Pick<Manifest, 'apiVersion' | 'kind'>,
  uri: string,
): readonly Definition[] {
  return rankedFor(definitions, manifest, uri).map(({ one }) => one);
}

/** Those of the workspace among some that nothing tells from the one that counts first: it may as well be any of them. */
export function asNear(
  definitions: Definitions,
  manifest: Pick<Manifest, 'apiVersion' | 'kind'>,
  uri: string,
  among: readonly Definition[],
): readonly Definition[] {
  if (among.length < 2) return [];
  const counted = new Set(among);
  const [first, ...others] = rankedFor(definitions, manifest, uri).filter(({ one }) => counted.has(one));
  if (first === undefined || first.one.file.origin) return [];
  return others.filter(({ rank }) => compareRanks(rank, first.rank) === 0).map(({ one }) => one);
}

interface Ranked {
  readonly one: Definition;
  readonly rank: readonly number[];
}

function rankedFor(
  definitions: Definitions,
  manifest: Pick<Manifest, 'apiVersion' | 'kind'>,
  uri: string,
): readonly Ranked[] {
  const { group, version } = splitApiVersion(manifest.apiVersion);
  const all = definitions.get(`${group}/${manifest.kind}`) ?? [];
  const serves = (one: Definition) => servesFrom(definitions, one, uri);
  const known = all.every(serves) ? all : all.filter(serves);
  const found = known.every(({ file }) => file.origin === undefined) ? known : usable(known, version);
  if (found.length < 2) return found.map((one) => ({ one, rank: [] }));
  const ranked = found.map((one) => {
    const fits = Number(one.described.includes(version));
    const own = Number(one.file.origin === undefined);
    const isElsewhere = testDataFolder(one.file.uri) !== undefined && !sharesTestData(one.file.uri, uri);
    const elsewhere = Number(!isElsewhere && !isOfOtherTests(one.file.uri, uri));
    const place = one.file.origin?.namedBy ?? one.file.uri;
    const release = otherRelease(place, uri);
    const near = [nearness(place, uri), Number(!isInBundle(place, uri)), sharedNames(place, uri)];
    return { one, rank: [fits, own, elsewhere, ...release, ...near, ...one.generator, Number(isOfOperator(place))] };
  });
  ranked.sort((a, b) => compareRanks(b.rank, a.rank) || compareTexts(a.one.file.uri, b.one.file.uri));
  return ranked;
}

/** A schema without its CRD says nothing of other versions, and what was brought in nothing where it need not have been. */
function usable(known: readonly Definition[], version: string): readonly Definition[] {
  const there = known.filter(({ file }) => file.origin?.source === 'cluster');
  if (there.length > 0) return there;
  const fitting = known.filter(({ file, versions }) => !file.origin?.fromSchema || versions.includes(version));
  const near = fitting.filter(({ file }) => !isBroughtIn(file.origin));
  const nearest = near.length > 0 ? near : fitting;
  const whole = nearest.filter(({ file }) => !file.origin?.fromSchema);
  return whole.length > 0 ? whole : nearest;
}

/** Whether anything tells of a kind in some version wherever it is used. */
export function isDefined(definitions: Definitions, { group, version, kind }: WantedKind): boolean {
  const known = definitions.get(`${group}/${kind}`) ?? [];
  const isOfAll = (one: Definition) => testDataFolder(one.file.uri) === undefined && !isForTests(definitions, one, '');
  return usable(known, version).some(isOfAll);
}

/**
 * Whether a file may be judged by a CRD: one in test data is known where that belongs to, and not elsewhere; and one that
 * only tests have of a group that is not the workspace's own may be a part of the real one, or an old one.
 */
function servesFrom(definitions: Definitions, one: Definition, uri: string): boolean {
  const folder = testDataFolder(one.file.uri);
  if (folder !== undefined) return uri.startsWith(`${folderOf(folder.slice(0, -1))}/`);
  return !isForTests(definitions, one, uri);
}

/** Whether a CRD is in a folder of tests that a file is not in, with all that is known of its group. */
function isForTests(definitions: Definitions, wanted: Definition, uri: string): boolean {
  const isInTests = (one: Definition) => isOfOtherTests(one.file.uri, uri, testFolder);
  if (wanted.file.origin !== undefined || !isInTests(wanted)) return false;
  // Looked through only where a CRD is in a folder of tests.
  const ofGroup = byGroup(definitions).get(wanted.group) ?? [];
  return !ofGroup.some((one) => !isBroughtIn(one.file.origin) && !isInTests(one));
}

const byGroup = memo((definitions: Definitions): ReadonlyMap<string, readonly Definition[]> => {
  const groups = new Map<string, Definition[]>();
  for (const one of [...definitions.values()].flat()) {
    const known = groups.get(one.group);
    if (known) known.push(one);
    else groups.set(one.group, [one]);
  }
  return groups;
});

const testFolder = /^(?:tests?|e2e|kuttl|\.?chainsaw(?:-tests?)?|\.kyverno-tests?)$/i;

function sharesTestData(one: string, other: string): boolean {
  const folder = testDataFolder(one);
  return folder !== undefined && other.startsWith(folder);
}
