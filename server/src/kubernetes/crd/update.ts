import type { Json } from '../../gostd/json.ts';
import type { Crd } from '../api/crd.ts';
import { child, type FieldPath, invalid, rootPath } from '../field.ts';
import { goString } from '../goValue.ts';
import { ownerWarnings } from '../metadata/owners.ts';
import { validateMetadata, validateMetadataUpdate } from '../metadata/validate.ts';
import { pathSegment } from '../names.ts';
import { newestVersion } from '../releases/all.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { validateApproval } from './approval.ts';
import { type CrdRequestOptions, guarded, prepareForCreate, validateStatus, withStored } from './create.ts';
import { semanticEqual } from './equal.ts';
import type { CrdFinding } from './findings.ts';
import { type InternalSpec, internalSpec } from './internal.ts';
import { validatePreserving } from './preserving.ts';
import { firstStorage, readCrd } from './read.ts';
import { specPath, validateSpec } from './spec.ts';
import { storedCrd } from './stored.ts';
import { updateOptions } from './updateOptions.ts';
import { nothing, type Verdict } from './verdict.ts';
import { updateWarnings } from './warnings.ts';

export interface CrdUpdateOptions extends CrdRequestOptions {
  /** The old CRD's names are not accepted yet. */
  readonly notEstablished?: boolean;
  /** The new CRD passes create: its spec is not looked at again. */
  readonly specPassesCreate?: boolean;
}

/** What the API server says about a CRD that replaces another. */
export function updateCrd(oldDocument: Json, document: Json, options: CrdUpdateOptions = {}): Verdict {
  const version = options.kubernetes ?? newestVersion;
  const readOld = readCrd(oldDocument, version);
  if ('error' in readOld) {
    return { ...nothing, decode: { ...readOld.error, message: `old: ${readOld.error.message}` } };
  }
  const old = readOld.crd;
  establish(old, options.notEstablished ?? false);
  const read = readCrd(document, version);
  if ('error' in read) return { ...nothing, decode: read.error };
  const { crd, strict } = read;
  const spec = internalSpec(crd);
  const oldSpec = internalSpec(old);
  prepareForUpdate(crd, old, spec, oldSpec);
  return guarded(strict, () => {
    const established = !options.notEstablished;
    const demands = passesWhole(spec, options)
      ? undefined
      : updateOptions(spec, oldSpec, established, version, options.evaluateRules);
    const specErrors = demands ? validateSpec(spec, crd.spec.versions === undefined, demands) : [];
    const errors = validateUpdate(crd, old, spec, oldSpec, established, version, specErrors);
    const own = errors.length === 0 ? updateWarnings(spec, oldSpec, version) : [];
    const warnings = [...ownerWarnings(crd.metadata), ...own];
    const shown = { ...crd, metadata: { ...crd.metadata, uid: undefined, creationTimestamp: undefined } };
    return withStored({ strict, errors, warnings, leftOut: demands?.leftOut ?? [] }, () => storedCrd(shown, version));
  });
}

/** What the API server says about a CRD that is sent for its status: the spec stays as it was. */
export function updateCrdStatus(oldDocument: Json, document: Json, options: CrdRequestOptions = {}): Verdict {
  const version = options.kubernetes ?? newestVersion;
  const old = readCrd(oldDocument, version);
  if ('error' in old) return { ...nothing, decode: { ...old.error, message: `old: ${old.error.message}` } };
  const read = readCrd(document, version);
  if ('error' in read) return { ...nothing, decode: read.error };
  const { strict } = read;
  const { uid, resourceVersion, generation, creationTimestamp } = old.crd.metadata;
  const crd = { ...read.crd, spec: old.crd.spec };
  const kept = { ...crd.metadata, uid, resourceVersion, generation, creationTimestamp };
  return guarded(strict, () => {
    const errors = validateMetadataUpdate(kept, old.crd.metadata, metadataPath, version);
    const shown = { ...crd, metadata: { ...kept, uid: undefined, creationTimestamp: undefined } };
    const warnings = ownerWarnings(crd.metadata);
    return withStored({ strict, errors, warnings, leftOut: [] }, () => storedCrd(shown, version));
  });
}

/** An update asks less of a spec than create does, but for the certificates of webhooks. */
function passesWhole({ conversion }: InternalSpec, { specPassesCreate = false }: CrdUpdateOptions): boolean {
  return specPassesCreate && !conversion?.webhook?.clientConfig?.caBundle?.length;
}

/** What a cluster makes of a CRD in the seconds after its creation. */
function establish(crd: Crd, notEstablished: boolean): void {
  const { storedVersions } = crd.status;
  const { namespace } = crd.metadata;
  prepareForCreate(crd);
  crd.metadata.namespace = namespace;
  if (storedVersions?.length) crd.status.storedVersions = storedVersions;
  crd.metadata.uid = 'uid';
  crd.metadata.resourceVersion = '1';
  crd.metadata.creationTimestamp = { seconds: 1n, nanoseconds: 0 };
  crd.status.acceptedNames = crd.spec.names;
  if (notEstablished) return;
  crd.status.conditions = ['NamesAccepted', 'Established'].map((type) => ({ type, status: 'True' }));
}

function prepareForUpdate(crd: Crd, old: Crd, spec: InternalSpec, oldSpec: InternalSpec): void {
  const { metadata } = crd;
  metadata.resourceVersion = old.metadata.resourceVersion;
  metadata.uid = old.metadata.uid;
  metadata.namespace = undefined;
  metadata.generation = semanticEqual(oldSpec, spec) ? old.metadata.generation : (old.metadata.generation ?? 0n) + 1n;
  metadata.creationTimestamp = old.metadata.creationTimestamp;
  if (old.metadata.deletionTimestamp) metadata.deletionTimestamp = old.metadata.deletionTimestamp;
  metadata.deletionGracePeriodSeconds ??= old.metadata.deletionGracePeriodSeconds;
  const stored = old.status.storedVersions;
  const storage = firstStorage(crd);
  const appended = storage === undefined || stored?.includes(storage) ? stored : [...(stored ?? []), storage];
  crd.status = { ...old.status, storedVersions: appended };
}

const metadataPath = child(rootPath, 'metadata');

/** Metadata is looked at twice, by the generic store and by the CRD's own strategy. */
function validateUpdate(
  crd: Crd,
  old: Crd,
  spec: InternalSpec,
  oldSpec: InternalSpec,
  established: boolean,
  version: KubernetesVersion,
  specErrors: readonly CrdFinding[],
): CrdFinding[] {
  const changes = validateMetadataUpdate(crd.metadata, old.metadata, metadataPath, version);
  return [
    ...validateMetadata(crd.metadata, metadataPath, { version, namespaced: false, checkName: pathSegment }),
    ...changes,
    ...changes,
    ...specErrors,
    ...immutableNames(spec, oldSpec, established, version),
    ...validateStatus(crd, version),
    ...validateApproval(crd, old, version),
    ...validatePreserving(crd, old, version),
  ];
}

function immutable(
  now: string,
  before: string,
  spot: FieldPath,
  named: boolean,
  version: KubernetesVersion,
): CrdFinding[] {
  if (now === before) return [];
  const about = { code: 'crd/immutable' as const, facts: { was: before } };
  return [invalid(spot, named ? goString(now) : now, 'field is immutable', version, about)];
}

/** What storage and clients go by cannot change. */
function immutableNames(
  spec: InternalSpec,
  old: InternalSpec,
  established: boolean,
  version: KubernetesVersion,
): CrdFinding[] {
  const names = child(specPath, 'names');
  const onceEstablished = [
    ...immutable(spec.scope ?? '', old.scope ?? '', child(specPath, 'scope'), true, version),
    ...immutable(spec.names.kind ?? '', old.names.kind ?? '', child(names, 'kind'), false, version),
  ];
  return [
    ...(established ? onceEstablished : []),
    ...immutable(spec.group ?? '', old.group ?? '', child(specPath, 'group'), false, version),
    ...immutable(spec.names.plural ?? '', old.names.plural ?? '', child(names, 'plural'), false, version),
  ];
}
