import type { ValueMap } from '../../base/value.ts';
import { child, type FieldPath, index, invalid } from '../field.ts';
import type { Admission } from './context.ts';
import { mapOf, mapsOf, textOf } from './fields.ts';
import type { PolicyFinding } from './findings.ts';
import { validatePolicyStart } from './policyStart.ts';
import { missing, unsupported } from './resourceRules.ts';

export const reinvocationPolicies = ['IfNeeded', 'Never'];

/** The ways to mutate an object, with the field that each needs. */
const patchFields: ReadonlyMap<string, string> = new Map([
  ['ApplyConfiguration', 'applyConfiguration'],
  ['JSONPatch', 'jsonPatch'],
]);
const patchTypes = [...patchFields.keys()];

/** What the API server has against the spec of a MutatingAdmissionPolicy. */
export function validateMutatingPolicy(spec: ValueMap, spot: FieldPath, admission: Admission): PolicyFinding[] {
  const { version } = admission;
  const mutations = mapsOf(spec, 'mutations');
  const at = child(spot, 'mutations');
  const reinvocation = textOf(spec, 'reinvocationPolicy');
  const found = [
    ...validatePolicyStart(spec, spot, admission),
    ...mutations.flatMap((one, i) => mutation(one, index(at, i), admission)),
  ];
  if (mutations.length === 0) found.push(missing(at, 'mutations must contain at least one item'));
  const policy = child(spot, 'reinvocationPolicy');
  if (reinvocation === '') found.push(missing(policy, '', ['Never', 'IfNeeded']));
  else if (!reinvocationPolicies.includes(reinvocation)) {
    found.push(unsupported(policy, reinvocation, reinvocationPolicies, version));
  }
  return found;
}

function mutation(one: ValueMap, spot: FieldPath, { version, judgeExpression }: Admission): PolicyFinding[] {
  const type = textOf(one, 'patchType');
  if (type === '') return [missing(child(spot, 'patchType'), '', patchTypes)];
  const wanted = patchFields.get(type);
  if (wanted === undefined) return [unsupported(child(spot, 'patchType'), type, patchTypes, version)];
  const at = child(spot, wanted);
  const found: PolicyFinding[] = mapOf(one, wanted)
    ? [...judgeExpression(child(at, 'expression'))]
    : [missing(at, `must be specified when patchType is ${type}`)];
  const extra = [...patchFields.values()].find((field) => field !== wanted && mapOf(one, field));
  if (extra === undefined) return found;
  const detail = `must not be specified when patchType is ${type}`;
  const about = { code: 'policy/patch' as const, facts: { extra } };
  return [...found, invalid(child(spot, extra), `{${extra}}`, detail, version, about)];
}
