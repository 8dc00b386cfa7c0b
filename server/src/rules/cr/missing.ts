import type { Value } from '../../base/value.ts';
import type { SchemaProps } from '../../kubernetes/api/schema.ts';
import type { CrFacts, CrFinding } from '../../kubernetes/cr/findings.ts';
import { insertKey, setValue } from '../../yaml/edit.ts';
import { fixOf, mapIn } from '../fixing/fixes.ts';
import type { Compared } from '../judging/compareVerdicts.ts';
import type { Fix } from '../model/diagnostic.ts';
import type { ProblemOf } from '../model/rule.ts';

/** Fields that one map lacks are one finding, which names them all. */
export function together(compared: readonly Compared<CrFinding>[]): Compared<CrFinding>[] {
  const found = new Map<string, Compared<CrFinding>[]>();
  for (const [i, one] of compared.entries()) {
    const { finding, standing } = one;
    const key = finding.code === 'cr/required' ? JSON.stringify([standing, finding.path]) : String(i);
    const before = found.get(key);
    if (before) before.push(one);
    else found.set(key, [one]);
  }
  return [...found.values()].map((alike) => (alike.length === 1 ? alike[0]! : asOne(alike)));
}

function asOne(alike: readonly Compared<CrFinding>[]): Compared<CrFinding> {
  const [{ standing, finding }] = alike as [Compared<CrFinding>];
  const field = alike.map((one) => one.finding.field).join(', ');
  return { standing, finding: { ...finding, field, missing: alike.flatMap((one) => one.finding.missing ?? []) } };
}

/** What a value of a schema can be begun with: its default, the first of its choices, or the least value of its type. */
export function placeholder(schema: SchemaProps | undefined): Value {
  if (schema?.default !== undefined) return schema.default;
  if (schema?.enum?.[0] !== undefined) return schema.enum[0];
  if (schema?.type === 'object') {
    const required = schema.required ?? [];
    return new Map(required.map((name) => [name, placeholder(schema.properties?.get(name))]));
  }
  if (schema?.type === 'integer' || schema?.type === 'number') return leastNumber(schema);
  if (schema?.type === 'array') return Array.from({ length: countOf(schema.minItems) }, () => itemOf(schema));
  if (schema?.type === 'boolean') return false;
  return (schema?.type === 'string' && byFormat.get(schema.format ?? '')) || 'x'.repeat(countOf(schema?.minLength));
}

/** As many as are demanded at least, within what somebody would write. */
const countOf = (least: bigint | undefined): number => Math.min(Number(least ?? 0n), 20);

function itemOf({ items }: SchemaProps): Value {
  return placeholder(items?.schema);
}

/** 0, or the bound that is nearest to it. */
function leastNumber({ minimum, exclusiveMinimum, maximum, type }: SchemaProps): Value {
  const whole = (bound: number) => (Number.isInteger(bound) ? BigInt(bound) : bound);
  if (minimum !== undefined && (minimum > 0 || (minimum === 0 && exclusiveMinimum))) {
    return exclusiveMinimum ? whole(Math.floor(minimum) + 1) : whole(type === 'integer' ? Math.ceil(minimum) : minimum);
  }
  return maximum !== undefined && maximum < 0 ? whole(Math.floor(maximum)) : 0n;
}

/** Texts that formats accept. */
const byFormat: ReadonlyMap<string, string> = new Map([
  ['date', '2006-01-02'],
  ['date-time', '2006-01-02T15:04:05Z'],
  ['duration', '1h'],
  ['ipv4', '10.0.0.1'],
  ['ipv6', 'fd00::1'],
  ['cidr', '10.0.0.0/8'],
  ['uri', 'https://example.com'],
  ['email', 'a@example.com'],
  ['uuid', '00000000-0000-4000-8000-000000000000'],
]);

type MissingFields = ProblemOf<CrFacts, 'cr/required'>;

/** Adds the missing fields, all at once and each alone. */
export function addMissing(problem: MissingFields): Fix[] {
  const missing = (problem.missing ?? []).map(String);
  return missing.length < 2
    ? add(problem, missing)
    : [missing, ...missing.map((one) => [one])].flatMap((names) => add(problem, names));
}

function add(problem: MissingFields, names: readonly string[]): Fix[] {
  const { document, path, facts } = problem;
  const { properties } = facts.schema ?? {};
  const fields = names.map((name): [string, Value] => [name, placeholder(properties?.get(name))]);
  const isEmpty = mapIn(problem, path)?.size === 0;
  const edits = isEmpty
    ? setValue(document, path, new Map(fields))
    : fields.flatMap(([name, value]) => insertKey(document, path, name, value));
  return fixOf(`Add ${names.map((name) => `\`${name}\``).join(', ')}`, edits, false);
}
