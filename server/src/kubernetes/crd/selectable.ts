import type { CrdSchema, SelectableField } from '../api/crd.ts';
import type { SchemaProps } from '../api/schema.ts';
import { child, duplicate, type FieldPath, index, invalid, required, tooMany } from '../field.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { resolveFieldPath } from '../schema/fieldPath.ts';
import { lowerSchema } from '../schema/lower.ts';
import type { Structural } from '../schema/structural.ts';
import type { CrdFinding } from './findings.ts';
import type { CrdOptions } from './options.ts';
import { serverPanic } from './panic.ts';

/** Where the fields stand, and what the API server says when no schema is at the same place. */
export interface SelectableAt {
  readonly fields: readonly SelectableField[] | undefined;
  readonly schema: CrdSchema | undefined;
  readonly spot: FieldPath;
  /** The version's name, or '' for the top. */
  readonly version: string;
  readonly schemaPath: FieldPath;
  readonly top: boolean;
}

export function validateSelectableFields(at: SelectableAt, options: CrdOptions): CrdFinding[] {
  const { fields, spot, top } = at;
  if (!fields || fields.length === 0) return [];
  // At the top a schema holder is enough, with nothing in it; then the API server crashes further on.
  if (top ? !at.schema : !at.schema?.openAPIV3Schema) return [withoutSchema(spot, top, options.version)];
  const { structural, problem } = structuralOf(at.schema?.openAPIV3Schema);
  const found: CrdFinding[] = [];
  if (problem !== undefined) {
    const about = { code: 'crd/not-structural' as const, facts: { problem } };
    found.push(invalid(at.schemaPath, '', problem, options.version, about));
  }
  return [...found, ...eachField(fields, structural, at, options)];
}

function structuralOf(schema: SchemaProps | undefined): { structural?: Structural; problem?: string } {
  if (!schema) return {};
  const lowered = lowerSchema(schema);
  return 'error' in lowered ? { problem: lowered.error } : lowered;
}

function withoutSchema(spot: FieldPath, top: boolean, version: KubernetesVersion): CrdFinding {
  const about = { code: 'crd/selectable-without-schema' as const };
  if (top) {
    const prefix = version.omitsRepeatedField ? '' : 'selectableFields ';
    return invalid(spot, '', `${prefix}may only be set when validations.schema is included`, version, about);
  }
  const detail = version.omitsRepeatedField
    ? 'may only be set when `version.schema.openAPIV3Schema` is not included'
    : 'selectableFields may only be set when version.schema.openAPIV3Schema is not included';
  return invalid(spot, '', detail, version, about);
}

export const maxSelectableFields = 8;

function eachField(
  fields: readonly SelectableField[],
  schema: Structural | undefined,
  at: SelectableAt,
  options: CrdOptions,
): CrdFinding[] {
  const seen = new Set<string>();
  const found = fields.flatMap((field, i) =>
    one(field.jsonPath ?? '', schema, seen, child(index(at.spot, i), 'jsonPath'), options.version),
  );
  if (seen.size > maxSelectableFields && !options.tooManySelectableFields.has(at.version)) {
    const about = { code: 'crd/selectable-too-many' as const, facts: { count: seen.size, most: maxSelectableFields } };
    found.push(tooMany(at.spot, BigInt(seen.size), BigInt(maxSelectableFields), options.version, about));
  }
  return found;
}

const selectableTypes = ['string', 'boolean', 'integer'];

function one(
  path: string,
  schema: Structural | undefined,
  seen: Set<string>,
  spot: FieldPath,
  version: KubernetesVersion,
): CrdFinding[] {
  if (path === '') return [required(spot, '', { code: 'crd/selectable-path-required' })];
  const resolved = resolveFieldPath(path, schema, false);
  if ('crash' in resolved) return serverPanic('selectable-fields', spot);
  if ('error' in resolved) {
    const about = { code: 'crd/selectable-path' as const, facts: { path, problem: resolved.error } };
    return [invalid(spot, path, `is an invalid path: ${resolved.error}`, version, about)];
  }
  const found: CrdFinding[] = [];
  if (resolved.root === 'metadata') {
    const about = { code: 'crd/selectable-metadata' as const, facts: { path } };
    found.push(invalid(spot, path, 'must not point to fields in metadata', version, about));
  }
  if (!selectableTypes.includes(resolved.schema?.type ?? '')) {
    const detail =
      'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
    const about = { code: 'crd/selectable-type' as const, facts: { path, type: resolved.schema?.type } };
    found.push(invalid(spot, path, detail, version, about));
  }
  if (seen.has(resolved.text)) found.push(duplicate(spot, path, version, { code: 'crd/selectable-duplicate' }));
  seen.add(resolved.text);
  return found;
}
