/** Which comments' markers belong to what: to the package, a type, a field, or to nothing. */
import { append } from '../../base/append.ts';
import { memo } from '../../base/memo.ts';
import type { CommentGroup, Declaration, Field, GoFile, TypeDeclaration, TypeExpression } from '../syntax/model.ts';
import type { Marker, MarkerTarget } from './model.ts';
import { namesOf, type RawMarker, rawMarker, readMarker } from './read.ts';
import { markerNamed } from './table.ts';

export interface CollectedMarkers {
  readonly package: readonly Marker[];
  readonly ofType: ReadonlyMap<TypeDeclaration, readonly Marker[]>;
  readonly ofField: ReadonlyMap<Field, readonly Marker[]>;
  readonly lost: readonly LostMarker[];
}

/** A marker that belongs to nothing, and so does nothing. */
export interface LostMarker {
  readonly raw: RawMarker;
  readonly why: LostWhy;
}

/**
 * It is the documentation of something that has no markers, or a comment too far above what follows, or inside of a
 * struct with nothing below, or behind something on its line.
 */
export type LostWhy = 'docOfOther' | 'tooFar' | 'nothingBelow' | 'behind';

export const collectMarkers = memo((file: GoFile): CollectedMarkers => new Collector(file).collected());

/** A comment's marker before it is known whether it is the package's. */
interface Attached {
  readonly raw: RawMarker;
  readonly isDoc: boolean;
}

interface Around {
  readonly block: readonly RawMarker[];
  readonly doc: readonly RawMarker[];
}

/**
 * Goes through a file as controller-gen goes through its syntax tree: what follows takes its documentation and the
 * nearest comment above that; everything else above belongs to the package at the top of the file, and elsewhere is lost.
 */
class Collector {
  private readonly file: GoFile;
  private readonly groups: readonly CommentGroup[];
  /** The first comment that nothing has taken yet. */
  private at = 0;
  private readonly ofPackage: RawMarker[] = [];
  private readonly types = new Map<TypeDeclaration, Attached[]>();
  private readonly fields = new Map<Field, RawMarker[]>();
  private readonly lost: LostMarker[] = [];

  constructor(file: GoFile) {
    this.file = file;
    this.groups = file.comments;
  }

  collected(): CollectedMarkers {
    for (; this.isBefore(this.file.package.range.start); this.at++) append(this.ofPackage, this.markersOf(this.at));
    for (const declaration of this.file.declarations) this.declaration(declaration);
    for (; this.at < this.groups.length; this.at++) append(this.ofPackage, this.markersOf(this.at));
    this.moveToPackage();
    return {
      package: read(this.ofPackage, 'package'),
      ofType: mapValues(this.types, (all) =>
        read(
          all.map(({ raw }) => raw),
          'type',
        ),
      ),
      ofField: mapValues(this.fields, (all) => read(all, 'field')),
      lost: this.lost,
    };
  }

  private declaration(declaration: Declaration): void {
    const { block, doc } = this.above(declaration.range.start, declaration.doc, true);
    if (declaration.keyword === 'type' && !declaration.isGroup) {
      this.typesOf(declaration, [...attached(block, false), ...attached(doc, true)]);
    } else {
      append(this.ofPackage, block);
      this.lose(doc, 'docOfOther');
      if (declaration.keyword === 'type') this.typesOf(declaration, []);
    }
    this.skipTo(declaration.range.end, 'nothingBelow');
    if (declaration.keyword !== 'func' && !declaration.isGroup) this.skipBehind(declaration.range.end);
  }

  private typesOf({ types, isGroup }: Declaration, ofDeclaration: readonly Attached[]): void {
    for (const type of types) {
      const { block, doc } = this.above(type.nameRange.start, isGroup ? type.doc : undefined, false);
      this.types.set(type, [...ofDeclaration, ...attached(block, false), ...attached(doc, true)]);
      this.fieldsOf(type.type);
      this.skipTo(type.range.end, 'nothingBelow');
      this.skipBehind(type.range.end);
    }
  }

  private fieldsOf(type: TypeExpression): void {
    if (type.kind === 'pointer') this.fieldsOf(type.to);
    else if (type.kind === 'list' || type.kind === 'map') this.fieldsOf(type.of);
    if (type.kind !== 'struct') return;
    this.skipTo(type.range.start, 'tooFar');
    for (const field of type.fields) {
      const { block, doc } = this.above(field.range.start, field.doc, false);
      this.fields.set(field, [...block, ...doc]);
      this.fieldsOf(field.type);
      this.skipTo(field.range.end, 'nothingBelow');
      this.skipBehind(field.range.end);
    }
  }

  /** Takes the comments above an offset: the documentation, the nearest other comment, and all before. */
  private above(offset: number, doc: CommentGroup | undefined, isTop: boolean): Around {
    let end = this.at;
    while (end < this.groups.length && this.groups[end]!.range.start < offset) end++;
    const isDocumented = doc !== undefined && end > this.at && this.groups[end - 1]!.range.start === doc.range.start;
    const nearest = end - (isDocumented ? 2 : 1);
    for (let i = this.at; i < nearest; i++) {
      if (isTop) append(this.ofPackage, this.markersOf(i));
      else this.lose(this.markersOf(i), 'tooFar');
    }
    const block = nearest >= this.at ? this.markersOf(nearest) : [];
    this.at = end;
    return { block, doc: isDocumented ? this.markersOf(end - 1) : [] };
  }

  /** A comment behind something on its line belongs to nothing. */
  private skipBehind(end: number): void {
    const next = this.groups[this.at];
    if (!next || next.range.start < end || this.file.text.slice(end, next.range.start).includes('\n')) return;
    this.lose(this.markersOf(this.at), 'behind');
    this.at++;
  }

  private skipTo(end: number, why: LostWhy): void {
    for (; this.isBefore(end); this.at++) this.lose(this.markersOf(this.at), why);
  }

  private isBefore(offset: number): boolean {
    return this.at < this.groups.length && this.groups[this.at]!.range.start < offset;
  }

  private markersOf(index: number): RawMarker[] {
    return this.groups[index]!.lines.map(rawMarker).filter((raw) => raw !== undefined);
  }

  private lose(markers: readonly RawMarker[], why: LostWhy): void {
    for (const raw of markers) this.lost.push({ raw, why });
  }

  /** Markers above a type's documentation that only packages have are the package's. */
  private moveToPackage(): void {
    for (const [type, all] of this.types) {
      const moves = ({ raw, isDoc }: Attached): boolean => !isDoc && !isKnown(raw, 'type') && isKnown(raw, 'package');
      append(
        this.ofPackage,
        all.filter(moves).map(({ raw }) => raw),
      );
      this.types.set(
        type,
        all.filter((marker) => !moves(marker)),
      );
    }
  }
}

function isKnown({ text }: RawMarker, target: MarkerTarget): boolean {
  return namesOf(text).some((name) => markerNamed(name, target) !== undefined);
}

function attached(markers: readonly RawMarker[], isDoc: boolean): Attached[] {
  return markers.map((raw) => ({ raw, isDoc }));
}

function read(markers: readonly RawMarker[], target: MarkerTarget): Marker[] {
  return markers.map((raw) => readMarker(raw, target));
}

function mapValues<K, A, B>(map: ReadonlyMap<K, A>, change: (value: A) => B): Map<K, B> {
  return new Map(Array.from(map, ([key, value]) => [key, change(value)]));
}
