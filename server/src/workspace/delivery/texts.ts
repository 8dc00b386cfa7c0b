/**
 * Values that are written in objects, as texts of their own: the chart around them knows files of values by an address, and
 * places in those. What is found at such a place is led back to the file that the object is in.
 */
import { memo } from '../../base/memo.ts';
import { movedRange, type Range } from '../../base/text.ts';
import { type DocumentPath, isMap, isString, type Path, valueAt } from '../../base/value.ts';
import { decodeBase64 } from '../../gostd/base64.ts';
import type { ChartFile } from '../../helm/chart.ts';
import { ValuePlace } from '../../template/from.ts';
import type { YamlDocument } from '../../yaml/parse.ts';
import { rangeOf } from '../../yaml/place.ts';
import { addedBySops } from '../manifest.ts';
import { inScalar } from '../projections/scalar.ts';
import { fileAt, type Snapshot } from '../snapshot.ts';
import { placedIn, type SourceFile } from '../sourceFile.ts';
import { type Delivered, deliveredIn, nameOfDelivered } from './objects.ts';

/** Between the address of a file and the object in it, and between that and the text in the object. */
const separator = '#';

/** The document of an object as a file of values: where they are in it, the place of that path says. */
export const objectText: (one: Delivered) => ChartFile = memo((one: Delivered): ChartFile => {
  const { document } = one.manifest;
  const like = one.variantOf && { like: objectText(one.variantOf) };
  const id = `${one.uri}${separator}${keyOf(one)}${one.variant === undefined ? '' : `~${one.variant}`}`;
  return { path: nameOfDelivered(one), id, text: document.text, isObject: true, ...like };
});

/** The place of a part of an object in its text. */
export function placeInObject(one: Delivered, path: Path): ValuePlace {
  let place = new ValuePlace(objectText(one).id, undefined, '');
  for (const step of [...one.manifest.at, ...path]) place = place.child(step);
  return place;
}

/** A text in an object that is YAML itself, as a file of values. */
export const innerText = memo((one: Delivered, key: string): ChartFile | undefined => {
  const path: Path = JSON.parse(key);
  const text = decodedAt(one, path);
  if (text === undefined) return undefined;
  return { path: nameOfDelivered(one), id: `${objectText(one).id}${separator}${encodeURIComponent(key)}`, text };
});

export function textAt(one: Delivered, path: Path): ChartFile | undefined {
  return innerText(one, JSON.stringify(path));
}

/** Secrets hold their texts in base64. */
export function decodedAt({ kind, manifest }: Delivered, path: Path): string | undefined {
  const text = valueAt(manifest.value, path);
  if (!isString(text)) return undefined;
  if (kind !== 'Secret' || path[0] !== 'data') return text;
  const read = decodeBase64(new TextEncoder().encode(text));
  return 'bytes' in read ? new TextDecoder().decode(read.bytes) : undefined;
}

function keyOf({ kind, name, namespace }: Delivered): string {
  return encodeURIComponent([kind, namespace, name].join('/'));
}

/** A place of a file, or of a text in an object of one. */
export interface TextPlace {
  readonly uri: string;
  readonly range: Range;
}

/** A value in an object, at its place in the text of that. */
export function textPlaceOf(one: Delivered, path: Path): TextPlace | undefined {
  const { document, at } = one.manifest;
  const range = rangeOf(document, [...at, ...path], 'value') ?? rangeOf(document, [...at, ...path], 'key');
  return range && { uri: objectText(one).id, range };
}

/** The file that a text is in. */
export function fileOfText(id: string): string {
  const end = id.indexOf(separator);
  return end === -1 ? id : id.slice(0, end);
}

/** Whether an address is that of a text in an object. */
export function isInObject(id: string): boolean {
  return id.includes(separator);
}

/** The file that an object may be in. */
export function deliveryFile(snapshot: Snapshot, uri: string): SourceFile | undefined {
  return fileAt(snapshot, uri) ?? snapshot.delivery.files.get(uri);
}

/** A text in an object: where it is. */
interface FoundText {
  readonly uri: string;
  /** Where the document begins in its file. */
  readonly start: number;
  readonly document: YamlDocument;
  /** Of a text that is a value in the object, its path in the document. */
  readonly path: DocumentPath | undefined;
  /** Whether it is that value to the letter. */
  readonly isPlain: boolean;
}

function foundText(snapshot: Snapshot, id: string): FoundText | undefined {
  const [uri = '', key, inner] = id.split(separator);
  const file = key === undefined ? undefined : deliveryFile(snapshot, uri);
  const one = file && deliveredIn(file).find((other) => keyOf(other) === key?.split('~')[0]);
  if (!one) return undefined;
  const { document, at, value } = one.manifest;
  const below: Path | undefined = inner === undefined ? undefined : JSON.parse(decodeURIComponent(inner));
  const isPlain = below !== undefined && decodedAt(one, below) === valueAt(value, below);
  return { uri, start: placedIn(file, document)?.start ?? 0, document, path: below && [...at, ...below], isPlain };
}

/** Where a place in a text really is; the place itself where that is a file. */
export function realPlace(snapshot: Snapshot, place: TextPlace): TextPlace {
  const found = foundText(snapshot, place.uri);
  if (!found) return place;
  const { uri, start, document, path, isPlain } = found;
  if (!path) return { uri, range: movedRange(place.range, start) };
  const whole = rangeOf(document, path, 'value') ?? { start: 0, end: 0 };
  const [written] = isPlain ? inScalar(document, path).written(place.range) : [];
  return { uri, range: movedRange(written?.place ?? whole, start) };
}

/** The offset in a text of one of the file that it is in; undefined where that is elsewhere. */
export function offsetInText(snapshot: Snapshot, id: string, offset: number): number | undefined {
  if (!isInObject(id)) return offset;
  const found = foundText(snapshot, id);
  const within = offset - (found?.start ?? 0);
  if (!found || within < 0 || within > found.document.text.length) return undefined;
  if (!found.path) return within;
  const [made] = found.isPlain ? inScalar(found.document, found.path).made({ start: within, end: within }) : [];
  return made?.start;
}

/** The texts of a ConfigMap or a Secret, by their keys: where each is in the object. */
export function pathOfKey({ kind, manifest }: Delivered, key: string): Path | undefined {
  const parts = kind === 'Secret' ? ['stringData', 'data'] : ['data'];
  const part = parts.find((one) => {
    const map = manifest.value.get(one);
    return isMap(map) && map.has(key);
  });
  return part === undefined ? undefined : [part, key];
}

/** Whether SOPS has encrypted an object, or the text at a path of it: what it says nobody knows. */
export function isEncrypted({ manifest }: Delivered, path: Path = []): boolean {
  const text = valueAt(manifest.value, path);
  return addedBySops(manifest) !== undefined || (isString(text) && text.startsWith('ENC['));
}
