import { hasUnknown, isList, isMap, isString, isUnknown, type Path, type Value, valueAt } from '../../base/value.ts';
import { parseGoInt } from '../../gostd/parseInt.ts';
import { quote } from '../../gostd/quote.ts';
import type { ObjectMeta } from '../api/objectMeta.ts';
import { systemMetadata } from '../cr/create.ts';
import { without } from '../cr/later.ts';
import type { DecodeError, StrictProblem } from '../decode.ts';
import { child, rootPath } from '../field.ts';
import type { MetadataFinding } from '../metadata/findings.ts';
import { ownerWarnings } from '../metadata/owners.ts';
import { validateMetadata } from '../metadata/validate.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { nameFields, readMetadata } from '../schema/embedded.ts';
import { decodeBuiltin } from './decode.ts';
import type { ValidationFinding } from './findings.ts';
import type { BuiltinKind, BuiltinKinds } from './kinds.ts';
import { isNamedByServer, nameCheckOf } from './names.ts';
import { validateBuiltin } from './validation/validate.ts';
import { warningsOfBuiltin } from './validation/warnings/warnings.ts';

/** What is sure to be said about a new object of a built-in kind. */
export interface BuiltinVerdict {
  /** Values that cannot be decoded: the server tells of the first, and of the next once that is mended. */
  readonly decode: readonly DecodeError[];
  readonly strict: readonly StrictProblem[];
  readonly metadata: readonly MetadataFinding[];
  readonly warnings: readonly (MetadataFinding | ValidationFinding)[];
  /** What is wrong with the rest of the object; of one that cannot be decoded nothing. */
  readonly validation: readonly ValidationFinding[];
}

const nothing: BuiltinVerdict = { decode: [], strict: [], metadata: [], warnings: [], validation: [] };

/** How many values that cannot be decoded are looked for. */
const mostUndecoded = 20;

export function judgeBuiltin(
  value: Value,
  kind: BuiltinKind,
  kinds: BuiltinKinds,
  version: KubernetesVersion,
): BuiltinVerdict {
  const undecoded: DecodeError[] = [];
  let [left, metadata] = [decodable(value), known(value)];
  for (let tried = 0; ; tried++) {
    const { error, strict } = decodeBuiltin(left, kind, kinds, version);
    if (!error) {
      const unread = undecoded.length === 0 ? generationError(value, kind) : undefined;
      if (unread) return { ...nothing, strict, decode: [unread] };
      const object = undecoded.length === 0 && isMap(value) ? value : undefined;
      const about = metadataOf(metadata, kind, version, value);
      const validation = object ? validateBuiltin(object, kind, version) : [];
      const isRefused = about.metadata.length + validation.length > 0;
      const own = object ? warningsOfBuiltin(object, kind, version, isRefused) : [];
      return { decode: undecoded, strict, ...about, validation, warnings: [...about.warnings, ...own] };
    }
    if (isSure(value, error)) undecoded.push(error);
    const next = tried < mostUndecoded - 1 ? without(left, wholeField(error.path)) : left;
    if (next === left || error.path.length === 0) return { ...nothing, decode: undecoded };
    left = next;
    metadata = without(metadata, wholeField(error.path));
  }
}

/** What is read from a text depends on all of it; that it is no number or object does not. */
function isSure(value: Value, { path, target }: DecodeError): boolean {
  return !isUnknown(valueAt(value, path)) || target?.found === 'string';
}

/** Without what is not known, which decoding may have nothing against; what is sure to be a text is one. */
function decodable(value: Value): Value {
  if (!hasUnknown(value)) return value;
  if (isUnknown(value)) return value.pieces ? value.text : null;
  if (isList(value)) return value.map(decodable);
  if (!isMap(value)) return value;
  const there = [...value].filter(([, item]) => !isUnknown(item) || item.pieces);
  return new Map(there.map(([key, item]) => [key, decodable(item)]));
}

/** Metadata, as far as it is known. Names are there, whatever they are. */
function known(value: Value, isMetadata = false): Value {
  if (!hasUnknown(value)) return value;
  if (isList(value)) return value.map((item) => (isUnknown(item) ? null : known(item)));
  if (!isMap(value)) return value;
  const entries = [...value].flatMap(([key, item]): [string, Value][] => {
    if (!isUnknown(item)) return [[key, known(item, key === 'metadata')]];
    return isMetadata && nameFields.has(key) ? [[key, item.text]] : [];
  });
  return new Map(entries);
}

const generation = 'deprecated.daemonset.template.generation';

/** Of a DaemonSet an annotation becomes a field that only the server has. */
function generationError(value: Value, { apiVersion, kind }: BuiltinKind): DecodeError | undefined {
  if (apiVersion !== 'apps/v1' || kind !== 'DaemonSet') return undefined;
  const path = ['metadata', 'annotations', generation];
  const text = valueAt(value, path);
  if (!isString(text)) return undefined;
  const parsed = parseGoInt(text, 10);
  if (!('error' in parsed)) return undefined;
  return { message: `strconv.ParseInt: parsing ${quote(text)}: ${parsed.error}`, path };
}

/** For items of a list the whole list, so that no other is taken for it. */
const wholeField = (path: Path): Path => path.slice(0, path.findLastIndex((step) => typeof step === 'string') + 1);

function named(meta: ObjectMeta, kind: BuiltinKind): ObjectMeta {
  return meta.name || !isNamedByServer(kind) ? meta : { ...meta, name: '00000000-0000-0000-0000-000000000000' };
}

/** Requests, such as reviews, are not stored, and need no metadata. */
function metadataOf(
  value: Value,
  kind: BuiltinKind,
  version: KubernetesVersion,
  object: Value,
): { readonly metadata: readonly MetadataFinding[]; readonly warnings: readonly MetadataFinding[] } {
  const metadata = isMap(value) ? (value.get('metadata') ?? null) : null;
  const read = kind.verbs === undefined ? readMetadata(metadata, version) : { error: '' };
  if ('error' in read) return { metadata: [], warnings: [] };
  const namespaced = kind.namespaced === true;
  // Whatever it says, the server's own record of who manages which field takes its place.
  const meta = { ...named(systemMetadata(read.meta, namespaced), kind), managedFields: undefined };
  const options = { version, namespaced, checkName: nameCheckOf(kind, object, version) };
  return { metadata: validateMetadata(meta, child(rootPath, 'metadata'), options), warnings: ownerWarnings(meta) };
}
