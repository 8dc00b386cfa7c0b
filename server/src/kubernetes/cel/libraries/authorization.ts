import { nodeSize } from '../../../cel/estimate.ts';
import type { Impl } from '../../../cel/eval/implementation.ts';
import { actualSize } from '../../../cel/eval/size.ts';
import { noSuchOverload } from '../../../cel/eval/values.ts';
import { traverse } from '../../../cel/libraries/walks.ts';
import { fn, type Library, type Price } from '../../../cel/overload.ts';
import { stringFactor } from '../../../cel/prices.ts';
import { add, exactly, scale } from '../../../cel/range.ts';
import { kubernetesTypes as types } from './types.ts';

const [authorizer, path, group, resource, decision] = [
  'Authorizer',
  'PathCheck',
  'GroupCheck',
  'ResourceCheck',
  'Decision',
].map((name) => `kubernetes.authorization.${name}`);

/** Rules have no authorizer: nothing ever reaches these. */
const impl: Impl = () => noSuchOverload;

/** A check is so expensive that an expression can make two. */
const checkCost = 350_000;
const checking: Price = { estimate: () => ({ cost: exactly(checkCost) }), cost: () => checkCost };

/** A selector is parsed into requirements: so many units for every two bytes, besides the walk. */
const requirementCost = 50;
const parsedListCost = 10;
const selecting: Price = {
  estimate: ({ args, model }) => {
    const size = nodeSize(args[0]!, model);
    return { cost: add(add(traverse(size), scale(scale(size, 0.5), requirementCost)), exactly(parsedListCost)) };
  },
  cost: (_a, b) => {
    const size = actualSize(b);
    return parsedListCost + Math.ceil(size * stringFactor) + requirementCost * Math.ceil(size * 0.5);
  },
};

const doc = 'Part of authorization checks; rules in CRDs have no authorizer to start from.';

function one(name: string, id: string, signature: string) {
  return fn(name, doc, [{ id, signature, impl }], { types });
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
      { id: 'pathcheck_check', signature: `${path}.check(string): ${decision}`, impl },
      { id: 'resourcecheck_check', signature: `${resource}.check(string): ${decision}`, impl },
    ],
    { types, price: checking },
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
    [{ id: 'authorizer_fieldselector', signature: `${resource}.fieldSelector(string): ${resource}`, impl }],
    { types, price: selecting },
  ),
  fn(
    'labelSelector',
    doc,
    [{ id: 'authorizer_labelselector', signature: `${resource}.labelSelector(string): ${resource}`, impl }],
    { types, price: selecting },
  ),
];
