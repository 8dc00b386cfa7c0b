import type { CrdSchema, CrdVersion } from '../api/crd.ts';
import type { SchemaProps } from '../api/schema.ts';
import { rootPath } from '../field.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { lowerSchema } from '../schema/lower.ts';
import { caBundleVerdict } from './caBundle.ts';
import { hasRecognizedReviewVersion } from './conversion.ts';
import { hasUnprunedDefaults } from './defaultRules.ts';
import { semanticEqual } from './equal.ts';
import type { InternalSpec } from './internal.ts';
import { hasNonAtomicSet, mapKeysAndItems } from './listTypes.ts';
import { type CrdOptions, evaluateSchema } from './options.ts';
import { schemaHas, schemasOf, specHas } from './schemaHas.ts';
import { maxSelectableFields } from './selectable.ts';
import { validateStructural } from './structuralRules.ts';
import { isSchemaType } from './walk.ts';

/** What is demanded of an update: less where the old object fell short already. */
export function updateOptions(
  spec: InternalSpec,
  old: InternalSpec,
  established: boolean,
  version: KubernetesVersion,
  evaluateRules = evaluateSchema,
): CrdOptions {
  const oldSchemas = schemasOf(old);
  const oldReviews = old.conversion?.webhook?.conversionReviewVersions ?? [];
  return {
    version,
    evaluateRules,
    leftOut: [],
    requireRecognizedReviewVersion: oldReviews.length === 0 || hasRecognizedReviewVersion(oldReviews),
    requireSchema: allVersionsHaveSchema(old),
    requireValidTypes: !specHas(old, (schema) => schema.type !== undefined && !isSchemaType(schema.type)),
    requireStructuralSchema: !oldSchemas.some((schema) => !isStructural(schema, version)),
    requirePrunedDefaults: !oldSchemas.some((schema) => unpruned(schema, version)),
    requireAtomicSets: !specHas(old, hasNonAtomicSet),
    requireMapKeys: !specHas(old, (schema) => mapKeysAndItems(schema, rootPath).length > 0),
    allowInvalidCaBundle: allowsInvalidCaBundle(old, established),
    ...oldExpressions(oldSchemas),
    unchangedSchemas: unchangedSchemas(spec, old),
    suppressRuleCost: false,
    tooManySelectableFields: version.forgivesTooManySelectableFields ? tooManySelectable(spec, old) : new Set(),
  };
}

function allVersionsHaveSchema(spec: InternalSpec): boolean {
  return spec.validation?.openAPIV3Schema !== undefined || spec.versions.every((item) => item.schema?.openAPIV3Schema);
}

function isStructural(schema: SchemaProps, version: KubernetesVersion): boolean {
  return 'structural' in lowerSchema(schema) && validateStructural(schema, rootPath, version).length === 0;
}

function unpruned(schema: SchemaProps, version: KubernetesVersion): boolean {
  const defaults = schemaHas(schema, (item) => item.default !== undefined);
  return defaults && isStructural(schema, version) && hasUnprunedDefaults(schema, version);
}

function allowsInvalidCaBundle(old: InternalSpec, established: boolean): boolean {
  if (!established) return true;
  const bundle = old.conversion?.webhook?.clientConfig?.caBundle;
  return bundle !== undefined && bundle.length > 0 && caBundleVerdict(bundle) !== 'unsure';
}

function oldExpressions(schemas: readonly SchemaProps[]): Pick<CrdOptions, 'oldRules' | 'oldMessageExpressions'> {
  const oldRules = new Set<string>();
  const oldMessageExpressions = new Set<string>();
  const collect = (schema: SchemaProps): boolean => {
    for (const rule of schema.validations ?? []) {
      oldRules.add(rule.rule ?? '');
      if (rule.messageExpression) oldMessageExpressions.add(rule.messageExpression);
    }
    return false;
  };
  for (const schema of schemas) schemaHas(schema, collect);
  return { oldRules, oldMessageExpressions };
}

type SchemaOf = { readonly holder: CrdSchema | undefined } | undefined;

/** The schema of a version by its name, of several the first; undefined where there is no such version. */
function schemasByVersion(spec: InternalSpec): (name: string) => SchemaOf {
  if (!spec.versions.some((item) => item.schema)) return () => ({ holder: spec.validation });
  const holders = new Map<string, SchemaOf>();
  for (const { name = '', schema } of spec.versions) if (!holders.has(name)) holders.set(name, { holder: schema });
  return (name) => holders.get(name);
}

function unchangedSchemas(spec: InternalSpec, old: InternalSpec): ReadonlySet<string> {
  const names = spec.versions.map((item) => item.name ?? '');
  const [schemaNow, schemaBefore] = [schemasByVersion(spec), schemasByVersion(old)];
  return new Set(
    names.filter((name) => {
      const now = schemaNow(name);
      const before = schemaBefore(name);
      return now && before && semanticEqual(now.holder, before.holder);
    }),
  );
}

function tooManySelectable(spec: InternalSpec, old: InternalSpec): ReadonlySet<string> {
  const names = new Set<string>();
  const same = (now: CrdVersion['selectableFields'], before: CrdVersion['selectableFields']) =>
    (before?.length ?? 0) > maxSelectableFields && semanticEqual(now, before);
  if (same(spec.selectableFields, old.selectableFields)) names.add('');
  const byName = new Map(old.versions.map((item) => [item.name ?? '', item]));
  for (const item of spec.versions) {
    const before = byName.get(item.name ?? '');
    if (before && same(item.selectableFields, before.selectableFields)) names.add(item.name ?? '');
  }
  return names;
}
