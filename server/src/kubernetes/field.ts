import type { Path, Value } from '../base/value.ts';
import { formatFloat } from '../gostd/float.ts';
import { quote } from '../gostd/quote.ts';
import type { Anchor, Aside, ErrorType, Said } from './finding.ts';
import { type GoValue, goAny, goJson, goSyntax } from './goValue.ts';
import type { KubernetesVersion } from './releases/release.ts';

/**
 * A place in an object, known twice: as the API server's field path and as the path in the document. Texts are made
 * only for the places that something is said about.
 */
export interface FieldPath {
  readonly parent: FieldPath | undefined;
  readonly field: string;
  readonly steps: Path;
}

/** The API server's nil path, at the document's root. */
export const rootPath: FieldPath = { parent: undefined, field: '', steps: [] };

/** Go's Child: a name under this place. `steps` are the document's own where it is written elsewhere. */
export function child(parent: FieldPath, name: string, steps: Path = [name]): FieldPath {
  return { parent, field: `.${name}`, steps };
}

/** Go's Index. */
export function index(parent: FieldPath, at: number): FieldPath {
  return { parent, field: `[${at}]`, steps: [at] };
}

/** Go's Key: a map's key, unquoted. */
export function key(parent: FieldPath, name: string): FieldPath {
  return { parent, field: `[${name}]`, steps: [name] };
}

/** The API server's text for a place. */
export function fieldOf(spot: FieldPath): string {
  let text = '';
  for (let at: FieldPath | undefined = spot; at; at = at.parent) text = at.field + text;
  if (text === '') return '<nil>';
  return text.startsWith('.') ? text.slice(1) : text;
}

/** Where the document has that place. */
export function pathOf(spot: FieldPath): Path {
  const steps: (string | number)[] = [];
  for (let at: FieldPath | undefined = spot; at; at = at.parent) {
    for (let i = at.steps.length - 1; i >= 0; i--) steps.push(at.steps[i]!);
  }
  return steps.reverse();
}

/** A value in an error: plain, of some Go type, or left out. */
export type BadValue = Value | GoValue | typeof omitted;

/** Go's OmitValueType: the error shows no value. */
export const omitted: unique symbol = Symbol('omitted');

/** What a finding is, beside where it is: its code and facts, and an anchor where it is not the usual one. */
export interface About {
  readonly code: string;
  readonly facts?: unknown;
  readonly anchor?: Anchor;
  readonly aside?: Aside;
}

/** What the API server calls each sort of error. */
export const errorTitles: Readonly<Record<ErrorType, string>> = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  FieldValueTypeInvalid: 'Invalid value',
  InternalError: 'Internal error',
};

function isGoValue(value: BadValue): value is GoValue {
  return typeof value === 'object' && value !== null && 'go' in value;
}

function scalar(value: Value): string | undefined {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return formatFloat(value);
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  return undefined;
}

/** Up to 1.33 pointers are followed and nil is a quoted word. */
function inGoSyntax(value: GoValue): string {
  if (value.go === 'pointer') return inGoSyntax(value.to);
  if (value.go === 'any') return scalar(value.value ?? null) ?? (value.value == null ? '"null"' : goSyntax(value));
  if (value.go === 'nil' && value.type.startsWith('*')) return '"null"';
  return goSyntax(value);
}

export function shownValue(value: Exclude<BadValue, typeof omitted>, version: KubernetesVersion): string {
  if (!isGoValue(value)) {
    const text = scalar(value);
    if (text !== undefined) return text;
  }
  const go = isGoValue(value) ? value : goAny(value);
  return version.jsonValues ? goJson(go) : inGoSyntax(go);
}

function finding<const A extends About>(
  type: ErrorType,
  spot: FieldPath,
  message: string,
  about: A,
  anchor: Anchor,
): A & Said {
  return { ...about, type, field: fieldOf(spot), message, path: pathOf(spot), anchor: about.anchor ?? anchor };
}

function withDetail(head: string, detail: string): string {
  return detail === '' ? head : `${head}: ${detail}`;
}

function valued<const A extends About>(
  type: ErrorType,
  spot: FieldPath,
  value: BadValue,
  detail: string,
  version: KubernetesVersion,
  about: A,
): A & Said {
  const shown = value === omitted ? undefined : shownValue(value, version);
  const head = shown === undefined ? errorTitles[type] : `${errorTitles[type]}: ${shown}`;
  const found = finding(type, spot, withDetail(head, detail), about, 'value');
  return { ...found, ...(detail !== '' && { detail }), ...(shown !== undefined && { shown }) };
}

/** Something is missing: found at the map that lacks it. */
export function required<const A extends About>(spot: FieldPath, detail: string, about: A): A & Said {
  const message = withDetail(errorTitles.FieldValueRequired, detail);
  const found = finding('FieldValueRequired', spot, message, about, 'missing');
  return about.anchor === undefined ? asMissing(found) : found;
}

/** A finding about something that the document does not have, moved to the map that lacks it. */
export function asMissing<F extends Said>(found: F): F {
  return { ...found, anchor: 'missing', path: found.path.slice(0, -1), missing: found.path.slice(-1) };
}

export function forbidden<const A extends About>(spot: FieldPath, detail: string, about: A): A & Said {
  return finding('FieldValueForbidden', spot, withDetail(errorTitles.FieldValueForbidden, detail), about, 'key');
}

export function internalError<const A extends About>(spot: FieldPath, detail: string, about: A): A & Said {
  return finding('InternalError', spot, withDetail(errorTitles.InternalError, detail), about, 'key');
}

export function invalid<const A extends About>(
  spot: FieldPath,
  value: BadValue,
  detail: string,
  version: KubernetesVersion,
  about: A,
): A & Said {
  return valued('FieldValueInvalid', spot, value, detail, version, about);
}

export function typeInvalid<const A extends About>(
  spot: FieldPath,
  value: BadValue,
  detail: string,
  version: KubernetesVersion,
  about: A,
): A & Said {
  return valued('FieldValueTypeInvalid', spot, value, detail, version, about);
}

export function duplicate<const A extends About>(
  spot: FieldPath,
  value: BadValue,
  version: KubernetesVersion,
  about: A,
): A & Said {
  return valued('FieldValueDuplicate', spot, value, '', version, about);
}

/** Something names what is not there. */
export function notFound<const A extends About>(
  spot: FieldPath,
  value: BadValue,
  detail: string,
  version: KubernetesVersion,
  about: A,
): A & Said {
  return valued('FieldValueNotFound', spot, value, detail, version, about);
}

export function notSupported<const A extends About>(
  spot: FieldPath,
  value: BadValue,
  supported: readonly string[],
  version: KubernetesVersion,
  about: A,
): A & Said {
  const detail = supported.length === 0 ? '' : `supported values: ${supported.map(quote).join(', ')}`;
  return valued('FieldValueNotSupported', spot, value, detail, version, about);
}

function unit(count: bigint, word: string, version: KubernetesVersion): string {
  return `${count} ${count === 1n && version.singularUnits ? word : `${word}s`}`;
}

/** Length of metadata's texts, which 1.31 words in its own way. */
export function tooManyBytes<const A extends About>(
  spot: FieldPath,
  most: bigint,
  version: KubernetesVersion,
  about: A,
): A & Said {
  const detail = version.tooLongSaysMoreThan ? `may not be more than ${most} bytes` : `must have at most ${most} bytes`;
  return finding('FieldValueTooLong', spot, withDetail(errorTitles.FieldValueTooLong, detail), about, 'value');
}

export function tooLong<const A extends About>(
  spot: FieldPath,
  most: bigint,
  version: KubernetesVersion,
  about: A,
): A & Said {
  const limit = version.tooLongSaysMoreThan ? `more than ${unit(most, 'byte', version)}` : `longer than ${most}`;
  const detail = most < 0n ? 'value is too long' : `may not be ${limit}`;
  return finding('FieldValueTooLong', spot, withDetail(errorTitles.FieldValueTooLong, detail), about, 'value');
}

export function tooMany<const A extends About>(
  spot: FieldPath,
  actual: bigint,
  most: bigint,
  version: KubernetesVersion,
  about: A,
): A & Said {
  const detail = most < 0n ? 'has too many items' : `must have at most ${unit(most, 'item', version)}`;
  return valued('FieldValueTooMany', spot, actual < 0n ? omitted : actual, detail, version, about);
}
