import type { ValueMap } from '../../base/value.ts';
import { child, type FieldPath, index, invalid } from '../field.ts';
import { goString } from '../goValue.ts';
import { subdomainName } from '../names.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import type { Admission } from './context.ts';
import { mapOf, repeatsOf, textOf, textsOf } from './fields.ts';
import type { PolicyFinding } from './findings.ts';
import { validateParamRef } from './params.ts';
import { missing, twice, unsupported, validateMatchResources, validateMutatingOperations } from './resourceRules.ts';

const actions = ['Audit', 'Deny', 'Warn'];

/** What the API server has against the spec of a binding. */
export function validateBinding(spec: ValueMap, spot: FieldPath, admission: Admission): PolicyFinding[] {
  const { kind, version } = admission;
  const paramRef = mapOf(spec, 'paramRef');
  const match = mapOf(spec, 'matchResources');
  const isMutating = kind === 'MutatingAdmissionPolicyBinding';
  const matchSpot = child(spot, version.matchResourcesField, ['matchResources']);
  return [
    ...policyName(textOf(spec, 'policyName'), child(spot, 'policyName'), version),
    ...(paramRef ? validateParamRef(paramRef, admission.apiVersion, child(spot, 'paramRef'), version) : []),
    ...(match ? validateMatchResources(match, matchSpot, version) : []),
    ...(match && isMutating ? validateMutatingOperations(match, child(spot, 'matchResources'), version) : []),
    ...(isMutating
      ? []
      : validationActions(textsOf(spec, 'validationActions'), child(spot, 'validationActions'), admission)),
  ];
}

function policyName(name: string, spot: FieldPath, version: KubernetesVersion): PolicyFinding[] {
  if (name === '') return [missing(spot, '')];
  const about = { code: 'policy/name' as const, facts: { name } };
  return subdomainName(name, false).map((why) => invalid(spot, name, why, version, about));
}

function validationActions(names: readonly string[], spot: FieldPath, { version, old }: Admission): PolicyFinding[] {
  if (names.length === 0) {
    // What the type declares is not looked at again where nothing changes.
    const isSame = old !== undefined && textsOf(mapOf(old, 'spec'), 'validationActions').length === 0;
    const isDeclared = version.declaredAdmission && !isSame;
    return [missing(spot, isDeclared ? '' : 'at least one validation action is required', ['Deny'], true)];
  }
  const repeats = repeatsOf(names);
  const found = names.flatMap((name, i) => [
    ...(actions.includes(name) ? [] : [unsupported(index(spot, i), name, actions, version)]),
    ...(repeats.has(i) ? [twice(index(spot, i), name, version, true)] : []),
  ]);
  if (!names.includes('Deny') || !names.includes('Warn')) return found;
  const detail =
    'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
  const shown = { go: 'slice' as const, type: '[]admissionregistration.ValidationAction', items: names.map(goString) };
  return [...found, invalid(spot, shown, detail, version, { code: 'policy/actions' })];
}
