import { memo } from '../../base/memo.ts';
import {
  equalValues,
  isList,
  isMap,
  type ManifestPath,
  type Path,
  type Value,
  type ValueMap,
  valueAt,
} from '../../base/value.ts';
import { whyNotMade } from '../../controllergen/crd/missing.ts';
import type { GeneratedCrd } from '../../controllergen/crd/model.ts';
import { markerAt } from '../../controllergen/markers/place.ts';
import { locateInFile } from '../../rules/judging/locate.ts';
import type { Definition } from '../../workspace/definitions.ts';
import { generatorOf } from '../../workspace/languages/generatedCrds.ts';
import { inDocument, type Manifest, metadataText } from '../../workspace/manifest.ts';
import { isBroughtIn } from '../../workspace/origin.ts';
import { generatedCrd } from '../../workspace/projections/generatedCrd.ts';
import { type GoView, rulesAt } from '../../workspace/projections/goTypes.ts';
import type { Projection } from '../../workspace/projections/projection.ts';
import { committedObject, type Snapshot } from '../../workspace/snapshot.ts';
import { placedIn, type SourceFile } from '../../workspace/sourceFile.ts';
import { pathAt } from '../../yaml/place.ts';
import type { Location } from '../place/location.ts';
import { nameOf, partAt } from './shownCrd.ts';

/** Where a CRD of the workspace is not what controller-gen makes of its types. */
export interface Difference {
  /** In the CRD of the workspace; for what is missing there, where it would be. */
  readonly path: Path;
  /** In the CRD that is made of the types. */
  readonly inMade: Path;
  readonly written: Value | undefined;
  readonly made: Value | undefined;
}

/** A CRD of the workspace that controller-gen wrote, beside what it would write now. */
export interface WrittenCrd {
  readonly file: SourceFile;
  readonly manifest: Manifest;
  readonly made: GeneratedCrd;
  /** From the CRD of the workspace to what would be written now. */
  readonly projection: Projection<ManifestPath, ManifestPath>;
  /** The release of controller-gen that wrote it. */
  readonly generator: string;
  readonly differences: readonly Difference[];
  /** The committed CRD is what the types give: the differences came by hand. */
  readonly isByHand: boolean;
}

/** The CRDs of the workspace that were generated from types; those that parts are missing of are not compared. */
export function writtenCrds(snapshot: Snapshot, all: readonly GeneratedCrd[]): WrittenCrd[] {
  return all
    .filter((made) => whyNotMade(made) === undefined && !made.isDropped)
    .flatMap((made) => (snapshot.definitions.get(kindOf(made)) ?? []).flatMap((one) => writtenAs(snapshot, one, made)));
}

/** Those of one file. */
export function writtenIn(snapshot: Snapshot, uri: string, all: readonly GeneratedCrd[]): WrittenCrd[] {
  return writtenCrds(snapshot, all).filter(({ file }) => file.uri === uri);
}

function kindOf({ value }: GeneratedCrd): string {
  return `${valueAt(value, ['spec', 'group'])}/${valueAt(value, ['spec', 'names', 'kind'])}`;
}

function writtenAs(snapshot: Snapshot, { file, manifest }: Definition, made: GeneratedCrd): WrittenCrd[] {
  const generator = generatorOf(manifest);
  const isOurs = metadataText(manifest, 'name') === nameOf(made) && !isBroughtIn(file.origin);
  if (generator === undefined || !isOurs) return [];
  const differences = differencesIn(manifest, made.value);
  const committed = differences.length > 0 ? committedObject(snapshot, file.uri, manifest)?.manifest : undefined;
  const isByHand = committed !== undefined && differencesIn(committed, made.value).length === 0;
  const projection = generatedCrd(manifest.value, made.value);
  return [{ file, manifest, made, projection, generator, differences, isByHand }];
}

const differencesIn = memo((manifest: Manifest, made: ValueMap): readonly Difference[] => {
  const [written, given] = [manifest.value.get('spec'), made.get('spec')];
  if (!isMap(written) || !isMap(given)) return [];
  return [...inMaps(written, given)]
    .filter(({ path: [key] }) => !ofOthers.has(key))
    .map((one) => below(one, 'spec', 'spec'));
});

/** What other tools add, and what controller-gen once wrote in vain. */
const ofOthers: ReadonlySet<unknown> = new Set(['conversion', 'preserveUnknownFields']);

// Both sides are the same objects as before, but for what was changed.
const inMaps = memo((written: ValueMap, made: ValueMap): readonly Difference[] => {
  const keys = new Set([...written.keys(), ...made.keys()]);
  return [...keys].flatMap((key) => {
    const [was, is] = [written.get(key), made.get(key)];
    if (key === 'description' && isShortened(was, is)) return [];
    if (key === 'metadata' && isEmbedded(was, is)) return [];
    return between(was, is, key, key);
  });
});

function between(
  was: Value | undefined,
  is: Value | undefined,
  at: string | number,
  inMade: string | number,
): Difference[] {
  if (isMap(was) && isMap(is)) return inMaps(was, is).map((one) => below(one, at, inMade));
  if (isList(was) && isList(is)) return inLists(was, is).map((one) => below(one, at, inMade));
  return equalValues(was, is) ? [] : [{ path: [at], inMade: [inMade], written: was, made: is }];
}

function inLists(was: readonly Value[], is: readonly Value[]): Difference[] {
  if ([...was, ...is].every(hasName)) return inNamed(was as ValueMap[], is as ValueMap[]);
  if (was.length !== is.length) return [{ path: [], inMade: [], written: was, made: is }];
  return was.flatMap((item, i) => between(item, is[i], i, i));
}

/** Versions and columns are known by their names. */
function inNamed(was: readonly ValueMap[], is: readonly ValueMap[]): Difference[] {
  const [before, after] = [indexByName(was), indexByName(is)];
  const gone = was.flatMap((item, i) => {
    const at = after.get(item.get('name'));
    return between(item, at === undefined ? undefined : is[at], i, at ?? is.length);
  });
  const more = is.flatMap((item, i) => (before.has(item.get('name')) ? [] : between(undefined, item, was.length, i)));
  return [...gone, ...more];
}

/** The first of each name. */
function indexByName(items: readonly ValueMap[]): ReadonlyMap<Value | undefined, number> {
  const found = new Map<Value | undefined, number>();
  for (const [i, item] of items.entries()) if (!found.has(item.get('name'))) found.set(item.get('name'), i);
  return found;
}

function hasName(item: Value): boolean {
  return isMap(item) && typeof item.get('name') === 'string';
}

function below(one: Difference, at: string | number, inMade: string | number): Difference {
  return { ...one, path: [at, ...one.path], inMade: [inMade, ...one.inMade] };
}

/** As options of controller-gen shorten descriptions, or leave them out. */
function isShortened(was: Value | undefined, is: Value | undefined): boolean {
  return (
    was === undefined || (typeof was === 'string' && typeof is === 'string' && is.startsWith(was.replace(/\.$/, '')))
  );
}

/** As an option of controller-gen writes the metadata of embedded objects. */
function isEmbedded(was: Value | undefined, is: Value | undefined): boolean {
  const isBare = isMap(is) && is.get('type') === 'object' && !is.has('properties');
  return isBare && isMap(was) && was.get('type') === 'object' && was.has('properties');
}

/** Where the difference is in the file. */
export function placeOfDifference({ file, manifest }: WrittenCrd, { path, written }: Difference): Location {
  return locateInFile(file, manifest, path, written === undefined ? 'missing' : 'key');
}

/** Where in Go what is at an offset of a file with generated CRDs comes from. */
export function originInTypes(here: readonly WrittenCrd[], offset: number): Location | undefined {
  for (const { file, manifest, made, projection } of here) {
    const placed = placedIn(file, manifest.document);
    if (!placed || offset < placed.start || offset > placed.start + manifest.document.text.length) continue;
    const { path } = pathAt(manifest.document, offset - placed.start);
    const own = path.slice(inDocument(manifest, []).length);
    const [origin] = projection.written(own);
    return origin && made.originOf(origin.place);
  }
  return undefined;
}

/** What a marker has come to in the CRD that was generated. */
export function writtenFrom(snapshot: Snapshot, view: GoView, offset: number): Location | undefined {
  const part = markerAt(view.file.go, offset) && partAt(view, offset);
  const written = part && writtenCrds(snapshot, [part.crd])[0];
  if (!written) return undefined;
  const [path] = written.projection.made(part.path);
  return path && locateInFile(written.file, written.manifest, path, 'key');
}

/** The rule of the CRD that was generated which a marker has become, where it is there as it is written. */
export function ruleInGenerated(snapshot: Snapshot, view: GoView, offset: number): Location | undefined {
  for (const { document, path } of rulesAt(view, offset)) {
    const [written] = writtenCrds(snapshot, [view.crds[document]!]);
    const [at] = written?.projection.made([...path]) ?? [];
    if (!written || !at || written.projection.written(at)[0]?.how !== 'written') continue;
    return locateInFile(written.file, written.manifest, at, 'value');
  }
  return undefined;
}
