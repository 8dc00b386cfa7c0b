/** From a patch to what it patches, and from what is patched to its patches: by where each part of a build comes from. */
import { unescapedStep } from '../../base/jsonPointer.ts';
import type { Range } from '../../base/text.ts';
import { isMap, isString, type Path, type Value, valueAt } from '../../base/value.ts';
import {
  type BuiltEntry,
  type BuiltNode,
  type BuiltResource,
  type Origin,
  type Place,
  placesOf,
  rangeIn,
} from '../../kustomize/build.ts';
import { madeOf, rootsWith } from '../../workspace/kustomizations/builds.ts';
import type { MadeBuild } from '../../workspace/kustomizations/madeBuild.ts';
import { pathOf } from '../../workspace/kustomizations/paths.ts';
import { fileAt, type Snapshot } from '../../workspace/snapshot.ts';
import { folderOf, resolve } from '../../workspace/uri.ts';
import { documentAt } from '../../yaml/parse.ts';
import { pathAt } from '../../yaml/place.ts';
import { valueOf } from '../../yaml/value.ts';
import type { Search } from '../navigate/references.ts';
import { type Location, locationsOnce } from '../place/location.ts';
import { textAt } from './diagnoseBuild.ts';
import { patchAt } from './inlinePatch.ts';

/** Places that are shown, and resources that are gone through for them. */
const mostPlaces = 200;

/** A patch as it is written, the place in it, and where in its file it is. */
interface Patch {
  readonly value: Value;
  readonly path: Path;
  readonly uri: string;
  readonly range: Range;
}

/** What a patch changes at a place: the field as it was written before, or else the object. */
export function definitionPatched(snapshot: Snapshot, uri: string, offset: number): Location[] {
  const patch = patchHere(snapshot, uri, offset);
  if (!patch) return [];
  // All resources that a patch went through have the very place of its entry.
  const entries = new Map<Place, Value | undefined>();
  const entryAt = ({ places }: MadeBuild, place: Place) => {
    if (!entries.has(place)) entries.set(place, entryIn(snapshot, places.at(place)));
    return entries.get(place);
  };
  const found = buildsWith(snapshot, uri).flatMap((made) =>
    made.build.resources.flatMap((resource) => {
      if (!isPatchedBy(made, resource, patch, entryAt)) return [];
      const place = placeBefore(made, resource, patch);
      return place ? [made.places.at(place)] : [];
    }),
  );
  return locationsOnce(found).slice(0, mostPlaces);
}

/** The patches that change what is at a place of an object, and the fields of kustomizations that do. */
export function searchPatches(snapshot: Snapshot, uri: string, offset: number): Search | undefined {
  const file = pathOf(uri);
  const uses: Location[] = [];
  const isOfWhole = isInHead(snapshot, uri, offset);
  for (const { places, build } of buildsWith(snapshot, uri)) {
    const isHere = (place: Place | undefined) => place?.file === file && isAround(rangeIn(build.pieces, place), offset);
    for (const { root: object, touched } of build.resources) {
      if (!isHere(placesOf(object.origin)[0])) continue;
      const patches = isOfWhole ? touched.flatMap(({ what, place }) => (what === 'patch' ? [place] : [])) : [];
      for (const place of [...placesBehind(object, file, isHere), ...patches]) uses.push(places.at(place));
    }
    if (uses.length > mostPlaces) break;
  }
  return uses.length === 0 ? undefined : { declarations: [], uses: locationsOnce(uses), elsewhere: [] };
}

/** At the kind and the name an object is meant as a whole. */
function isInHead(snapshot: Snapshot, uri: string, offset: number): boolean {
  const placed = documentAt(fileAt(snapshot, uri)?.stream, offset);
  const path = placed ? pathAt(placed.document, offset - placed.start).path : [];
  return ['kind', 'apiVersion', 'metadata.name'].includes(path.join('.'));
}

function buildsWith(snapshot: Snapshot, uri: string): MadeBuild[] {
  return rootsWith(snapshot, uri).flatMap((root) => madeOf(snapshot, root) ?? []);
}

function patchHere(snapshot: Snapshot, uri: string, offset: number): Patch | undefined {
  const inline = patchAt(snapshot, uri, offset);
  const placed = documentAt(inline ? inline.source.stream : fileAt(snapshot, uri)?.stream, offset);
  const within = inline ? documentAt(inline.source.stream, inline.offset) : placed;
  if (!within) return undefined;
  const at = (inline ? inline.offset : offset) - within.start;
  const range = inline
    ? inline.back({ start: 0, end: inline.source.text.length })
    : { start: within.start, end: within.start + within.document.text.length };
  return { value: valueOf(within.document) ?? null, path: pathAt(within.document, at).path, uri, range };
}

/** A patch is written in a kustomization, which says so itself, or in a file that a kustomization names for one. */
function isPatchedBy(
  made: MadeBuild,
  { touched, value }: BuiltResource,
  patch: Patch,
  entryAt: (made: MadeBuild, place: Place) => Value | undefined,
): boolean {
  return touched.some(({ what, place }) => {
    if (what !== 'patch') return false;
    const { uri, range } = made.places.at(place);
    if (uri === patch.uri) return isAround(range, patch.range.start);
    const entry = entryAt(made, place);
    const name = isString(entry) ? entry : valueAt(entry, ['path']);
    if (!isString(name) || resolve(folderOf(uri), name) !== patch.uri) return false;
    // Of several patches in a file each has its own object.
    const hasTarget = isMap(entry) && entry.has('target');
    return hasTarget || !isMap(patch.value) || isNamedBy(value, patch.value);
  });
}

/** Prefixes and suffixes come to the name that a patch has. */
function isNamedBy(built: Value, patch: Value): boolean {
  const [name, own] = [patch, built].map((value) => valueAt(value, ['metadata', 'name']));
  const isSameKind = valueAt(patch, ['kind']) === valueAt(built, ['kind']);
  return isSameKind && (!isString(name) || (isString(own) && own.includes(name)));
}

/** What is written at a range of a file that was read for a build. */
function entryIn(snapshot: Snapshot, { uri, range }: Location): Value | undefined {
  const placed = documentAt(textAt(snapshot, uri), range.start);
  const root = placed && valueOf(placed.document);
  return root === undefined ? undefined : valueAt(root, pathAt(placed!.document, range.start - placed!.start).path);
}

function placeBefore({ build }: MadeBuild, resource: BuiltResource, patch: Patch): Place | undefined {
  const steps = stepsOf(patch);
  const origins = steps ? originsAt(resource.root, steps.path, steps.items) : [];
  const outside = (place: Place) =>
    place.file !== pathOf(patch.uri) || !isAround(patch.range, rangeIn(build.pieces, place).start);
  for (const origin of origins) {
    const place = placesOf(origin).find(outside);
    if (place) return place;
  }
  return nameOf(resource);
}

/** The path that a place of a patch is about, and the items of its lists; those of an operation are in its `path`. */
function stepsOf({ value, path }: Patch): { readonly path: Path; readonly items: Value } | undefined {
  if (!Array.isArray(value)) return { path, items: value };
  const pointer = valueAt(value, [path[0] ?? 0, 'path']);
  if (!isString(pointer)) return undefined;
  const steps = pointer.split('/').slice(1);
  return {
    path: steps.map((step) => (/^\d+$/.test(step) ? Number(step) : unescapedStep(step))),
    items: null,
  };
}

/** What is at a path, the innermost first; an item of a patch's list is the one that has the same name. */
function originsAt(root: BuiltNode, path: Path, patch: Value): Origin[] {
  const origins: (Origin | undefined)[] = [];
  let node: BuiltNode | undefined = root;
  for (const [i, step] of path.entries()) {
    if (node?.kind === 'map') {
      const entry: BuiltEntry | undefined = node.entries.find(({ key }) => key === step);
      if (!entry) break;
      origins.unshift(entry.keyOrigin);
      if (entry.value.kind === 'scalar') origins.unshift(entry.value.origin);
      node = entry.value;
    } else if (node?.kind === 'list' && typeof step === 'number') {
      const wanted = valueAt(patch, path.slice(0, i + 1));
      node = itemLike(node.items, wanted) ?? (patch === null ? node.items[step] : undefined);
      if (!node) break;
      origins.unshift(node.origin);
    } else break;
  }
  return origins.flatMap((one) => one ?? []);
}

function itemLike(items: readonly BuiltNode[], wanted: Value | undefined): BuiltNode | undefined {
  if (!isMap(wanted)) return undefined;
  return items.find(
    (item) =>
      item.kind === 'map' &&
      item.entries.some(({ key, value }) => isKey(key) && value.kind === 'scalar' && value.value === wanted.get(key)),
  );
}

/** What items of merged lists are known by, most of them. */
function isKey(name: string): boolean {
  return name === 'name' || name === 'mountPath' || name === 'containerPort' || name === 'port' || name === 'key';
}

/** Where the name of an object was written first, or the object where it has none. */
function nameOf({ root }: BuiltResource): Place | undefined {
  const [own] = originsAt(root, ['metadata', 'name'], null);
  return placesOf(own)[0] ?? placesOf(root.origin)[0];
}

/** What came behind a place of a file in all that is made of it. */
function placesBehind(object: BuiltNode, file: string, isHere: (place: Place | undefined) => boolean): Place[] {
  const found: Place[] = [];
  const take = (origin: Origin | undefined, isInside: boolean) => {
    const places = placesOf(origin);
    const at = places.findIndex((place) => place.file === file && (isInside || isHere(place)));
    if (at !== -1) for (const place of places.slice(at + 1)) found.push(place);
  };
  const visit = (node: BuiltNode, isInside: boolean): void => {
    if (node.kind === 'scalar') take(node.origin, isInside);
    else if (node.kind === 'list') for (const item of node.items) visit(item, isInside);
    else {
      for (const { keyOrigin, value } of node.entries) {
        visit(value, isInside || isHere(placesOf(keyOrigin)[0]));
      }
    }
  };
  visit(object, false);
  return found.slice(0, mostPlaces);
}

function isAround({ start, end }: Range, offset: number): boolean {
  return start <= offset && offset <= end;
}
