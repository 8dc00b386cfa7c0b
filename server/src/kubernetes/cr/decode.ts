import { isMap, type Path, type Value, type ValueMap } from '../../base/value.ts';
import { entriesOf, isDuplicated, isJsonList, isJsonObject, type Json, plainValue } from '../../gostd/json.ts';
import { quote } from '../../gostd/quote.ts';
import type { ObjectMeta } from '../api/objectMeta.ts';
import { readHead } from '../crd/read.ts';
import type { DecodeError } from '../decode.ts';
import { metadataValue } from '../metadata/print.ts';
import { parseGroupVersion } from '../names.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { applyDefaults } from '../schema/default.ts';
import {
  type ReadMetadata,
  readMetadata,
  readStoredMetadata,
  type UnknownNames,
  unknownNames,
} from '../schema/embedded.ts';
import { pathText, type UnknownField } from '../schema/prune.ts';
import type { Structural } from '../schema/structural.ts';
import { type Forming, form } from './form.ts';
import { knownFields } from './schemaAt.ts';
import type { ServedCrd, ServedVersion } from './served.ts';
import type { StrictField } from './verdict.ts';

/** A custom resource as decoded: pruned and defaulted, its metadata apart. */
export interface Resource {
  readonly served: ServedVersion;
  /** Everything but the metadata. */
  readonly fields: Map<string, Value>;
  readonly meta: ObjectMeta;
  /** Of the metadata, what is not known. */
  readonly names: UnknownNames;
  /** Go writes a time of its year 1 as null, and reads null as none: it is stored, and nothing else. */
  readonly nullDeletion?: boolean;
}

export type ReadResource =
  | { readonly resource: Resource; readonly strict: readonly StrictField[] }
  | { readonly error: DecodeError };

/** Decodes an object as the create and update handlers do. `text` is the request's body, which one error repeats. */
export function readResource(
  document: Json,
  crd: ServedCrd,
  kubernetes: KubernetesVersion,
  { text = '', applied = false }: { readonly text?: string | undefined; readonly applied?: boolean | undefined } = {},
): ReadResource {
  return decoded(document, crd, text, (metadata) => readMetadata(metadata, kubernetes), { keepNulls: applied });
}

/** The same for an object in the store, which is read whatever its metadata. */
export function readStored(document: Json, crd: ServedCrd, kubernetes: KubernetesVersion, text = ''): ReadResource {
  return decoded(document, crd, text, (metadata) => readStoredMetadata(metadata, kubernetes), { drop: true });
}

function decoded(
  document: Json,
  crd: ServedCrd,
  text: string,
  readMeta: (metadata: Value) => ReadMetadata,
  how: Forming,
): ReadResource {
  const head = checkHead(document, text);
  if ('error' in head) return head;
  const metadata = head.object.get('metadata');
  const read = readMeta(metadata ?? null);
  if ('error' in read) return { error: { message: read.error, path: ['metadata', ...read.path] } };
  const served = servedFor(head, crd);
  if ('error' in served) return served;
  const formed = form(head.object, served, how);
  if ('error' in formed) return formed;
  const inMetadata = read.unknown.map((field) => ({
    text: `metadata.${field.text}`,
    path: ['metadata', ...field.path],
  }));
  const value = withMetadata(formed.value, metadata === undefined ? undefined : metadataValue(read.meta), head);
  return {
    resource: { ...split(applyDefaults(value, served.structural), served), names: unknownNames(metadata) },
    strict: [
      ...duplicates(document),
      ...[...inMetadata, ...formed.unknown].map((field) => unknownField(field, served.structural)),
    ],
  };
}

interface Head {
  readonly object: ValueMap;
  readonly apiVersion: string;
  readonly kind: string;
}

type Failure = { readonly error: DecodeError };

function failure(message: string, path: Path): Failure {
  return { error: { message, path } };
}

function textOf(object: ValueMap, key: string): string {
  const value = object.get(key);
  return typeof value === 'string' ? value : '';
}

const nullApiVersion = '.apiVersion accessor error: <nil> is of the type <nil>, expected string';

function checkHead(document: Json, text: string): Head | Failure {
  const read = readHead(document);
  if ('message' in read) return { error: read };
  const parsed = parseGroupVersion(read.apiVersion);
  if ('error' in parsed) return failure(parsed.error, ['apiVersion']);
  const value = plainValue(document);
  const object: ValueMap = isMap(value) ? value : new Map();
  const kind = textOf(object, 'kind');
  if (kind === '') return failure(`Object 'Kind' is missing in '${text}'`, []);
  // Everything but a string or null has failed before.
  if (object.get('apiVersion') === null) return failure(nullApiVersion, ['apiVersion']);
  return { object, kind, apiVersion: textOf(object, 'apiVersion') };
}

function servedFor({ apiVersion, kind }: Head, crd: ServedCrd): ServedVersion | Failure {
  const parsed = parseGroupVersion(apiVersion);
  if ('error' in parsed) return failure(parsed.error, ['apiVersion']);
  const served = crd.versions.get(parsed.version);
  if (served && served.group === parsed.group && served.kind === kind) return served;
  const path = served && served.group === parsed.group ? ['kind'] : ['apiVersion'];
  return failure(`the CRD does not serve ${apiVersion}, kind ${kind}`, path);
}

function withMetadata(value: ValueMap, metadata: ValueMap | undefined, { kind, apiVersion }: Head): ValueMap {
  const out = new Map(value).set('kind', kind).set('apiVersion', apiVersion);
  return metadata ? out.set('metadata', metadata) : out;
}

/** The metadata once more apart: a schema may have defaults for it. */
function split(value: Value, served: ServedVersion): Omit<Resource, 'names'> {
  const fields = new Map(value as ValueMap);
  const metadata = fields.get('metadata') ?? null;
  const read = readMetadata(metadata, served.kubernetes);
  fields.delete('metadata');
  const nullDeletion = isMap(metadata) && metadata.get('deletionTimestamp') === null;
  // Whatever it says, the server's own record of who manages which field takes its place.
  return { served, fields, meta: 'meta' in read ? { ...read.meta, managedFields: undefined } : {}, nullDeletion };
}

function unknownField({ text, path }: UnknownField, structural: Structural | undefined): StrictField {
  const known = knownFields(structural, path.slice(0, -1));
  return { kind: 'unknown', message: `unknown field "${text}"`, path, known };
}

const mostProblems = 100;

/** Keys that stand twice, each place once. */
function duplicates(document: Json): StrictField[] {
  const found = new Map<string, StrictField>();
  visit(document, [], found);
  return [...found.values()].slice(0, mostProblems);
}

function visit(json: Json, path: (string | number)[], found: Map<string, StrictField>): void {
  if (isJsonList(json)) {
    for (const [i, item] of json.entries()) below(item, i, path, found);
    return;
  }
  if (!isJsonObject(json)) return;
  const seen = isDuplicated(json) ? new Set<string>() : undefined;
  for (const [name, item] of entriesOf(json)) {
    if (seen?.has(name)) {
      const at = [...path, name];
      const message = `duplicate field ${quote(pathText(at))}`;
      if (!found.has(message)) found.set(message, { kind: 'duplicate', message, path: at, known: [] });
    }
    seen?.add(name);
    below(item, name, path, found);
  }
}

function below(json: Json, step: string | number, path: (string | number)[], found: Map<string, StrictField>): void {
  if (typeof json !== 'object' || json === null) return;
  path.push(step);
  visit(json, path, found);
  path.pop();
}
