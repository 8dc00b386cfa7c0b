import type { Value } from '../../base/value.ts';
import type { Json } from '../../gostd/json.ts';
import type { Crd } from '../api/crd.ts';
import { neverGiven } from '../api/objectMeta.ts';
import { generatedBase } from '../bounds.ts';
import { child, rootPath } from '../field.ts';
import { ownerWarnings } from '../metadata/owners.ts';
import { type NameCheck, validateMetadata } from '../metadata/validate.ts';
import { pathSegment, subdomainName } from '../names.ts';
import { newestVersion } from '../releases/all.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { validateApproval } from './approval.ts';
import type { CrdFinding } from './findings.ts';
import { type InternalSpec, internalSpec } from './internal.ts';
import { validateNames } from './names.ts';
import { type CrdOptions, createOptions, type EvaluateRules } from './options.ts';
import { ServerPanic } from './panic.ts';
import { validatePreserving } from './preserving.ts';
import { firstStorage, readCrd } from './read.ts';
import { validateSpec } from './spec.ts';
import { storedCrd } from './stored.ts';
import { nothing, type Verdict } from './verdict.ts';
import { validateStoredVersions } from './versionRules.ts';
import { createWarnings } from './warnings.ts';

export interface CrdRequestOptions {
  readonly kubernetes?: KubernetesVersion;
  /** Runs rules over defaults; without it they are not judged by rules. */
  readonly evaluateRules?: EvaluateRules;
}

/** What the API server says about a new CRD. */
export function createCrd(document: Json, options: CrdRequestOptions = {}): Verdict {
  const { kubernetes = newestVersion } = options;
  const read = readCrd(document, kubernetes);
  if ('error' in read) return { ...nothing, decode: read.error };
  const { crd, strict } = read;
  generateName(crd);
  prepareForCreate(crd);
  Object.assign(crd.metadata, neverGiven);
  return guarded(strict, () => {
    const demands = createOptions(kubernetes, options.evaluateRules);
    const spec = internalSpec(crd);
    const errors = validateCreate(crd, spec, demands);
    const own = errors.length === 0 ? createWarnings(spec, kubernetes) : [];
    const warnings = [...ownerWarnings(crd.metadata), ...own];
    return withStored({ strict, errors, warnings, leftOut: demands.leftOut }, () => storedCrd(crd, kubernetes));
  });
}

/** The stored object is made when it is asked for, which the editor rarely does. */
export function withStored<V extends object>(verdict: V, store: () => Value): V & { readonly stored: Value } {
  let stored: Value | undefined;
  const get = (): Value => {
    stored ??= store();
    return stored;
  };
  return Object.defineProperty(verdict, 'stored', { enumerable: true, get }) as V & { readonly stored: Value };
}

/** Runs what may crash the API server; what strict decoding refuses never gets that far. */
export function guarded(strict: Verdict['strict'], judge: () => Verdict): Verdict {
  try {
    return judge();
  } catch (error) {
    if (error instanceof ServerPanic) return { ...nothing, strict, panic: error.panic };
    throw error;
  }
}

/** A name made of generateName, with a suffix that is always the same where a server's is random. */
function generateName({ metadata }: Crd): void {
  if (metadata.name || !metadata.generateName) return;
  metadata.name = `${metadata.generateName.slice(0, generatedBase)}00000`;
}

export function prepareForCreate(crd: Crd): void {
  crd.metadata.namespace = undefined;
  crd.metadata.generation = 1n;
  crd.metadata.uid = undefined;
  crd.metadata.creationTimestamp = undefined;
  const storage = firstStorage(crd);
  crd.status = { acceptedNames: {}, storedVersions: storage === undefined ? undefined : [storage] };
}

/** The name of a CRD is made of its plural and its group. */
function crdName(crd: Crd): NameCheck {
  const wanted = `${crd.spec.names.plural ?? ''}.${crd.spec.group ?? ''}`;
  return (name, prefix) => {
    const texts = subdomainName(name, prefix);
    return name === wanted ? texts : [...texts, 'must be spec.names.plural+"."+spec.group'];
  };
}

const metadataPath = child(rootPath, 'metadata');
const statusPath = child(rootPath, 'status');

function validateCreate(crd: Crd, spec: InternalSpec, options: CrdOptions): CrdFinding[] {
  const { version } = options;
  const names = { version, namespaced: false, checkName: crdName(crd) };
  const errors: CrdFinding[] = [
    ...validateMetadata(crd.metadata, metadataPath, names),
    ...validateSpec(spec, crd.spec.versions === undefined, options),
    ...validateStatus(crd, version),
    ...validateApproval(crd, undefined, version),
    ...validatePreserving(crd, undefined, version),
  ];
  if (errors.length > 0) return errors;
  return validateMetadata(crd.metadata, metadataPath, { version, namespaced: false, checkName: pathSegment });
}

export function validateStatus(crd: Crd, version: KubernetesVersion): CrdFinding[] {
  return [
    ...validateNames(crd.status.acceptedNames, child(statusPath, 'acceptedNames'), version),
    ...validateStoredVersions(
      crd.status.storedVersions,
      crd.spec.versions ?? [],
      child(statusPath, 'storedVersions'),
      version,
    ),
  ];
}
