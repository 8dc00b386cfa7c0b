import { append } from '../../base/append.ts';
import type { CrdSchema } from '../api/crd.ts';
import { goName, printedKeys, printStruct } from '../api/print.ts';
import { type SchemaProps, schemaStruct } from '../api/schema.ts';
import { child, type FieldPath, forbidden, invalid } from '../field.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { lowerSchema } from '../schema/lower.ts';
import { rootContext } from './celContext.ts';
import { validateTotalCost } from './celRules.ts';
import { validateDefaults } from './defaultRules.ts';
import type { CrdFinding } from './findings.ts';
import { fromRoot } from './node.ts';
import type { CrdOptions } from './options.ts';
import { validateStructural } from './structuralRules.ts';
import { validateNode } from './walk.ts';

/** One schema holder, at the top or of a version. */
export function validateSchemaHolder(
  holder: CrdSchema | undefined,
  statusEnabled: boolean,
  spot: FieldPath,
  options: CrdOptions,
): CrdFinding[] {
  const schema = holder?.openAPIV3Schema;
  return schema ? validateRootSchema(schema, statusEnabled, child(spot, 'openAPIV3Schema'), options) : [];
}

function validateRootSchema(
  schema: SchemaProps,
  statusEnabled: boolean,
  spot: FieldPath,
  options: CrdOptions,
): CrdFinding[] {
  const { version } = options;
  const found: CrdFinding[] = statusEnabled ? withStatus(schema, spot, version) : [];
  if (schema.nullable) {
    found.push(
      forbidden(child(spot, 'nullable'), 'nullable cannot be true at the root', { code: 'crd/root-nullable' }),
    );
  }
  const structure = options.requireStructuralSchema
    ? structureOf(schema, spot, options)
    : { findings: [], sound: false };
  append(found, structure.findings);
  const context = structure.sound ? rootContext(schema, version) : undefined;
  const below = validateNode({ schema, spot, inherited: fromRoot, isRoot: true, context }, options);
  append(found, [...below.schema, ...below.cel]);
  if (found.length === 0 && structure.problem !== undefined) {
    const about = { code: 'crd/not-structural' as const, facts: { problem: structure.problem } };
    found.push(invalid(spot, '', structure.problem, version, about));
  }
  if (context) append(found, validateTotalCost(context, spot));
  return found;
}

interface Structure {
  readonly findings: CrdFinding[];
  /** Only sound schemas have their rules looked at. */
  readonly sound: boolean;
  /** Why there is no structural schema; said only where nothing else is. */
  readonly problem?: string;
}

function structureOf(schema: SchemaProps, spot: FieldPath, options: CrdOptions): Structure {
  const lowered = lowerSchema(schema);
  if ('error' in lowered) return { findings: [], sound: false, problem: lowered.error };
  const findings = validateStructural(schema, spot, options.version);
  if (findings.length > 0 && !options.looksBehindErrors) return { findings, sound: false };
  const defaults = validateDefaults(schema, spot, options);
  return { findings: [...findings, ...defaults], sound: defaults.length === 0 || options.looksBehindErrors === true };
}

/** What the root may say when `status` is cut out of it to judge updates of status. */
const allowedWithStatus: readonly string[] = [
  'Description',
  'Type',
  'Format',
  'Title',
  'Maximum',
  'ExclusiveMaximum',
  'Minimum',
  'ExclusiveMinimum',
  'MaxLength',
  'MinLength',
  'Pattern',
  'MaxItems',
  'MinItems',
  'UniqueItems',
  'MultipleOf',
  'Required',
  'Items',
  'Properties',
  'ExternalDocs',
  'Example',
  'XPreserveUnknownFields',
  'XValidations',
];

/** The root's fields in Go's order; the first that is out of place ends it. Go's zero values do not count. */
function withStatus(schema: SchemaProps, spot: FieldPath, version: KubernetesVersion): CrdFinding[] {
  for (const key of printedKeys(schemaStruct)) {
    if (schema[key] === undefined) continue;
    const field = goName(schemaStruct, key);
    if (field === 'Type') {
      if (schema.type !== 'object') return [rootType(schema.type!, spot, version)];
    } else if (!allowedWithStatus.includes(field)) return [rootField(field, schema, spot, version)];
  }
  return [];
}

function rootType(type: string, spot: FieldPath, version: KubernetesVersion): CrdFinding {
  const detail = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
  return invalid(child(spot, 'type'), type, detail, version, { code: 'crd/root-type-with-status', facts: { type } });
}

function rootField(field: string, schema: SchemaProps, spot: FieldPath, version: KubernetesVersion): CrdFinding {
  const detail = `only [${allowedWithStatus.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`;
  return invalid(spot, printStruct(schemaStruct, schema), detail, version, {
    code: 'crd/root-fields-with-status',
    facts: { field },
  });
}
