import { append } from '../../base/append.ts';
import { equalValues, type Value, type ValueMap } from '../../base/value.ts';
import type { Json } from '../../gostd/json.ts';
import type { ObjectMeta } from '../api/objectMeta.ts';
import { withStored } from '../crd/create.ts';
import { child, rootPath } from '../field.ts';
import { ownerWarnings } from '../metadata/owners.ts';
import { validateMetadata, validateMetadataUpdate } from '../metadata/validate.ts';
import { pathSegment } from '../names.ts';
import { newestVersion } from '../releases/all.ts';
import { validateEmbedded } from '../schema/embedded.ts';

import { type Correlated, correlate, forgiveness, type Touched } from './correlate.ts';
import type { ResourceOptions } from './create.ts';
import { type Resource, readResource, readStored } from './decode.ts';
import { finalizerWarnings } from './finalizers.ts';
import type { CrFinding } from './findings.ts';
import { validateListTypes } from './listTypes.ts';
import { placedNamespace, storedObject, wholeObject } from './object.ts';
import { judgeRules } from './rules.ts';
import { validateScale } from './scale.ts';
import { validateSchema } from './schemaFindings.ts';
import type { ServedCrd } from './served.ts';
import { nothing, type ResourceVerdict } from './verdict.ts';

export interface ResourceUpdateOptions extends ResourceOptions {
  readonly oldText?: string;
  /** The endpoint that is written to; the object's own without it. */
  readonly subresource?: 'status' | undefined;
  /** What counts as changed beside what is. */
  readonly touched?: Touched | undefined;
}

/** What the API server says about an object that replaces another. */
export function updateResource(
  oldDocument: Json,
  document: Json,
  crd: ServedCrd,
  options: ResourceUpdateOptions = {},
): ResourceVerdict {
  const { kubernetes = newestVersion } = options;
  const readOld = readStored(oldDocument, crd, kubernetes, options.oldText);
  if ('error' in readOld) return { ...nothing, decode: { ...readOld.error, message: `old: ${readOld.error.message}` } };
  const read = readResource(document, crd, kubernetes, options);
  if ('error' in read) return { ...nothing, decode: read.error };
  const old = established(readOld.resource, 1n);
  const isStatus = options.subresource === 'status';
  const resource = isStatus ? preparedStatus(read.resource, old) : prepared(read.resource, old);
  const { errors, warnings, leftOut } = validateUpdate(resource, old, options);
  const written = isStatus ? readOld.resource : read.resource;
  const quiet = errors.length > 0 || isStatus;
  const verdict: ResourceVerdict = {
    strict: read.strict,
    errors,
    warnings: [
      ...ownerWarnings(read.resource.meta),
      ...warnings,
      ...(quiet ? [] : finalizerWarnings(resource.meta, old.meta, kubernetes)),
    ],
    leftOut,
  };
  return withStored(verdict, () => storedObject(resource.fields, resource.meta, written.nullDeletion));
}

/** What a cluster holds of an object. */
function established({ served, fields, meta, names }: Resource, generation: bigint): Resource {
  const system: ObjectMeta = {
    ...meta,
    namespace: served.namespaced ? placedNamespace(meta, true) : meta.namespace,
    uid: '00000000-0000-0000-0000-000000000001',
    resourceVersion: '1',
    creationTimestamp: { seconds: 1n, nanoseconds: 0 },
    generation,
  };
  return { served, fields, meta: system, names };
}

function prepared(read: Resource, old: Resource): Resource {
  const { served } = read;
  const fields = new Map(read.fields);
  const status = old.fields.get('status');
  if (served.hasStatus) {
    if (status !== undefined) fields.set('status', status);
    else fields.delete('status');
  }
  const generation = equalValues(fields, old.fields) ? 1n : 2n;
  const { meta } = established(read, generation);
  const name = meta.name || old.meta.name;
  const { names } = read;
  return { served, fields, meta: withDeletion({ ...meta, name, namespace: inScope(meta, served) }, old.meta), names };
}

function inScope(meta: ObjectMeta, { namespaced }: { readonly namespaced: boolean }): string | undefined {
  return namespaced ? meta.namespace : undefined;
}

/** An update never takes a deletion back. */
function withDeletion(meta: ObjectMeta, old: ObjectMeta): ObjectMeta {
  return {
    ...meta,
    deletionTimestamp: old.deletionTimestamp ?? meta.deletionTimestamp,
    deletionGracePeriodSeconds: meta.deletionGracePeriodSeconds ?? old.deletionGracePeriodSeconds,
  };
}

/** Everything but the status stays as it was. */
function preparedStatus(read: Resource, old: Resource): Resource {
  const fields = new Map(old.fields);
  const status = read.fields.get('status');
  if (status !== undefined) fields.set('status', status);
  else fields.delete('status');
  return { served: old.served, fields, meta: old.meta, names: old.names };
}

const metadataPath = child(rootPath, 'metadata');

/** What the generic store has against the metadata, before the strategy is asked; it switches off no rules. */
function storeFindings({ served, meta }: Resource, old: Resource): CrFinding[] {
  const { namespaced, kubernetes: version } = served;
  return [
    ...validateMetadata(meta, metadataPath, { version, namespaced, checkName: pathSegment }),
    ...validateMetadataUpdate(meta, old.meta, metadataPath, version),
  ];
}

function validateUpdate(resource: Resource, old: Resource, options: ResourceUpdateOptions) {
  const { served } = resource;
  const { structural, kubernetes: version, scale } = served;
  const isStatus = options.subresource === 'status';
  const object = wholeObject(resource);
  const before = wholeObject(old);
  const { touched } = options;
  const correlated = structural && correlate(object, before, structural, touched);
  const errors: CrFinding[] = [
    ...validateMetadataUpdate(resource.meta, old.meta, metadataPath, version),
    ...(isStatus ? statusFindings(resource, old, correlated, touched) : objectFindings(resource, object, correlated)),
    ...validateScale(object, scale, isStatus ? 'status' : 'all', version),
  ];
  if (structural) {
    if (!isStatus) append(errors, validateEmbedded(object, structural, rootPath, false, version));
    const lists = (value: Value) => validateListTypes(value, structural, rootPath, version);
    // What the old object got wrong already, it may keep, and more of it.
    if (lists(before).length === 0) append(errors, lists(object));
  }
  const forgives = !isStatus || version.statusRatchets;
  const rules = { value: object, old: before, ...(correlated && forgives && { correlation: correlated }) };
  const judged = judgeRules(served, errors, rules, options.evaluateRules);
  return { ...judged, errors: [...storeFindings(resource, old), ...judged.errors] };
}

function objectFindings({ served }: Resource, object: ValueMap, correlated: Correlated | undefined): CrFinding[] {
  const { kubernetes: version, schema, values } = served;
  return validateSchema(object, values, schema, rootPath, version, correlated && forgiveness(correlated, true));
}

function statusFindings(
  { served, fields }: Resource,
  old: Resource,
  correlated: Correlated | undefined,
  touched: Touched | undefined,
): CrFinding[] {
  const { kubernetes: version, schema, statusValues, structural } = served;
  const status = fields.get('status');
  if (status === undefined || !statusValues) return [];
  const props = schema?.properties?.get('status');
  const below = structural?.properties?.get('status');
  const node = correlated?.key('status') ?? (below && correlate(status, old.fields.get('status') ?? null, below));
  const forgives = version.statusRatchets && !touched?.whole.includes('status');
  const forgiving = forgives && node ? forgiveness(node, true) : undefined;
  return validateSchema(status, statusValues, props, child(rootPath, 'status'), version, forgiving);
}
