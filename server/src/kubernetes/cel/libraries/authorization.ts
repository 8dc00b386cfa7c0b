import { fn, type Library } from '../../../cel/overload.ts';
import { authorize, selector } from './cost.ts';
import { kubernetesTypes as types } from './types.ts';

const [authorizer, path, group, resource, decision] = [
  'Authorizer',
  'PathCheck',
  'GroupCheck',
  'ResourceCheck',
  'Decision',
].map((name) => `kubernetes.authorization.${name}`);
const options = { types };
const doc = 'Part of authorization checks; rules of CRDs have no authorizer to start from.';

function one(name: string, id: string, signature: string) {
  return fn(name, doc, [{ id, signature }], options);
}

/** Functions that only admission policies can make use of; they exist in rules all the same. */
export const authorization: Library = [
  one('path', 'authorizer_path', `${authorizer}.path(string): ${path}`),
  one('group', 'authorizer_group', `${authorizer}.group(string): ${group}`),
  one('serviceAccount', 'authorizer_serviceaccount', `${authorizer}.serviceAccount(string, string): ${authorizer}`),
  one('resource', 'groupcheck_resource', `${group}.resource(string): ${resource}`),
  one('subresource', 'resourcecheck_subresource', `${resource}.subresource(string): ${resource}`),
  one('namespace', 'resourcecheck_namespace', `${resource}.namespace(string): ${resource}`),
  one('name', 'resourcecheck_name', `${resource}.name(string): ${resource}`),
  fn(
    'check',
    doc,
    [
      { id: 'pathcheck_check', signature: `${path}.check(string): ${decision}` },
      { id: 'resourcecheck_check', signature: `${resource}.check(string): ${decision}` },
    ],
    { types, estimate: authorize },
  ),
  one('errored', 'decision_errored', `${decision}.errored(): bool`),
  one('error', 'decision_error', `${decision}.error(): string`),
  one('allowed', 'decision_allowed', `${decision}.allowed(): bool`),
  one('reason', 'decision_reason', `${decision}.reason(): string`),
];

export const authorizationSelectors: Library = [
  fn(
    'fieldSelector',
    doc,
    [{ id: 'authorizer_fieldselector', signature: `${resource}.fieldSelector(string): ${resource}` }],
    { types, estimate: selector },
  ),
  fn(
    'labelSelector',
    doc,
    [{ id: 'authorizer_labelselector', signature: `${resource}.labelSelector(string): ${resource}` }],
    { types, estimate: selector },
  ),
];
