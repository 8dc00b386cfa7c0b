import { memo } from '../../base/memo.ts';
import type { Range } from '../../base/text.ts';
import type { DocumentPath } from '../../base/value.ts';
import {
  type BuiltEntry,
  type BuiltNode,
  type Origin as BuiltOrigin,
  type BuiltResource,
  type Pieces,
  type Place,
  placesOf,
  rangeIn,
} from '../../kustomize/build.ts';
import { uriOf } from '../kustomizations/paths.ts';
import type { Origin, Projection } from './projection.ts';

/** A part of what is built: a path in one of its resources, or its key there. */
export interface BuiltPart {
  readonly resource: number;
  readonly path: DocumentPath;
  readonly at: 'key' | 'value';
}

/** A range of a file that a build has read. */
export interface BuildPlace {
  readonly uri: string;
  readonly range: Range;
}

/** What a folder is built to, as parts of its resources, and the places in files that they come from. */
export class BuiltPlaces implements Projection<BuiltPart, BuildPlace> {
  private readonly root: string;
  private readonly resources: readonly BuiltResource[];
  private readonly pieces: Pieces;

  constructor(root: string, resources: readonly BuiltResource[], pieces: Pieces) {
    this.root = root;
    this.resources = resources;
    this.pieces = pieces;
  }

  /** A place that a build names, as an address. */
  at(place: Place): BuildPlace {
    return { uri: uriOf(place.file, this.root), range: rangeIn(this.pieces, place) };
  }

  /** What had the last word about a part first: a patch before the base that it patches. */
  written({ resource, path, at }: BuiltPart): readonly Origin<BuildPlace>[] {
    const found = this.resources[resource];
    return found ? this.placesOf(originAt(found, path, at)) : [];
  }

  made(place: BuildPlace): readonly BuiltPart[] {
    return this.resources.flatMap((one, resource) => {
      const parts: BuiltPart[] = [];
      this.walk(one.root, resource, [], place, parts);
      return parts;
    });
  }

  private walk(node: BuiltNode, resource: number, path: DocumentPath, place: BuildPlace, parts: BuiltPart[]): void {
    if (node.kind === 'scalar') {
      if (this.isFrom(node.origin, place)) parts.push({ resource, path, at: 'value' });
    } else if (node.kind === 'list') {
      for (const [i, item] of node.items.entries()) this.walk(item, resource, [...path, i], place, parts);
    } else {
      for (const { key, keyOrigin, value } of node.entries) {
        const inner = [...path, key];
        if (this.isFrom(keyOrigin, place)) parts.push({ resource, path: inner, at: 'key' });
        this.walk(value, resource, inner, place, parts);
      }
    }
  }

  private isFrom(origin: BuiltOrigin | undefined, { uri, range }: BuildPlace): boolean {
    return this.placesOf(origin).some(
      ({ place }) => place.uri === uri && place.range.start <= range.start && range.start <= place.range.end,
    );
  }

  private placesOf(origin: BuiltOrigin | undefined): Origin<BuildPlace>[] {
    const places: Origin<BuildPlace>[] = [];
    for (let at = origin; at; at = at.how === 'computed' ? at.original : undefined) {
      const place = at.how === 'written' ? at.place : at.by;
      if (place) places.push({ place: this.at(place), how: at.how });
    }
    return places;
  }
}

/** The pieces of files that parts of a resource come from, apart from first ones. */
export const piecesIn = memo(({ root }: BuiltResource): readonly Place[] => {
  const found = new Map<string, Place>();
  const take = (origin: BuiltOrigin | undefined) => {
    for (const { file, piece } of placesOf(origin))
      if (piece > 0) found.set(`${piece} ${file}`, { file, piece, from: 0, to: 0 });
  };
  const visit = (node: BuiltNode): void => {
    take(node.origin);
    if (node.kind === 'list') for (const item of node.items) visit(item);
    if (node.kind !== 'map') return;
    for (const { keyOrigin, value } of node.entries) {
      take(keyOrigin);
      visit(value);
    }
  };
  visit(root);
  return [...found.values()];
});

/** The origin of what is at a path, or of the nearest around it that has one. */
function originAt({ root }: BuiltResource, path: DocumentPath, at: 'key' | 'value'): BuiltOrigin | undefined {
  let node: BuiltNode = root;
  let found = root.origin;
  for (const [i, step] of path.entries()) {
    const entry: BuiltEntry | undefined =
      node.kind === 'map' ? node.entries.findLast(({ key }) => key === step) : undefined;
    const next: BuiltNode | undefined =
      entry?.value ?? (node.kind === 'list' && typeof step === 'number' ? node.items[step] : undefined);
    if (!next) return found;
    const isLast = i === path.length - 1;
    // A map or list is pointed at by its key.
    const own = isLast && at === 'value' && next.kind === 'scalar' ? next.origin : (entry?.keyOrigin ?? next.origin);
    found = own ?? next.origin ?? found;
    node = next;
  }
  return found;
}
