import type { Json } from '../../gostd/json.ts';
import type { CrdSchema } from '../api/crd.ts';
import type { SchemaProps } from '../api/schema.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import type { CrdFinding } from './findings.ts';
import { type InternalSpec, internalSpec } from './internal.ts';
import { createOptions } from './options.ts';
import { ServerPanic } from './panic.ts';
import { readCrd } from './read.ts';
import { type Fault, faultOf, mended } from './schemaFaults.ts';
import { validateSpec } from './spec.ts';

// The API server looks at rules and defaults only where the schema around them is right, so one missing type hides what
// is wrong with all rules. Here the schema is judged as if its errors were mended. Nobody knows how they will be: one
// type after the other stands in for what they leave open, and what is found with each of them does not depend on it.

/** What the API server will say about rules and defaults once the schema has none of these errors. */
export function laterFindings(
  document: Json,
  errors: readonly CrdFinding[],
  kubernetes: KubernetesVersion,
): readonly CrdFinding[] {
  const faults = errors.map(faultOf).filter((fault) => fault !== undefined);
  if (faults.length === 0 || faults.length > mostFaults) return [];
  const read = readCrd(document, kubernetes);
  if ('error' in read) return [];
  const spec = internalSpec(read.crd);
  const said = new Set(errors.map(({ field }) => field));
  const found = foundWithAll(spec, read.crd.spec.versions === undefined, faults, kubernetes);
  const isMatched = faults.every(({ bearing }) => bearing === 'nothing');
  return found.filter((one) => !said.has(one.field) && (isMatched || one.code !== 'crd/rule-old-self'));
}

/** More than that are not slips, and each place of the schema is compared with all of them. */
const mostFaults = 200;

const standIns: readonly SchemaProps[] = [
  { intOrString: true },
  { type: 'string' },
  { type: 'integer' },
  { type: 'object', preserveUnknownFields: true },
];

function foundWithAll(
  spec: InternalSpec,
  versionsAbsent: boolean,
  faults: readonly Fault[],
  kubernetes: KubernetesVersion,
): CrdFinding[] {
  const isOpen = faults.some(({ bearing }) => bearing === 'type' || bearing === 'everything');
  let common: Map<string, CrdFinding> | undefined;
  for (const standIn of isOpen ? standIns : standIns.slice(0, 1)) {
    const found = judged(withoutFaults(spec, faults, standIn), versionsAbsent, kubernetes);
    common = new Map([...(common ?? found)].filter(([id]) => found.has(id)));
  }
  return [...(common?.values() ?? [])];
}

function judged(spec: InternalSpec, versionsAbsent: boolean, kubernetes: KubernetesVersion): Map<string, CrdFinding> {
  const options = { ...createOptions(kubernetes), looksBehindErrors: true as const };
  try {
    const found = validateSpec(spec, versionsAbsent, options).filter(isLate);
    return new Map(found.map((one) => [`${one.code} ${one.field} ${one.message}`, one]));
  } catch (error) {
    if (error instanceof ServerPanic) return new Map();
    throw error;
  }
}

/** What is looked at last: rules and defaults. Their texts are looked at with the schema. */
function isLate({ code }: CrdFinding): boolean {
  return lateCodes.has(code);
}

const lateCodes: ReadonlySet<CrdFinding['code']> = new Set<CrdFinding['code']>([
  'crd/default-unknown-fields',
  'crd/default-metadata',
  'crd/default-embedded',
  'crd/default-invalid',
  'crd/default-rule',
  'crd/rule-compile',
  'crd/rule-message-expression',
  'crd/rule-cost',
  'crd/rule-message-expression-cost',
  'crd/rule-cost-contributes',
  'crd/rule-cost-total',
  'crd/rule-old-self',
  'crd/rule-optional-old-self',
]);

function withoutFaults(spec: InternalSpec, faults: readonly Fault[], standIn: SchemaProps): InternalSpec {
  const mend = (holder: CrdSchema | undefined, version: number): CrdSchema | undefined => {
    const path = ['spec', 'versions', version, 'schema', 'openAPIV3Schema'];
    const within = faults.filter((fault) => path.every((step, i) => fault.path[i] === step));
    const schema = holder?.openAPIV3Schema;
    return schema ? { ...holder, openAPIV3Schema: mended(schema, path, within, standIn) } : holder;
  };
  return {
    ...spec,
    validation: mend(spec.validation, 0),
    versions: spec.versions.map((version, i) => ({ ...version, schema: mend(version.schema, i) })),
  };
}
