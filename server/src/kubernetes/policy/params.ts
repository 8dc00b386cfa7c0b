import { append } from '../../base/append.ts';
import type { ValueMap } from '../../base/value.ts';
import { child, type FieldPath, forbidden, invalid, required } from '../field.ts';
import { dns1035Label, dns1123Subdomain, lowerCase, parseGroupVersion, pathSegment } from '../names.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { mapOf, textOf } from './fields.ts';
import type { PolicyFinding } from './findings.ts';
import { validateLabelSelector } from './labelSelector.ts';
import { missing, unsupported } from './resourceRules.ts';

// The parameters of a policy: of which kind they are, and which objects a binding takes.

const about = { code: 'policy/param-kind' as const };

export function validateParamKind(paramKind: ValueMap, spot: FieldPath, version: KubernetesVersion): PolicyFinding[] {
  return [
    ...paramVersion(textOf(paramKind, 'apiVersion'), child(spot, 'apiVersion'), version),
    ...paramKindName(textOf(paramKind, 'kind'), child(spot, 'kind'), version),
  ];
}

function paramVersion(apiVersion: string, spot: FieldPath, version: KubernetesVersion): PolicyFinding[] {
  if (apiVersion === '') return [missing(spot, '')];
  const parsed = parseGroupVersion(apiVersion);
  if ('error' in parsed) return [invalid(spot, apiVersion, parsed.error, version, about)];
  const inGroup = parsed.group === '' ? [] : dns1123Subdomain(parsed.group);
  const found = inGroup.length === 0 ? [] : [invalid(spot, parsed.group, inGroup.join(','), version, about)];
  if (parsed.version === '') {
    return [...found, invalid(spot, apiVersion, 'version must be specified', version, about)];
  }
  const inVersion = dns1035Label(parsed.version);
  return inVersion.length === 0
    ? found
    : [...found, invalid(spot, parsed.version, inVersion.join(','), version, about)];
}

function paramKindName(kind: string, spot: FieldPath, version: KubernetesVersion): PolicyFinding[] {
  if (kind === '') return [missing(spot, '')];
  const wrong = dns1035Label(lowerCase(kind));
  if (wrong.length === 0) return [];
  const detail = `may have mixed case, but should otherwise match: ${wrong.join(',')}`;
  return [invalid(spot, kind, detail, version, about)];
}

const actions = ['Deny', 'Allow'];

export function validateParamRef(
  paramRef: ValueMap,
  apiVersion: string,
  spot: FieldPath,
  version: KubernetesVersion,
): PolicyFinding[] {
  const name = textOf(paramRef, 'name');
  const selector = mapOf(paramRef, 'selector');
  const ref = { code: 'policy/param-ref' as const };
  const both = (key: string) => forbidden(child(spot, key), 'name and selector are mutually exclusive', ref);
  const found: PolicyFinding[] = pathSegment(name, false).map((why) =>
    invalid(child(spot, 'name'), name, why, version, { code: 'policy/name', facts: { name } }),
  );
  if (name !== '' && selector) found.push(both('name'));
  if (selector) append(found, validateLabelSelector(selector, child(spot, 'selector'), version));
  if (name !== '' && selector) found.push(both('selector'));
  if (name === '' && !selector) {
    found.push(required(spot, 'one of name or selector must be specified', { ...ref, anchor: 'key' }));
  }
  const action = child(spot, 'parameterNotFoundAction');
  const text = textOf(paramRef, 'parameterNotFoundAction');
  // Only the first version of the API had a default for it.
  const isDefaulted = apiVersion.endsWith('/v1alpha1') && (paramRef.get('parameterNotFoundAction') ?? null) === null;
  if (text === '' && !isDefaulted) found.push(missing(action, '', actions));
  if (text !== '' && !actions.includes(text)) found.push(unsupported(action, text, actions, version));
  return found;
}
