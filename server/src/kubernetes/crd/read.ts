import type { Path } from '../../base/value.ts';
import { entriesOf, isJsonObject, type Json } from '../../gostd/json.ts';
import { quote } from '../../gostd/quote.ts';
import type { Crd } from '../api/crd.ts';
import { crdStruct, emptyCrd } from '../api/crd.ts';
import { type DecodeError, decodeInto, jsonKind, type StrictProblem } from '../decode.ts';
import { lowerCase, parseGroupVersion } from '../names.ts';
import type { KubernetesVersion } from '../releases/release.ts';

export type ReadCrd =
  | { readonly crd: Crd; readonly strict: readonly StrictProblem[] }
  | { readonly error: DecodeError };

/** Decodes a CRD as a create handler does: kind and version first, then the whole with defaults. */
export function readCrd(document: Json, version: KubernetesVersion): ReadCrd {
  const kind = checkKind(document, version);
  if (kind) return { error: kind };
  const crd = emptyCrd();
  const decoded = decodeInto(crdStruct.decoding, crd, document, version);
  if (decoded.error) return { error: decoded.error };
  setDefaults(crd);
  // Whatever it says, the server's own record of who manages which field takes its place.
  crd.metadata.managedFields = undefined;
  return { crd, strict: decoded.strict };
}

const group = 'apiextensions.k8s.io';
const kind = 'CustomResourceDefinition';

/** Other kinds that the API server's own scheme knows, and so decodes before it finds that they are not CRDs. */
const otherKinds = new Set(['CustomResourceDefinitionList', 'ConversionReview']);
const optionKinds = new Set([
  'CreateOptions',
  'DeleteOptions',
  'GetOptions',
  'ListOptions',
  'PatchOptions',
  'UpdateOptions',
]);
/** Known in every version. */
const unversionedKinds = new Set([
  'Status',
  'APIVersions',
  'APIGroupList',
  'APIGroup',
  'APIResourceList',
  'WatchEvent',
]);

const headType =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

export interface Head {
  readonly kind: string;
  readonly apiVersion: string;
}

function headError(found: string, into: string, wanted: string, path: Path): DecodeError {
  const message = `couldn't get version/kind; json parse error: json: cannot unmarshal ${found} into ${into} of type ${wanted}`;
  return { message, path };
}

/** Kind and version are read without regard to the case of their keys; the last of several counts. */
export function readHead(document: Json): Head | DecodeError {
  const head = { kind: '', apiVersion: '' };
  if (document === null) return head;
  if (!isJsonObject(document)) return headError(jsonKind(document), 'Go value', headType, []);
  let error: DecodeError | undefined;
  for (const [key, json] of entriesOf(document)) {
    const field = key.toLowerCase() === 'kind' ? 'kind' : key.toLowerCase() === 'apiversion' ? 'apiVersion' : undefined;
    if (field === undefined || json === null) continue;
    if (typeof json === 'string') head[field] = json;
    else error ??= headError(jsonKind(json), `Go struct field .${field}`, 'string', [key]);
  }
  return error ?? head;
}

function checkKind(document: Json, version: KubernetesVersion): DecodeError | undefined {
  const head = readHead(document);
  if ('message' in head) return head;
  const parsed = parseGroupVersion(head.apiVersion);
  if ('error' in parsed) return { message: parsed.error, path: ['apiVersion'] };
  const name = head.kind || kind;
  const unset = parsed.group === '' && parsed.version === '';
  const actual = {
    group: unset ? group : parsed.group,
    version: parsed.version === '' && (unset || parsed.group === group) ? 'v1' : parsed.version,
  };
  return wrongKind(name, actual, version);
}

function wrongKind(
  name: string,
  gv: { group: string; version: string },
  version: KubernetesVersion,
): DecodeError | undefined {
  const known = gv.group === group && (gv.version === 'v1' || gv.version === 'v1beta1');
  if (known && name === kind) {
    if (gv.version === 'v1') return undefined;
    const message = `the API version in the data (${group}/${gv.version}) does not match the expected API version (${group}/v1)`;
    return { message, path: ['apiVersion'] };
  }
  const own = known && otherKinds.has(name);
  const core = gv.group === '' && gv.version === 'v1';
  if (own || unversionedKinds.has(name) || (optionKinds.has(name) && (known || core))) {
    const type = `${own ? gv.version : 'v1'}.${name}`;
    const message = `converting (${type}) to (apiextensions.CustomResourceDefinition): unknown conversion`;
    return { message, path: ['kind'] };
  }
  const text = gv.group === '' ? gv.version : `${gv.group}/${gv.version}`;
  const message = `no kind ${quote(name)} is registered for version ${quote(text)} in scheme ${quote(version.schemeName)}`;
  return { message, path: [known ? 'kind' : 'apiVersion'] };
}

/** What the API server fills in before it looks at anything. */
function setDefaults(crd: Crd): void {
  const { names } = crd.spec;
  if (!names.singular) names.singular = names.kind && lowerCase(names.kind);
  if (!names.listKind && names.kind) names.listKind = `${names.kind}List`;
  crd.spec.conversion ??= { strategy: 'None' };
  const service = crd.spec.conversion.webhook?.clientConfig?.service;
  if (service) service.port ??= 443n;
  if (!crd.status.storedVersions?.length) {
    const storage = firstStorage(crd);
    if (storage !== undefined) crd.status.storedVersions = [storage];
  }
}

export function firstStorage(crd: Crd): string | undefined {
  const item = crd.spec.versions?.find((candidate) => candidate.storage);
  return item && (item.name ?? '');
}
