import { append } from '../../base/append.ts';
import { byteLength } from '../../gostd/bytes.ts';
import { isPrint } from '../../gostd/quote.ts';
import { integerPointer, timePointer } from '../api/goTypes.ts';
import {
  type ManagedFieldsEntry,
  type ObjectMeta,
  type OwnerReference,
  objectMetaStruct,
  ownerReferenceStruct,
} from '../api/objectMeta.ts';
import { printStruct } from '../api/print.ts';
import { annotationBytesLimit } from '../bounds.ts';
import { child, type FieldPath, forbidden, index, invalid, notSupported, required, tooManyBytes } from '../field.ts';
import { mostAlike } from '../finding.ts';
import { type GoValue, goString, goStrings } from '../goValue.ts';
import { dns1123Label, labelValue, parseGroupVersion, qualifiedName, quotedList } from '../names.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import type { MetadataFinding } from './findings.ts';
import { mergedOwners, type PlacedOwner, placedOwners } from './owners.ts';

/** The texts against a name; `prefix` where it is a generateName. */
export type NameCheck = (name: string, prefix: boolean) => readonly string[];

export interface MetadataOptions {
  readonly version: KubernetesVersion;
  readonly namespaced: boolean;
  readonly checkName: NameCheck;
  /** It is part of another object: no handler has merged its owner references. */
  readonly embedded?: boolean;
}

/** What the API server has against metadata on creation. */
export function validateMetadata(meta: ObjectMeta, spot: FieldPath, options: MetadataOptions): MetadataFinding[] {
  return [...names(meta, spot, options), ...namespace(meta, spot, options), ...commonMetadata(meta, spot, options)];
}

function commonMetadata(meta: ObjectMeta, spot: FieldPath, options: MetadataOptions): MetadataFinding[] {
  const { version, embedded = false } = options;
  const { ownerReferences: owners = [] } = meta;
  return [
    ...generation(meta, spot, version),
    ...labels(meta, spot, version),
    ...annotations(meta, spot, version),
    ...ownerReferences(embedded ? placedOwners(owners) : mergedOwners(owners).kept, spot, version),
    ...finalizers(meta, spot, version),
    ...managedFields(meta, spot, version),
  ];
}

function names(meta: ObjectMeta, spot: FieldPath, { version, checkName }: MetadataOptions): MetadataFinding[] {
  const { name = '', generateName = '' } = meta;
  const generated = generateName === '' ? [] : checkName(generateName, true);
  const found = generated.map((text) =>
    invalid(child(spot, 'generateName'), generateName, text, version, {
      code: 'metadata/generate-name' as const,
      facts: { generateName },
    }),
  );
  if (name === '') {
    const missing = required(child(spot, 'name'), 'name or generateName is required', {
      code: 'metadata/name-required' as const,
    });
    return [...found, missing];
  }
  const about = { code: 'metadata/name' as const, facts: { name } };
  return [...found, ...checkName(name, false).map((text) => invalid(child(spot, 'name'), name, text, version, about))];
}

function namespace(meta: ObjectMeta, spot: FieldPath, { version, namespaced }: MetadataOptions): MetadataFinding[] {
  const at = child(spot, 'namespace');
  const name = meta.namespace ?? '';
  const about = { code: 'metadata/namespace' as const, facts: { namespace: name } };
  if (!namespaced) return name === '' ? [] : [forbidden(at, 'not allowed on this type', about)];
  if (name === '') return [required(at, '', about)];
  return dns1123Label(name).map((text) => invalid(at, name, text, version, about));
}

function generation(meta: ObjectMeta, spot: FieldPath, version: KubernetesVersion): MetadataFinding[] {
  const value = meta.generation ?? 0n;
  if (value >= 0n) return [];
  const about = { code: 'metadata/generation' as const };
  return [invalid(child(spot, 'generation'), value, 'must be greater than or equal to 0', version, about)];
}

/** A finding about one entry of a map shows the map's field but stands at the entry. */
function entryPath(spot: FieldPath, name: string | number): FieldPath {
  return { parent: spot, field: '', steps: [name] };
}

function labels(meta: ObjectMeta, spot: FieldPath, version: KubernetesVersion): MetadataFinding[] {
  const found: MetadataFinding[] = [];
  const at = child(spot, 'labels');
  for (const [name, value] of meta.labels ?? []) {
    if (found.length >= mostAlike) break;
    const entry = entryPath(at, name);
    const facts = { label: name, value };
    for (const text of qualifiedName(name, version)) {
      found.push(invalid(entry, name, text, version, { code: 'metadata/label', anchor: 'key', facts }));
    }
    for (const text of labelValue(value, version)) {
      found.push(invalid(entry, value, text, version, { code: 'metadata/label', facts }));
    }
  }
  return found;
}

function annotations(meta: ObjectMeta, spot: FieldPath, version: KubernetesVersion): MetadataFinding[] {
  const found: MetadataFinding[] = [];
  const at = child(spot, 'annotations');
  let size = 0;
  for (const [name, value] of meta.annotations ?? []) {
    size += byteLength(name) + byteLength(value);
    if (found.length >= mostAlike) continue;
    for (const text of qualifiedName(name.toLowerCase(), version)) {
      const about = { code: 'metadata/annotation' as const, anchor: 'key' as const, facts: { annotation: name } };
      found.push(invalid(entryPath(at, name), name, text, version, about));
    }
  }
  if (size > annotationBytesLimit) {
    const about = { code: 'metadata/annotations-too-long' as const, facts: { size } };
    found.push(tooManyBytes(at, BigInt(annotationBytesLimit), version, about));
  }
  return found;
}

function ownerReferences(
  owners: readonly PlacedOwner[],
  spot: FieldPath,
  version: KubernetesVersion,
): MetadataFinding[] {
  const found: MetadataFinding[] = [];
  const all = child(spot, 'ownerReferences');
  const references = owners.map(({ reference }) => reference);
  let controller: string | undefined;
  owners.forEach(({ reference, place }, i) => {
    const at = { ...entryPath(all, place), field: version.itemizedMetadata ? `[${i}]` : '' };
    if (found.length < mostAlike) append(found, ownerReference(reference, at, version));
    if (!reference.controller) return;
    const name = `${reference.kind ?? ''}/${reference.name ?? ''}`;
    if (controller === undefined) controller = name;
    else if (found.length < mostAlike) found.push(twoControllers(references, all, controller, name, version));
  });
  return found;
}

function twoControllers(
  references: readonly OwnerReference[],
  spot: FieldPath,
  first: string,
  second: string,
  version: KubernetesVersion,
): MetadataFinding {
  const value = objectMetaStruct.fields.ownerReferences.type.print([...references]);
  const detail = `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${second}`;
  return invalid(spot, value, detail, version, { code: 'metadata/two-controllers', facts: { first, second } });
}

function missingInOwner(
  reference: OwnerReference,
  field: 'kind' | 'name' | 'uid',
  spot: FieldPath,
  version: KubernetesVersion,
): MetadataFinding[] {
  if (reference[field]) return [];
  const about = { code: 'metadata/owner-reference' as const, facts: { field } };
  if (version.itemizedMetadata) return [required(child(spot, field), 'must not be empty', about)];
  const detail = version.omitsRepeatedField ? 'must not be empty' : `${field} must not be empty`;
  return [invalid(child(spot, field), goString(''), detail, version, about)];
}

function ownerApiVersion(apiVersion: string, spot: FieldPath, version: KubernetesVersion): MetadataFinding[] {
  const at = child(spot, 'apiVersion');
  const about = { code: 'metadata/owner-reference' as const, facts: { field: 'apiVersion' } };
  const parsed = parseGroupVersion(apiVersion);
  if ('version' in parsed && parsed.version !== '') return [];
  if (!version.itemizedMetadata) return [invalid(at, apiVersion, 'version must not be empty', version, about)];
  if (apiVersion === '') return [required(at, 'must not be empty', about)];
  return [invalid(at, apiVersion, 'must be <group>/<version> or <version>', version, about)];
}

function ownerReference(reference: OwnerReference, spot: FieldPath, version: KubernetesVersion): MetadataFinding[] {
  const found = [
    ...ownerApiVersion(reference.apiVersion ?? '', spot, version),
    ...missingInOwner(reference, 'kind', spot, version),
    ...missingInOwner(reference, 'name', spot, version),
    ...missingInOwner(reference, 'uid', spot, version),
  ];
  if (reference.apiVersion === 'v1' && reference.kind === 'Event') {
    const detail = '/v1, Kind=Event is disallowed from being an owner';
    found.push(
      invalid(spot, printStruct(ownerReferenceStruct, reference), detail, version, { code: 'metadata/owner-event' }),
    );
  }
  return found;
}

const orphan = 'orphan';
const foreground = 'foregroundDeletion';

function finalizers(meta: ObjectMeta, spot: FieldPath, version: KubernetesVersion): MetadataFinding[] {
  const at = child(spot, 'finalizers');
  const all = meta.finalizers ?? [];
  const found: MetadataFinding[] = [];
  for (const [i, finalizer] of all.entries()) {
    if (found.length >= mostAlike) break;
    for (const text of qualifiedName(finalizer, version)) {
      found.push(
        invalid(entryPath(at, i), finalizer, text, version, { code: 'metadata/finalizer', facts: { finalizer } }),
      );
    }
  }
  if (all.includes(orphan) && all.includes(foreground)) {
    const detail = `finalizer ${orphan} and ${foreground} cannot be both set`;
    found.push(invalid(at, goStrings(all), detail, version, { code: 'metadata/finalizer-conflict' }));
  }
  return found;
}

function managedFields(meta: ObjectMeta, spot: FieldPath, version: KubernetesVersion): MetadataFinding[] {
  const all = child(spot, 'managedFields');
  const found: MetadataFinding[] = [];
  for (const [i, entry] of (meta.managedFields ?? []).entries()) {
    if (found.length >= mostAlike) break;
    append(found, managedEntry(entry, index(all, i), version));
  }
  return found;
}

const managedAbout = (field: string) => ({ code: 'metadata/managed-fields' as const, facts: { field } });

function managedOperation(operation: string, spot: FieldPath, version: KubernetesVersion): MetadataFinding[] {
  if (operation === 'Apply' || operation === 'Update') return [];
  const at = child(spot, 'operation');
  const about = managedAbout('operation');
  const value = goString(operation);
  if (!version.itemizedMetadata) return [invalid(at, value, 'must be `Apply` or `Update`', version, about)];
  if (operation === '') return [required(at, 'must not be empty', about)];
  return [notSupported(at, value, ['Apply', 'Update'], version, about)];
}

function managerName(manager: string, spot: FieldPath, version: KubernetesVersion): MetadataFinding[] {
  const found: MetadataFinding[] = [];
  const about = managedAbout('manager');
  if (byteLength(manager) > 128) found.push(tooManyBytes(spot, 128n, version, about));
  let position = 0;
  for (const character of manager) {
    if (!isPrint(character)) {
      const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
      const detail = `invalid character U+${code} (at position ${position})`;
      found.push(invalid(spot, manager, detail, version, about));
    }
    position += byteLength(character);
  }
  return found;
}

function managedEntry(entry: ManagedFieldsEntry, spot: FieldPath, version: KubernetesVersion): MetadataFinding[] {
  const found = managedOperation(entry.operation ?? '', spot, version);
  const { fieldsType = '', subresource = '' } = entry;
  if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
    const about = managedAbout('fieldsType');
    found.push(invalid(child(spot, 'fieldsType'), fieldsType, 'must be `FieldsV1`', version, about));
  }
  append(found, managerName(entry.manager ?? '', child(spot, 'manager'), version));
  if (byteLength(subresource) > 256) {
    found.push(tooManyBytes(child(spot, 'subresource'), 256n, version, managedAbout('subresource')));
  }
  return found;
}

/** What the API server has against metadata that replaces older metadata. */
export function validateMetadataUpdate(
  meta: ObjectMeta,
  old: ObjectMeta,
  spot: FieldPath,
  version: KubernetesVersion,
): MetadataFinding[] {
  return [
    ...newFinalizers(meta, old, spot),
    ...resourceVersion(meta, spot, version),
    ...generation(meta, spot, version),
    ...decremented(meta, old, spot, version),
    ...immutableMetadata(meta, old, spot, version),
    ...labels(meta, spot, version),
    ...annotations(meta, spot, version),
    ...ownerReferences(mergedOwners(meta.ownerReferences ?? []).kept, spot, version),
    ...managedFields(meta, spot, version),
  ];
}

function newFinalizers(meta: ObjectMeta, old: ObjectMeta, spot: FieldPath): MetadataFinding[] {
  if (old.deletionTimestamp === undefined) return [];
  const before = new Set(old.finalizers);
  const extra = [...new Set(meta.finalizers)].filter((name) => !before.has(name)).sort();
  if (extra.length === 0) return [];
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers ${quotedList(extra)}`;
  return [
    forbidden(child(spot, 'finalizers'), detail, { code: 'metadata/new-finalizer', facts: { finalizers: extra } }),
  ];
}

function resourceVersion(meta: ObjectMeta, spot: FieldPath, version: KubernetesVersion): MetadataFinding[] {
  if (meta.resourceVersion) return [];
  const about = { code: 'metadata/resource-version' as const };
  return [invalid(child(spot, 'resourceVersion'), '', 'must be specified for an update', version, about)];
}

function decremented(
  meta: ObjectMeta,
  old: ObjectMeta,
  spot: FieldPath,
  version: KubernetesVersion,
): MetadataFinding[] {
  const value = meta.generation ?? 0n;
  if (value >= (old.generation ?? 0n)) return [];
  return [
    invalid(child(spot, 'generation'), value, 'must not be decremented', version, { code: 'metadata/generation' }),
  ];
}

function sameTime(a: ObjectMeta['deletionTimestamp'], b: ObjectMeta['deletionTimestamp']): boolean {
  return a === b || (a !== undefined && b !== undefined && a.seconds === b.seconds && a.nanoseconds === b.nanoseconds);
}

function immutableMetadata(
  meta: ObjectMeta,
  old: ObjectMeta,
  spot: FieldPath,
  version: KubernetesVersion,
): MetadataFinding[] {
  const found: MetadataFinding[] = [];
  const changed = (field: string, value: GoValue | string) => {
    const about = { code: 'metadata/immutable' as const, facts: { field } };
    found.push(invalid(child(spot, field), value, 'field is immutable', version, about));
  };
  if ((meta.name ?? '') !== (old.name ?? '')) changed('name', meta.name ?? '');
  if ((meta.namespace ?? '') !== (old.namespace ?? '')) changed('namespace', meta.namespace ?? '');
  if ((meta.uid ?? '') !== (old.uid ?? '')) changed('uid', goString(meta.uid ?? ''));
  if (!sameTime(meta.creationTimestamp, old.creationTimestamp)) {
    changed('creationTimestamp', timePointer.print(meta.creationTimestamp));
  }
  if (!sameTime(meta.deletionTimestamp, old.deletionTimestamp)) {
    changed('deletionTimestamp', timePointer.print(meta.deletionTimestamp));
  }
  if (meta.deletionGracePeriodSeconds !== old.deletionGracePeriodSeconds) {
    changed('deletionGracePeriodSeconds', integerPointer(64).print(meta.deletionGracePeriodSeconds));
  }
  return found;
}
