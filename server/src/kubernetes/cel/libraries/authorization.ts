import { nodeSize } from '../../../cel/estimate.ts';
import type { Impl } from '../../../cel/eval/implementation.ts';
import { actualSize } from '../../../cel/eval/size.ts';
import { error, orNoSuchOverload, type Val } from '../../../cel/eval/values.ts';
import { traverse } from '../../../cel/libraries/walks.ts';
import { fn, type Library, type Price } from '../../../cel/overload.ts';
import { stringFactor } from '../../../cel/prices.ts';
import { add, exactly, scale } from '../../../cel/range.ts';
import { trimSpace } from '../../../gostd/trim.ts';
import { dns1123Label, subdomainName } from '../../names.ts';
import { held, opaque } from './opaque.ts';
import { kubernetesTypes as types } from './types.ts';

/** Who asks for access. */
export interface AccessUser {
  readonly name: string;
  readonly groups: readonly string[];
}

/** A question about access, about a resource or, with `path`, about something else of the server. */
export interface AccessCheck {
  readonly user: AccessUser;
  readonly verb: string;
  readonly path?: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
}

export interface AccessAnswer {
  readonly decision: 'allow' | 'deny' | 'no opinion';
  readonly reason: string;
  readonly error?: string;
}

export type Authorizer = (check: AccessCheck) => AccessAnswer;

/** A question that is being put together. */
interface Asking extends Omit<AccessCheck, 'verb'> {
  readonly authorizer: Authorizer;
}

/** `authorizer` and `authorizer.requestResource` of a request by a user. */
export function authorizerValue(authorizer: Authorizer, user: AccessUser): Val {
  return valueOf(authorizerName, { authorizer, user });
}

export function requestResourceValue(
  authorizer: Authorizer,
  user: AccessUser,
  about: Pick<AccessCheck, 'group' | 'resource' | 'subresource' | 'namespace' | 'name'>,
): Val {
  return valueOf(resource, { authorizer, user, ...about });
}

export function serviceAccount(namespace: string, name: string): AccessUser {
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
  };
}

/** These can be asked and nothing else: comparing them is an error, whatever they are compared with. */
function valueOf(type: string, value: Asking | AccessAnswer): Val {
  const goType = `library.${type}`;
  return opaque({ type: types.get(type)!, goType, recognized: 'nothing', value, same: () => false });
}

const typeNamed = (name: string) => `kubernetes.authorization.${name}`;
const authorizerName = typeNamed('Authorizer');
const path = typeNamed('PathCheck');
const group = typeNamed('GroupCheck');
const resource = typeNamed('ResourceCheck');
const decision = typeNamed('Decision');

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

const doc =
  'Part of authorization checks, which start from `authorizer` in admission policies; rules in CRDs have none.';

function one(name: string, id: string, signature: string, impl: Impl) {
  return fn(name, doc, [{ id, signature, impl }], { types });
}

const nonBlank = (text: string, what: string, make: () => Val) =>
  trimSpace(text) === '' ? error(`${what} must not be empty`) : make();

/** Functions that only admission policies can make use of; they exist in rules all the same. */
export const authorization: Library = [
  one('path', 'authorizer_path', `${authorizerName}.path(string): ${path}`, (of, text) =>
    reading(of, authorizerName, text, (asking: Asking, text) =>
      nonBlank(text, 'path', () => valueOf(path, { ...asking, path: text })),
    ),
  ),
  one('group', 'authorizer_group', `${authorizerName}.group(string): ${group}`, (of, text) =>
    reading(of, authorizerName, text, (asking: Asking, text) => valueOf(group, { ...asking, group: text })),
  ),
  one(
    'serviceAccount',
    'authorizer_serviceaccount',
    `${authorizerName}.serviceAccount(string, string): ${authorizerName}`,
    (of, namespace, name) =>
      reading(of, authorizerName, namespace, (asking: Asking, namespace) =>
        typeof name === 'string' ? asServiceAccount(asking, namespace, name) : orNoSuchOverload(name),
      ),
  ),
  one('resource', 'groupcheck_resource', `${group}.resource(string): ${resource}`, (of, text) =>
    reading(of, group, text, (asking: Asking, text) =>
      nonBlank(text, 'resource', () => valueOf(resource, { ...asking, resource: text })),
    ),
  ),
  ...(['subresource', 'namespace', 'name'] as const).map((part) =>
    one(part, `resourcecheck_${part}`, `${resource}.${part}(string): ${resource}`, narrowing(part)),
  ),
  fn(
    'check',
    doc,
    [
      { id: 'pathcheck_check', signature: `${path}.check(string): ${decision}`, impl: checkOf(path) },
      { id: 'resourcecheck_check', signature: `${resource}.check(string): ${decision}`, impl: checkOf(resource) },
    ],
    { types, price: checking },
  ),
  one('errored', 'decision_errored', `${decision}.errored(): bool`, (of) =>
    answering(of, (answer) => answer.error !== undefined),
  ),
  one('error', 'decision_error', `${decision}.error(): string`, (of) => answering(of, ({ error = '' }) => error)),
  one('allowed', 'decision_allowed', `${decision}.allowed(): bool`, (of) =>
    answering(of, (answer) => answer.decision === 'allow'),
  ),
  one('reason', 'decision_reason', `${decision}.reason(): string`, (of) => answering(of, ({ reason }) => reason)),
];

const selectors = ['fieldSelector', 'labelSelector'] as const;

export const authorizationSelectors: Library = selectors.map((part) =>
  fn(
    part,
    doc,
    [
      {
        id: `authorizer_${part.toLowerCase()}`,
        signature: `${resource}.${part}(string): ${resource}`,
        impl: narrowing(part),
      },
    ],
    { types, price: selecting },
  ),
);

function narrowing(part: 'subresource' | 'namespace' | 'name' | 'fieldSelector' | 'labelSelector'): Impl {
  return (of, text) =>
    reading(of, resource, text, (asking: Asking, text) => valueOf(resource, { ...asking, [part]: text }));
}

function checkOf(type: string): Impl {
  return (of, verb) =>
    reading(of, type, verb, ({ authorizer: ask, ...check }: Asking, verb) =>
      valueOf(decision, ask({ ...check, verb })),
    );
}

function asServiceAccount(asking: Asking, namespace: string, name: string): Val {
  if (subdomainName(name, false).length > 0) return error('Invalid service account name');
  if (dns1123Label(namespace).length > 0) return error('Invalid service account namespace');
  return valueOf(authorizerName, { ...asking, user: serviceAccount(namespace, name) });
}

function reading<T>(of: Val, type: string, text: Val, use: (held: T, text: string) => Val): Val {
  const inside = held<T>(of, types.get(type)!);
  if (inside === undefined) return orNoSuchOverload(of);
  return typeof text === 'string' ? use(inside, text) : orNoSuchOverload(text);
}

function answering(of: Val, use: (answer: AccessAnswer) => Val): Val {
  const answer = held<AccessAnswer>(of, types.get(decision)!);
  return answer === undefined ? orNoSuchOverload(of) : use(answer);
}
