import { keywordFor } from '../../../server/src/crossplane/readSchema.ts';
import type { Random } from '../../support/random.ts';
import type { Ask, Generator } from '../generator.ts';
import { column, type Json, json, type Members, members, pickNode, rootSchema, schema } from './crd.ts';

// XRDs as they are stored: what the API server lets through, with schemas that may be anything, since it does not look
// into them.

/** Names that Crossplane gives to fields of its own. */
const taken = [
  ...[
    'compositionRef',
    'resourceRefs',
    'claimRef',
    'crossplane',
    'compositeDeletePolicy',
    'writeConnectionSecretToRef',
  ],
  ...['conditions', 'connectionDetails', 'claimConditionTypes', 'resourceRef', 'compositionUpdatePolicy'],
];

const names: readonly Members[] = [
  { kind: 'XBox', plural: 'xboxes' },
  { kind: 'XBox', plural: 'xboxes', singular: 'xbox', listKind: 'XBoxList', shortNames: ['xb'], categories: ['all'] },
  { kind: 'Box', plural: 'boxes', singular: '', listKind: '', categories: [] },
  { kind: 'Box', plural: 'xboxes', singular: 'xbox', listKind: 'XBoxList' },
  { kind: 'XBox', plural: 'boxes', singular: 'box', listKind: 'BoxList', shortNames: [] },
];

const labels: readonly Json[] = [{}, { a: 'b' }, { a: 'c', 'x.y/z': '' }];

/** Ways to write a keyword that Go's decoder takes for it, or does not. */
const spellings: readonly ((keyword: string) => string)[] = [
  (keyword) => keyword.toUpperCase(),
  (keyword) => keyword.toLowerCase(),
  (keyword) => keyword.replace('s', 'ſ'),
  (keyword) => keyword.replace('k', '\u212a'),
  (keyword) => `${keyword}x`,
];

function respell(random: Random, node: Members): void {
  const key = random.pick([...Object.keys(node), 'type']);
  const value = node[key];
  if (value === undefined) return;
  const other = random.pick(spellings)(key);
  if (other === key) return;
  delete node[key];
  node[other] = value;
}

function part(random: Random): Members {
  const out = members(schema(random, 3));
  if (random.chance(0.8)) out.type = 'object';
  const properties: Members = { ...members(out.properties) };
  for (let i = random.below(3); i > 0; i--) properties[random.pick(taken)] = schema(random, 1);
  if (random.chance(0.9)) out.properties = properties;
  return out;
}

function xrdSchema(random: Random): Json {
  if (random.chance(0.03)) return random.pick<Json>([null, {}, { properties: null }, { properties: 5 }, { type: 1n }]);
  const out = rootSchema(random);
  const properties: Members = { ...members(out.properties) };
  if (random.chance(0.9)) properties.spec = part(random);
  if (random.chance(0.6)) properties.status = part(random);
  if (random.chance(0.2)) {
    const longest = random.pick<Json>([10n, 63n, 64n, 0n, -1n, 1.5, '5', null]);
    properties.metadata = { type: 'object', properties: { name: { type: 'string', maxLength: longest } } };
  }
  out.properties = properties;
  for (let i = random.below(3); i > 0; i--) {
    if (random.chance(0.4)) respell(random, pickNode(random, out));
    else if (random.chance(0.5))
      pickNode(random, out)[random.pick(['foo', 'required', 'oneOf', 'enum'])] = json(random, 1);
  }
  return out;
}

function version(random: Random, i: number): Members {
  const out: Members = { name: `v${i + 1}`, served: random.chance(0.8), referenceable: i === 0 };
  if (random.chance(0.97))
    out.schema = random.chance(0.98) ? { openAPIV3Schema: xrdSchema(random) } : random.pick<Json>([{}, null]);
  if (random.chance(0.2)) out.additionalPrinterColumns = [column(random), column(random)].slice(random.below(2));
  if (random.chance(0.1)) out.deprecated = random.chance(0.7);
  if (random.chance(0.1)) out.deprecationWarning = random.pick(['old', '']);
  if (random.chance(0.2)) {
    const scale = { specReplicasPath: '.spec.a', statusReplicasPath: '.status.a', labelSelectorPath: '.status.b' };
    out.subresources = random.pick<Json>([{}, { scale }, { scale: { ...scale, labelSelectorPath: '' } }]);
  }
  return out;
}

/** The API server stores whole numbers without a point, and the keys of objects in order. */
function stored(value: Json): Json {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  if (Array.isArray(value)) return value.map(stored);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, stored(item)]));
}

/** Whether some schema has a keyword in two spellings: Go's decoder takes one over the other, down into what they hold. */
function hasTwoSpellings(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const keys = Object.keys(value).map((key) => keywordFor(key) ?? key);
  return new Set(keys).size < keys.length || Object.values(value).some(hasTwoSpellings);
}

export const xrdGenerator: Generator = {
  name: 'xrd',
  oracle: 'crossplane',
  explain: ({ obj }) => (hasTwoSpellings(obj) ? 'a keyword in two spellings' : undefined),
  generate(random): Ask {
    const some = <T extends Json>(chance: number, key: string, values: readonly T[]): Members =>
      random.chance(chance) ? { [key]: random.pick(values) } : {};
    const spec: Members = {
      group: 'example.org',
      names: random.pick(names),
      versions: Array.from({ length: random.pick([1, 1, 1, 2, 3, 0]) }, (_, i) => version(random, i)),
      ...some(0.8, 'scope', ['LegacyCluster', 'Namespaced', 'Cluster', null]),
      ...some(0.5, 'claimNames', [...names, null]),
      ...some(0.6, 'defaultCompositionUpdatePolicy', ['Automatic', 'Manual', null]),
      ...some(0.6, 'defaultCompositeDeletePolicy', ['Background', 'Foreground', null]),
      ...some(0.1, 'connectionSecretKeys', [['a']]),
      ...some(0.1, 'conversion', [
        { strategy: 'None' },
        { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://a.b' } } },
      ]),
      ...some(0.3, 'metadata', [{ labels: random.pick(labels) }, { annotations: random.pick(labels) }, {}, null]),
    };
    const metadata: Members = {
      ...some(0.95, 'name', ['xboxes.example.org', 'a"b']),
      ...some(0.3, 'labels', labels),
      ...some(0.3, 'annotations', labels),
    };
    const kind = 'CompositeResourceDefinition';
    return { op: 'xrd', obj: stored({ apiVersion: 'apiextensions.crossplane.io/v2', kind, metadata, spec }) };
  },
};
