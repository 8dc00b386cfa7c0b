import { dynType, listOf, mapOf, stringType } from '../../../server/src/cel/types.ts';
import { quantityType } from '../../../server/src/kubernetes/cel/libraries/types.ts';
import type { Random } from '../../support/random.ts';
import type { Ask, Generator } from '../generator.ts';
import { explain, expressionOver, type Name } from './cel.ts';

// Expressions in the API server's own files, and of devices.

/** cel-go looks for keys that are there twice, and cannot for bytes. */
const bytesAsKeys = /^\.panic: ours undefined ≠ theirs "runtime error: hash of unhashable type types\.Bytes"$/;

const named = (names: Readonly<Record<string, Name['type']>>): readonly Name[] =>
  Object.entries(names).map(([text, type]) => ({ text, type }));

const strings = listOf(stringType);
const claims = named({ 'claims.sub': dynType, 'claims.email': dynType, 'claims.roles': dynType, claims: dynType });
const user = named({
  'user.username': stringType,
  'user.uid': stringType,
  'user.groups': strings,
  'user.extra': mapOf(stringType, strings),
  'user.extra["a"]': strings,
});
const request = named({
  'request.user': stringType,
  'request.groups': strings,
  'request.extra': mapOf(stringType, strings),
  'request.resourceAttributes.namespace': stringType,
  'request.resourceAttributes.labelSelector.requirements': listOf(dynType),
  'request.nonResourceAttributes.path': stringType,
});
const device = named({
  'device.driver': stringType,
  'device.attributes': mapOf(stringType, mapOf(stringType, dynType)),
  'device.attributes["a"]': mapOf(stringType, dynType),
  'device.attributes["a"].model': dynType,
  'device.capacity': mapOf(stringType, mapOf(stringType, quantityType)),
  'device.capacity["a"].memory': quantityType,
  'device.allowMultipleAllocations': dynType,
});

function many<T>(random: Random, make: () => T): T[] {
  return Array.from({ length: 1 + random.below(3) }, make);
}

function authentication(random: Random): unknown {
  const claimed = (extra = {}) => ({ expression: expressionOver(random, claims), ...extra });
  const sometimes = (name: string, make: () => unknown) => (random.chance(0.6) ? { [name]: make() } : {});
  return {
    apiVersion: 'apiserver.config.k8s.io/v1beta1',
    kind: 'AuthenticationConfiguration',
    jwt: [
      {
        issuer: { url: 'https://issuer.example.com', audiences: ['cluster'] },
        claimMappings: {
          username: random.chance(0.9) ? claimed() : claimed({ claim: 'sub', prefix: '' }),
          ...sometimes('groups', claimed),
          ...sometimes('uid', claimed),
          extra: many(random, () => expressionOver(random, claims)).map((valueExpression, i) => {
            return { key: `example.com/${i}`, valueExpression };
          }),
        },
        ...sometimes('claimValidationRules', () => many(random, claimed)),
        ...sometimes('userValidationRules', () =>
          many(random, () => ({ expression: random.chance(0.05) ? '' : expressionOver(random, user) })),
        ),
      },
    ],
  };
}

function authorization(random: Random): unknown {
  return {
    apiVersion: 'apiserver.config.k8s.io/v1beta1',
    kind: 'AuthorizationConfiguration',
    authorizers: [
      {
        type: 'Webhook',
        name: 'one',
        webhook: {
          ...{ timeout: '3s', subjectAccessReviewVersion: 'v1', matchConditionSubjectAccessReviewVersion: 'v1' },
          ...{ failurePolicy: 'Deny', connectionInfo: { type: 'InClusterConfig' } },
          matchConditions: many(random, () => ({
            expression: random.chance(0.05) ? random.pick(['', ' ']) : expressionOver(random, request),
          })),
        },
      },
    ],
  };
}

const selectors = (random: Random) => many(random, () => ({ cel: { expression: expressionOver(random, device) } }));

function devices(random: Random): unknown {
  const head = { apiVersion: 'resource.k8s.io/v1beta1', metadata: { name: 'a' } };
  if (random.chance(0.6)) return { ...head, kind: 'DeviceClass', spec: { selectors: selectors(random) } };
  const requests = many(random, () =>
    random.chance(0.5) ? {} : { firstAvailable: [{ selectors: selectors(random) }] },
  );
  const spec = { devices: { requests: requests.map((one) => ({ selectors: selectors(random), ...one })) } };
  return random.chance(0.5)
    ? { ...head, kind: 'ResourceClaim', spec }
    : { ...head, kind: 'ResourceClaimTemplate', spec: { spec } };
}

export const hostsGenerator: Generator = {
  name: 'hosts',
  explain: (ask, rows) => (rows.some((row) => bytesAsKeys.test(row)) ? 'the server panics' : explain(ask, rows)),
  generate: (random): Ask => ({ op: 'hosts', obj: random.pick([authentication, authorization, devices])(random) }),
};
