import { append } from '../../base/append.ts';
import type { Value } from '../../base/value.ts';
import type { Json } from '../../gostd/json.ts';
import { neverGiven, type ObjectMeta } from '../api/objectMeta.ts';
import { withStored } from '../crd/create.ts';
import { child, rootPath } from '../field.ts';
import { ownerWarnings } from '../metadata/owners.ts';
import { validateMetadata } from '../metadata/validate.ts';
import { pathSegment, subdomainName } from '../names.ts';
import { newestVersion } from '../releases/all.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { validateEmbedded } from '../schema/embedded.ts';

import { type Resource, readResource } from './decode.ts';
import { finalizerWarnings } from './finalizers.ts';
import type { CrFinding } from './findings.ts';
import { validateListTypes } from './listTypes.ts';
import { generatedName, placedNamespace, storedObject, wholeObject } from './object.ts';
import { type EvaluateObjectRules, judgeRules } from './rules.ts';
import { validateScale } from './scale.ts';
import { validateSchema } from './schemaFindings.ts';
import type { ServedCrd } from './served.ts';
import { nothing, type ResourceVerdict } from './verdict.ts';

export interface ResourceOptions {
  readonly kubernetes?: KubernetesVersion;
  /** The body of the request, which one decoding error repeats. */
  readonly text?: string;
  /** It is the outcome of an apply, whose nulls stay. */
  readonly applied?: boolean;
  readonly evaluateRules?: EvaluateObjectRules | undefined;
}

/** What the API server says about a new object of a kind that a CRD serves. */
export function createResource(document: Json, crd: ServedCrd, options: ResourceOptions = {}): ResourceVerdict {
  const { kubernetes = newestVersion } = options;
  const read = readResource(document, crd, kubernetes, options);
  if ('error' in read) return { ...nothing, decode: read.error };
  const resource = prepared(read.resource);
  const { errors, warnings, leftOut } = validateCreate(resource, options.evaluateRules);
  const verdict: ResourceVerdict = {
    strict: read.strict,
    errors,
    warnings: [
      ...ownerWarnings(resource.meta),
      ...warnings,
      ...(errors.length > 0 ? [] : finalizerWarnings(resource.meta, undefined, kubernetes)),
    ],
    leftOut,
  };
  return withStored(verdict, () => storedObject(resource.fields, resource.meta));
}

/** An object as it is sent, with its defaults and without what the schema does not know: what admission sees of it. */
export function receivedResource(document: Json, crd: ServedCrd, options: ResourceOptions = {}): Value | undefined {
  const read = readResource(document, crd, options.kubernetes ?? newestVersion, options);
  return 'error' in read ? undefined : storedObject(read.resource.fields, read.resource.meta);
}

/** A new object as it would be stored, whatever else is said about it; undefined where it cannot be decoded. */
export function storedResource(document: Json, crd: ServedCrd, options: ResourceOptions = {}): Value | undefined {
  const read = readResource(document, crd, options.kubernetes ?? newestVersion, options);
  if ('error' in read) return undefined;
  const { fields, meta } = prepared(read.resource);
  return storedObject(fields, meta);
}

/** What a server makes of a request before it validates. */
export function prepared({ served, fields, meta, names }: Resource): Resource {
  const kept = new Map(fields);
  if (served.hasStatus) kept.delete('status');
  return { served, fields: kept, meta: systemMetadata(meta, served.namespaced), names };
}

/** The metadata of a new object with what the server puts in. */
export function systemMetadata(meta: ObjectMeta, namespaced: boolean): ObjectMeta {
  return {
    ...meta,
    name: generatedName(meta),
    namespace: placedNamespace(meta, namespaced),
    ...neverGiven,
    uid: '00000000-0000-0000-0000-000000000000',
    creationTimestamp: { seconds: 1n, nanoseconds: 0 },
    generation: 1n,
  };
}

const metadataPath = child(rootPath, 'metadata');

function validateCreate(resource: Resource, evaluate: EvaluateObjectRules | undefined) {
  const { served, meta } = resource;
  const { structural, kubernetes: version, namespaced, schema, scale, values } = served;
  const object = wholeObject(resource);
  const errors: CrFinding[] = [
    ...validateMetadata(meta, metadataPath, { version, namespaced, checkName: subdomainName }),
    ...validateSchema(object, values, schema, rootPath, version),
    ...validateScale(object, scale, 'all', version),
  ];
  if (structural) {
    append(errors, validateEmbedded(object, structural, rootPath, false, version));
    append(errors, validateListTypes(object, structural, rootPath, version));
  }
  const judged = judgeRules(served, errors, { value: object }, evaluate);
  if (judged.errors.length > 0) return judged;
  // Names that pass as subdomains pass as path segments; the generic store asks all the same.
  const again = validateMetadata(meta, metadataPath, { version, namespaced, checkName: pathSegment });
  return { ...judged, errors: again };
}
