import type { ValueMap } from '../../base/value.ts';
import { reservedWords } from '../../cel/syntax.ts';
import { trimSpace } from '../../gostd/trim.ts';
import { child, type FieldPath, index, invalid } from '../field.ts';
import type { Admission } from './context.ts';
import { mapOf, mapsOf, textOf } from './fields.ts';
import type { PolicyFinding } from './findings.ts';
import { sameConditions, validateMatchConditions } from './matchConditions.ts';
import { validateParamKind } from './params.ts';
import { missing, oneOf, validateMatchResources, validateMutatingOperations } from './resourceRules.ts';

export const failurePolicies = ['Fail', 'Ignore'];

/** Words of CEL that name nothing. */
const celReserved: ReadonlySet<string> = new Set([...reservedWords, 'true', 'false', 'null', 'in']);

/** What policies that validate and those that mutate have in common: all that comes before what they do. */
export function validatePolicyStart(spec: ValueMap, spot: FieldPath, admission: Admission): PolicyFinding[] {
  const { version, judgeExpression } = admission;
  const paramKind = mapOf(spec, 'paramKind');
  return [
    ...oneOf(spec, 'failurePolicy', failurePolicies, spot, version),
    ...(paramKind ? validateParamKind(paramKind, child(spot, 'paramKind'), version) : []),
    ...matchConstraints(spec, child(spot, 'matchConstraints'), admission),
    ...(keepsConditions(spec, admission) ? [] : validateMatchConditions(spec, spot, version, judgeExpression)),
    ...mapsOf(spec, 'variables').flatMap((one, i) => variable(one, index(child(spot, 'variables'), i), admission)),
  ];
}

function matchConstraints(spec: ValueMap, spot: FieldPath, { kind, version }: Admission): PolicyFinding[] {
  const match = mapOf(spec, 'matchConstraints');
  if (!match) return [missing(spot, '')];
  const found = validateMatchResources(match, spot, version);
  if (mapsOf(match, 'resourceRules').length === 0) found.push(missing(child(spot, 'resourceRules'), ''));
  return kind === 'MutatingAdmissionPolicy' ? [...found, ...validateMutatingOperations(match, spot, version)] : found;
}

/** An update that leaves the conditions alone, and what they can read, does not have them looked at. */
function keepsConditions(spec: ValueMap, { old }: Admission): boolean {
  if (!old) return false;
  const before = mapOf(old, 'spec') ?? new Map();
  const [kind, kindBefore] = [mapOf(spec, 'paramKind'), mapOf(before, 'paramKind')];
  const sameKind =
    (kind === undefined) === (kindBefore === undefined) &&
    ['apiVersion', 'kind'].every((key) => textOf(kind, key) === textOf(kindBefore, key));
  return sameKind && sameConditions(spec, before, false);
}

function variable(one: ValueMap, spot: FieldPath, { version, judgeExpression }: Admission): PolicyFinding[] {
  const name = textOf(one, 'name');
  return [...variableName(name, child(spot, 'name'), version), ...judgeExpression(child(spot, 'expression'))];
}

function variableName(name: string, spot: FieldPath, version: Admission['version']): PolicyFinding[] {
  if (trimSpace(name) === '') return [missing(spot, 'name is not specified')];
  if (/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !celReserved.has(name)) return [];
  const detail = version.omitsRepeatedField ? 'must be a valid CEL identifier' : 'name is not a valid CEL identifier';
  return [invalid(spot, name, detail, version, { code: 'policy/name', facts: { name } })];
}
