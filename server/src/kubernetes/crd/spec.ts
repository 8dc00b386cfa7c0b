import { memo } from '../../base/memo.ts';
import type { CrdVersion, Subresources } from '../api/crd.ts';
import { child, type FieldPath, index, invalid, rootPath } from '../field.ts';
import { validateConversion } from './conversion.ts';
import type { CrdFinding } from './findings.ts';
import type { InternalSpec } from './internal.ts';
import { validateGroup, validateNames, validateRequiredNames, validateScope } from './names.ts';
import { type CrdOptions, forVersion } from './options.ts';
import { validateSchemaHolder } from './schema.ts';
import { hasDefault, hasExtension, specHas } from './schemaHas.ts';
import { type SelectableAt, validateSelectableFields } from './selectable.ts';
import { validateColumn, validateSubresources } from './subresources.ts';
import {
  validateDeprecationWarning,
  validateSchemasPresent,
  validateVersionName,
  validateVersionSet,
} from './versionRules.ts';

export const specPath: FieldPath = child(rootPath, 'spec');

/** The whole spec. `versionsAbsent` says that the document has no list of versions at all, which shows in texts. */
export function validateSpec(spec: InternalSpec, versionsAbsent: boolean, given: CrdOptions): CrdFinding[] {
  const { version } = given;
  const versionsPath = child(specPath, 'versions');
  const options = structuralDemands(spec, given);
  return [
    ...validateGroup(spec.group ?? '', child(specPath, 'group'), version),
    ...validateScope(spec.scope ?? '', child(specPath, 'scope'), version),
    ...validateSchemasPresent(spec, versionsPath, given),
    ...preservingDefaults(spec, given),
    ...spec.versions.flatMap((item, i) => validateVersion(item, index(versionsPath, i), spec, options)),
    ...validateVersionSet(spec, versionsAbsent, versionsPath, version),
    ...firstVersionName(spec, options),
    ...validateRequiredNames(spec, child(specPath, 'names')),
    ...validateNames(spec.names, child(specPath, 'names'), version),
    ...validateTop(spec, options),
    ...validateConversion(spec, child(specPath, 'conversion'), options),
  ];
}

/** Whoever prunes, defaults or uses an extension needs structural schemas, whatever the old object had. */
function structuralDemands(spec: InternalSpec, options: CrdOptions): CrdOptions {
  const demanded = !spec.preserveUnknownFields || specHas(spec, hasDefault) || specHas(spec, hasExtension);
  return demanded ? { ...options, requireStructuralSchema: true } : options;
}

function preservingDefaults(spec: InternalSpec, { version }: CrdOptions): CrdFinding[] {
  if (!spec.preserveUnknownFields || !specHas(spec, hasDefault)) return [];
  const detail = 'must be false in order to use defaults in the schema';
  const about = { code: 'crd/preserve-unknown-fields-defaults' as const };
  return [invalid(child(specPath, 'preserveUnknownFields'), true, detail, version, about)];
}

/** The first version's name once more, under the name of a field that v1 no longer has. */
function firstVersionName(spec: InternalSpec, { version }: CrdOptions): CrdFinding[] {
  const spot = child(specPath, 'version', ['versions', 0, 'name']);
  return spec.version === '' ? [] : validateVersionName(spec.version, spot, version);
}

function hasStatus(subresources: Subresources | undefined): boolean {
  return subresources?.status !== undefined;
}

type ByName = ReadonlyMap<string, Subresources | undefined>;

/** By the names of versions; undefined where none has any. */
const subresourcesOf = memo((spec: InternalSpec): ByName | undefined => {
  const byName = new Map<string, Subresources | undefined>();
  for (const { name = '', subresources: own } of spec.versions) if (!byName.has(name)) byName.set(name, own);
  return spec.versions.some((one) => one.subresources) ? byName : undefined;
});

/** The API server looks a version up by its name, so the first of two equal names counts. */
function statusEnabledFor(item: CrdVersion, spec: InternalSpec): boolean {
  const byName = subresourcesOf(spec);
  return hasStatus(byName === undefined ? spec.subresources : byName.get(item.name ?? ''));
}

function validateVersion(item: CrdVersion, spot: FieldPath, spec: InternalSpec, given: CrdOptions): CrdFinding[] {
  const options = forVersion(given, item.name ?? '');
  const { version } = options;
  const columns = child(spot, 'additionalPrinterColumns');
  const selectable: SelectableAt = {
    fields: item.selectableFields,
    schema: item.schema,
    spot: child(spot, 'selectableFields'),
    version: item.name ?? '',
    schemaPath: child(spot, 'schema.openAPIV3Schema', ['schema', 'openAPIV3Schema']),
    top: false,
  };
  return [
    ...validateVersionName(item.name ?? '', child(spot, 'name'), version),
    ...validateDeprecationWarning(item, spot, version),
    ...validateSchemaHolder(item.schema, statusEnabledFor(item, spec), child(spot, 'schema'), options),
    ...validateSubresources(item.subresources, child(spot, 'subresources'), version),
    ...(item.additionalPrinterColumns ?? []).flatMap((column, i) => validateColumn(column, index(columns, i), version)),
    ...validateSelectableFields(selectable, options),
  ];
}

/** A part that all versions have alike is reported at the spec's top, and found in the first version. */
function hoisted(name: string, part: string): FieldPath {
  return child(specPath, name, ['versions', 0, part]);
}

function validateTop(spec: InternalSpec, given: CrdOptions): CrdFinding[] {
  const options = forVersion(given, spec.version);
  const anyStatus = hasStatus(spec.subresources) || spec.versions.some((item) => hasStatus(item.subresources));
  const columns = hoisted('additionalPrinterColumns', 'additionalPrinterColumns');
  const selectable: SelectableAt = {
    fields: spec.selectableFields,
    schema: spec.validation,
    spot: hoisted('selectableFields', 'selectableFields'),
    version: '',
    schemaPath: child(specPath, 'schema.openAPIV3Schema', ['versions', 0, 'schema', 'openAPIV3Schema']),
    top: true,
  };
  return [
    ...validateSchemaHolder(spec.validation, anyStatus, hoisted('validation', 'schema'), options),
    ...validateSubresources(spec.subresources, hoisted('subresources', 'subresources'), options.version),
    ...(spec.additionalPrinterColumns ?? []).flatMap((column, i) =>
      validateColumn(column, index(columns, i), options.version),
    ),
    ...validateSelectableFields(selectable, given),
  ];
}
